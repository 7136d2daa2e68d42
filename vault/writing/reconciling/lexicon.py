"""Words with a part in the comparison: function words, negations, cues of change, opposites, near-synonyms.

General vocabulary only. Entries are written in their plain form and kept as stems.
"""

from __future__ import annotations

from collections.abc import Mapping

from vault.writing.reconciling.numerals import MONTHS
from vault.writing.reconciling.stemming import stem


_NEAR_SYNONYMS = (
    "close shut|change replace swap exchange substitute replacement substitution|decline refuse reject|approve authorise authorize signoff|"
    "ring call phone telephone dial|live reside|hold pause suspend|wait await|begin start commence|end finish expire terminate conclude|"
    "buy purchase|weigh weight|manager boss supervisor|departure leave depart|collect fetch pickup|repair fix mend|"
    "need require|large big|small little tiny|help assist|doctor gp physician|invoice bill|salary wage|flat apartment|"
    "parcel package|shop store|price cost|company firm|like love enjoy fond|dislike hate detest loathe|maximum max|minimum min|"
    "holiday vacation leave|quick fast rapid|kid child|car automobile|film movie|email mail|photo picture|"
    "document paper|staff employee|reply answer respond response|keep retain|send dispatch ship|cancel annul|"
    "permit allow|forbid ban prohibit|mother mum mom|father dad|weekly everyweek|tv television|journey trip|ill sick|"
    "laptop notebook|stop quit|live living|gewicht wiegt|paket pakets|termin kundentermin|prefer favour favor|"
    "person people|contract agreement|request ask|city town|road street|sign signed signature"
)
SYNONYM: Mapping[str, str] = {
    stem(word): stem(group.split()[0]) for group in reversed(_NEAR_SYNONYMS.split("|")) for word in group.split()
}



def _stems(words: str) -> frozenset[str]:
    """The keys under which words are compared: their stems, synonyms brought together."""
    return frozenset(SYNONYM.get(stem(word), stem(word)) for word in words.split())



