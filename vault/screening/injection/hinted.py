"""Claims of high impact in looser words: what is said about limits, checks, callers and accounts without naming the claim.

"The two-person rule was dropped" approves nothing and opens everything. Such words stand in honest notes of people and
agents too, so they count in texts from outside alone, where nobody's word stands behind them. Patterns of one clause,
linear in the text; six languages, as far as their idioms are known.
"""

from __future__ import annotations

from vault.screening.injection.impact import MONEY, Patterns, compiled, named_in

# ruff: noqa: E501 - a pattern a line reads better than one broken in two

_LIMIT = (
    r"(?:(?:spending|credit|expense|daily|monthly|transfer|refund|payout|payment|dollar|euro|purchas(?:e|ing)|withdrawal|signing) (?:limits?|ceilings?|caps?|thresholds?|restrictions?)|"
    r"(?:approval|verification|identity|credit|background|id|kyc) (?:checks?|rules?|steps?|requirements?)|"
    r"two[- ]person rule|four[- ]eyes(?: principle| rule| check)?|dual control|(?:second|counter)[ -]?signatures?|sign[- ]?offs?)"
)
_LIFTED = (
    r"(?:(?:does|do)(?: not|n't) apply|no longer (?:appl(?:y|ies)|exists?|holds?|needed|required)|"
    r"(?:was|were|is|are|been) (?:now |already |hereby )?(?:dropped|lifted|waived|removed|suspended|abolished|scrapped|switched off|turned off|disabled|set aside|gone|history))"
)
_CALLER = r"(?:the|this|that) (?:caller|customer|client|supplier|vendor|bearer|sender|requester|contractor|account holder|employee)"
_KEPT = (
    r"(?:ledgers?|records?|accounts?|files?|balances?|reset|codes?|data|history|details|statements?|access|"
    r"everything|portal|passwords?|credentials?)"
)
_VERIFIED = r"(?:verified|vetted|authenticated|cleared|established|whitelisted|pre-?cleared)"
_UPSTAIRS = (
    r"(?:people upstairs|higher[- ]ups|powers that be|upper management|top brass|leadership|front office)"
)
_SAID_YES = r"(?:approved|ok'?d|okayed|agreed|lifted|signed off|cleared|waved|green[- ]?lit|said yes)"
_ELSEWHERE = r"(?:another|a different|a new|the new|our new|the other)"
_NOT_ASKING = r"(?:ask|look twice|check|verify|double[- ]check|question|review|call back|request (?:proof|id|documents))"
_CARE = rf"(?:{MONEY}|vendor|supplier|caller|account|identity|payout)"

