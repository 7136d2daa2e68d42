"""Whether a line is worth keeping beyond its moment, and why.

Worth keeping is what is likely to matter again, is not looked up again in a moment, stays true, and is safe: wishes,
rules, decisions, facts about people and things, problems that come back, lessons. Not worth it: raw output of tools,
one-off news, moods, guesses told as facts, what any lookup tells, chatter, orders for the moment, and what nobody will
understand tomorrow. A line is compared with invented examples of each; words that speak for or against it add to that.
"""

from vault.writing.worth.judge import Reason, Worth, judge_worth, refused_as_write

__all__ = ["Reason", "Worth", "judge_worth", "refused_as_write"]
