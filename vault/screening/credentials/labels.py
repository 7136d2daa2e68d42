"""The names that people and programs give to credentials, in the languages that we know them in."""

from __future__ import annotations

import re

PASSWORD_WORDS = (
    "password",
    "passwort",
    "passphrase",
    "passcode",
    "passwd",
    "passwrd",
    "pass word",
    "pwd",
    "kennwort",
    "mot de passe",
    "mdp",
    "contraseña",
    "contrasena",
    "contrasenya",
    "palavra-passe",
    "senha",
    "wachtwoord",
    "lösenord",
    "adgangskode",
    "kodeord",
    "passord",
    "salasana",
    "hasło",
    "haslo",
    "heslo",
    "jelszó",
    "jelszo",
    "parola",
    "parolă",
    "şifre",
    "şifresi",
    "sifre",
    "lozinka",
    "slaptažodis",
    "kata sandi",
    "mật khẩu",
    "пароль",
    "пароля",
    "паролем",
    "κωδικός πρόσβασης",
    "κωδικός",
    "סיסמה",
    "סיסמא",
    "הסיסמה",
    "كلمة المرور",
    "كلمة السر",
    "पासवर्ड",
    "รหัสผ่าน",
    "密码",
    "密碼",
    "口令",
    "パスワード",
    "暗証番号",
    "비밀번호",
    "암호",
)
KEY_WORDS = (
    "api key",
    "api-key",
    "apikey",
    "access key",
    "secret key",
    "client secret",
    "secret",
    "token",
    "credential",
    "api-schlüssel",
    "zugangsschlüssel",
    "clé api",
    "clé d'api",
    "clave api",
    "clave de api",
    "chave de api",
    "chiave api",
    "ключ api",
    "api-ключ",
    "токен",
    "密钥",
    "密鑰",
    "秘钥",
    "令牌",
    "apiキー",
    "トークン",
    "토큰",
    "api 키",
)

# Parts of identifiers, as programs name things: MY_DB_PASS, confluentToken, x-api-key.
WORD_PART = r"pass(?:word|wort|wd|phrase|code)?s?|pwd|pw|psw|secret|senha|contrase(?:n|ñ)a|passwort|kennwort"
KEY_PART = (
    r"token|api[_.-]?key|apikey|access[_.-]?key|auth[_.-]?key|private[_.-]?key|client[_.-]?(?:secret|id)|key|"
    r"cred(?:ential)?s?|secret|bearer|login|access[_.-]?id|auth|signature|salt|seed"
)

PASSWORD_PATTERN = "|".join(re.escape(word) for word in sorted(PASSWORD_WORDS, key=len, reverse=True))
KEY_PATTERN = "|".join(re.escape(word) for word in sorted(KEY_WORDS, key=len, reverse=True))

# Something must stand in the text before any of the longer patterns is worth a try.
HINTS = (
    *PASSWORD_WORDS,
    *KEY_WORDS,
    "pass",
    "pw",
    "key",
    "cred",
    "pin",
    "auth",
    "login",
    "cvv",
    "cvc",
    "bearer",
    "secret",
    "salt",
    "seed",
    "access",
)
