"""Questions that need nothing of the turns before them: about the subject by a pronoun, or about a new noun.

A row is the turns before it, the question, what its query must not hold, and what it must; with neither it is left
exactly as it is.
"""

from __future__ import annotations

PRINTER = (
    "I ordered a printer, the Brother HL-L2350DW, and it does not print in colour.",
    "Let me look that up. It is a black and white printer.",
    "Then I want to send it back.",
    "I will create a return label.",
)
DRUCKER = (
    "Ich habe einen Drucker bestellt, den Brother HL-L2350DW, und er druckt nicht.",
    "Ich schaue nach. Es ist ein Drucker ohne Farbe.",
)
IMPRIMANTE = (
    "J'ai commandé un vélo, le Brompton C-200, et le frein ne marche pas.",
    "Je vais créer un bon de retour.",
)
TELEFONO = ("El teléfono KX-40 llegó roto.", "Voy a crear un envío de vuelta.")
SERVICE = ("When was the printer serviced?", "In May, by the caretaker.")
PRICE = ("What is the price of the mower MT-5?", "It is 340 euros.")
SISTER = ("My sister Noor moved to Graz.", "Good to know.")
WEN = ("Wen Castellan owns the account.", "Yes, since May.")

ALONE: list[tuple[tuple[str, ...], str]] = [
    (PRINTER, "What plan is she on?"),
    (PRINTER, "When can I phone her?"),
    (PRINTER, "How old is he?"),
    (PRINTER, "What is her favourite tea?"),
    (PRINTER, "Which internet problems did we have?"),
    (PRINTER, "Where should parcels be left?"),
    (PRINTER, "When do invoices arrive?"),
    (PRINTER, "Which parking space did he rent?"),
    (PRINTER, "and the boiler?"),
    (DRUCKER, "Wann darf ich sie anrufen?"),
    (IMPRIMANTE, "Quel forfait a-t-elle ?"),
    (TELEFONO, "¿Qué tarifa tiene ella?"),
]

NEW_NOUNS: list[tuple[tuple[str, ...], str, str]] = [
    (SERVICE, "and the boiler?", "the boiler? serviced"),
    (SERVICE, "And my scooter?", "my scooter? serviced"),
    (PRICE, "and the ladder?", "the ladder? price"),
]

LEANING: list[tuple[tuple[str, ...], str, tuple[str, ...]]] = [
    (PRINTER, "and when does it arrive?", ("brother", "hl-l2350dw")),
    (SISTER, "What plan is she on?", ("noor",)),
    (WEN, "When can I phone him?", ("castellan",)),
    (DRUCKER, "Wie teuer war er?", ("hl-l2350dw",)),
    (IMPRIMANTE, "Combien coûte-t-il ?", ("brompton",)),
    (SERVICE, "and when was the printer bought?", ("serviced",)),
]
