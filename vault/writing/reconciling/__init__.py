"""Reconciling: whether two statements about one subject say the same, exclude each other, or both stand.

Promise: pure, deterministic, without a model; two statements are called the same only when no number, name,
date, unit or negation differs, and one is said to replace another only on evidence that can be named. What
is merely likely is `UNCLEAR`: a person decides, and nothing is lost meanwhile.

The road not taken: a threshold on the similarity of embeddings. "Locker code at the gym is 4417" and "Locker
code at work is 4471" are nearer to each other than most paraphrases are; so similarity only says which pairs
are worth reading, and the reading decides.
"""
