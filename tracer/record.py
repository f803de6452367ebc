"""A record as written to a source, pipeline, profile or claim of the ledger.

What is wrong with a record does not stop it from being built: it is marked broken and holds whatever could be read.
"""

from collections.abc import Mapping
from types import MappingProxyType

from tracer.model import (
    NOTHING,
    Citation,
    Claim,
    Pipeline,
    Profile,
    Review,
    Revision,
    Search,
    Seen,
    Source,
    Stage,
    Status,
)
from tracer.written import Plain, Written

STATUSES: Mapping[str, Status] = {status.value: status for status in Status}

Fields = Mapping[str, Plain]


def source(name: str, written: Written, *, broken: bool = False) -> Source:
    """A source of the ledger."""
    fields = _fields(written.value)
    words = _text(fields, "quote-words")
    return Source(
        id=name,
        title=_text(fields, "title"),
        publisher=_text(fields, "publisher"),
        url=_text(fields, "url"),
        revision=_text(fields, "revision"),
        sha256=(_text(fields, "sha256") or "").lower() or None,
        file=(_text(fields, "file") or "").replace("\\", "/") or None,
        note=_text(fields, "note"),
        quote_words=int(words) if words and words.isdecimal() else None,
        revisions=tuple(map(_revision, _mappings(fields, "revisions"))),
        places=written.places,
        broken=broken,
    )


def _revision(fields: Fields) -> Revision:
    sha256 = (_text(fields, "sha256") or "").lower()
    return Revision(name=_text(fields, "name") or "", sha256=sha256, seen=_text(fields, "seen"))


def pipeline(name: str, written: Written, *, broken: bool = False) -> Pipeline:
    """A pipeline of the ledger."""
    fields = _fields(written.value)
    return Pipeline(
        id=name,
        title=_text(fields, "title"),
        profile=_text(fields, "profile"),
        stages=tuple(map(_stage, _mappings(fields, "stages"))),
        places=written.places,
        broken=broken,
    )


def _stage(fields: Fields) -> Stage:
    return Stage(
        id=_text(fields, "id") or "",
        title=_text(fields, "title"),
        kind=_text(fields, "kind"),
        after=_text(fields, "after"),
        path=_text(fields, "path"),
        published=_text(fields, "published"),
        note=_text(fields, "note"),
    )


def profile(name: str, written: Written, *, broken: bool = False) -> Profile:
    """A profile of the ledger; a field without a word on what counts as an answer has the empty text."""
    fields = _fields(written.value)
    kinds = {
        kind: MappingProxyType({field: answer if isinstance(answer, str) else "" for field, answer in asked.items()})
        for kind, asked in ((kind, _fields(asked)) for kind, asked in _fields(fields.get("kinds")).items())
    }
    return Profile(
        id=name,
        title=_text(fields, "title"),
        extends=_text(fields, "extends"),
        kinds=MappingProxyType(kinds),
        places=written.places,
        broken=broken,
    )


def claim(name: str, written: Written, *, broken: bool = False) -> Claim:
    """A claim of the ledger; `name` is its id, or one made up of its place."""
    fields = _fields(written.value)
    text = _texts_of(fields).get
    made_in = fields.get("made-in")
    return Claim(
        id=name,
        stage=text("stage"),
        field=text("field"),
        text=text("text"),
        value=text("value"),
        unit=text("unit"),
        status=STATUSES.get(text("status") or ""),
        cite=_citations(fields, "cite"),
        formula=text("formula"),
        inputs=_texts_by_name(fields, "inputs"),
        tolerance=text("tolerance"),
        because=text("because"),
        leans_on=_texts(fields, "leans-on"),
        searched=tuple(_search(item, f"searched.{index}") for index, item in enumerate(_mappings(fields, "searched"))),
        disputes=_citations(fields, "disputes"),
        accept=_texts_by_name(fields, "accept"),
        made_in=_citation(made_in, "made-in", "made-in") if isinstance(made_in, dict) else None,
        review=_review(fields.get("review")),
        note=text("note"),
        places=written.places,
        broken=broken,
    )


def _citations(fields: Fields, role: str) -> tuple[Citation, ...]:
    return tuple(_citation(item, role, f"{role}.{index}") for index, item in enumerate(_mappings(fields, role)))


def _citation(fields: Fields, role: str, at_path: str) -> Citation:
    text = _texts_of(fields).get
    return Citation(
        source=text("source") or "",
        section=text("section"),
        page=text("page"),
        sheet=text("sheet"),
        at=text("at"),
        lines=text("lines"),
        quote=text("quote"),
        because=text("because"),
        role=role,
        at_path=at_path,
    )


def _search(fields: Fields, at_path: str) -> Search:
    return Search(
        source=_text(fields, "source") or "",
        terms=_texts(fields, "terms"),
        seen=tuple(map(_seen, _mappings(fields, "seen"))),
        at_path=at_path,
    )


def _seen(fields: Fields) -> Seen:
    return Seen(
        page=_text(fields, "page"),
        sheet=_text(fields, "sheet"),
        section=_text(fields, "section"),
        because=_text(fields, "because"),
    )


def _review(value: Plain) -> Review | None:
    if not isinstance(value, dict):
        return None
    return Review(by=_text(value, "by"), on=_text(value, "on"), seen=_text(value, "seen"))


def _fields(value: Plain) -> Fields:
    return value if isinstance(value, dict) else {}


def _texts_of(fields: Fields) -> dict[str, str]:
    """The fields that hold a text, taken out at once where a record has many of them and a ledger many records."""
    return {key: value for key, value in fields.items() if isinstance(value, str)}


def _text(fields: Fields, key: str) -> str | None:
    value = fields.get(key)
    return value if isinstance(value, str) else None


def _texts(fields: Fields, key: str) -> tuple[str, ...]:
    value = fields.get(key)
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def _texts_by_name(fields: Fields, key: str) -> Mapping[str, str]:
    value = fields.get(key)
    if not isinstance(value, dict):
        return NOTHING
    return MappingProxyType({name: text for name, text in value.items() if isinstance(text, str)})


def _mappings(fields: Fields, key: str) -> tuple[Fields, ...]:
    """The items of a list; one that is no mapping is empty, so that the places of the others stay right."""
    value = fields.get(key)
    return tuple(map(_fields, value)) if isinstance(value, list) else ()
