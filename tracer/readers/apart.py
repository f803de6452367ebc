"""A PDF's path to its packed pages, read in processes of their own: their death or delay is an answer, not a crash."""

import atexit
import contextlib
import json
import signal
import threading
from collections.abc import Sequence
from pathlib import Path

from tracer.readers import Unreadable, frames
from tracer.readers.processes import Child, Interrupted, Processes

SECONDS = 28
"""How long a source may take by the clock; the child's own limit on processor time is a little lower."""

MOST_BYTES = 64 << 20
"""How much a child may answer: the text of some 1,500 full pages, each read in several ways."""

SHARE_BYTES = 1 << 18
"""How many bytes of a file are worth a reading process of their own."""

MOST_SHARES = 4

processes = Processes()
atexit.register(processes.stop)


def read(path: Path, shares: int = 1) -> tuple[bytes, tuple[bytes, ...]]:
    """The packed document and its packed pages, which up to so many processes read; raises `Unreadable`."""
    with contextlib.suppress(OSError):  # a file that is not there has its answer from the process
        shares = max(1, min(shares, path.stat().st_size // SHARE_BYTES, MOST_SHARES))
    return _answered("read", _named(path), str(shares))


def closer(path: Path, sheets: Sequence[int]) -> tuple[bytes, ...]:
    """The packed pages of some sheets, with the readings that need the place of every glyph; raises `Unreadable`."""
    return _answered("closer", _named(path), ",".join(map(str, sheets)))[1]


def pictured(part: str, path: Path, sha256: str, wanted: Sequence[str]) -> tuple[bytes, ...]:
    """What a part of `pictures` makes of each thing wanted; raises `Unreadable`, also for bytes of another sha256."""
    records = _answered(part, _named(path), sha256, *wanted)[1]
    if len(records) != len(wanted):
        raise Unreadable("broken", "not all of it can be drawn")
    return records


def _named(path: Path) -> str:
    """A path that means the same in a process that was begun in another folder."""
    return str(path.absolute())


def _answered(*arguments: str) -> tuple[bytes, tuple[bytes, ...]]:
    try:
        with processes.child(*arguments) as child:
            return _answer(child)
    except Interrupted:
        raise Unreadable("limit", "the run was interrupted") from None
    except OSError as error:
        raise Unreadable("limit", f"no process that reads it can be begun: {error.strerror or error}") from error


def _answer(child: Child) -> tuple[bytes, tuple[bytes, ...]]:
    clock = threading.Timer(SECONDS, child.kill)
    clock.start()
    try:
        pages: list[bytes] = []
        size = 0
        for kind, payload in frames.read(child.answer, MOST_BYTES):
            size += len(payload)
            if size > MOST_BYTES:
                raise Unreadable("limit", f"its text takes more than {MOST_BYTES >> 20} MiB")
            if kind == frames.PAGE:
                pages.append(payload)
            elif kind == frames.DOCUMENT:
                return payload, tuple(pages)
            else:
                raise Unreadable(*json.loads(payload))
        raise Unreadable(*_cause_of_death(child.code(), was_late=not clock.is_alive()))
    finally:
        clock.cancel()


def _cause_of_death(code: int, *, was_late: bool) -> tuple[str, str]:
    if was_late or code == -getattr(signal, "SIGXCPU", 24):
        return "limit", f"reading it takes more than {SECONDS} seconds"
    if code in {-signal.SIGABRT, -signal.SIGSEGV}:
        return "limit", "reading it ends the reading process (too much memory, or a broken file)"
    if code == -getattr(signal, "SIGKILL", 9):
        return "limit", "the reading process was killed, as a system does that runs out of memory"
    return "broken", f"reading it fails (exit code {code})"
