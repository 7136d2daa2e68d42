"""The settings of a language model, if there is one; an unknown word among its uses stops the start."""

from __future__ import annotations

from dataclasses import dataclass, field

from vault.env import env_number, env_secret_or_none, env_text, env_words
from vault.types import ModelUse

# What sends turns or what quotes them; memories leave the vault only where that is asked for.
DEFAULT_USES = f"{ModelUse.DRAFTS},{ModelUse.QUESTIONS},{ModelUse.SUMMARIES}"


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Where the model is, and what it may be asked for. No URL, no model."""

    url: str
    name: str
    key: str = field(repr=False)
    seconds: float
    uses: frozenset[str]


def model_from_environment() -> ModelSettings:
    """Read LANGUAGE_MODEL_*. Raises ImproperlyConfigured for a use that is not known."""
    return ModelSettings(
        url=env_text("LANGUAGE_MODEL_URL"),
        name=env_text("LANGUAGE_MODEL_NAME", "default"),
        key=env_secret_or_none("LANGUAGE_MODEL_KEY"),
        seconds=env_number("LANGUAGE_MODEL_MS", 8000) / 1000,
        uses=env_words("LANGUAGE_MODEL_USES", DEFAULT_USES, known=list(ModelUse)),
    )
