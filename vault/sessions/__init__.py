"""Sessions: what an agent keeps within a run, how it stays in a context window, and what passes into the vault.

Promise: a turn is stored only after it was screened, sealed under its subject's key; a window is never over its
budget, never holds half a turn, and never a tool's answer without its call; nothing outlives a session except
through the ordinary pipeline of a write. It works without a language model; one can be added by settings.

The road not taken: refusing a turn that holds a secret (the run would break; a placeholder takes its place); a
second vector index for turns (a session is read by its numbers and searched by its summaries); summaries that a
model writes freely (they would be nobody's words).
"""
