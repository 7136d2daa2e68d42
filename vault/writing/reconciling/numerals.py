"""Words that stand for numbers, units, days, months and how-often, in the languages written most."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def _numbered(first: int, *names: str) -> Iterable[tuple[str, int]]:
    """Each name (or names joined by `/`) with its place, counted from `first`."""
    for place, alike in enumerate(names, first):
        for name in alike.split("/"):
            yield name, place


NUMBER_WORDS: Mapping[str, float] = {
    **dict(
        _numbered(
            2, "two/zwei/deux/dos/दो", "three/drei/trois/tres/tre/três/teen/तीन",
            "four/vier/quatre/cuatro/quattro/quatro/chaar/चार", "five/fünf/cinq/cinco/cinque/paanch/पांच/पाँच",
            "six/sechs/seis/छह", "seven/sieben/siete/sette/saat/सात",
            "eight/acht/huit/ocho/otto/oito/aath/आठ", "nine/neun/neuf/nueve/नौ",
            "ten/zehn/diez/dieci/दस", "eleven/elf/onze", "twelve/zwölf/douze/doce/dodici",
            "thirteen/dreizehn", "fourteen/vierzehn", "fifteen/fünfzehn/quinze/quince", "sixteen/sechzehn",
            "seventeen/siebzehn", "eighteen/achtzehn", "nineteen/neunzehn", "twenty/zwanzig/vingt/veinte/venti",
        )
    ),
    **dict(_numbered(3, "third/dritten", "fourth/vierten", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")),
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
    "single": 1, "one": 1, "dozen": 12, "hundred": 100, "thousand": 1000, "zero": 0,
    "half": 0.5, "halbe": 0.5, "halbes": 0.5, "halben": 0.5, "halber": 0.5,
}  # fmt: skip
# Words of two readings: they are numbers only before a unit, or where a clock is told.
UNSURE_NUMBERS = frozenset({"one", "single", "half"})

MONTHS: Mapping[str, int] = dict(
    _numbered(
        1, "january/jan/januar/janvier/enero/gennaio/janeiro/جنوری/जनवरी/января",
        "february/feb/februar/février/febrero/febbraio/fevereiro/फरवरी/февраля",
        "march/mar/märz/mars/marzo/março/मार्च/марта", "april/apr/avril/abril/aprile/अप्रैल/апреля",
        "may/mai/mayo/maggio/maio/मई/мая", "june/jun/juni/juin/junio/giugno/junho/जून/июня",
        "july/jul/juli/juillet/julio/luglio/julho/जुलाई/июля", "august/aug/août/agosto/अगस्त/августа",
        "september/sep/sept/septembre/septiembre/settembre/setembro/सितंबर/сентября",
        "october/oct/oktober/okt/octobre/octubre/ottobre/outubro/अक्टूबर/октября",
        "november/nov/novembre/noviembre/novembro/नवंबर/ноября",
        "december/dec/dezember/dez/décembre/diciembre/dicembre/dezembro/दिसंबर/декабря",
    )
)  # fmt: skip
# Also verbs or names: months only when written with a capital inside a sentence, or beside a number.
UNSURE_MONTHS = frozenset(
    {"may", "march", "mar", "mars", "mai", "jan", "jun", "dec", "sept", "august", "april", "june"}
)
DAYS_IN_MONTH = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

WEEKDAYS: Mapping[str, int] = dict(
    _numbered(
        1, "monday/mondays/montag/montags/lundi/lunes/lunedì/सोमवार/الاثنين/月曜日/月曜/понедельник",
        "tuesday/tuesdays/dienstag/dienstags/mardi/martes/martedì/मंगलवार/الثلاثاء/火曜日/火曜/вторник",
        "wednesday/wednesdays/mittwoch/mittwochs/mercredi/miércoles/mercoledì/बुधवार/الأربعاء/水曜日/水曜/среда",
        "thursday/thursdays/donnerstag/donnerstags/jeudi/jueves/giovedì/गुरुवार/الخميس/木曜日/木曜/четверг",
        "friday/fridays/freitag/freitags/vendredi/viernes/venerdì/शुक्रवार/الجمعة/金曜日/金曜/пятница",
        "saturday/saturdays/samstag/samstags/samedi/sábado/sábados/sabato/शनिवार/السبت/土曜日/土曜/суббота",
        "sunday/sundays/sonntag/sonntags/dimanche/domingo/domingos/domenica/रविवार/الأحد/日曜日/日曜/воскресенье",
    )
)  # fmt: skip

# unit -> (what it measures in, how many of those)
UNITS: Mapping[str, tuple[str, float]] = {
    **dict.fromkeys(("g", "gram", "grams", "gramm", "gramme", "grammes", "gramos"), ("g", 1)),
    **dict.fromkeys(("kg", "kilo", "kilos", "kilogram", "kilograms", "किलो"), ("g", 1000)),
    **dict.fromkeys(("t", "ton", "tons", "tonne", "tonnes"), ("g", 1_000_000)),
    **dict.fromkeys(("mm", "millimetre", "millimetres"), ("m", 0.001)),
    **dict.fromkeys(("cm", "centimetre", "centimetres"), ("m", 0.01)),
    **dict.fromkeys(("m", "metre", "metres", "meter", "meters", "mètres", "metros"), ("m", 1)),
    **dict.fromkeys(("km", "kilometre", "kilometres", "kilometer", "kilometers"), ("m", 1000)),
    **dict.fromkeys(("ml", "millilitre", "millilitres"), ("l", 0.001)),
    **dict.fromkeys(("l", "litre", "litres", "liter", "liters", "litros"), ("l", 1)),
    **dict.fromkeys(("mb", "megabyte", "megabytes"), ("byte", 1e6)),
    **dict.fromkeys(("gb", "gigabyte", "gigabytes"), ("byte", 1e9)),
    **dict.fromkeys(("tb", "terabyte", "terabytes"), ("byte", 1e12)),
    **dict.fromkeys(("w", "watt", "watts"), ("w", 1)),
    **dict.fromkeys(("kw", "kilowatt", "kilowatts"), ("w", 1000)),
    "kwh": ("wh", 1000),
    **dict.fromkeys(("%", "percent", "pct", "prozent", "por ciento", "प्रतिशत"), ("%", 1)),
    **dict.fromkeys(("€", "eur", "euro", "euros"), ("eur", 1)),
    **dict.fromkeys(("$", "usd", "dollar", "dollars"), ("usd", 1)),
    **dict.fromkeys(("£", "gbp", "pound", "pounds"), ("gbp", 1)),
    **dict.fromkeys(("₹", "inr", "rupee", "rupees", "rupaye", "रुपये"), ("inr", 1)),
    **dict.fromkeys(("¥", "jpy", "yen", "円"), ("jpy", 1)),
    **dict.fromkeys(("chf", "franken"), ("chf", 1)),
    **dict.fromkeys(("second", "seconds", "sec", "secs", "sekunden"), ("second", 1)),
    **dict.fromkeys(("minute", "minutes", "min", "mins", "minuten", "minutos"), ("second", 60)),
    **dict.fromkeys(("hour", "hours", "h", "hr", "hrs", "stunde", "stunden", "heures", "horas"), ("second", 3600)),
    **dict.fromkeys(("day", "days", "tag", "tage", "tagen", "jours", "días", "din", "दिन"), ("second", 86_400)),
    **dict.fromkeys(("week", "weeks", "wk", "wks", "woche", "wochen", "semaines", "semanas"), ("second", 604_800)),
    **dict.fromkeys(("month", "months", "monat", "monate", "monaten", "mois", "mes", "meses"), ("month", 1)),
    **dict.fromkeys(("year", "years", "yr", "yrs", "jahr", "jahre", "jahren", "ans", "año", "años"), ("month", 12)),
}  # fmt: skip
BEFORE_THE_NUMBER = frozenset("€$£¥₹") | {"eur", "usd", "gbp", "inr", "jpy", "chf"}

# how often: the time between two, as (unit, count)
PERIODS: Mapping[str, tuple[str, float]] = {
    **dict.fromkeys(("daily", "täglich", "quotidien", "diario", "diariamente", "everyday"), ("second", 86_400)),
    **dict.fromkeys(("nightly",), ("second", 86_400)),
    **dict.fromkeys(("weekly", "wöchentlich", "hebdomadaire", "semanal"), ("second", 604_800)),
    **dict.fromkeys(("fortnightly", "biweekly"), ("second", 1_209_600)),
    **dict.fromkeys(("monthly", "monatlich", "mensuel", "mensual"), ("month", 1)),
    **dict.fromkeys(("quarterly", "vierteljährlich", "trimestral"), ("month", 3)),
    **dict.fromkeys(("yearly", "annually", "annual", "jährlich", "annuel", "anual"), ("month", 12)),
}  # fmt: skip
TIMES_OVER: Mapping[str, float] = {"once": 1, "twice": 2, "thrice": 3, "einmal": 1, "zweimal": 2}
# The same as "a day" after "every", but not when counted.
TIMES_OF_DAY = frozenset({"night", "evening", "morning", "afternoon"})
PER = frozenset({"per", "pro", "par", "por", "a", "an", "im", "al"})
EVERY = frozenset({"every", "each", "alle", "jede", "jeden", "jedes", "tous", "toutes", "cada", "हर"})
EVENING = frozenset(
    "evening afternoon abends nachmittags soir tarde noche sera tonight शाम shaam".split()  # noqa: SIM905
)
MORNING = frozenset({"morning", "morgens", "früh", "matin", "mañana", "mattina", "सुबह", "subah"})
