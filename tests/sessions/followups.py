"""Questions of invented conversations, in several languages: some name what they are about, some need the turns.

A row is the turns before it (the user begins, then each in turn), the question, and the words that a query has to hold
besides; none where the question stands alone.
"""

from __future__ import annotations

from vault.sessions.leaning import Said

MACHINE = (
    "The invoice from Penrose Glass came twice.",
    "Yes, number 4471; I have asked them to cancel the second one.",
)
GARDEN = ("Can you order twelve rose bushes?", "Ordered at Tillbrook Nursery, they come on Friday.")
CLINIC = ("Dr Aldous moved my blood test.", "It is on the ninth now, before breakfast.")
SCHOOL = ("The choir of Wickham School sings in May.", "I have put the concert into the calendar.")
KANTINE = ("Die Kaffeemaschine in der Kantine tropft wieder.", "Ich habe die Firma Lindqvist angerufen.")
FAEHRE = ("Wir nehmen die Fähre nach Borkum.", "Die Überfahrt ist für vier Personen gebucht.")
BOULANGERIE = ("La boulangerie Marchetti livre le pain à sept heures.", "C'est noté pour toute la semaine.")
PISCINE = (
    "Le cours de natation de Léonie est complet.",
    "Je l'ai inscrite sur la liste d'attente de Vernay.",
)
TALLER = ("El coche está en el taller de Baltasar.", "Le cambian los frenos y las ruedas.")
PISO = ("Hemos alquilado el piso de la calle Olmo.", "El contrato empieza en septiembre.")

ALONE: list[tuple[tuple[str, ...], str]] = [
    (MACHINE, "In which hall is the machine?"),
    (MACHINE, "When does the library close on Sunday?"),
    (GARDEN, "Where are the towels?"),
    (GARDEN, "Are pets allowed in hotel rooms?"),
    (CLINIC, "How long does it take to get to the airport?"),
    (CLINIC, "When does the last train leave?"),
    (SCHOOL, "opening hours swimming pool"),
    (SCHOOL, "How do I reset the router when it blinks?"),
    (MACHINE, "wann anrufen?"),
    (GARDEN, "Wo ist der Schlüssel für die Garage?"),
    (KANTINE, "Gibt es im Lager einen Feuerlöscher?"),
    (KANTINE, "Haben Sie Parkplätze für Besucher?"),
    (FAEHRE, "Wer gießt die Blumen im Treppenhaus?"),
    (BOULANGERIE, "Où est la clé de la cave ?"),
    (BOULANGERIE, "Y a-t-il un parking près du musée ?"),
    (PISCINE, "Le magasin ferme-t-il le dimanche ?"),
    (GARDEN, "Combien de chaises faut-il pour la salle ?"),
    (TALLER, "¿Dónde está la llave del trastero?"),
    (TALLER, "¿Cuál es el horario de la farmacia?"),
    (MACHINE, "¿Quién riega las plantas de la oficina?"),
]

LEANING: list[tuple[tuple[str, ...], str, tuple[str, ...]]] = [
    (MACHINE, "did they answer?", ("penrose",)),
    (MACHINE, "which number was that?", ("penrose", "4471")),
    (MACHINE, "who approved the invoice?", ("penrose",)),
    (GARDEN, "and how many again?", ("rose", "bushes")),
    (GARDEN, "at what time?", ("tillbrook",)),
    (CLINIC, "why was it moved?", ("aldous",)),
    (CLINIC, "Does she know that I fast?", ("aldous",)),
    (SCHOOL, "Where is the concert?", ("wickham",)),
    (SCHOOL, "who is singing?", ("wickham", "choir")),
    (KANTINE, "seit wann?", ("kaffeemaschine",)),
    (KANTINE, "Wann kommt sie?", ("lindqvist",)),
    (KANTINE, "Wer hat die Kaffeemaschine gekauft?", ("kantine",)),
    (FAEHRE, "Und wie teuer ist das?", ("borkum",)),
    (FAEHRE, "Was kostet die Überfahrt?", ("borkum",)),
    (BOULANGERIE, "et le samedi ?", ("marchetti",)),
    (BOULANGERIE, "Combien coûte le pain ?", ("marchetti",)),
    (PISCINE, "Quand saura-t-elle ?", ("léonie",)),
    (TALLER, "¿cuánto cuesta?", ("baltasar",)),
    (TALLER, "¿Cuándo estará listo el coche?", ("baltasar",)),
    (PISO, "¿y hasta cuándo?", ("olmo",)),
]


def said(turns: tuple[str, ...]) -> list[Said]:
    return [Said("assistant" if place % 2 else "user", text) for place, text in enumerate(turns)]
