"""Seeds and a number to what breaks: mutated ledgers, texts and sources go in, anything but an answer comes out.

    python bench/fuzz.py --seconds 60 --seed 1 [--only pdf]

An answer is a result, a problem, or a refusal that is foreseen; a traceback, a broken law and a hang are finds. Each
find is printed with how to make it again, and its input is written below `--keep`. PDFs are read in a fork of this
process under the limits of the real reading process, which is faster than starting one for each.
"""

import argparse
import io
import os
import random
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from raw_pdf import one_page, raw_pdf  # noqa: E402 -- the path is set above
from reportlab.pdfgen.canvas import Canvas  # noqa: E402

from tracer.loading import load  # noqa: E402
from tracer.model import Failure  # noqa: E402
from tracer.readers import Unreadable, apart, data, html, markdown, pdf, text  # noqa: E402
from tracer.readers.limits import limit  # noqa: E402
from tracer.settings import Settings  # noqa: E402
from tracer.text import fold  # noqa: E402

HANG = 10
"""Seconds after which an input that is no PDF counts as a hang."""

Case = tuple[bytes, str]
"""An input and the seed it was made from."""


class Hang(Exception):  # noqa: N818 -- it is counted, not raised to anyone
    """An input took too long."""


# --- mutations --------------------------------------------------------------------------------------------------

NUMBERS = b"0 -1 1 65536 2147483647 -2147483648 4294967296 1e308 0.0000001 99999999999".split()
PDF_WORDS = (
    b"obj endobj stream endstream xref << >> [ ] null 3_0_R 6_0_R Tj Do BT ET /Kids /Parent /Count /Outlines /First "
    b"/Next /Dest /PageLabels /Nums /Filter /FlateDecode /Length /Contents /Encrypt /ObjStm /ToUnicode /Rotate /Pages"
)
LEDGER_WORDS = (
    b"claims:; - id: a; cite: ; &a ; *a; <<: *a; {; }; [; ]; ? ; |; !!int ; ---; %YAML 1.1; \t; \r; \x00; \xff; ''; ~; "
    b'\xef\xbb\xbf; \xe2\x80\xa8; "\\x00"; value: 1e999999999; formula: 9**9**9; page: -1; '
    b"accept: {page-wrong: }; sheet: x"
)
SIGNS = "- – — − \u00a0 \u202f \u00ad \u0301 ´ ^{ } ² ½ ﬃ İ ß '' ’’ \u200b \x02 \ufffe 9 . , ﷺ \u0345 ǰ 𝛼 \x00 ı ẞ ŉ ͅ"
DATA_SIGNS = b'{_}_[_]_"_:_,_- _= _[[a]]_1e999_NaN_&a _*a'
WORDS = {
    "pdf": [b" %s " % word.replace(b"_", b" ") for word in PDF_WORDS.split()],
    "ledger": [word + end for word in LEDGER_WORDS.split(b"; ") for end in (b"", b"\n")],
    "html": b"< > <div> </p> <script> <table><tr><td> &#0; &#x110000; <!-- ]]> <svg> <title> </html>".split(),
    "markdown": [b"# ", b"[", b"](", b"`", b"```\n", b"> ", b"* ", b"|", b"---\n", b"<div>", b"    ", b"!", b"\\"],
    "data": [word for each in DATA_SIGNS.split(b"_") for word in (each, each + b"\n")],
    "text": [b"\x00", b"\xff\xfe", b"\xff\xfe\x00\x00", b"\r", b"\xed\xa0\x80", b"\xef\xbf\xbe"],
    "fold": [b" ", *(sign.encode() for sign in SIGNS.split(" "))],
}
"""What stands for something in each language, to be put where it does not belong."""