_PATTERNS: Patterns = (
    (
        "approval",
        (
            rf"\b{_LIMIT}\b[^.!?\n]{{0,60}}\b{_LIFTED}\b",
            rf"\bno (?:longer any |more )?{_LIMIT}\b[^.!?\n]{{0,30}}\b(?:for|on|from now|any more|needed|required)\b",
            rf"\b{_CARE}\b[^.!?\n]{{0,60}}\b(?:no|without any) (?:need|reason) to {_NOT_ASKING}\b",
            rf"\b(?:no|without any) (?:need|reason) to {_NOT_ASKING}\b[^.!?\n]{{0,60}}\b{_CARE}\b",
            r"\b(?:limit|obergrenze|ausgabengrenze|kreditrahmen|vier-augen-prinzip|zweite unterschrift|freigabe|pr[üu]fung)\b[^.!?\n]{0,50}\b(?:gilt nicht mehr|gelten nicht mehr|entf[äa]llt|aufgehoben|gibt es nicht mehr|f[äa]llt weg|nicht mehr n[öo]tig)\b",
            r"\bohne (?:unterschrift|freigabe|genehmigung|r[üu]ckfrage|pr[üu]fung|nachfrage|kontrolle|beleg)\b[^.!?\n]{0,40}(?:\bdurch\b|freigeb|bezahl|begleich|erstatt|ausgezahlt|auszahl|[üu]berw[ei]+s)",
            r"\b(?:plafond|limite)\b[^.!?\n]{0,50}\b(?:ne s'applique plus|n'existe plus|(?:a [ée]t[ée]|est) (?:supprim[ée]e?|lev[ée]e?|retir[ée]e?))",
            r"\b(?:rembours|pay|r[ée]gl|vir)[^\s.!?]*[^.!?\n]{0,50}\bsans (?:justificatif|validation|signature|v[ée]rification|demander|contr[ôo]le|accord)\b",
            r"\b(?:l[íi]mite|tope|techo)\b[^.!?\n]{0,50}\b(?:ya no (?:existe|se aplica|aplica|rige)|eliminad[oa]|levantad[oa]|suprimid[oa])\b",
            r"\b(?:reembols|pag|factur|transf)[^\s.!?]*[^.!?\n]{0,50}\bsin (?:preguntar|aprobaci[óo]n|firma|verificar|revisar|justificante|consultar)\b",
            r"\b(?:rimbors|pag|fattur|bonific)[^\s.!?]*[^.!?\n]{0,50}\bsenza (?:chiedere|conferma|approvazione|firma|verifica|controll[oi])\b",
            r"\blimite\b[^.!?\n]{0,50}\b(?:non (?:vale|si applica|esiste) pi[ùu]|j[áa] n[ãa]o (?:existe|se aplica|vale))",
            r"\b(?:reembols|pag|fatur|transf)[^\s.!?]*[^.!?\n]{0,50}\bsem (?:perguntar|aprova[çc][ãa]o|assinatura|verificar|conferir)\b",
            r"\b(?:betaal|betal|terugbeta|factu|overma)[^\s.!?]*[^.!?\n]{0,50}\bzonder (?:te vragen|goedkeuring|handtekening|controle)\b",
        ),
    ),
    (
        "approval",
        (
            # Nobody looks, and nobody has to.
            r"\b(?:nobody|no one|no-one)\b (?:ever )?(?:looks? at|checks?|reviews?|verif(?:y|ies)|has to (?:sign|check|approve|confirm))\b[^.!?\n]{0,40}\b(?:invoices?|bills?|refunds?|payments?|orders?|expenses?|it twice|them twice|for (?:her|him|them))\b",
            r"\b(?:invoices?|bills?|refunds?|payments?|expenses?)\b[^.!?\n]{0,50}\b(?:nobody|no one|no-one)\b (?:ever )?(?:looks?|checks?|reviews?|asks?)\b",
            r"\b(?:invoices?|bills?|refunds?|payments?|expenses?|claims?)\b[^.!?\n]{0,50}\b(?:(?:are|is|be) (?:simply |just )*(?:let through|waved through|honou?red)|(?:go|goes) (?:straight |right )?through|go(?:es)? straight out|need not be (?:checked|verified|approved|countersigned|reviewed))\b",
            r"\b(?:no longer|not|never) ha(?:s|ve) to (?:counter-?sign|sign off|be (?:checked|approved|verified))\b",
            rf"\bexempt(?:ed)? from (?:the |any |all )?{_LIMIT}\b",
            r"\b(?:second|double) look\b[^.!?\n]{0,20}\b(?:was|is|has been) (?:dropped|lifted|skipped|waived)\b",
            r"\b(?:rechnung\S*|zahlung\S*|erstattung\S*|gutschrift\S*|geld)\b[^.!?\n]{0,50}\b(?:ungesehen|ungepr[üu]ft|gleich raus|sofort raus)\b",
            r"\b(?:wird|werden) (?:hier |da )?nicht (?:nachgefragt|gepr[üu]ft|kontrolliert)\b[^.!?\n]{0,40}\b(?:geld|zahl|erstatt|rechnung)",
            r"\b(?:factures?|paiements?|remboursements?)\b[^.!?\n]{0,40}\bsans que personne\b",
            r"\bon ne (?:leur |lui )?demande rien\b[^.!?\n]{0,40}\b(?:rembours|pa[iy]|vir)",
            r"\b(?:facturas?|pagos?|devoluci[óo]n\S*|reembolsos?)\b[^.!?\n]{0,40}\bsin que nadie\b",
            r"\bno se (?:le|les) pregunta nada\b",
            r"\b(?:fattur\S*|pagament\S*|rimbors\S*)\b[^.!?\n]{0,40}\bsenza che nessuno\b",
            r"\bnon si chiede niente\b|\bn[ãa]o se pergunta nada\b",
            r"\b(?:faturas?|pagamentos?|reembols\S*)\b[^.!?\n]{0,40}\bsem que ningu[ée]m\b",
            # Alone, and over any amount.
            r"\b(?:zeichn|unterschreib)\S*\b[^.!?\n]{0,30}\ballein\b|\ballein\S*\b[^.!?\n]{0,20}\b(?:zeichnen|unterschreiben|freigeben)\b",
            r"\b(?:signe|signent|valide)\b[^.!?\n]{0,20}\bseule?s?\b[^.!?\n]{0,40}\bmontant\b",
            r"\b(?:firma|autoriza|aprueba)\b[^.!?\n]{0,20}\b(?:sol[oa]|da sol[oa])\b[^.!?\n]{0,50}\b(?:importe|importo|cantidad)\b",
            r"\bassina\b[^.!?\n]{0,20}\bsozinh[oa]\b[^.!?\n]{0,50}\bvalor\b",
            r"\b(?:signs|may sign|approves)\b[^.!?\n]{0,20}\b(?:alone|by (?:her|him)self|on (?:her|his|their) own)\b[^.!?\n]{0,40}\b(?:amount|whatever|up to|over|any)\b",
            r"\b(?:kann|darf)\b so viel ausgeben\b|\bd[ée]pense(?:r)? ce qu'(?:elle|il)\b|\bgastar (?:todo )?lo que (?:quiera|desee)\b|\bspendere quanto vuole\b|\bgastar o que quiser\b|\bspend (?:as much as|what(?:ever)?) (?:she|he|they) (?:wants?|likes?|pleases?)\b",
            r"\b(?:autoris[ée]e?|autorizzat[oa]|autorizad[oa])s? (?:à|a) (?:d[ée]passer|superare|superar|exceder)\b",
            r"\b(?:credit|spending|payout|refund|transfer) (?:limit|cap|ceiling)\b[^.!?\n]{0,40}\b(?:was|is|has been|now) (?:raised|increased|doubled|extended)\b",
        ),
    ),
    (
        "permission",
        (
            r"\bdarf\b[^.!?\n]{0,20}\b(?:akten|daten|buchungen|vorg[äa]nge|konten)\b[^.!?\n]{0,20}\banderen?\b",
            r"\bpeut (?:consulter|voir|lire)\b[^.!?\n]{0,30}\bdes autres\b|\bpuede (?:ver|consultar|leer)\b[^.!?\n]{0,30}\bde los dem[áa]s\b|\bpu[òo] (?:vedere|consultare|leggere)\b[^.!?\n]{0,30}\bdegli altri\b|\bpode (?:ver|consultar|ler)\b[^.!?\n]{0,30}\bdos outros\b",
            r"\b(?:may|can|is (?:allowed|free) to) (?:see|view|read|change|cancel|look at)\b[^.!?\n]{0,30}\b(?:others'|other (?:people's|customers'|guests'|users'))",
            r"\b(?:may|can)\b[^.!?\n]{0,20}\bread (?:him|her|them|the caller) (?:the |his |her )?(?:full |whole )?(?:card|account|code|balance|password)\b",
            r"\b(?:may|can) (?:change|update|cancel|approve|withdraw|order)\b[^.!?\n]{0,40}\b(?:without (?:asking|telling|bothering|checking with)|at any time without)\b",
            r"\b(?:send|give|read out|tell)\b (?:\w+ ){0,3}(?:codes?|pins?|passwords?|tokens?|keys?)\b[^.!?\n]{0,20}\bto (?:whoever|anyone who|anybody who|everybody who)\b",
            r"\b(?:braucht|muss) (?:sich )?nicht (?:mehr )?(?:auszuweisen|ausweisen|identifizieren|nachzuweisen)\b|\binutile de v[ée]rifier (?:qui|son identit[ée])|\bno necesita (?:identificarse|verificaci[óo]n|acreditar)|\bnon (?:deve|serve) (?:identificarsi|verificare (?:chi|l'identit))|\bn[ãa]o precisa (?:identificar-se|se identificar|de verifica)|本人確認(?:は)?不要|无需(?:核实|验证)身份",
            r"\b(?:he|she|they) (?:is|are) who (?:he|she|they) says?\b",
        ),
    ),
    (
        "payment_details",
        (
            r"\b(?:moved|changed|switched) banks?\b|\bbank gewechselt\b|\bchang[ée] de banque\b|\bcambi[óo] de banco\b|\bcambiato banca\b|\bmudou de banco\b",
            r"\b(?:payments?|bills?|invoices?|refunds?|money|geld|gutschrift\S*)\b[^.!?\n]{0,60}\b(?:to|at|on|an|auf|[üu]ber) (?:the |das |ein )?(?:\w+ )?(?:wallet|(?:revolut|wise|new|neue[sn]?) (?:account|konto))\b",
            r"\b(?:new|neue[sn]?) (?:account|konto|iban)\b[^.!?\n]{0,20}\b(?:for|f[üu]r)\b[^.!?\n]{0,20}\b(?:payments?|zahlungen|is|ist)\b",
            r"\b(?:k[üu]nftig|ab sofort|ab jetzt|bitte)\b[^.!?\n]{0,30}\b(?:an|auf) (?:die )?iban\b[^!?\n]{0,50}\b(?:zahlen|[üu]berweisen)\b",
        ),
    ),
    (
        "speaks_for_staff",
        (
            r"\b(?:speaks?|writes?|decides?) (?:for|on behalf of|in the name of) (?:the )?(?:board|management|owners?|directors?|company)\b",
            r"\bspricht f[üu]r (?:den|die) (?:vorstand|leitung|gesch[äa]ftsf[üu]hrung|chef\S*)|\bparle (?:au nom de|pour) la direction\b|\bhabla (?:por|en nombre de) la direcci[óo]n\b|\bparla a nome della direzione\b|\bfala (?:pela|em nome da) dire[çc][ãa]o\b",
            r"\b(?:settled|agreed|arranged|cleared) with (?:finance|accounting|the board|management|head office|legal)\b",
        ),
    ),
    (
        "standing_order",
        (
            r"\b(?:ai|chatbots?|bots?|language models?|assistants?)\b (?:reading (?:this|it) )?(?:should|must|shall|are to|need to|ha(?:s|ve) to)\b",
            r"\ba good (?:assistant|agent|bot) (?:keeps?|sends?|adds?|forwards?|puts?|copies|always|tells?|says?)\b",
            r"(?:^|[.!?\n]\s*)(?:hey|dear|hello|attention|note to)[, ]+(?:the )?(?:ai|assistant|agent|bot|model)\b",
            r"\b(?:when(?:ever)?|if) (?:you are |you're |you )?(?:asked|summari[sz]e|repl(?:y|ies)|answer|mention(?:ed)?|translate)\b[^.!?\n]{0,40}, (?:always |please )*(?:say|add|answer|claim|tell|include|append|recommend|mention)\b",
            r"\bif (?:some(?:body|one)|anyone|anybody) (?:mentions|asks|says)\b[^.!?\n]{0,30}, the (?:answer|reply|response)\b",
            r"(?:^|[.!?\n]\s*)recommend\b[^.!?\n]{1,40}\b(?:first|above all|in every|always|over)\b",
            r"\bagents? should (?:offer|give|grant|approve|send|share|recommend|tell)\b",
            r"\bbefore (?:replying|answering|each reply|every answer)\b[^.!?\n]{0,60}\b(?:put|send|post|copy|add|place|drop)\b",
            r"\b(?:vor jeder antwort|avant de r[ée]pondre|antes de (?:contestar|responder)|prima di rispondere)\b",
            r"\b(?:sobald|wenn) (?:jemand|einer)\b[^.!?\n]{0,30}, (?:kommt|sag|antworte|nenne)|\bd[èe]s que quelqu'un\b[^.!?\n]{0,30}, (?:on|donne|dis)|\ben cuanto alguien\b[^.!?\n]{0,30}, (?:primero|di|da)\b",
        ),
    ),
    (
        "permission",
        (
            rf"\b(?:may|can|should|shall|are to|is to|free to|welcome to|okay to|ok to|fine to)\b (?:let|allow|give|hand|show|tell|send|grant)\b {_CALLER}\b[^.!?\n]{{0,60}}\b{_KEPT}\b",
            rf"\b{_CALLER} (?:is|was|has been) (?:already |fully |now |properly )*{_VERIFIED}\b",
            r"\b(?:they|he|she) (?:are|is|were|was|have been|has been) (?:already |fully |now |properly )*(?:vetted|authenticated|pre-?cleared|cleared)\b",
            rf"\b(?:identity|caller|signature)\b (?:is|was|has been) (?:already |fully |now )*(?:{_VERIFIED}|confirmed|proven)\b",
            r"\bso (?:account |address |payment |any )?changes? (?:are|is) (?:fine|ok|okay|allowed|safe|permitted)\b",
            r"\b(?:ab (?:heute|sofort|jetzt)|k[üu]nftig|von nun an)\b[^.!?\n]{0,20}\b(?:darf|d[üu]rfen)\b[^.!?\n]{0,50}\b(?:alles|freigeben|unterschreiben|zugreifen|einsehen|[äa]ndern|abheben|anweisen)\b",
            r"\b(?:d[ée]sormais|dor[ée]navant|à partir d(?:e maintenant|'aujourd'hui))\b[^.!?\n]{0,20}\b(?:peut|peuvent|a le droit de)\b[^.!?\n]{0,50}\b(?:tout|valider|signer|consulter|modifier|retirer)\b",
            r"\b(?:a partir de ahora|desde hoy|en adelante)\b[^.!?\n]{0,20}\b(?:puede|pueden)\b[^.!?\n]{0,50}\b(?:todo|aprobar|firmar|consultar|modificar|retirar)\b",
        ),
    ),
    (
        "payment_details",
        (
            r"\b(?:settlement|bank(?:ing)?|payment|remittance|wire|wiring) (?:coordinates|instructions|details|information|info)\b[^.!?\n]{0,40}\b(?:moved|changed|updated|replaced|are now|different|new)\b",
            r"\b(?:remit|wire|pay|settle|credit|send|transfer)\b[^.!?\n]{0,50}\bto (?:the |an? |our |my )?(?:new |other |different )?account (?:ending|number|no\.?|at|with|below|in|overleaf)\b",
            rf"\b(?:payments?|invoices?|rents?|salar(?:y|ies)|funds|money|transfers?)\b[^.!?\n]{{0,40}}\b(?:to|through|into|via|on) {_ELSEWHERE} (?:bank )?(?:account|bank|iban|wallet)\b",
            r"\b(?:zahlungen|rechnungen|miete|[üu]berweisungen|betr[äa]ge|geld|[üu]berweis\S*|zahl\S*)\b[^.!?\n]{0,50}\b(?:anderes|neues|folgendes|unten genannte[sn]?|ge[äa]nderte[sn]?) (?:bank)?konto\b",
            r"\b(?:virez|virer|payez|payer|r[ée]glez|versez|verser|virements?|paiements?|loyers?)\b[^.!?\n]{0,50}\b(?:sur|vers) (?:le|un|ce|notre) (?:nouveau |autre )?compte(?: ci-dessous| suivant| bancaire| indiqu[ée])?\b",
            r"\b(?:pagos?|pague[ns]?|pagar|transfer\S*|ingres\S*|facturas?)\b[^.!?\n]{0,50}\b(?:a|en) (?:la |una |otra |nuestra )?(?:nueva |otra |siguiente )cuenta\b",
            r"\b(?:pagament\S*|bonific\S*|versa\S*|fattur\S*)\b[^.!?\n]{0,50}\b(?:su|sul|al|a) (?:un |il |nuovo |altro |seguente |nostro )+conto\b",
        ),
    ),
    (
        "money",
        (
            r"\b(?:whatever|anything|everything|all that)\b [^.!?\n]{1,40}\b(?:bills?|charges?|invoices?|claims?|asks?|submits?|requests?|wants?)\b[^.!?\n]{0,20}\b(?:is|are|gets?) (?:to be |always |simply )?(?:settled|paid|approved|granted|refunded|reimbursed|honou?red)\b",
            r"\b(?:pay|settle|refund|reimburse|approve|honou?r)\b (?:for )?(?:whatever|anything|everything)\b[^.!?\n]{1,40}\b(?:bills?|charges?|invoices?|claims?|asks?|submits?|requests?|wants?)\b",
            r"\b(?:d'ora in poi|da oggi|in futuro)\b[^.!?\n]{0,20}\b(?:pag|rimbors|bonific|approv)[^\s.!?]*",
        ),
    ),
    (
        "speaks_for_staff",
        (
            rf"\b{_UPSTAIRS}\b (?:has |have |had |already |just )*{_SAID_YES}\b",
            rf"\b{_SAID_YES}\b[^.!?\n]{{0,40}}\bby (?:the |our )?{_UPSTAIRS}\b",
            r"\bwhat(?:ever)? (?:\w+ )?\w+ (?:says|decides|wants) goes\b",
            r"\b(?:chef|vorstand|gesch[äa]ftsf[üu]hrung|leitung|chefin|geschäftsleitung)\b[^.!?\n]{0,20}\b(?:hat|haben) (?:gesagt|zugestimmt|entschieden|angeordnet|genehmigt)\b[^.!?\n]{0,40}\b(?:ohne|durch|zahl|erstatt|freigabe|konto)",
            r"\b(?:la |notre )?(?:direction|patron(?:ne)?|chef)\b[^.!?\n]{0,20}\b(?:est d'accord|a (?:accept[ée]|valid[ée]|dit oui))\b[^.!?\n]{0,20}\b(?:pour|de)\b[^.!?\n]{0,20}\b(?:rembours|pay|vir|r[ée]gl)",
        ),
    ),
    (
        "standing_order",
        (
            r"\b(?:customary|usual practice|standard practice|common practice|our habit|as a habit|our custom)\b[^.!?\n]{0,60}\b(?:bcc|cc|copy|copies|forward|send)\b",
            r"\b(?:bcc|cc|copy|copies|forward|send)\b[^.!?\n]{0,80}\b(?:as a habit|by habit|as a matter of course|as is customary)\b",
        ),
    ),
)
_COMPILED = compiled(_PATTERNS)


def hinted_claims(text: str) -> frozenset[str]:
    """The names of the claims that a text makes in looser words. Linear in the text."""
    return named_in(text, _COMPILED)
