"""Whatever the bytes of a PDF are, there is an answer within the limits, and it is never a traceback."""

import random
import resource
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from raw_pdf import CONTENT, SENTENCE, TWICE, bomb, many_pages, one_page, raw_pdf, stream

from tracer.model import Document
from tracer.readers import Unreadable, apart, limits, sharing
from tracer.readers.packing import unpack_document, unpack_page

TARGET = b"/Dest [3 0 R /XYZ 0 720 0]"
MANY = 10_000


def read(path: Path, data: bytes) -> Document:
    path.write_bytes(data)
    packed, pages = apart.read(path)
    return unpack_document(packed, tuple(map(unpack_page, pages)))


def refusal(path: Path, data: bytes) -> tuple[str, str]:
    """The kind and the reason of a file that cannot be read."""
    with pytest.raises(Unreadable) as unreadable:
        read(path, data)
    return unreadable.value.unread.kind, unreadable.value.unread.reason


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.pdf"


# --- read for all that ------------------------------------------------------------------------------------------


def outline_of(*entries: bytes) -> bytes:
    """A page with an outline; its first entry is object 7."""
    return one_page(catalog=b"/Outlines 6 0 R", more=[b"<< /First 7 0 R /Last 7 0 R /Count 1 >>", *entries])


def chain(link: bytes) -> list[bytes]:
    """Ten thousand entries of an outline, each the child or the neighbour of the one before."""
    return [b"<< /Title (A) /Parent 6 0 R /%s %d 0 R %s >>" % (link, 8 + number, TARGET) for number in range(MANY)]


READ_ALL_THE_SAME: dict[str, Callable[[], bytes]] = {
    "a page tree that contains itself": lambda: one_page(kids=b"3 0 R 2 0 R", count=2),
    "a false count of pages": lambda: one_page(count=2_000_000_000),
    "a negative count of pages": lambda: one_page(count=-5),
    "an outline whose entries follow each other in a circle": lambda: outline_of(
        b"<< /Title (A) /Parent 6 0 R /Next 8 0 R %s >>" % TARGET,
        b"<< /Title (B) /Parent 6 0 R /Next 7 0 R /First 6 0 R %s >>" % TARGET,
    ),
    "an outline entry that is its own child": lambda: outline_of(b"<< /Title (A) /First 7 0 R %s >>" % TARGET),
    "an outline of ten thousand levels": lambda: outline_of(*chain(b"First"), b"<< /Title (end) >>"),
    "an outline of ten thousand entries": lambda: outline_of(*chain(b"Next"), b"<< /Title (end) >>"),
    "page labels that contain themselves": lambda: one_page(
        catalog=b"/PageLabels 6 0 R", more=[b"<< /Kids [7 0 R] >>", b"<< /Limits [0 5] /Kids [6 0 R 7 0 R] >>"]
    ),
    "page labels of nonsense": lambda: one_page(catalog=b"/PageLabels << /Nums [0 << /S /r /St -5 >> 1 (x) (y) 3] >>"),
    "a label of a billion": lambda: one_page(catalog=b"/PageLabels << /Nums [0 << /S /A /St 999999999 >>] >>"),
    "names that contain themselves": lambda: one_page(
        catalog=b"/Names << /Dests 6 0 R >> /Outlines 7 0 R",
        more=[b"<< /Kids [6 0 R] >>", b"<< /First 8 0 R /Last 8 0 R >>", b"<< /Title (A) /Dest (x) >>"],
    ),
    "ten thousand nested arrays": lambda: one_page(catalog=b"/X " + b"[" * MANY + b"]" * MANY),
    "ten thousand nested dictionaries": lambda: one_page(page=b"/X " + b"<< /A " * MANY + b"1" + b" >>" * MANY),
    "a hundred thousand nested arrays in the content": lambda: one_page(b"[" * 100_000 + b"]" * 100_000 + CONTENT),
    "a million saved states": lambda: one_page(b"q " * 1_000_000 + CONTENT),
    "a huge page": lambda: one_page(box=b"[0 0 200000 200000]"),
    "a page beyond all numbers": lambda: one_page(box=b"[-1e30 -1e30 1e30 1e30]"),
    "a page of no size": lambda: one_page(box=b"[0 0 0 0]"),
    "a page whose size is no number": lambda: one_page(box=b"[/A (b) 3]"),
    "a stream whose length is itself": lambda: one_page(b"<< /Length 4 0 R >>\nstream\n" + CONTENT + b"\nendstream"),
    "a table that is its own predecessor": lambda: one_page().replace(b"trailer\n<<", b"trailer\n<< /Prev 9 ", 1),
    "a table of two billion objects": lambda: one_page().replace(b"/Size 6", b"/Size 2147483647"),
    "an image that claims to be huge": lambda: one_page(b"BI /W 100000 /H 100000 /BPC 8 /CS /RGB ID x EI " + CONTENT),
}