FUNCTION = frozenset(
    (
        "a an the one and or but of to in on at by for from with as is are was were be been being am it its this that these "
        "those he she they his her hers their theirs him them i me my we us our ours you your yours who whom which what "
        "there here has have had do does did will would shall should can could may might must than then so if when while "
        "until till since before after during per via about into onto over under within only just also too very quite "
        "please pls still now already ever any some all both each every such own same other another more most up down out "
        "off again s t d ll ve re m user client customer note file sir madam mr mrs ms dr prof "
        "der die das den dem des ein eine einen einem einer und oder aber von zu zum zur im am an auf für mit bei nach aus "
        "ist sind war waren sein hat haben wird werden er sie es ihr ihre ihren ihm ihn wir uns ich mich mir bitte herr frau "
        "le la les un une des du de et ou à au aux en dans sur pour par avec est sont était a ont il elle ils elles son sa "
        "ses leur leurs nous vous je me ce cet cette ces qui que quoi se y d l n ne qu c m mme "
        "el los las una unos unas del al y o e con por para es son era fue está están ha han su sus lo le se nos mi que "
        "ki ka ke ko ne se mein me par hai hain tha thi ho aur wale wala wali ji jī "
        "का के की को ने से में पर है हैं था थी थे और जी वे वह यह भी लिए "
        "في من إلى على عن مع أن هو هي هذا هذه السيدة السيد "
        "di il lo gli che è sono per del della nel nella con si "
        "и в на с по у к из за что это он она они"
    ).split()
)
NEGATIONS = frozenset(
    (
        "not no never none nobody nothing neither nor cannot without "
        "nicht kein keine keinen keinem keiner nie niemals ohne pas jamais ni sans aucun aucune "
        "nunca tampoco sin ninguna ninguno não nunca non mai senza "
        "nahi nahin nahī नहीं मत न बिना لا لم لن ليس ليست ألا دون не нет никогда без"
    ).split()
)
# Grammar that turns a limit round: two statements that differ in one of these are not the same.
DIRECTIONAL = frozenset(
    "before after until till since under over above below up down off out only more most less except unless".split()
)
# A statement with one of these says that something which was so has stopped, or is otherwise now.
ENDINGS_OF_STATE = _stems(
    "cancel cancelled canceled cancels revoke revoked withdraw drop dropped lift lifted end ended ends stop stopped quit "
    "discontinue abolish scrap scrapped delete deleted remove removed empty emptied lapse lapsed expire expired void "
    "leave left resign retired retire sell sold close closed return returned dismiss fired divorced died lost lose gave "
    "replace replaced supersede swap swapped merge merged postpone postponed reschedule rescheduled waive waived "
    "unsubscribe stays gave vacated terminated terminate fixed repaired resolved settled cured recovered rule object objected outgrown "
    "abgesagt storniert gekündigt beendet verkauft verlassen annulé annulée résilié vendu quitté cancelado cancelada "
    "vendido dejó canceló annullato रद्द बंद छोड़ band radd chhod ألغى ألغت ألغي توقف キャンセル 中止 退職 解約 отменил отменена"
)
# ... and of these, that something else has taken its place.
TURNS = _stems(
    "switch switched change changed now again ora push pushed verlängert prolongé prorogado move moved relocate migrate transfer transferred promoted become became convert "
    "upgrade upgraded raise raised increase increased reduce reduced lower lowered cut extend extended shorten shortened "
    "correct corrected update updated revise revised final instead rather actually mistake error wrong typo anymore "
    "join joined renamed rename reverse "
    "gewechselt umgezogen geändert verschoben statt stattdessen jetzt neu erst ausschließlich künftig déménagé changé désormais maintenant "
    "plutôt cambió cambiado mudó ahora traslado badal badla ab अब बदल بدل غير الآن انتقل 変更 引っ越し 変わり теперь переехал изменил"
)
LASTING_TURNS = _stems("now instead nowadays currently meanwhile today latest jetzt désormais ahora ab अब الآن теперь")
ADDITIONS = _stems(
    "also too additionally addition another second extra besides further likewise moreover furthermore plus auch zusätzlich "
    "außerdem aussi également también además anche bhi भी أيضا أيضاً also も также"
)
# What a statement may speak of at the same time as its twin for another season, meal or case.
CIRCUMSTANCES = _stems(
    "winter summer spring autumn weekday weekend breakfast lunch dinner supper morning noon afternoon evening night "
    "overnight holiday emergency urgent sommer winter frühling herbst hiver été verano invierno"
)
# One holder or one value at a time: another one means that the first no longer holds.
ROLES = _stems(
    "size address salary rent budget limit cap threshold maximum minimum price rate fee deadline status priority manager "
    "owner landlord gp dentist wife husband spouse partner employer job birthday age weight height width length "
    "timezone colour color codename nickname password pin code version default capital headquarters level role team "
    "contact extension iban next favourite favorite preferred primary main current headcount total balance currency "
    "tariff plan tutor teacher trainer therapist accountant lawyer coach operator provider supplier"
)
FUNCTIONAL = ROLES | _stems(
    "live work weigh stay cost charge earn report belong prefer want take close open start end expire run set kept due "
    "scheduled assigned located based gate room seat called wohnt arbeitet kostet vive trabaja cuesta habite travaille "
    "prefiere préfère möchte lavora abita läuft abre cierra beginnt commence"
)
MANY_VALUED = _stems(
    "like love enjoy drink eat own have speak visit complain buy order attend know read watch collect play use bring "
    "allergic dislike hate subscribe include contain carry accept"
)
ONLY = frozenset("only just exclusively solely nur solo solamente seulement uniquement".split())
OPEN_STATES = _stems(
    "open pending waiting awaiting outstanding unpaid unsigned draft planned scheduled hold paused requested processing "
    "broken faulty stuck frozen blocked unresolved assigned reserved overdue missing offen ausstehend pendiente"
)
CLOSING_STATES = _stems(
    "closed approved rejected cancelled resolved done completed paid signed delivered fixed repaired lifted passed returned "
    "arrived released unblocked refunded shipped granted declined finished handed reopened works working settled found received "
    "erledigt bezahlt genehmigt pagado pagada aprobado payé payée réglé"
)
_OPPOSITE_PAIRS = (
    "open/close enable/disable allow/forbid allow/ban accept/reject accept/decline like/dislike like/hate love/hate "
    "enjoy/hate enjoy/dislike love/dislike married/divorced married/single active/inactive active/dormant start/end arrive/depart "
    "increase/decrease high/low hot/cold early/late paid/unpaid available/unavailable fulltime/parttime public/private "
    "present/absent before/after more/less maximum/minimum always/never pass/fail approve/reject approve/decline "
    "employed/unemployed inside/outside agree/disagree win/lose safe/unsafe vegetarian/meat full/empty happy/unhappy "
    "remote/onsite upstairs/downstairs above/below indoor/outdoor mandatory/optional required/optional left/right "
    "online/offline weekly/monthly alone/together raw/cooked paper/digital paper/electronic incoming/outgoing buy/sell "
    "closed/reopened on/off smoker/nonsmoker likes/hates morning/evening day/night north/south east/west odd/even warm/cool front/rear brother/sister"
)
PHRASES: Mapping[tuple[str, str], str] = {
    **{(verb, "to"): stem("manager") for verb in ("reports", "report", "reporting")},
    **{(verb, "down"): SYNONYM[stem("decline")] for verb in ("turn", "turned", "turns")},
    **{(verb, "off"): SYNONYM[stem("approve")] for verb in ("sign", "signed", "signs")},
    **{(verb, "up"): SYNONYM[stem("collect")] for verb in ("pick", "picks", "picked")},
    **{(verb, "up"): "stop" for verb in ("give", "gave", "gives", "given")},
    **{(nobody, but): "only" for nobody in ("nobody", "none", "noone", "nothing") for but in ("but", "except")},
    **{("from", "now"): "now"},
}


