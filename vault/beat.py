"""Beat's own scheduler: its schedule stands in a file of the home, in a folder that beat alone makes."""

from __future__ import annotations

from pathlib import Path

from celery.beat import PersistentScheduler


class Scheduler(PersistentScheduler):
    """Makes the folder when beat starts, and not where its settings are read: every command reads those."""

    schedule_filename: str

    def setup_schedule(self) -> None:
        Path(self.schedule_filename).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        super().setup_schedule()
