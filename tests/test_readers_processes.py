"""Reading processes begin and end as they should, whatever is done to them, and to the one that forks them."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from io import BytesIO
from pathlib import Path

import pytest
from raw_pdf import SENTENCE, many_pages, one_page

from tracer.readers import Unreadable, apart, frames, processes
from tracer.readers.forkserver import Forked, ForkServer
from tracer.readers.packing import unpack_page
from tracer.readers.processes import Child, Processes, Started

HEAVY = many_pages(60, b"BT /F 12 Tf 72 700 Td " + b"(Nine experts teach the student.) Tj 0 -12 Td " * 500 + b"ET")
SHARES = 3
WITHIN = 5
"""Seconds in which what was killed is missed."""

Reading = Future[tuple[bytes, tuple[bytes, ...]]]

needs_fork = pytest.mark.skipif(not processes.CAN_FORK, reason="this system cannot fork")
needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the system does not list its processes")


@pytest.fixture(autouse=True)
def _own_processes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No test shares a server with others."""
    own = Processes()
    monkeypatch.setattr(apart, "processes", own)
    yield
    own.stop()


@pytest.fixture(params=["forked", "with an interpreter of its own"])
def _each_kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading processes of both kinds, as a system has that can fork and one that cannot."""
    if request.param != "forked":
        monkeypatch.setattr(processes, "CAN_FORK", False)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A small report."""
    file = tmp_path / "a.pdf"
    file.write_bytes(one_page())
    return file


def text(path: Path) -> str:
    return unpack_page(apart.read(path)[1][0]).text


def running() -> Iterator[tuple[int, int, int]]:
    """All processes that run, each with its parent and its group."""
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            state, parent, group = (entry / "stat").read_text().rpartition(")")[2].split()[:3]
            if state != "Z":
                yield int(entry.name), int(parent), int(group)


def below(number: int) -> list[int]:
    """The processes that a process has begun, and those that these have begun."""
    parents = {process: parent for process, parent, _ in running()}
    found = [number]
    for one in found:
        found += [process for process, parent in parents.items() if parent == one]
    return found[1:]


def comes_true(condition: Callable[[], object]) -> bool:
    """Whether something is true soon."""
    until = time.monotonic() + WITHIN
    while time.monotonic() < until:
        if condition():
            return True
        time.sleep(0.01)
    return False


def has_ended(number: int) -> bool:
    return all(number not in (process, group) for process, _, group in running())


@contextlib.contextmanager
def being_read(path: Path, begun: list[Child]) -> Iterator[tuple[Reading, Child]]:
    """A large file while several processes read it, and the first of them."""
    path.write_bytes(HEAVY + b"%" * (SHARES * apart.SHARE_BYTES))
    with ThreadPoolExecutor() as pool:
        reading = pool.submit(apart.read, path, SHARES)
        assert comes_true(lambda: begun and len(below(begun[0].number)) >= SHARES - 1)
        yield reading, begun[0]


def reason(reading: Reading) -> str:
    """Why it was not read, which is known soon."""
    with pytest.raises(Unreadable) as unreadable:
        reading.result(WITHIN)
    return str(unreadable.value)


# --- of both kinds ----------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("_each_kind")
def test_each_kind_of_process_reads_and_refuses_alike(path: Path) -> None:
    assert text(path) == SENTENCE
    path.write_bytes(b"%PDF-1.7")
    with pytest.raises(Unreadable, match="it cannot be opened as a PDF"):
        apart.read(path)
    with pytest.raises(Unreadable, match="reading it fails"):
        apart.read(path.with_name("nowhere.pdf"))


@needs_proc
@pytest.mark.usefixtures("_each_kind")
def test_no_process_is_left_behind(path: Path, begun: list[Child]) -> None:
    apart.read(path)
    path.write_bytes(b"%PDF-1.7")
    with pytest.raises(Unreadable):
        apart.read(path)
    assert len(begun) == 2
    assert all(comes_true(lambda child=child: has_ended(child.number)) for child in begun)


@needs_proc
@pytest.mark.usefixtures("_each_kind")
def test_a_reading_process_that_is_killed_is_missed_at_once(path: Path, begun: list[Child]) -> None:
    with being_read(path, begun) as (reading, first):
        first.kill()
        assert reason(reading).startswith("the reading process was killed")


@needs_proc
@pytest.mark.usefixtures("_each_kind")
def test_a_run_that_is_interrupted_ends_what_reads(path: Path, begun: list[Child]) -> None:
    with being_read(path, begun) as (reading, first):
        apart.processes.stop()
        reason(reading)
        assert comes_true(lambda: has_ended(first.number))


@pytest.mark.usefixtures("_each_kind")
@pytest.mark.parametrize("delay", [0, 0.02, 0.05])
def test_a_run_that_is_interrupted_while_a_process_begins_does_not_read_on(path: Path, delay: float) -> None:
    path.write_bytes(HEAVY)
    with ThreadPoolExecutor() as pool:
        began = threading.Event()
        reading = pool.submit(lambda: (began.set(), apart.read(path))[1])
        began.wait()
        time.sleep(delay)
        apart.processes.stop()
        assert reason(reading)


@pytest.mark.parametrize("shares", [1, SHARES])
def test_what_is_printed_while_reading_does_not_get_into_an_answer(shares: int) -> None:
    program = f"""if True:
        import os, sys
        from tracer.readers import pdf, pdfium, sharing
        def noisy(work):
            def done(*given):
                os.write(1, b"out"), os.write(2, b"err")
                return work(*given)
            return done
        pdfium.pages, pdf.description_of = noisy(pdfium.pages), noisy(pdf.description_of)
        sys.exit(len(sharing.read(sys.stdin.buffer.read(), {shares}).pages))
    """
    nowhere = subprocess.DEVNULL
    done = subprocess.run(
        [sys.executable, "-c", program], input=many_pages(6), stdout=nowhere, stderr=nowhere, check=False
    )
    assert done.returncode == 6


