"""A source's bytes to a document: the shelf of readers, and what a reader raises when there is nothing to read.

A reader is a module with `suffixes` and `read(data)`; to add one, write it and name it in `_shelf`. Readers are
imported when the first file is read, and they import their libraries when they need them.
"""

from pathlib import PurePath
from typing import Protocol

from tracer.model import Document, Unread

_SNIFFED = 1024


class Unreadable(Exception):  # noqa: N818 -- it says what a file is, as `Unread` does
    """What a file can cause while it is read: `kind` is `broken`, `limit` or `locked`, as in `Unread`."""

    def __init__(self, kind: str, reason: str, hint: str | None = None) -> None:
        super().__init__(kind, reason, hint)
        self.unread = Unread(kind=kind, reason=reason, hint=hint)

    def __str__(self) -> str:
        return self.unread.reason


class Reader(Protocol):
    """A module that turns the bytes of some kinds of files into a document, or raises `Unreadable`."""

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The endings of file names that it reads, lower case, with the dot."""

    @property
    def __name__(self) -> str:
        """The module's name."""

    def read(self, data: bytes) -> Document:
        """The document that the bytes hold; its pages' readings are filled in by who asked for it."""


def reader_for(name: str, data: bytes) -> Reader:
    """The reader of a file: by `%PDF-` at its start, else by the ending of its name, else by how it begins."""
    from tracer.readers import pdf

    if data.startswith(b"%PDF-"):
        return pdf
    suffix = PurePath(name).suffix.lower()
    named = (reader for reader in _shelf() if suffix in reader.suffixes)
    return next(named, None) or _sniffed(data)


def read(name: str, data: bytes) -> Document:
    """A file's document, from the reader that its name and its bytes call for; raises `Unreadable`."""
    return reader_for(name, data).read(data)


def _shelf() -> tuple[Reader, ...]:
    from tracer.readers import data, html, markdown, pdf, text

    return pdf, html, markdown, data, text


def _sniffed(head: bytes) -> Reader:
    from tracer.readers import data, html, text

    start = head[:_SNIFFED].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if start.startswith((b"<!doctype html", b"<html", b"<head", b"<body")):
        return html
    return data if start.startswith((b"{", b"[{", b"[[")) else text