def mutated(chance: random.Random, case: bytes, others: Sequence[bytes], words: Sequence[bytes]) -> bytes:
    """A few changes of one input: bits, cuts, copies, words of its language, numbers, pieces of another one."""
    result = bytearray(case)
    for _ in range(chance.choice((1, 1, 2, 3, 8))):
        at = chance.randrange(len(result) + 1)
        length = chance.choice((1, 4, 20, 200))
        kind = chance.randrange(8)
        if kind == 0 and at < len(result):
            result[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            del result[at : at + length]
        elif kind == 2:
            result[at:at] = result[at : at + length] * chance.choice((1, 2, 50))
        elif kind == 3:
            result[at:at] = chance.choice(words) * chance.choice((1, 1, 1, 500))
        elif kind == 4:
            _renumber(chance, result, at)
        elif kind == 5:
            other = chance.choice(others)
            begin = chance.randrange(len(other) + 1)
            result[at : at + length] = other[begin : begin + length]
        elif kind == 6:
            result[at : at + length] = chance.choice(words)
        else:
            del result[at if chance.random() < 0.2 else len(result) :]
    return bytes(result)


def _renumber(chance: random.Random, result: bytearray, at: int) -> None:
    """Another number in the place of the next one."""
    begin = next((place for place in range(at, len(result)) if result[place : place + 1].isdigit()), None)
    if begin is None:
        return
    end = begin
    while result[end : end + 1].isdigit():
        end += 1
    result[begin:end] = chance.choice((*NUMBERS, b"%d" % chance.randrange(12)))


# --- what is tried ----------------------------------------------------------------------------------------------


def try_ledger(case: bytes) -> str:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "claims").mkdir()
        (root / "claims" / "a.yaml").write_bytes(case)
        try:
            ledger = load(Settings(root=root, ledger=root / "claims"))
        except Failure:
            return "refused"
    for problem in ledger.problems:
        assert problem.at.line >= 1, problem
        assert problem.at.column >= 1, problem
    return "with problems" if ledger.problems else "read"


def try_fold(case: bytes) -> str:
    given = case.decode("utf-8", "replace")
    folded = fold(given)
    assert len(folded.text) == len(folded.offsets), "each character has its place"
    assert all(0 <= offset < len(given) for offset in folded.offsets), "each place is in the text"
    assert list(folded.offsets) == sorted(folded.offsets), "places stand in order"
    assert fold(folded.text).text == folded.text, "folding twice is folding once"
    return "read"


def try_reader(read: Callable[[bytes], object]) -> Callable[[bytes], str]:
    def attempt(case: bytes) -> str:
        try:
            read(case)
        except Unreadable as unreadable:
            return unreadable.unread.kind
        return "read"

    return attempt


def try_pdf(case: bytes) -> str:
    """What a fork of this process makes of a PDF: a kind of answer, or the traceback of what it raised."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        with os.fdopen(writing, "wb") as out:
            out.write(_read_here(case).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answered:
        answer = answered.read().decode()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status:
        return f"ended by signal {-status}"
    assert not answer.startswith("Traceback"), answer
    return answer


def _read_here(case: bytes) -> str:
    limit(apart.SECONDS)
    sys.stdout = sys.stderr = io.StringIO()
    try:
        document = pdf.read(case)
        list(pdf.closer(case, [1]))
    except Unreadable as unreadable:
        return unreadable.unread.kind
    except MemoryError:
        return "limit"
    except BaseException:  # every traceback is a find
        return traceback.format_exc()
    return "with warnings" if document.warnings else "read"


TRIES: dict[str, Callable[[bytes], str]] = {
    "ledger": try_ledger,
    "fold": try_fold,
    "pdf": try_pdf,
    "html": try_reader(html.read),
    "markdown": try_reader(markdown.read),
    "data": try_reader(data.read),
    "text": try_reader(text.read),
}


# --- seeds ------------------------------------------------------------------------------------------------------


PAGE = b"""<!doctype html><html><head><title>A</title><style>p{}</style></head><body><h1>One</h1>
<p>Nine <b>experts</b> teach.<ul><li>a<li>b</ul><table><tr><td>1<td>2</table><pre>x
 y</pre><script>1</script></body>"""
DATA = [
    b'{"model": {"experts": 896, "names": ["a", "b"]}, "rate": 1e-4}',
    b"model:\n  experts: 896\n  names: [a, b]\n",
    b'[model]\nexperts = 896\nnames = ["a"]\n[[layers]]\nkind = "x"\n',
]


def seeds() -> dict[str, list[bytes]]:
    """The inputs to begin from: the project's own ledgers and pages, and small PDFs without compression."""
    ledgers = [path.read_bytes()[:6000] for path in sorted((ROOT / "claims").rglob("*.yaml"))]
    pages = [path.read_bytes() for path in sorted(ROOT.glob("*.md"))]
    hard = "10² ≠ 102, 2¾ of “well-known” ﬁgures — naïve, e\u0301, 1 000.".encode()
    return {
        "ledger": ledgers,
        "fold": [*pages, hard * 4],
        "pdf": list(_pdfs()),
        "html": [PAGE],
        "markdown": pages,
        "data": DATA,
        "text": pages,
    }


