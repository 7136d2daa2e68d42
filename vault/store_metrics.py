"""Figures read from the database when Prometheus asks: the queue's depth, rows and bytes per store."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connection, transaction
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from vault.models import QuarantinedWrite, isolation
from vault.types import QuarantineStatus

# Rows are PostgreSQL's own estimate: counting them exactly would read every table at every scrape.
STORES = (
    "SELECT relname, n_live_tup, pg_total_relation_size(relid) FROM pg_stat_user_tables "
    "WHERE relname LIKE 'vault\\_%' OR relname LIKE 'audit\\_%' ORDER BY relname"
)


class StoreCollector(Collector):
    """Reads at every scrape, and holds nothing in between."""

    def collect(self) -> Iterable[Metric]:
        depth = GaugeMetricFamily("vault_quarantine_depth", "Writes that wait for a person.")
        depth.add_metric([], _pending())
        rows = GaugeMetricFamily("vault_store_rows", "Rows per table, estimated.", labels=["store"])
        size = GaugeMetricFamily("vault_store_bytes", "Bytes per table with its indexes.", labels=["store"])
        for name, count, total in _stores():
            rows.add_metric([name], count)
            size.add_metric([name], total)
        return [depth, rows, size]


def _pending() -> int:
    with transaction.atomic():
        isolation.open_everything()
        return QuarantinedWrite.objects.filter(status=QuarantineStatus.PENDING).count()


def _stores() -> list[tuple[str, int, int]]:
    with connection.cursor() as cursor:
        cursor.execute(STORES)
        return [(str(name), int(rows), int(size)) for name, rows, size in cursor.fetchall()]
