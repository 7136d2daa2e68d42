"""Credentials of clouds, infrastructure and package registries, by the formats their issuers publish."""

from __future__ import annotations

from vault.screening.credentials.scan import Rule
from vault.screening.credentials.values import is_not_filler


def _key(name: str, keyword: str, pattern: str, *, group: int = 0) -> Rule:
    return Rule(name, "API_KEY", (keyword,), pattern, group, accept=is_not_filler)


RULES: tuple[Rule, ...] = (
    Rule(
        "aws-access-key-id",
        "API_KEY",
        ("akia", "asia", "abia", "acca", "a3t"),
        r"\b(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}\b",
    ),
    _key("aws-bedrock-key", "absk", r"\bABSK[A-Za-z0-9+/]{60,}={0,2}"),
    _key("aws-bedrock-short-key", "bedrock-api-key-", r"\bbedrock-api-key-[A-Za-z0-9+/=]{12,}"),
    _key("google-api-key", "aiza", r"\bAIza[\w-]{33,}"),
    _key("google-oauth-secret", "gocspx-", r"\bGOCSPX-[\w-]{20,}"),
    _key("google-access-token", "ya29.", r"\bya29\.[\w-]{20,}"),
    _key("azure-ad-client-secret", "q~", r"(?:^|[^\w~.-])([\w~.]{3}\dQ~[\w~.-]{31,34})", group=1),
    _key("azure-storage-key", "accountkey=", r"(?i)AccountKey=([A-Za-z0-9+/]{40,}={0,2})", group=1),
    _key("azure-sas", "sig=", r"\bsig=((?:[A-Za-z0-9+/]|%[0-9A-Fa-f]{2}){40,}=*)", group=1),
    _key(
        "azure-shared-access-key", "sharedaccesskey=", r"(?i)SharedAccessKey=([A-Za-z0-9+/]{40,}=*)", group=1
    ),
    _key("digitalocean-token", "_v1_", r"\bdo[opr]_v1_[a-f0-9]{64}\b"),
    _key("alibaba-key-id", "ltai", r"\bLTAI[A-Za-z0-9]{17,21}\b"),
    _key("tencent-key-id", "akid", r"\bAKID[A-Za-z0-9]{28,36}\b"),
    _key("heroku-key", "hrku-", r"\bHRKU-[\w-]{36,}"),
    _key("flyio-token", "fo1_", r"\bfo1_[\w-]{43}"),
    Rule("flyio-macaroon", "TOKEN", ("fm1", "fm2"), r"\bfm[12][ar]?_[A-Za-z0-9+/=]{60,}"),
    _key("yandex-api-key", "aqvn", r"\bAQVN[\w-]{33,38}"),
    _key("yandex-iam-token", "t1.", r"\bt1\.[\w-]+=*\.[\w-]{80,}={0,2}"),
    _key("yandex-aws-key", "yc", r"\bYC[\w-]{38}\b"),
    _key("databricks-token", "dapi", r"\bdapi[a-f0-9]{32}(?:-\d)?\b"),
    _key("doppler-token", "dp.", r"\bdp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]+\.)?[A-Za-z0-9]{40,44}\b"),
    _key("terraform-cloud-token", ".atlasv1.", r"\b[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}"),
    Rule("vault-token", "TOKEN", ("hvs.", "hvb.", "hvr."), r"\bhv[sbr]\.[\w-]{24,}", accept=is_not_filler),
    Rule(
        "vault-legacy-token",
        "TOKEN",
        ("s.",),
        r"(?:^|[\s\"'=:])(s\.[A-Za-z0-9]{24})(?:$|[\s\"',;])",
        1,
        accept=lambda value: any(c.isdigit() for c in value) and value.lower() != value,
    ),
    _key("pulumi-token", "pul-", r"\bpul-[a-f0-9]{40}\b"),
    _key("scalingo-token", "tk-us-", r"\btk-us-[\w-]{48}"),
    _key("infracost-key", "ico-", r"\bico-[A-Za-z0-9]{32}\b"),
    _key("openshift-token", "sha256~", r"\bsha256~[\w-]{43}"),
    _key("cloudflare-origin-key", "v1.0-", r"\bv1\.0-[a-f0-9]{24}-[a-f0-9]{146}"),
    _key("supabase-token", "sbp_", r"\bsbp_[a-f0-9]{40}\b"),
    _key("supabase-secret-key", "sb_secret_", r"\bsb_secret_[\w-]{20,}"),
    _key("planetscale-token", "pscale_", r"\bpscale_(?:tkn|oauth|pw)_[\w=.-]{30,}"),
    _key("prefect-token", "pnu_", r"\bpnu_[A-Za-z0-9]{36}\b"),
    _key("clickhouse-key", "4b1d", r"\b4b1d[A-Za-z0-9]{38}\b"),
    _key("tailscale-key", "tskey-", r"\btskey-[a-z]+-[\w-]{16,}"),
    _key("aiven-password", "avns_", r"\bAVNS_[\w-]{15,}"),
    _key("netlify-token", "nfp_", r"\bnfp_[A-Za-z0-9]{36,}\b"),
    _key("neon-key", "napi_", r"\bnapi_[a-z0-9]{60,}\b"),
    _key("rubygems-key", "rubygems_", r"\brubygems_[a-f0-9]{48}\b"),
    _key("npm-token", "npm_", r"\bnpm_[A-Za-z0-9]{20,}\b"),
    _key("pypi-token", "pypi-ag", r"\bpypi-Ag(?:EIcHlwaS5vcmc|ENdGVzdC5weXBpLm9yZ)[\w-]{60,}"),
    _key("crates-token", "cio", r"\bcio[A-Za-z0-9]{32}\b"),
    _key("clojars-token", "clojars_", r"(?i)\bCLOJARS_[a-z0-9]{60}\b"),
    _key("nuget-key", "oy2", r"\boy2[a-z0-9]{43}\b"),
    _key("docker-token", "dckr_", r"\bdckr_[po]at_[\w-]{20,}"),
    _key("artifactory-key", "akc", r"(?:^|[\s=:\"'])(AKC[a-zA-Z0-9]{10,})(?:$|[\s\"',;])", group=1),
    _key(
        "artifactory-password", "ap", r"(?:^|[\s=:\"'])(AP[\dABCDEF][a-zA-Z0-9]{8,})(?:$|[\s\"',;])", group=1
    ),
    _key("artifactory-reference", "cmvmd", r"\bcmVmd[A-Za-z0-9]{59}\b"),
    _key("dynatrace-token", "dt0", r"\bdt0[a-z]\d{2}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}\b"),
    _key("octopus-key", "api-", r"\bAPI-[A-Z0-9]{26}\b"),
    _key("harness-token", "at.", r"\b[ps]at\.[\w-]{22}\.[a-z0-9]{24}\.[A-Za-z0-9]{20}\b"),
    _key("buildkite-token", "bkua_", r"\bbkua_[a-f0-9]{40}\b"),
    _key("circleci-token", "ccipat_", r"\bCCIPAT_\w{20,}"),
)