@pytest.mark.parametrize("kind", READ_ALL_THE_SAME)
def test_a_text_is_read_in_spite_of_what_is_beside_it(kind: str, path: Path) -> None:
    document = read(path, READ_ALL_THE_SAME[kind]())
    assert SENTENCE in document.pages[0].text
    assert document.pages[0].unreadable is None


def test_a_description_that_ends_its_process_is_said_and_costs_no_text(path: Path) -> None:
    document = read(path, READ_ALL_THE_SAME["page labels that contain themselves"]())
    assert SENTENCE in document.pages[0].text
    assert document.warnings == ("its outline and page labels cannot be read",)
    assert (document.headings, document.headings_by) == ((), None)


def test_the_pages_of_several_processes_are_put_together_in_their_order(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart, "SHARE_BYTES", 64)
    path.write_bytes(many_pages(7))
    alone, together = apart.read(path), apart.read(path, 3)
    assert together == alone
    assert [unpack_page(page).sheet for page in together[1]] == [1, 2, 3, 4, 5, 6, 7]


def test_a_share_that_cannot_be_read_ends_the_whole_reading(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "SHARE_BYTES", 64)
    path.write_bytes(one_page(stream(bomb(1024), TWICE)) + b"%" * 200)
    with pytest.raises(Unreadable, match="ends the reading process"):
        apart.read(path, 3)


def test_three_thousand_pages_are_read(path: Path) -> None:
    document = read(path, many_pages(3000))
    assert len(document.pages) == 3000
    assert all(page.text == SENTENCE for page in document.pages)


def test_a_million_objects_are_read(path: Path) -> None:
    document = read(path, one_page(more=[b""] * 1_000_000))
    assert document.pages[0].text == SENTENCE


def test_a_million_lines_are_read(path: Path) -> None:
    drawing = zlib.compress(b"0 0 m 9 9 l S\n" * 1_000_000 + CONTENT)
    assert read(path, one_page(stream(drawing, b"/Filter /FlateDecode"))).pages[0].text == SENTENCE


def test_without_forks_the_same_is_read_in_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    data = many_pages(5)
    forked = sharing.read(data, 2)
    monkeypatch.setattr(sharing, "CAN_FORK", False)
    assert sharing.read(data, 2) == forked


# --- refused ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"%PDF-1.7",
        b"<html>no PDF</html>",
        b"%PDF-1.7\n" + random.Random(1).randbytes(100_000),  # noqa: S311 -- no secret
        one_page()[:300],
        one_page(kids=b"", count=0),
        one_page().replace(b"obj", b"o").rpartition(b"startxref")[0] + b"startxref\n99999999999999999999\n%%EOF\n",
    ],
)
def test_what_is_no_pdf_is_broken(data: bytes, path: Path) -> None:
    assert refusal(path, data) == ("broken", "it cannot be opened as a PDF")


def test_more_pages_than_the_limit_are_refused(path: Path) -> None:
    assert refusal(path, many_pages(5001)) == ("limit", "it has 5,001 pages, more than 5,000")


def test_a_path_that_is_no_file_is_broken(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="reading it fails"):
        apart.read(tmp_path / "nowhere.pdf")


def test_a_form_that_draws_itself_ends_the_reading_process_alone(path: Path) -> None:
    form = stream(b"/X Do /X Do", b"/Subtype /Form /BBox [0 0 99 99] /Resources << /XObject << /X 6 0 R >> >>")
    data = one_page(CONTENT + b" /X Do", resources=b"/XObject << /X 6 0 R >>", more=[form])
    found, reason = refusal(path, data)
    assert found == "limit"
    assert "memory" in reason


