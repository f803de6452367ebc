"""A pinned source comes whole and as pinned, or not at all and with a sentence that says why."""

import hashlib
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tracer.fetching import fetch, suffix_of
from tracer.model import Failure, Places, Source

BODY = b"%PDF-1.7 " + bytes(range(256)) * 1000
PIN = hashlib.sha256(BODY).hexdigest()


class Answers(BaseHTTPRequestHandler):
    """A server with one good file, and every way of not giving it."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        kind, _, rest = self.path.strip("/").partition("/")
        getattr(self, f"answer_{kind}", self.answer_missing)(rest)
        self.close_connection = True

    def answer_good(self, rest: str) -> None:
        self.send({"Content-Length": str(len(BODY))}, BODY)

    def answer_to(self, rest: str) -> None:
        self.send_response(302)
        self.send_header("Location", rest if ":" in rest else f"/{rest}")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def answer_other(self, rest: str) -> None:
        self.send({"Content-Length": "9"}, b"%PDF-1.4\n")

    def answer_cut(self, rest: str) -> None:
        self.send({"Content-Length": str(len(BODY))}, BODY[:100_000])

    def answer_chunks(self, rest: str) -> None:
        self.send({"Transfer-Encoding": "chunked"}, b"ff\r\n%PDF-1.7")

    def answer_endless(self, rest: str) -> None:
        self.send({}, BODY)

    def answer_silent(self, rest: str) -> None:
        time.sleep(1)

    def answer_stalled(self, rest: str) -> None:
        self.send({"Content-Length": str(len(BODY))}, BODY[:10])
        time.sleep(1)

    def answer_missing(self, rest: str) -> None:
        self.send_error(404)

    def send(self, headers: dict[str, str], body: bytes) -> None:
        self.send_response(200)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 -- the name of the base class
        """Nothing is written beside the tests' output."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a server on this machine that lives as long as this module's tests."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as http:
        http.daemon_threads = True
        http.handle_error = lambda request, client: None  # type: ignore[method-assign] -- a client that left is no news
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{http.server_port}"
        http.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")


def source(url: str | None, sha256: str | None = PIN) -> Source:
    return Source(id="report", url=url, sha256=sha256, places=Places(path="claims/a.yaml", positions={}))


def refusal(url: str | None, folder: Path, sha256: str | None = PIN, **limits: float) -> str:
    """What is said when a source cannot be had; nothing may be left behind."""
    with pytest.raises(Failure) as failure:
        fetch(source(url, sha256), folder, **limits)  # type: ignore[arg-type] -- a time-out or a number of bytes
    assert not folder.exists() or list(folder.iterdir()) == []
    return str(failure.value)


def test_the_pinned_bytes_are_kept_under_their_sha256(server: str, tmp_path: Path) -> None:
    path = fetch(source(f"{server}/good/report.PDF?download=1"), tmp_path / "store")
    assert path == tmp_path / "store" / f"{PIN}.pdf"
    assert path.read_bytes() == BODY
    assert list(path.parent.iterdir()) == [path]


def test_progress_is_told_from_the_first_block_to_the_last_byte(server: str, tmp_path: Path) -> None:
    told: list[tuple[int, int | None]] = []
    fetch(source(f"{server}/good"), tmp_path, progress=lambda _, done, of: told.append((done, of)))
    received = [count for count, _ in told]
    assert len(received) > 1
    assert received == sorted(set(received))
    assert told[-1] == (len(BODY), len(BODY))
    assert {total for _, total in told} == {len(BODY)}


def test_a_server_that_does_not_say_the_length_is_read_to_the_end(server: str, tmp_path: Path) -> None:
    told: list[int | None] = []
    path = fetch(source(f"{server}/endless"), tmp_path, progress=lambda _, done, of: told.append(of))
    assert path.read_bytes() == BODY
    assert set(told) == {None}


def test_a_redirect_is_followed(server: str, tmp_path: Path) -> None:
    assert fetch(source(f"{server}/to/good"), tmp_path).read_bytes() == BODY


def test_an_address_with_letters_beyond_ascii_is_asked_for(server: str, tmp_path: Path) -> None:
    assert fetch(source(f"{server}/good/Prüfbericht 2.pdf"), tmp_path).suffix == ".pdf"