def _pdfs() -> Iterator[bytes]:
    yield one_page()
    out = io.BytesIO()
    canvas = Canvas(out, invariant=1, pageCompression=0)
    for page in range(3):
        canvas.setFont("Helvetica-Bold", 14)
        canvas.drawString(72, 760, f"{page + 1} Heading of the page")
        canvas.bookmarkPage(str(page), fit="XYZ", left=0, top=774)
        canvas.addOutlineEntry(f"Heading {page}", str(page), page % 2)
        canvas.addPageLabel(page, style="ROMAN_LOWER")
        canvas.setFont("Helvetica", 10)
        for line in range(5):
            canvas.drawString(72, 730 - 14 * line, f"Nine experts teach on line {line}, 10")
            canvas.drawString(320, 730 - 14 * line, f"the other column says (so) [{line}]")
        canvas.showPage()
    canvas.save()
    yield out.getvalue()
    outline = [b"<< /First 7 0 R /Last 8 0 R /Count 2 >>"]
    outline += [b"<< /Title (A) /Parent 6 0 R /Next 8 0 R /Dest [3 0 R /XYZ 0 720 0] >>"]
    outline += [b"<< /Title (B) /Parent 6 0 R /Prev 7 0 R /A << /S /GoTo /D (x) >> >>"]
    yield one_page(catalog=b"/Outlines 6 0 R /PageLabels << /Nums [0 << /S /r /St 3 >>] >>", more=outline)
    yield raw_pdf([b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [] /Count 0 >>"])


# --- the run ----------------------------------------------------------------------------------------------------


@contextmanager
def no_longer_than(seconds: int) -> Iterator[None]:
    """Raises `Hang` in what takes longer."""

    def ring(_: int, __: FrameType | None) -> None:
        raise Hang

    signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)


def tried(kind: str, case: bytes) -> tuple[str, str | None]:
    """How an input ended, and its traceback if that is a find."""
    try:
        with no_longer_than(apart.SECONDS + 2 if kind == "pdf" else HANG):
            return TRIES[kind](case), None
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as found:  # every traceback is a find
        return "FIND", "".join(traceback.format_exception(found)[-6:])


def run(kinds: Sequence[str], seconds: float, seed: int, keep: Path) -> int:
    """Try as many inputs as the time allows; the number of different finds."""
    chance, beginnings = random.Random(seed), seeds()
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in kinds}
    finds: dict[str, str] = {}
    until = time.monotonic() + seconds
    for kind in kinds:
        for case in beginnings[kind]:
            _, trace = tried(kind, case)
            assert trace is None, f"a seed is a find already: {kind}\n{trace}"
    while time.monotonic() < until:
        kind = chance.choice(kinds)
        case = mutated(chance, chance.choice(beginnings[kind]), beginnings[kind], WORDS[kind])
        ending, trace = tried(kind, case)
        counts[kind][ending] += 1
        if trace is not None and (name := _name(kind, trace)) not in finds:
            finds[name] = trace
            keep.mkdir(parents=True, exist_ok=True)
            (keep / f"{name}.input").write_bytes(case)
            print(f"\n{name} ({keep / name}.input)\n{trace}")
    _print(counts, seed)
    print(f"{len(finds)} different finds")
    return len(finds)


def _name(kind: str, trace: str) -> str:
    """A find's name: its kind and where it was raised; the same fault is printed once."""
    import hashlib

    places = [line.strip() for line in trace.splitlines() if line.lstrip().startswith("File ")]
    last = trace.strip().splitlines()[-1].split(":")[0]
    return f"{kind}-{hashlib.sha256(' '.join([*places[-2:], last]).encode()).hexdigest()[:8]}"


def _print(counts: dict[str, Counter[str]], seed: int) -> None:
    print(f"seed {seed}")
    for kind, endings in counts.items():
        told = ", ".join(f"{ending} {count}" for ending, count in endings.most_common())
        print(f"{kind:10}{endings.total():8}  {told}")


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--seconds", type=float, default=60)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--only", choices=TRIES, action="append")
    words.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "fuzz-finds")
    given = words.parse_args()
    return 1 if run(given.only or list(TRIES), given.seconds, given.seed, given.keep) else 0


if __name__ == "__main__":
    sys.exit(main())
