"""What the reading process sends, and the cache keeps, comes back as it was."""

from hypothesis import given
from hypothesis import strategies as st

from tracer.model import Document, Folded, Heading, Page, Reading
from tracer.readers.packing import pack_document, pack_page, unpack_document, unpack_page
from tracer.text import fold

texts = st.text(max_size=40) | st.sampled_from(["", "a\nb", "\x00\ufffe𝛼", "½ 10² e\u0301", "two well-known — dashes"])
maybe = st.none() | texts
counts = st.integers(min_value=0, max_value=2**31)


@st.composite
def folded(draw: st.DrawFn) -> Folded:
    text = draw(texts)
    offsets = draw(st.lists(st.integers(0, 2**32 - 1), min_size=len(text), max_size=len(text)))
    return Folded(text=text, offsets=offsets, dashes=tuple(draw(st.lists(st.tuples(counts, st.booleans())))))


pages = st.builds(
    Page,
    sheet=counts,
    label=maybe,
    text=texts,
    readings=st.lists(st.builds(Reading, name=texts, folded=folded()), max_size=4).map(tuple),
    unreadable=maybe,
    warnings=st.lists(texts, max_size=2).map(tuple),
)
headings = st.builds(Heading, number=maybe, title=texts, level=counts, sheet=counts, start=counts)
documents = st.builds(
    Document,
    kind=texts,
    sha256=texts,
    pages=st.lists(pages, max_size=2).map(tuple),
    headings=st.lists(headings, max_size=3).map(tuple),
    headings_by=maybe,
    labels_by=maybe,
    values=st.dictionaries(texts, texts, max_size=3),
    title=maybe,
    warnings=st.lists(texts, max_size=2).map(tuple),
)


def comparable(page: Page) -> object:
    """A page with its offsets as lists: how they are held in memory is no part of what they say."""
    readings = [(each.name, each.folded.text, list(each.folded.offsets), each.folded.dashes) for each in page.readings]
    return page.sheet, page.label, page.text, page.unreadable, page.warnings, readings


@given(pages)
def test_a_page_comes_back_as_it_was_packed(page: Page) -> None:
    assert comparable(unpack_page(pack_page(page))) == comparable(page)


@given(documents)
def test_a_document_comes_back_as_it_was_packed(document: Document) -> None:
    assert unpack_document(pack_document(document), document.pages) == document


@given(texts)
def test_a_folded_text_leads_back_to_the_same_places_after_packing(text: str) -> None:
    page = Page(sheet=1, label=None, text=text, readings=(Reading(name="as it is", folded=fold(text)),))
    (reading,) = unpack_page(pack_page(page)).readings
    assert (reading.folded.text, list(reading.folded.offsets)) == (fold(text).text, list(fold(text).offsets))