def test_what_is_printed_by_a_process_of_its_own_does_not_get_into_its_answer(path: Path) -> None:
    program = """if True:
        import os, sys
        from tracer.readers import child, pdf
        description_of = pdf.description_of
        pdf.description_of = lambda data: os.write(1, b"out") and description_of(data)
        child.main(sys.argv[1:])
    """
    words = [sys.executable, "-c", program, "read", str(path), "1"]
    done = subprocess.run(words, capture_output=True, check=True)
    assert [kind for kind, _ in frames.read(BytesIO(done.stdout), apart.MOST_BYTES)] == [frames.PAGE, frames.DOCUMENT]


def test_limits_from_outside_are_kept(path: Path) -> None:
    program = """if True:
        import resource, sys
        from tracer.readers.limits import limit
        resource.setrlimit(resource.RLIMIT_CPU, (9, 9))
        limit(7), limit(25)
        print(*resource.getrlimit(resource.RLIMIT_CPU))
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["9", "9"]


# --- forked -----------------------------------------------------------------------------------------------------


@needs_proc
@needs_fork
def test_one_of_several_that_read_a_file_is_missed_as_well(path: Path, begun: list[Child]) -> None:
    """The one that the system ends takes most memory; the first of the group waits for it."""
    with being_read(path, begun) as (reading, first):
        reader = next(process for process, parent, _ in running() if parent == first.number)
        os.kill(reader, signal.SIGKILL)
        assert reason(reading).startswith("the reading process was killed")


def test_an_answer_ends_where_its_process_ended_before_it_had_read_its_request() -> None:
    ours, theirs = socket.socketpair()
    ours.sendall(b"a request")
    theirs.close()
    with ours, ours.makefile("rb") as answer:
        assert list(frames.read(answer, apart.MOST_BYTES)) == []


@needs_proc
@needs_fork
def test_a_server_that_is_killed_is_done_without_and_begun_anew(path: Path, begun: list[Child]) -> None:
    assert text(path) == SENTENCE
    for number in [process for process, parent, _ in running() if parent == os.getpid()]:
        if Path(f"/proc/{number}/cmdline").read_bytes().endswith(b"\0serve\0"):
            os.kill(number, signal.SIGKILL)
    assert [text(path) for _ in range(3)] == [SENTENCE] * 3
    assert [type(child) for child in begun] == [Forked, Started, Forked, Forked]


@needs_proc
@needs_fork
def test_a_server_that_cannot_be_asked_is_left_alone_with_what_it_has_forked(
    path: Path, tmp_path: Path, begun: list[Child], monkeypatch: pytest.MonkeyPatch
) -> None:
    large = tmp_path / "large.pdf"
    with being_read(large, begun) as (reading, _):
        monkeypatch.setattr(os, "pipe", lambda: (_ for _ in ()).throw(OSError(24, "Too many open files")))
        with pytest.raises(Unreadable, match="no process that reads it can be begun: Too many open files"):
            apart.read(path)
        monkeypatch.undo()
        assert len(reading.result()[1]) == 60


@needs_fork
def test_a_server_that_ended_is_let_go_of_once() -> None:
    """Of two threads that find it ended, the second must not end the next one."""
    own = Processes()
    own.get_ready()
    first = own._server
    assert isinstance(first, ForkServer)
    first.end()
    own._let_go(first)
    own.get_ready()
    second = own._server
    own._let_go(first)
    assert own._server is second
    assert isinstance(second, ForkServer)
    assert not second.has_ended
    own.stop()
    assert second.has_ended


@needs_fork
def test_many_are_forked_side_by_side(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.pdf" for number in range(24)]
    for number, file in enumerate(paths):
        file.write_bytes(one_page(b"BT /F 12 Tf 72 700 Td (Report %d.) Tj ET" % number))
    with ThreadPoolExecutor(max_workers=8) as pool:
        texts = list(pool.map(text, paths))
    assert texts == [f"Report {number}." for number in range(24)]


@needs_proc
@needs_fork
def test_no_file_stays_open(path: Path) -> None:
    apart.read(path)
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(12):
        apart.read(path)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


@needs_fork
def test_a_path_is_that_of_the_folder_in_which_it_is_asked_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    apart.read(path)
    monkeypatch.chdir(path.parent)
    assert text(Path(path.name)) == SENTENCE


def test_a_request_may_be_longer_than_a_socket_holds(path: Path) -> None:
    with pytest.raises(Unreadable, match="it has changed since it was read"):
        apart.pictured("glyphs", path, "0" * 64, ["1"] * 100_000)


@needs_proc
@needs_fork
@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGTERM])
def test_what_was_forked_ends_with_the_run_however_it_ends(path: Path, sign: signal.Signals) -> None:
    path.write_bytes(HEAVY)
    program = "import sys, pathlib; from tracer.readers import apart; apart.read(pathlib.Path(sys.argv[1]))"
    with subprocess.Popen([sys.executable, "-c", program, path]) as run:
        assert comes_true(lambda: len(below(run.pid)) >= 3)  # the server, the one that waits, the one that reads
        numbers = below(run.pid)
        run.send_signal(sign)
    assert all(comes_true(lambda number=number: has_ended(number)) for number in numbers)
