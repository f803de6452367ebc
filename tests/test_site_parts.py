"""The parts of a site: addresses, lines of type, the order of the path, and the forms of its lines."""

from collections.abc import Sequence
from unicodedata import category
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracer.coverage import Cell, PipelineCoverage, StageCoverage
from tracer.model import Claim, ClaimReport, Pipeline, Place, Places, Stage, Status, Verdict
from tracer.reports.site import addresses, facts, lettering, path, strokes
from tracer.reports.site.facts import Part, Step
from tracer.reports.site.material import stretch
from tracer.reports.site.rendering import harmless

NOWHERE = Places(path="claims/a.yaml", positions={})
HERE = Place(path="claims/a.yaml", line=1, column=1)


# --- addresses --------------------------------------------------------------------------------------------------


@given(st.text(min_size=1), st.text(min_size=1))
def test_two_names_never_share_a_file_whatever_case_a_file_system_keeps(one: str, other: str) -> None:
    assert (addresses.file_name(one).lower() == addresses.file_name(other).lower()) == (one == other)


@given(st.text(min_size=1))
def test_a_file_name_is_one_that_every_file_system_holds(name: str) -> None:
    made = addresses.file_name(name)
    assert set(made) <= set("abcdefghijklmnopqrstuvwxyz0123456789._@-~")
    assert made.strip(".") == made
    assert 0 < len(made) <= 120


@pytest.mark.parametrize("name", ["k3.mopd.teachers", "report@521359a", "9"])
def test_a_plain_name_stays_as_it_is(name: str) -> None:
    assert addresses.file_name(name) == name


@pytest.mark.parametrize("name", ["..", ".", "a/b", "a\\b", "CON", "nul.txt", "A", "a b", "é", "a." * 90])
def test_a_name_that_a_file_system_could_take_for_another_is_changed(name: str) -> None:
    assert addresses.file_name(name) != name


def test_a_link_leads_from_page_to_page() -> None:
    assert addresses.link("stage/k3/mopd.html", "claim/a.html#top") == "../../claim/a.html#top"
    assert addresses.link("index.html", "index.html") == "index.html"


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        " javascript:alert(1)",
        "java\nscript:alert(1)",
        "data:text/html,x",
        "//example.org",
        "https:",
        'https://example.org/"onload="x',
        "https://example.org/\u202egpj.pdf",
        "https://[",
        "",
    ],
)
def test_an_address_that_is_not_of_the_web_is_no_link(url: str) -> None:
    assert addresses.web(url) is None


def test_a_sheet_of_a_pdf_is_named_in_its_address() -> None:
    assert addresses.at_sheet("https://example.org/a.pdf#nav", 13) == "https://example.org/a.pdf#page=13"
    assert addresses.at_sheet("javascript:x", 13) is None


@given(st.text())
def test_what_is_printed_has_nothing_that_hides_or_reorders(text: str) -> None:
    shown = str(harmless(text))
    hidden = {"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"}
    assert not [letter for letter in shown if category(letter) in hidden and letter not in "\u200c\u200d"]


# --- lines of type ----------------------------------------------------------------------------------------------


@given(st.text(), st.integers(min_value=20, max_value=400), st.integers(min_value=1, max_value=4))
def test_no_line_is_wider_than_it_may_be(text: str, within: int, most: int) -> None:
    lines = lettering.lines(text, within=within, size=13, most=most)
    assert len(lines) <= most
    assert all(lettering.width(line, 13) <= within or len(line) == 1 for line in lines)


def test_lines_keep_all_words_where_there_is_room() -> None:
    text = "Next-token prediction over text and vision, interleaved"
    assert " ".join(lettering.lines(text, within=180, size=13, most=9)) == text
    assert lettering.lines(text, within=180, size=13, most=1)[0].endswith("…")


# --- the path ---------------------------------------------------------------------------------------------------


def answer(field: str, status: Status, text: str = "It is so.", value: str | None = None) -> ClaimReport:
    claim = Claim(id=f"c.{field}", field=field, status=status, text=text, value=value, places=NOWHERE)
    return ClaimReport(claim=claim, verdict=Verdict.VERIFIED, traces=(), verdicts=())


def covered(stage: Stage, *answers: ClaimReport, asked: Sequence[str] = ()) -> StageCoverage:
    name = f"p/{stage.id}"
    cells = {field.replace(" ", ""): Cell(stage=name, field=field, answer="", at=HERE) for field in asked}
    for each in answers:
        field = each.claim.field or ""
        cells[field.replace(" ", "")] = Cell(stage=name, field=field, claims=(each,), at=HERE)
    return StageCoverage(name=name, stage=stage, cells=cells)