def test_the_objects_of_a_bomb_that_no_page_needs_do_no_harm(path: Path) -> None:
    packed = stream(bomb(1024), b"/Type /ObjStm /N 1000000 /First 10 " + TWICE)
    assert read(path, one_page(more=[packed])).pages[0].text == SENTENCE


def test_a_bomb_of_a_gibibyte_is_refused_and_the_tool_itself_stays_small(path: Path) -> None:
    program = """if True:
        import resource, sys
        from pathlib import Path
        from tracer.readers import Unreadable, apart, processes
        processes.CAN_FORK = False  # what is forked by another process is not counted here
        for path in sys.argv[1:]:
            try:
                apart.read(Path(path))
            except Unreadable as unreadable:
                print(unreadable)
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
        print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
    """
    path.write_bytes(one_page(stream(bomb(1024), TWICE)))
    assert path.stat().st_size < 4000
    wide = path.with_name("wide.pdf")
    lines = b"(Nine experts teach the student every day.) Tj 0 -12 Td " * 20_000
    wide.write_bytes(one_page(b"BT /F 12 Tf 72 700 Td " + lines + b"ET"))
    between = ["sh", "-c", '"$@"; exit $?', "sh"]  # a process is charged with the peak of the one that began it
    done = subprocess.run(
        [*between, sys.executable, "-c", program, path, wide], capture_output=True, text=True, check=True, timeout=60
    )
    *said, own, children = done.stdout.splitlines()
    assert said == ["reading it ends the reading process (too much memory, or a broken file)"]
    assert int(own) < 60
    assert int(children) <= limits.MEMORY >> 20


# --- time and size ----------------------------------------------------------------------------------------------


def test_a_file_that_takes_too_long_is_let_go(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "SECONDS", 0.5)
    lines = b"(Nine experts teach the student every day.) Tj 0 -12 Td " * 500
    began = time.monotonic()
    found, reason = refusal(path, many_pages(2000, b"BT /F 12 Tf 72 700 Td " + lines + b"ET"))
    assert (found, reason) == ("limit", "reading it takes more than 0.5 seconds")
    assert time.monotonic() - began < 5


def test_an_answer_over_the_limit_is_not_taken(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "MOST_BYTES", 1 << 20)
    lines = b"(Nine experts teach the student every day.) Tj 0 -12 Td " * 500
    data = many_pages(20, b"BT /F 12 Tf 72 700 Td " + lines + b"ET")
    assert refusal(path, data) == ("limit", "its text takes more than 1 MiB")


def limits_of(seconds: int) -> Sequence[str]:
    program = f"from tracer.readers.limits import limit; import resource; limit({seconds}); " + (
        "print(resource.getrlimit(resource.RLIMIT_AS)[0], resource.getrlimit(resource.RLIMIT_CPU)[0])"
    )
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()


def test_the_reading_process_holds_itself_to_its_memory_and_time() -> None:
    assert limits_of(7) == [str(1 << 30), "7"]
    assert limits.DESCRIBING_SECONDS < limits.SECONDS < apart.SECONDS <= 30
    assert resource.getrlimit(resource.RLIMIT_AS)[0] != 1 << 30


def test_a_description_whose_process_is_killed_is_no_reading_without_one() -> None:
    """It would be kept, and the labels and the outline of the file would stay unread."""
    program = """if True:
        import os, signal, sys
        from tracer.readers import pdf, sharing
        pdf.description_of = lambda data: os.kill(os.getpid(), signal.SIGKILL)
        sharing.read(sys.stdin.buffer.read(), 1)
    """
    done = subprocess.run([sys.executable, "-c", program], input=one_page(), check=False)
    assert done.returncode == (-signal.SIGKILL if sharing.CAN_FORK else 0)


def test_what_a_library_prints_does_not_get_into_the_answer(path: Path) -> None:
    noisy = raw_pdf([b"<< /Type /Catalog /Pages 2 0 R /Outlines (no) /PageLabels 3 >>", b"<< /Kids [(no)] >>"])
    found, _ = refusal(path, noisy)
    assert found == "broken"
