"""Credentials of AI providers and of other products, by the formats their issuers publish."""

from __future__ import annotations

from vault.screening.credentials.scan import Rule
from vault.screening.credentials.values import is_not_filler


def _key(name: str, keyword: str, pattern: str, *, group: int = 0) -> Rule:
    return Rule(name, "API_KEY", (keyword,), pattern, group, accept=is_not_filler)


AI_PROVIDERS: tuple[Rule, ...] = (
    _key("openai-key", "sk-", r"\bsk-(?:proj-|svcacct-|admin-|None-)?[\w-]{20,}"),
    _key("anthropic-key", "sk-ant-", r"\bsk-ant-[\w-]{20,}"),
    _key("huggingface-token", "hf_", r"\bhf_[A-Za-z]{30,}\b"),
    _key("huggingface-org-token", "api_org_", r"\bapi_org_[A-Za-z]{30,}\b"),
    _key("replicate-token", "r8_", r"\br8_[A-Za-z0-9]{37}\b"),
    _key("groq-key", "gsk_", r"\bgsk_[A-Za-z0-9]{48,}\b"),
    _key("perplexity-key", "pplx-", r"\bpplx-[A-Za-z0-9]{40,}\b"),
    _key("xai-key", "xai-", r"\bxai-[A-Za-z0-9]{60,}\b"),
    _key("langsmith-key", "lsv2_", r"\blsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}\b"),
    _key("pinecone-key", "pcsk_", r"\bpcsk_\w{40,}"),
    _key("tavily-key", "tvly-", r"\btvly-[\w-]{24,}"),
    _key("nvidia-key", "nvapi-", r"\bnvapi-[\w-]{50,}"),
    _key("firecrawl-key", "fc-", r"\bfc-[a-f0-9]{32}\b"),
    _key("elevenlabs-key", "sk_", r"\bsk_[a-f0-9]{48}\b"),
)

PRODUCTS: tuple[Rule, ...] = (
    _key("notion-token", "ntn_", r"\bntn_[0-9]{11}[A-Za-z0-9]{30,35}\b"),
    _key("secret-prefixed", "secret_", r"\bsecret_[A-Za-z0-9]{43}\b"),
    _key("linear-key", "lin_", r"\blin_(?:api|oauth)_[A-Za-z0-9]{32,64}\b"),
    _key("airtable-token", "pat", r"\bpat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b"),
    _key("figma-token", "figd_", r"\bfigd_[\w-]{36,}"),
    _key("dropbox-token", "sl.", r"\bsl\.[\w-]{100,}"),
    _key("newrelic-key", "nr", r"\bNR(?:AK|JS|I[IQ]|BR)-[A-Za-z0-9_-]{19,32}\b"),
    _key("grafana-cloud-token", "glc_", r"\bglc_[A-Za-z0-9+/=]{32,}"),
    _key("grafana-service-token", "glsa_", r"\bglsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}\b"),
    _key("grafana-api-key", "eyjrijoi", r"\beyJrIjoi[A-Za-z0-9]{60,}={0,3}"),
    _key("sentry-token", "sntry", r"\bsntry[su]_(?:[a-f0-9]{64}|[A-Za-z0-9+/=_-]{60,})"),
    _key("postman-key", "pmak-", r"(?i)\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}\b"),
    _key("readme-token", "rdme_", r"\brdme_[a-z0-9]{60,}\b"),
    _key("typeform-token", "tfp_", r"\btfp_[\w=.-]{50,}"),
    _key("contentful-token", "cfpat-", r"\bCFPAT-[\w-]{40,}"),
    _key("sonar-token", "sq", r"\bsq[upa]_[\w=-]{40}\b"),
    _key("hubspot-token", "pat-", r"\bpat-(?:na|eu|ap)\d-[a-f0-9]{8}-[a-f0-9-]{27}\b"),
    _key("settlemint-token", "sm_", r"\bsm_(?:aat|pat|sat)_[A-Za-z0-9]{16}\b"),
    _key(
        "onepassword-secret-key",
        "a3-",
        r"\bA3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}\b",
    ),
    _key("onepassword-service-account", "ops_ey", r"\bops_eyJ[A-Za-z0-9+/]{100,}={0,3}"),
    _key("age-secret-key", "age-secret-key-", r"(?i)\bAGE-SECRET-KEY-1[0-9A-Z]{50,60}\b"),
    _key("maxmind-key", "_mmk", r"\b[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk\b"),
    _key("adobe-client-secret", "p8e-", r"\bp8e-[a-z0-9A-Z]{32}\b"),
    _key(
        "authress-key",
        "_",
        r"\b(?:sc|ext|scauth|authress)_[a-zA-Z0-9]{5,30}\.[a-zA-Z0-9]{4,6}\.acc[_-][a-zA-Z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,120}",
    ),
    _key("defined-networking-token", "dnkey-", r"\bdnkey-[\w=-]{26}-[\w=-]{52}"),
    _key("intra42-secret", "s-s4t2", r"\bs-s4t2(?:ud|af)-[a-f0-9]{64}\b"),
    _key("endorlabs-key", "endr+", r"\bendr\+[\w-]{16}\b"),
    _key("zoho-token", "1000.", r"\b1000\.[a-f0-9]{32}\.[a-f0-9]{32}\b"),
    _key("posthog-key", "phx_", r"\bphx_[A-Za-z0-9]{40,}\b"),
    _key("mapbox-token", ".eyj1ijoi", r"\b[ps]k\.eyJ1Ijoi[\w-]{30,}\.[\w-]{20,}"),
    _key("beamer-token", "b_", r"\bb_[a-z0-9=_-]{44}\b"),
    _key("wakatime-key", "waka_", r"\bwaka_[a-f0-9-]{36}\b"),
    _key("personal-access-token", "pat_", r"\bpat_[A-Za-z0-9_]{16,}\b"),
    _key("memory-vault-token", "mv_", r"\bmv_[\w-]{24,}"),
    _key("freemius-secret-key", "sk_", r"[\"'](sk_[^\s\"']{29})[\"']", group=1),
)
