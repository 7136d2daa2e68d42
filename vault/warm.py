"""Loading the models before the first caller would have to wait for them."""

from __future__ import annotations

from vault.embedding import embed
from vault.keys import key_vault
from vault.screening import warm_up


def load_models() -> None:
    """Load what screening and embedding need, and open the keystore."""
    warm_up()
    embed(["warm-up"])
    key_vault()
