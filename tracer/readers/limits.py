"""What a process that reads a PDF may take of memory and time."""

import contextlib
import signal
import sys

MEMORY = 1 << 30
SECONDS = 25
DESCRIBING_SECONDS = 12
"""What a file says of itself counts less than its text: it gets half the time."""

_SET_DEATH_SIGNAL = 1
"""`PR_SET_PDEATHSIG` of prctl(2)."""


def limit(seconds: int) -> None:
    """Hold this process to its memory and time; a system without such limits is left to the parent's clock."""
    with contextlib.suppress(ImportError):
        import resource

        wanted = {
            resource.RLIMIT_CORE: (0, 0),
            resource.RLIMIT_AS: (MEMORY, MEMORY),
            resource.RLIMIT_CPU: (seconds, seconds + 2),
        }
        for kind, (soft, hard) in wanted.items():
            _, most = resource.getrlimit(kind)
            given = most if most != resource.RLIM_INFINITY else hard
            resource.setrlimit(kind, (min(soft, given), min(hard, given)))


def end_with_parent() -> None:
    """Let Linux end this process with the one that began it; elsewhere it ends when nobody takes what it writes."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)


def memory_reason() -> str:
    """What is said of a file that took too much memory."""
    return f"reading it takes more than {MEMORY >> 20:,} MiB of memory"
