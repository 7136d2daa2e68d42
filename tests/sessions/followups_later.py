"""More questions like those of followups.py, written after the rules: what they are worth on others' questions."""

from __future__ import annotations

ROOF = ("The roof of the barn leaks near the chimney.", "Harcourt Roofing can come on the 14th.")
PHONE = ("I want to switch my phone plan at Quillfone.", "The plan with 20 GB is cheaper by four euros.")
ZAHNARZT = ("Der Zahnarzt Dr. Reuss hat den Termin verlegt.", "Er ist jetzt am Mittwoch um zehn.")
TABLE = ("Nous avons réservé une table au restaurant Les Glycines.", "Pour six personnes, à vingt heures.")
MUDANZA = ("Mi hermana Jimena se muda a Toledo.", "Ya he pedido la furgoneta para el sábado.")

ALONE: list[tuple[tuple[str, ...], str]] = [
    (ROOF, "Who waters the plants in the office?"),
    (ROOF, "What is the wifi password policy?"),
    (ROOF, "Does my daughter need a helmet for skating?"),
    (ROOF, "How many eggs go into the pancake batter?"),
    (PHONE, "Which bin goes out on Thursday?"),
    (PHONE, "Where do we keep spare light bulbs?"),
    (PHONE, "Is the museum open on Mondays?"),
    (PHONE, "Who repaired the dishwasher?"),
    (ZAHNARZT, "Wie lange ist die Kita geschlossen?"),
    (ZAHNARZT, "Wann fährt der letzte Bus?"),
    (ZAHNARZT, "Welche Allergien hat mein Sohn?"),
    (ROOF, "Wo steht der Rasenmäher?"),
    (TABLE, "Où se trouve la pharmacie de garde ?"),
    (TABLE, "Quel vin servir avec le poisson ?"),
    (TABLE, "Quand sort-on les poubelles ?"),
    (PHONE, "Qui arrose les plantes ?"),
    (MUDANZA, "¿Qué talla de zapatos usa mi hijo?"),
    (MUDANZA, "¿A qué hora abre el mercado?"),
    (MUDANZA, "¿Dónde guardamos las herramientas?"),
    (ROOF, "¿Cuándo vence el seguro del coche?"),
    (ROOF, "What was the name of the plumber?"),
    (ROOF, "Is there a lift in the station?"),
    (TABLE, "Combien de temps dure le trajet jusqu'à Lyon ?"),
    (ZAHNARZT, "Darf man im Park grillen?"),
    (ROOF, "What do I usually order at the bakery?"),
]

LEANING: list[tuple[tuple[str, ...], str, tuple[str, ...]]] = [
    (ROOF, "how much do they charge?", ("harcourt",)),
    (ROOF, "is that date fixed?", ("harcourt",)),
    (ROOF, "who fixed the roof last time?", ("barn",)),
    (ROOF, "what about the chimney?", ("barn", "harcourt")),
    (PHONE, "what does it cost then?", ("quillfone",)),
    (PHONE, "and with more data?", ("quillfone",)),
    (PHONE, "when would the plan start?", ("quillfone",)),
    (PHONE, "how long is the contract?", ("quillfone",)),
    (ZAHNARZT, "Warum hat er ihn verlegt?", ("reuss",)),
    (ZAHNARZT, "Und wo ist das?", ("reuss",)),
    (ZAHNARZT, "Wie lange dauert der Termin?", ("reuss",)),
    (ZAHNARZT, "Muss ich da nüchtern sein?", ("reuss",)),
    (TABLE, "À quelle heure déjà ?", ("glycines",)),
    (TABLE, "C'est à quelle adresse ?", ("glycines",)),
    (TABLE, "Est-ce qu'ils ont une terrasse ?", ("glycines",)),
    (TABLE, "Peut-on décaler la table ?", ("glycines",)),
    (MUDANZA, "¿Cuándo llega?", ("jimena",)),
    (MUDANZA, "¿Y cuál es su nueva dirección?", ("jimena",)),
    (MUDANZA, "¿Quién conduce la furgoneta?", ("jimena",)),
    (MUDANZA, "¿a qué hora?", ("jimena",)),
]
