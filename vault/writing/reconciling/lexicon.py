"""Words with a part in the comparison: function words, negations, cues of change, opposites, near-synonyms.

General vocabulary only. Entries are written in their plain form and kept as stems.
"""

from __future__ import annotations

from collections.abc import Mapping

from vault.writing.reconciling.numerals import MONTHS
from vault.writing.reconciling.stemming import stem


_NEAR_SYNONYMS = (
    "close shut|change replace swap exchange substitute replacement substitution|decline refuse reject|approve authorise authorize signoff|"
    "ring call phone telephone dial|live reside|hold pause suspend|wait await|begin start commence|end expire terminate conclude|"
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



def _forms(words: str) -> frozenset[str]:
    """Words as they are written: the stem of "moved" would also be that of "movie"."""
    return frozenset(words.split())


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
ENDINGS_OF_STATE = _forms(
    "cancel cancelled cancelling canceled cancels revoke revoked withdraw drop dropped lift lifted end ended ends stop stopped quit "
    "discontinue abolish scrap scrapped delete deleted remove removed emptied lapse lapsed expire expired "
    "leave left resign retired retire sell sold closed dismissed fired divorced "
    "replace replaced supersede swap swapped merge merged postpone postponed reschedule rescheduled waive waived "
    "unsubscribe vacated terminated fixed repaired resolved cured object ruled objected outgrown "
    "abgesagt storniert gekündigt beendet verkauft verlassen annulé annulée résilié vendu quitté cancelado cancelada "
    "vendido dejó canceló annullato रद्द बंद छोड़ band radd chhod ألغى ألغت ألغي توقف キャンセル 中止 退職 解約 отменил отменена"
)
# ... and of these, that something else has taken its place.
TURNS = _forms(
    "switch switched switching change changed push pushed moved relocate migrate transfer transferred converted "
    "upgrade upgraded raise raised increase increased reduce reduced lower lowered extend extended shorten shortened "
    "correct corrected instead anymore renamed rename reverse "
    "gewechselt umgezogen geändert verschoben verlängert statt stattdessen ausschließlich künftig déménagé changé prolongé "
    "plutôt cambió cambiado mudó traslado prorogado badal badla बदल بدل غير انتقل 変更 引っ越し 変わり переехал изменил"
)
# Words that go with a new value, and say nothing of change where there is none.
CORRECTIONS = TURNS | _forms(
    "final now again actually rather mistake error wrong typo cut update updated revise revised new latest currently "
    "jetzt neu erst désormais maintenant ahora ora ab अब الآن теперь"
)
# Verbs that say too little for two statements to be of one matter.
LIGHT = _stems(
    "go make take get find feel see help keep try ask give want like enjoy love say tell think know come use look let put "
    "be have do need start begin work run good great nice time thing way day people person"
)
PLACE_VERBS = _stems("live work reside report belong stay located based wohnt lebt arbeitet habite travaille vive trabaja lavora abita")
ROLE_ADJECTIVES = _stems("favourite favorite preferred primary main current next default")
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
    "timezone colour color codename nickname password pin code version default capital headquarters level "
    "contact extension iban next favourite favorite preferred primary main current headcount total balance currency "
    "tariff tutor teacher trainer therapist accountant lawyer coach operator provider supplier"
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
COPULAS = frozenset("is are ist sind est sont es son è hai hain है हैं".split())
ONLY = frozenset("only exclusively solely nur solo solamente seulement uniquement".split())
OPEN_STATES = _stems(
    "open pending waiting awaiting outstanding unpaid unsigned draft hold paused "
    "broken faulty stuck frozen blocked unresolved assigned reserved overdue off offen ausstehend pendiente"
)
CLOSING_STATES = _stems(
    "closed approved rejected cancelled resolved completed paid signed delivered fixed repaired lifted passed returned "
    "arrived released unblocked refunded shipped granted declined handed reopened "
    "erledigt bezahlt genehmigt pagado pagada aprobado payé payée réglé"
)
_OPPOSITE_PAIRS = (
    "open/close enable/disable allow/forbid allow/ban accept/reject accept/decline like/dislike like/hate love/hate "
    "enjoy/hate enjoy/dislike love/dislike married/divorced married/single active/inactive active/dormant start/end arrive/depart "
    "increase/decrease high/low hot/cold early/late paid/unpaid available/unavailable fulltime/parttime public/private "
    "present/absent maximum/minimum always/never pass/fail approve/reject approve/decline "
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
    **{("from", "now"): "now", ("instead", "of"): "rather-than"},
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
    ("live lives living reside resides resident wohnt habite vive abita lebt", "moved relocated settled umgezogen déménagé mudó mudado trasferito переехал"),
    ("work works working employed job arbeitet travaille trabaja lavora employer", "quit resigned retired unemployed redundant gekündigt kündigte démissionné"),
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