def steps(*stages: StageCoverage) -> tuple[Step, ...]:
    pipeline = Pipeline(id="p", places=NOWHERE)
    return facts.steps(PipelineCoverage(pipeline=pipeline, stages=stages, asked=(), beyond=()))


def drawn(found: Sequence[Step], layout: path.Layout = path.WIDE) -> ElementTree.Element:
    svg = path.drawing("P", found, layout, stage=lambda name: f"stage-{name}", claim=lambda name: f"claim-{name}")
    return ElementTree.fromstring(str(svg))  # noqa: S314 -- our own drawing


def having(svg: ElementTree.Element, kind: str) -> list[ElementTree.Element]:
    return [node for node in svg.iter() if kind in (node.get("class") or "").split()]


def test_a_step_stands_below_the_one_that_it_follows() -> None:
    found = steps(
        covered(Stage(id="c", after="b")),
        covered(Stage(id="b", after="a")),
        covered(Stage(id="a")),
        covered(Stage(id="d")),
    )
    assert [step.stage.id for step in found] == ["a", "b", "c", "d"]
    assert [step.after for step in found] == [None, 0, 1, None]


def test_a_circle_of_steps_is_drawn_once_around() -> None:
    found = steps(covered(Stage(id="a", after="b")), covered(Stage(id="b", after="a")))
    assert sorted(step.stage.id for step in found) == ["a", "b"]
    assert len(having(drawn(found), "title")) == 2


def test_a_side_branch_has_a_rail_of_its_own_and_the_path_goes_on() -> None:
    found = steps(
        covered(Stage(id="a")),
        covered(Stage(id="b", after="a", path="side")),
        covered(Stage(id="c", after="b", path="side")),
        covered(Stage(id="d", after="a")),
        covered(Stage(id="e", after="d", path="side")),
    )
    assert path.lane_of(found) == [0, 1, 1, 0, 1]


def test_two_branches_at_once_have_two_rails() -> None:
    found = steps(
        covered(Stage(id="a")),
        covered(Stage(id="b", after="a", path="side")),
        covered(Stage(id="c", after="a", path="side")),
    )
    assert path.lane_of(found) == [0, 1, 2]


@pytest.mark.parametrize(
    ("status", "kind"),
    [(Status.STATED, "stated"), (Status.DERIVED, "derived"), (Status.CONCLUDED, "concluded")],
)
def test_a_join_has_the_form_of_what_the_step_starts_from(status: Status, kind: str) -> None:
    found = steps(covered(Stage(id="a")), covered(Stage(id="b", after="a"), answer("starts from", status)))
    joins = [node.get("class") for node in having(drawn(found), "line")]
    assert joins[0] == f"line {kind}"


def test_a_join_that_no_claim_speaks_of_is_neither_stated_nor_broken() -> None:
    svg = drawn(steps(covered(Stage(id="a")), covered(Stage(id="b", after="a"))))
    assert [node.get("class") for node in having(svg, "line")] == ["line unclaimed"]


def test_a_join_that_is_not_stated_is_broken() -> None:
    found = steps(covered(Stage(id="a")), covered(Stage(id="b", after="a"), answer("starts from", Status.NOT_STATED)))
    svg = drawn(found)
    assert len(having(svg, "break")) == 2
    assert [node.get("href") for node in svg.iter() if node.get("href")] == [
        "stage-p/a",
        "claim-c.starts from",
        "stage-p/b",
    ]


@pytest.mark.parametrize("layout", path.LAYOUTS, ids=lambda layout: layout.name)
def test_blank_and_not_stated_look_different(layout: path.Layout) -> None:
    blank = drawn(steps(covered(Stage(id="a"), asked=["tokens"])), layout)
    open_ = drawn(steps(covered(Stage(id="a"), answer("tokens", Status.NOT_STATED), asked=["tokens"])), layout)
    nothing = drawn(steps(covered(Stage(id="a"))), layout)
    assert (len(having(blank, "blank")), len(having(blank, "ring"))) == (1, 0)
    assert (len(having(open_, "blank")), len(having(open_, "ring"))) == (0, 1)
    assert (len(having(nothing, "blank")), len(having(nothing, "ring"))) == (0, 0)