def _opposites() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for pair in _OPPOSITE_PAIRS.split():
        one, other = ((SYNONYM.get(stem(word), stem(word))) for word in pair.split("/"))
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in found.items()}


OPPOSITES = _opposites()

# "No longer" and its like, as one word or as two that stand together.
ENDED: frozenset[str | tuple[str, str]] = frozenset(
    {"anymore", "longer", ("any", "more"), ("any", "longer"), ("no", "more"), ("nicht", "mehr"), ("keine", "mehr"), ("ya", "no")}
    | {("não", "mais"), ("non", "più"), ("ne", "plus"), ("n", "plus"), ("لم", "يعد"), ("لم", "تعد"), ("अब", "नहीं"), ("ab", "nahi")}
    | {("больше", "не"), "plus jamais"}
)
KIN = _stems(
    "mother father brother sister son daughter wife husband uncle aunt cousin grandma grandmother grandfather grandpa niece "
    "nephew parent mum dad mom colleague flatmate roommate neighbour neighbor friend partner boyfriend girlfriend"
)
# Grammar that says which side of a limit is meant.
OPPOSITE_DIRECTIONS = tuple(
    frozenset(pair.split("/"))
    for pair in "before/after until/since till/since under/over above/below up/down on/off more/less in/out most/least".split()
)
UPPER_BOUNDS = frozenset("max maximum most below under less before until till within fewer".split())
LOWER_BOUNDS = frozenset("min minimum least above over more after from since reach exceed later onwards".split())
SKIPPED = _stems("cancel cancelled canceled skip skipped miss missed postponed postpone")
HABITS = frozenset(
    "every always usually often regularly weekly daily monthly mondays tuesdays wednesdays thursdays fridays saturdays "
    "sundays twice once".split()
)
OCCASIONS = frozenset("last yesterday today tomorrow tonight this because next".split()) | frozenset(MONTHS)
_TRANSITIONS = (
    ("live lives living reside resides resident wohnt habite vive abita home based lebt", "moved moves relocated settled umgezogen déménagé mudó mudado trasferito переехал"),
    ("work works working employed job arbeitet travaille trabaja lavora employer", "quit resigned joined hired retired unemployed redundant gekündigt kündigte démissionné"),
    ("married wife husband engaged", "divorced separated widowed"),
    ("single", "married engaged"),
    ("vegetarian vegan", "meat chicken beef steak fish"),
    ("use uses using", "switched migrated"),
)
TRANSITIONS: tuple[tuple[frozenset[str], frozenset[str]], ...] = tuple(
    (frozenset(states.split()), frozenset(steps.split())) for states, steps in _TRANSITIONS
)
_EXCLUSIVE_WAYS = (
    "post phone email sms text whatsapp fax letter paper pdf ring mail document telefon brief correo teléfono courrier téléphone هاتف بريد",
    "window aisle",
    "english german french spanish italian dutch japanese chinese portuguese polish arabic hindi turkish russian korean",
    "cash card transfer invoice cheque",
    "vegetarian vegan",
    "morning afternoon evening night",
)
EXCLUSIVE: tuple[frozenset[str], ...] = tuple(
    frozenset(SYNONYM.get(stem(w), stem(w)) for w in ways.split()) for ways in _EXCLUSIVE_WAYS
)
WISHES = frozenset(
    SYNONYM.get(stem(w), stem(w)) for w in "want prefer ask request wish like need möchte will bevorzugt prefiere préfère please held send تفضل طلبت".split()
)
