"""Credentials of source hosts, payment providers and messaging services."""

from __future__ import annotations

from vault.screening.credentials.scan import Rule
from vault.screening.credentials.values import is_not_filler


def _token(name: str, keyword: str, pattern: str, *, group: int = 0) -> Rule:
    return Rule(name, "TOKEN", (keyword,), pattern, group, accept=is_not_filler)


SOURCE_HOSTS: tuple[Rule, ...] = (
    Rule(
        "github-token",
        "TOKEN",
        ("ghp", "gho", "ghu", "ghs", "ghr"),
        r"\bgh[pousr][_-][A-Za-z0-9]{16,255}\b",
        accept=is_not_filler,
    ),
    _token("github-fine-grained", "github_pat_", r"\bgithub_pat_\w{36,255}"),
    Rule(
        "gitlab-token",
        "TOKEN",
        ("gl",),
        r"\bgl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat|oas|ffct|wt)-(?:[\w-]{20,}|t\d_[\w.-]{20,})(?:\.[\w.-]+)?",
        accept=is_not_filler,
    ),
    _token("gitlab-runner-registration", "gr1348941", r"\bGR1348941[\w-]{20,}"),
    _token("gitlab-session", "_gitlab_session", r"_gitlab_session=([0-9a-z]{32})", group=1),
    _token("bitbucket-app-password", "atbb", r"\bATBB[A-Za-z0-9_=.-]{24,}"),
    Rule("atlassian-token", "TOKEN", ("atatt3", "atctt3"), r"\bAT[AC]TT3[\w=-]{60,}"),
    _token("sourcegraph-token", "sgp_", r"\bsgp_(?:(?:[a-fA-F0-9]{16}|local)_)?[a-fA-F0-9]{40}\b"),
    _token("sourcegraph-license", "slk_", r"\bslk_[a-f0-9]{64}\b"),
)

PAYMENT: tuple[Rule, ...] = (
    Rule(
        "stripe-key",
        "API_KEY",
        ("sk_", "rk_", "sk-live", "sk-test"),
        r"\b[sr]k[_-](?:test|live|prod)[_-][A-Za-z0-9]{10,247}",
        accept=is_not_filler,
    ),
    _token("webhook-secret", "whsec_", r"\bwhsec_[A-Za-z0-9+/=]{24,}"),
    Rule("square-token", "TOKEN", ("sq0",), r"\bsq0(?:atp|csp|idp)-[\w-]{22,43}", accept=is_not_filler),
    _token("square-access-token", "eaaa", r"\bEAAA[\w+=-]{56,}"),
    _token(
        "braintree-token",
        "access_token$",
        r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}",
    ),
    _token("shopify-token", "shp", r"\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b"),
    Rule("flutterwave-key", "API_KEY", ("flw",), r"\bFLW(?:PUB|SEC)K(?:_TEST)?-?[0-9a-hA-H]{12,32}(?:-X)?\b"),
    Rule(
        "plaid-token",
        "TOKEN",
        ("access-",),
        r"\baccess-(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b",
    ),
    _token("razorpay-key", "rzp_", r"\brzp_(?:live|test)_[A-Za-z0-9]{14,}\b"),
    _token("duffel-token", "duffel_", r"\bduffel_(?:test|live)_[\w=-]{40,}"),
    Rule("easypost-key", "API_KEY", ("ezak", "eztk"), r"\bEZ[AT]K[A-Za-z0-9]{54}\b"),
    _token("shippo-token", "shippo_", r"\bshippo_(?:live|test)_[a-f0-9]{40}\b"),
    Rule("lob-key", "API_KEY", ("live_", "test_"), r"\b(?:live|test)_(?:pub_)?[a-f0-9]{31,40}\b"),
    Rule(
        "mollie-key",
        "API_KEY",
        ("live_", "test_"),
        r"\b(?:live|test)_[A-Za-z0-9]{30}\b",
        accept=is_not_filler,
    ),
    _token("frameio-token", "fio-u-", r"\bfio-u-[\w=-]{60,}"),
)

MESSAGING: tuple[Rule, ...] = (
    Rule(
        "slack-token",
        "TOKEN",
        ("xox",),
        r"\bxox[abposre](?:\.xox[bp])?-(?:\d-)?[A-Za-z0-9-]{10,}",
        accept=is_not_filler,
    ),
    Rule("slack-app-token", "TOKEN", ("xapp-",), r"(?i)\bxapp-\d-[A-Z0-9]+-\d+-[a-z0-9]+"),
    _token(
        "slack-webhook",
        "hooks.slack.com",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/_-]{36,}",
    ),
    _token("discord-webhook", "/api/webhooks/", r"discord(?:app)?\.com/api/webhooks/\d{15,20}/[\w-]{50,}"),
    Rule(
        "discord-bot-token",
        "TOKEN",
        (".",),
        r"\b[MNO][A-Za-z\d_-]{23,25}\.[\w-]{6}\.[\w-]{27,38}\b",
        accept=is_not_filler,
    ),
    _token("telegram-bot-token", ":a", r"\b\d{5,16}:A[\w-]{34}\b"),
    Rule("twilio-key", "API_KEY", ("sk", "ac"), r"\b(?:SK|AC)[0-9a-f]{32}\b", accept=is_not_filler),
    _token("sendgrid-key", "sg.", r"\bSG\.[\w=.-]{40,}"),
    _token("sendinblue-key", "keysib-", r"\bxkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}\b"),
    _token("mailgun-key", "key-", r"\b(?:pub)?key-[a-f0-9]{32}\b"),
    _token("mailchimp-key", "-us", r"\b[0-9a-z]{32}-us\d{1,2}\b"),
    _token(
        "teams-webhook",
        "webhook.office.com",
        r"webhook\.office\.com/webhookb2/[\w@-]{36,}/IncomingWebhook/[a-z0-9]{32}/[\w-]{36}",
    ),
    _token("zapier-hook", "hooks.zapier.com", r"hooks\.zapier\.com/hooks/catch/\d+/\w+"),
    _token("facebook-token", "eaa", r"\bEAA[MC][A-Za-z0-9]{20,}\b"),
    _token("facebook-app-token", "|", r"\b\d{15,16}(?:\||%7C)[\w-]{27,40}"),
    _token("twitter-bearer", "aaaaaaaaaaaaaaaaaaaaa", r"\bA{22}[A-Za-z0-9%]{60,100}"),
)
