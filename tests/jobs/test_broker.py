from __future__ import annotations

import os
import stat
import time
from pathlib import Path

from django.conf import settings

from vault import tasks
from vault.beat import Scheduler
from vault.broker import connection_url, tidy, transport_options
from vault.celery import app


def test_the_embedded_brokers_folders_are_for_their_owner_alone(tmp_path: Path):
    options = transport_options("filesystem://", tmp_path / "broker")

    folders = [tmp_path / "broker", *map(Path, (options["data_folder_in"], options["processed_folder"]))]
    assert {stat.S_IMODE(folder.stat().st_mode) for folder in folders} == {0o700}


def test_writers_and_readers_share_one_folder(tmp_path: Path):
    options = transport_options("filesystem://", tmp_path)

    assert options["data_folder_in"] == options["data_folder_out"]


def test_another_broker_makes_no_folder(tmp_path: Path):
    transport_options("redis://localhost/0", tmp_path / "broker")

    assert not (tmp_path / "broker").exists()


def test_a_home_that_is_not_there_is_not_made_for_a_brokers_folders(tmp_path: Path):
    transport_options("filesystem://", tmp_path / "nowhere" / "broker")

    assert not (tmp_path / "nowhere").exists()


def test_beat_makes_its_own_folder_when_it_starts(tmp_path: Path):
    file = tmp_path / "home" / "beat" / "schedule"
    scheduler = Scheduler(app, schedule_filename=str(file), lazy=True)
    assert not file.parent.exists()

    scheduler.setup_schedule()
    scheduler.close()

    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert list(file.parent.iterdir())


def test_the_url_of_another_broker_stays_as_it_is():
    assert connection_url("redis://localhost/0") == "redis://localhost/0"


def test_old_read_messages_are_tidied_and_waiting_ones_are_not(tmp_path: Path):
    options = transport_options("filesystem://", tmp_path)
    read, waiting = (
        Path(options["processed_folder"]) / "1.vault.msg",
        Path(options["data_folder_in"]) / "2.vault.msg",
    )
    for message in (read, waiting):
        message.touch()
        os.utime(message, (time.time() - 3600,) * 2)

    assert tidy(tmp_path) == 1

    assert waiting.exists()
    assert not read.exists()


def test_every_tick_of_the_schedule_is_a_task_that_exists():
    scheduled = {tick["task"] for tick in app.conf.beat_schedule.values()}

    assert scheduled <= set(app.tasks)


def test_every_tick_expires_before_the_next():
    for tick in app.conf.beat_schedule.values():
        assert tick["options"]["expires"] <= tick["schedule"]


def test_nothing_is_pickled_and_no_result_is_kept():
    assert app.conf.accept_content == ["json"]
    assert app.conf.result_backend is None
    assert app.conf.worker_enable_remote_control is False


def test_a_task_is_taken_off_the_broker_when_it_is_done():
    assert app.conf.task_acks_late is True
    assert app.conf.worker_prefetch_multiplier == 1


def test_the_workers_files_lie_in_the_vaults_home():
    assert app.conf.beat_schedule_filename.startswith(str(settings.HOME.path))


def test_tasks_have_the_names_that_services_send():
    assert tasks.run_job.name in app.tasks
