"""The form of the simulator: what a score is made of, and whose memories are ranked. Sent by POST alone."""

from __future__ import annotations

from typing import Any

from django import forms

from vault.retrieval.score import DEFAULT_HALF_LIFE_DAYS, DEFAULT_WEIGHTS, Decay, Ranking, Weights

QUERY_CHARACTERS = 2000
REFERENCE_CHARACTERS = 256
MAX_HALF_LIFE_DAYS = 365
# Sliders move in hundredths.
WHOLE = 100
DECAYS = (
    (Decay.EXPONENTIAL.value, "Exponential"),
    (Decay.HYPERBOLIC.value, "Hyperbolic"),
)


def slider(label: str, *, most: int, least: int = 0, unit: str = "") -> forms.IntegerField:
    attributes = {"type": "range", "min": least, "max": most, "data-unit": unit}
    return forms.IntegerField(
        label=label, min_value=least, max_value=most, widget=forms.NumberInput(attrs=attributes)
    )


class SimulatorForm(forms.Form):
    external_id = forms.CharField(
        label="Subject",
        required=False,
        max_length=REFERENCE_CHARACTERS,
        strip=False,
        help_text="The id that the calling application uses. Each look is recorded.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "data-find": ""}),
    )
    query = forms.CharField(
        label="Question",
        required=False,
        max_length=QUERY_CHARACTERS,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    by_policy = forms.BooleanField(
        label="As agents find it now", required=False, help_text="By policy: the parts below do not count."
    )
    similarity = slider("Similarity", most=WHOLE)
    recency = slider("Recency", most=WHOLE)
    importance = slider("Importance", most=WHOLE)
    half_life_days = slider("Half-life", most=MAX_HALF_LIFE_DAYS, least=1, unit="days")
    decay = forms.ChoiceField(
        label="Decay",
        choices=DECAYS,
        help_text="Exponential: half is left after each half-life. Hyperbolic: a half, then a third, a quarter.",
    )

    @staticmethod
    def defaults() -> dict[str, Any]:
        """What the sliders show at first: the weights and the half-life as shipped."""
        return {
            "similarity": round(DEFAULT_WEIGHTS.similarity * WHOLE),
            "recency": round(DEFAULT_WEIGHTS.recency * WHOLE),
            "importance": round(DEFAULT_WEIGHTS.importance * WHOLE),
            "half_life_days": round(DEFAULT_HALF_LIFE_DAYS),
            "decay": Decay.EXPONENTIAL.value,
        }

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        parts = [cleaned.get(name) for name in ("similarity", "recency", "importance")]
        if None not in parts and not any(parts):
            raise forms.ValidationError("At least one weight is above zero.")
        if bool(cleaned.get("external_id")) != bool(cleaned.get("query")):
            missing = "query" if cleaned.get("external_id") else "external_id"
            self.add_error(missing, "A ranking needs a subject and a question.")
        return cleaned

    def ranking(self) -> Ranking | None:
        """What the sliders say; None where the policy decides."""
        if self.cleaned_data["by_policy"]:
            return None
        weights = Weights(
            *(self.cleaned_data[name] / WHOLE for name in ("similarity", "recency", "importance"))
        )
        return Ranking(weights, self.cleaned_data["half_life_days"], Decay(self.cleaned_data["decay"]))