def test_a_length_of_a_thousand_begins_the_scale_and_a_million_ends_it() -> None:
    found = steps(
        covered(Stage(id="a"), answer("context length", Status.STATED, value="1K")),
        covered(Stage(id="b"), answer("context length", Status.STATED, value="1M")),
        covered(Stage(id="c"), answer("context length", Status.STATED, value="32K")),
    )
    widths = [float(bar.get("width") or 0) for bar in having(drawn(found), "bar")]
    whole = path.WIDE.columns[0][1]
    assert widths[:2] == [0, whole]
    assert widths[2] == pytest.approx(whole * 0.50172, abs=0.1)  # log(32) / log(1000) is 0.50172


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("All parameters train.", Part.ALL),
        ("All parameters train, but the router is frozen.", Part.REST),
        ("Every parameter except the embedding trains.", Part.REST),
        ("The draft layer trains.", Part.SOME),
        ("The target model is frozen.", Part.SOME),
    ],
)
def test_the_words_of_a_claim_say_how_much_trains(text: str, part: Part) -> None:
    (step,) = steps(covered(Stage(id="a"), answer("what trains", Status.STATED, text)))
    assert step.facts["what trains"].items[0].part is part


@pytest.mark.parametrize(
    ("text", "is_change"),
    [
        ("A layer is added.", True),
        ("Nothing but the number formats changes.", True),
        ("Nothing changes.", False),
        ("No layer is added.", False),
    ],
)
def test_a_triangle_stands_only_where_the_network_changes(text: str, is_change: bool) -> None:
    (step,) = steps(covered(Stage(id="a"), answer("architecture change", Status.STATED, text)))
    assert step.facts["architecture change"].items[0].is_change is is_change


@given(st.text())
def test_a_title_of_any_letters_makes_a_drawing_that_can_be_read(title: str) -> None:
    found = steps(covered(Stage(id="a", title=title), answer("objective", Status.STATED, title)))
    assert drawn(found).tag == "svg"


def test_a_drawing_says_its_steps_in_words() -> None:
    found = steps(covered(Stage(id="a", title="Begin")), covered(Stage(id="b", title="Aside", after="a", path="side")))
    desc = next(node for node in drawn(found) if node.tag == "desc")
    assert desc.text == "From top to bottom: Begin; Aside (off the path)."


def test_a_value_outside_of_the_scale_stays_on_it() -> None:
    assert strokes.along(1, 1e3, 1e6) == 0
    assert strokes.along(1e9, 1e3, 1e6) == 1


def test_the_pieces_for_paper_are_the_drawing_cut_between_its_steps() -> None:
    found = steps(
        covered(Stage(id="a"), answer("objective", Status.STATED)),
        covered(Stage(id="b", after="a"), answer("starts from", Status.NOT_STATED), answer("tokens", Status.STATED)),
        covered(Stage(id="c", after="b"), asked=["modality"]),
    )
    whole = drawn(found, path.PRINTED)
    cut = path.pieces(found, stage=lambda name: f"stage-{name}", claim=lambda name: f"claim-{name}")
    pieces = list(ElementTree.fromstring(f"<div>{cut}</div>"))  # noqa: S314 -- our own drawing
    boxes = [[float(number) for number in (piece.get("viewBox") or "").split()] for piece in pieces]
    titles = [float(line.get("y") or 0) for title in having(whole, "title") for line in title]
    assert [sum(top < y < top + height for y in titles) for _, top, _, height in boxes] == [1, 1, 1]
    assert [top + height for _, top, _, height in boxes[:-1]] == [top for _, top, _, _ in boxes[1:]]
    assert f"0 0 {boxes[0][2]:g} {boxes[-1][1] + boxes[-1][3]:.0f}" == whole.get("viewBox")
    shown = {use.get("href") for piece in pieces for use in piece}
    assert shown == {f"#{node.get('id')}" for node in having(whole, "drawn")}


# --- pictures ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        (0.4, 0.6, (225, 550)),  # 0.2 and twice 0.06 are less than 0.55, which is laid around the middle
        (0.0, 0.1, (0, 550)),  # nothing lies left of the page
        (0.9, 1.0, (450, 550)),
        (0.1, 0.9, (40, 920)),
        (0.0, 1.0, (0, 1000)),
    ],
)
def test_a_strip_shows_the_quote_and_its_surroundings(first: float, last: float, expected: tuple[int, int]) -> None:
    assert stretch(first, last, 1000, around=0.06, least=0.55) == expected


@given(st.floats(0, 1), st.floats(0, 1), st.integers(1, 5000))
def test_a_strip_never_leaves_the_picture_nor_cuts_the_quote(one: float, other: float, size: int) -> None:
    first, last = sorted((one, other))
    begin, length = stretch(first, last, size, around=0.06, least=0.55)
    assert 0 <= begin <= first * size + 1
    assert last * size - 1 <= begin + length <= size + 1
