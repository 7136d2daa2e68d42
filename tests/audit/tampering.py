"""What somebody with the rights of the tables' owner could do to the log."""

from __future__ import annotations

from collections.abc import Callable

from audit import merkle
from audit.models import AuditEntry, AuditLeaf

ENTRY_AT = "(SELECT entry_id FROM audit_leaf WHERE seq = %s)"


def rewrite_leaf(tamper: Callable[..., None], seq: int) -> None:
    """Change an entry and make its leaf agree, as somebody who knows the format would."""
    tamper(f"UPDATE audit_entry SET reason = 'forged' WHERE id = {ENTRY_AT}", [seq])
    entry = AuditEntry.objects.get(pk=AuditLeaf.objects.get(seq=seq).entry_id)
    tamper("UPDATE audit_leaf SET hash = %s WHERE seq = %s", [merkle.leaf_hash(entry.leaf_bytes(seq)), seq])


def rewrite_nodes(tamper: Callable[..., None]) -> merkle.Frontier:
    """Recompute the whole stored tree over the leaves as they are."""
    frontier = merkle.Frontier()
    for leaf in AuditLeaf.objects.order_by("seq"):
        for (level, position), node in frontier.append(bytes(leaf.hash)):
            tamper(
                "UPDATE audit_node SET hash = %s WHERE level = %s AND position = %s", [node, level, position]
            )
    return frontier


def cut(tamper: Callable[..., None], size: int) -> None:
    """Take everything from `size` on away, as restoring an old copy would."""
    tamper("DELETE FROM audit_entry WHERE id IN (SELECT entry_id FROM audit_leaf WHERE seq >= %s)", [size])
    tamper("DELETE FROM audit_leaf WHERE seq >= %s", [size])
    tamper("DELETE FROM audit_node WHERE ((position + 1) << level) > %s", [size])