def test_other_bytes_than_the_pin_are_not_kept(server: str, tmp_path: Path) -> None:
    other = hashlib.sha256(b"%PDF-1.4\n").hexdigest()
    said = refusal(f"{server}/other", tmp_path)
    assert f"have sha256 {other}, the pin is {PIN}" in said


def test_other_bytes_do_not_replace_those_that_are_there(server: str, tmp_path: Path) -> None:
    kept = tmp_path / PIN
    kept.write_bytes(BODY)
    with pytest.raises(Failure, match="nothing is kept"):
        fetch(source(f"{server}/other"), tmp_path)
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [BODY]


def test_a_cut_connection_is_said_with_how_far_it_came(server: str, tmp_path: Path) -> None:
    said = refusal(f"{server}/cut", tmp_path)
    assert f"the connection was cut after 100,000 of {len(BODY):,} bytes" in said


def test_a_connection_cut_within_a_chunk_is_said(server: str, tmp_path: Path) -> None:
    assert refusal(f"{server}/chunks", tmp_path).endswith("the connection was cut; nothing is kept")


def test_an_error_of_the_server_is_said_with_its_number(server: str, tmp_path: Path) -> None:
    assert refusal(f"{server}/nowhere", tmp_path).endswith("the server answers 404 Not Found")


def test_a_file_that_is_announced_over_the_limit_is_not_begun(server: str, tmp_path: Path) -> None:
    said = refusal(f"{server}/good", tmp_path, largest=1000)
    assert f"has {len(BODY):,} bytes, more than the limit of 1,000" in said


def test_a_file_that_grows_over_the_limit_is_let_go(server: str, tmp_path: Path) -> None:
    assert "has more than the limit of 100,000 bytes" in refusal(f"{server}/endless", tmp_path, largest=100_000)


@pytest.mark.parametrize("kind", ["silent", "stalled"])
def test_a_server_that_falls_silent_is_not_waited_for(server: str, kind: str, tmp_path: Path) -> None:
    said = refusal(f"{server}/{kind}", tmp_path, seconds=0.2)
    assert said.endswith("the server is silent for 0.2 seconds")


def test_a_server_that_is_not_there_is_said(tmp_path: Path) -> None:
    assert "cannot be fetched from http://127.0.0.1:9/x: " in refusal("http://127.0.0.1:9/x", tmp_path)


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://127.0.0.1/x", "data:,x", "/etc/passwd", "http://[oops/"])
def test_only_addresses_of_the_web_are_asked(url: str, tmp_path: Path) -> None:
    assert refusal(url, tmp_path / "store").endswith(f"neither http nor https: {url}")


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1:9/x", "data:,x"])
def test_a_redirect_out_of_the_web_is_refused(server: str, target: str, tmp_path: Path) -> None:
    said = refusal(f"{server}/to/{target}", tmp_path)
    assert target in said
    assert "redirect" in said.casefold()


def test_a_redirect_that_never_ends_is_refused(server: str, tmp_path: Path) -> None:
    said = refusal(f"{server}/to/{'to/' * 30}good", tmp_path)
    assert "redirect" in said


def test_a_source_without_pin_or_url_says_what_to_do(tmp_path: Path) -> None:
    assert "`tracer pin report FILE`" in refusal("http://127.0.0.1:9/x", tmp_path, sha256=None)
    assert refusal(None, tmp_path) == "source report has no url to fetch it from"


def test_a_folder_that_cannot_be_made_is_a_failure(server: str, tmp_path: Path) -> None:
    (tmp_path / "store").write_text("no folder")
    with pytest.raises(Failure, match="cannot be fetched"):
        fetch(source(f"{server}/good"), tmp_path / "store" / "below")


@pytest.mark.parametrize(
    ("url", "suffix"),
    [
        ("https://a.example/report.pdf", ".pdf"),
        ("https://a.example/README.MD?raw=1#top", ".md"),
        ("https://a.example/abs/2505.09388v1", ".09388v1"),
        ("https://a.example/x.p$f", ""),
        ("https://a.example/x.averylongending", ""),
        ("https://a.example/", ""),
    ],
)
def test_a_file_keeps_the_plain_ending_that_its_address_names(url: str, suffix: str) -> None:
    assert suffix_of(url) == suffix
