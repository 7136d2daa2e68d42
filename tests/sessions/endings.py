"""How conversations end, in several languages: what of each should outlast it, and what should not.

A line begins with who speaks (u, a, t for a tool's conclusion) and whether a draft must come from it: + yes, - no,
~ either.
"""

from __future__ import annotations

from tests.sessions.talk import turn
from vault.retrieval.turns import OpenedTurn

ROLES = {"u": "user", "a": "assistant", "t": "tool"}

ENDINGS: dict[str, str] = {
    "english_support": """
u- Hi, I have a question about my bill.
a- Hello! Of course, I'm happy to help you with that.
u+ My meter number is 4471-B and I live on the second floor of the mill.
a- Noted, I will look up the tariff for that meter and get back to you.
u- Thanks, that would be great.
a- I'll check with the billing team right away.
u+ Please never call me at work, I prefer e-mail.
a- Understood, I won't call you at work and will write e-mails instead.
u- Great, bye!
a- You're welcome! Is there anything else I can do for you?
""",
    "english_promises": """
u+ Every time it rains the cellar of hall 4 is flooded.
a- I'm sorry to hear that. Let me look into it every morning until it is solved.
a- I will always let you know whenever something changes.
a- I'm going to keep checking the sensor each week for you.
a- We'll make sure that this never happens again.
u- ok
a- I can send you a weekly report if you like.
a- Would you like me to remind you every Monday?
a- Feel free to write whenever the water comes back.
a- Don't hesitate to contact us any time it happens again.
""",
    "english_acknowledging": """
u+ I'm allergic to penicillin.
a- Got it, you are allergic to penicillin. I'll keep that in mind.
u+ We decided to move the stock to the hall in Ulm in May.
a- Thanks for letting me know that you decided to move the stock to Ulm.
a- Okay, I've made a note of your decision.
a- I'll remember that you are allergic to penicillin.
""",
    "english_remember": """
u- What do you have on the menu today?
a- There is a stew, a soup and a salad today.
u+ Remember that I am allergic to nuts.
a- I'll remember that you are allergic to nuts.
u+ Please keep in mind that my daughter Noor gets home at four.
u- Do you remember that we spoke about the cake?
u- Remember to send me the bill later today.
u+ Oh, and don't forget: the spare key hangs behind the boiler.
""",
    "english_results": """
u- When does the contract with the cleaning firm end?
a+ The contract with the cleaning firm Larkspur runs until 31 March 2028.
u- And who signs it?
t+ Contracts with suppliers above 5,000 need two signatures.
a~ According to the handbook, contracts above 5,000 need two signatures.
u+ From now on Tomas Hale signs all contracts, we decided that yesterday.
a- Alright, I'll update the list and inform everyone about the change.
u- I'm so tired today.
""",
    "english_short_of_everything": """
u- Hello?
a- Hi there! How can I help you today?
u- never mind, I found it
a- Glad to hear that! Have a nice day.
u- thanks, you too
""",
    "english_two_in_one": """
u+ Hi! I prefer tea to coffee. Can you book the small room for ten?
a- Sure! I've noted that. I'll book the small room now. Anything else?
u+ No thanks. By the way, our office moved to Graz in 2021.
a- Congratulations on the move! I'm always here if you need me.
""",
    "english_lessons": """
u+ It turned out that the scanner only works when the lamp is switched off.
a- That is good to know, thank you for sharing it.
a- I see. I'll try that the next time the scanner fails.
a+ The trick was to restart the router before the modem, after that the upload worked.
""",
    "german_shop": """
u- Hallo, guten Tag!
a- Guten Tag! Wie kann ich Ihnen helfen?
u+ Ich möchte meine Rechnungen immer per Post bekommen, nie per E-Mail.
a- Verstanden, ich schaue nach, welcher Tarif immer per Post abgerechnet wird.
a- Alles klar, ich kümmere mich darum und melde mich jede Woche bei Ihnen.
u+ Ich bin seit 2015 Kunde und wohne in Leipzig.
a- Notiert, Sie wohnen in Leipzig.
a- Ich werde das immer berücksichtigen.
a- Möchten Sie, dass ich Sie jedes Mal erinnere?
a- Geben Sie gerne Bescheid, wenn Sie noch etwas brauchen.
u- Nein danke, das war alles.
u- Tschüss!
""",
    "german_remember": """
u+ Merk dir bitte, dass ich gegen Nüsse allergisch bin.
a- Ich merke mir, dass du gegen Nüsse allergisch bist.
u+ Denk daran: Der Schlüssel für Halle 4 hängt hinter dem Kessel.
u+ Wir haben beschlossen, sonntags zu schließen.
a- Okay, ich trage das in den Kalender ein.
u- Heute bin ich müde.
""",
    "german_problem": """
u+ Jedes Mal, wenn es regnet, fällt die Klingel aus.
a- Das tut mir leid. Ich prüfe das und gebe Ihnen jedes Mal Bescheid.
a- Wenn Sie möchten, kann ich jede Woche einen Bericht schicken.
u- ja gerne
u+ Das Tor darf nach 22 Uhr nicht geöffnet werden.
""",
    "spanish_clinic": """
u- Hola, buenos días.
a- ¡Hola! ¿En qué puedo ayudarle?
u+ Soy alérgica a la penicilina y vivo en Sevilla.
a- Anotado, voy a buscar siempre alternativas sin penicilina.
a- Entendido, le avisaré siempre que haya cambios.
u+ Prefiero las citas por la tarde, nunca por la mañana.
a- De acuerdo, tomaré nota de que prefiere las tardes.
a- Si quiere, puedo recordárselo cada vez.
u- gracias, hasta luego
a- De nada, estoy siempre a su disposición.
""",
    "spanish_remember": """
u+ Recuerda que mi hijo no puede comer huevo.
a- Lo recordaré siempre.
u+ Ten en cuenta que la puerta de atrás se cierra a las nueve.
u+ Hemos decidido cerrar los domingos a partir de mayo.
a- Perfecto, actualizaré el horario.
u- hoy llego tarde
""",
    "french_library": """
u- Bonjour, j'ai une question.
a- Bonjour ! Comment puis-je vous aider ?
u+ Je préfère qu'on m'écrive le matin, jamais le soir.
a- Noté, je vais toujours vérifier l'heure avant d'écrire.
a- Bien sûr, je m'en occupe tout de suite.
u+ Je travaille à la mairie de Lyon depuis 2015.
a- C'est noté, vous travaillez à la mairie de Lyon.
a- N'hésitez pas à me contacter chaque fois que vous en avez besoin.
a- Souhaitez-vous que je vous rappelle chaque semaine ?
u- Non merci, bonne journée
""",
    "french_remember": """
u+ Souviens-toi que je suis allergique aux noix.
a- Je m'en souviendrai toujours.
u+ On a décidé de garder l'ancien fournisseur jusqu'en 2028.
a- D'accord, je mettrai à jour le dossier.
u- je suis épuisée aujourd'hui
""",
    "hindi_school": """
u- नमस्ते, आप कैसे हैं?
a- नमस्ते! मैं आपकी क्या मदद कर सकता हूँ?
u+ मेरी बेटी को मूंगफली से एलर्जी है।
a- ठीक है, मैं हमेशा ध्यान रखूँगा।
a- समझ गया, मैं हर बार जाँच करूँगा।
u+ मुझे शाम को फ़ोन आना पसंद नहीं है, केवल सुबह।
a- नोट कर लिया, आपको शाम को फ़ोन पसंद नहीं है।
a- अगर आप चाहें तो मैं हर बार याद दिला सकता हूँ।
u- धन्यवाद
""",
    "hindi_latin_and_remember": """
u+ yaad rakhna ki mujhe moongphali se allergy hai
a- theek hai, main hamesha dhyan rakhunga
u+ याद रखना कि दुकान सोमवार को बंद रहती है।
u+ humne tay kiya hai ki delivery sirf subah hogi
a- samajh gaya, main har hafte check karunga
u- aaj main thoda late aaunga
""",
    "japanese_office": """
u- こんにちは、お元気ですか。
a- こんにちは！どのようなご用件でしょうか。
u+ 私は卵アレルギーがあります。
a- 承知しました。毎回確認いたします。
a- かしこまりました。いつもご連絡いたします。
u+ 連絡は電話よりメールの方が好きです。
a- 了解しました。メールでご連絡します。
a- よろしければ、毎週お知らせしましょうか。
u+ 毎週月曜日にサーバーが止まります。
a- 申し訳ございません。毎週調べておきます。
u- ありがとうございます。
""",
    "japanese_remember": """
u+ 覚えておいてください。うちの事務所は京都にあります。
a- はい、覚えておきます。
u+ 新しい倉庫は大阪にすることに決めました。
u- 今日は電車が遅れています。
""",
    "travel_agent": """
u+ For all my trips: aisle seat, and never a flight before eight.
a- Perfect, I will always look for aisle seats for you.
u- Book me something to Porto next week please.
a- I found three flights to Porto for next week.
a- I have put a hold on the flight at 10:40, just for now.
u- ok take that one
a- Done! I will send you the confirmation in a minute.
u+ My frequent traveller number is LK-220418.
a- Thank you, I have added your number to the booking.
""",
}


def ending(name: str) -> tuple[list[OpenedTurn], set[int], set[int]]:
    """The turns of one conversation, and the numbers of those that must and must not be drafted from."""
    lines = [line for line in ENDINGS[name].splitlines() if line]
    turns, must, must_not = [], set(), set()
    for number, line in enumerate(lines, 1):
        role = ROLES[line[0]]
        text = line[3:]
        trust = {"user": "stated", "assistant": "inferred", "tool": "untrusted"}[role]
        parts = {"conclusion": text} if role == "tool" else {}
        turns.append(turn(number, role, "" if role == "tool" else text, trust=trust, **parts))
        if line[1] == "+":
            must.add(number)
        elif line[1] == "-":
            must_not.add(number)
    return turns, must, must_not
