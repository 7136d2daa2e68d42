"""Runs a program that is asked to end when its parent is gone: `python -m vault.lifeline PARENT PROGRAM ARGUMENT...`

The kernel sends the signal, so that a supervisor that is killed without a word leaves nothing running. Only Linux does
that; elsewhere the program goes on, and the next start says so (`vault.occupancy`).
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    parent, *command = sys.argv[1:]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        # It may have gone before the kernel was asked.
        if os.getppid() != int(parent):
            sys.exit(128 + signal.SIGTERM)
    os.execv(command[0], command)  # noqa: S606 - the supervisor's own command; no shell is wanted


if __name__ == "__main__":
    main()
