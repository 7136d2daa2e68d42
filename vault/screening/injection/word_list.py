"""Write the word list of the normaliser: python -m vault.screening.injection.word_list --data DIR.

Run it before training: what the normaliser can read decides what the model sees.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path

from vault.screening.injection.data import read
from vault.screening.injection.invented import expand_all

LIST = "words.txt"
MIN_TEXTS = 2
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    folder = parser.parse_args(arguments).data
    texts = [row.text for row in read(folder) if row.may_train]
    texts += [each.text for each in expand_all(per_template=1, seed=1) if each.language == "en"]
    target = Path(str(files("vault.screening.normalise").joinpath(LIST)))
    target.write_text("\n".join(common_words(texts)) + "\n", encoding="utf-8")


def common_words(texts: Iterable[str]) -> list[str]:
    """English words that stand in two texts or more, the most frequent first; of letters only "a" and "i"."""
    seen: Counter[str] = Counter()
    for text in texts:
        seen.update(set(_WORD.findall(text.lower())))
    kept = [
        (word, count)
        for word, count in seen.items()
        if count >= MIN_TEXTS and (len(word) > 1 or word in "ai")
    ]
    return [word for word, _ in sorted(kept, key=lambda item: (-item[1], item[0]))]


if __name__ == "__main__":
    main()
