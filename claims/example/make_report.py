"""Words and figures of an invented report to the PDF beside this file: the same bytes at every run.

The model, the laboratory and every number are made up. The pages hold what real reports hold: roman front matter,
running heads, two columns, a table, a figure, numbered equations, a foot note, words and sentences that break.
Run it with `python claims/example/make_report.py`; a changed file needs its new sha256 in `sources.yaml`.
"""

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path

from reportlab.graphics.shapes import Drawing, Line, PolyLine, String
from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY
from reportlab.lib.pagesizes import A5
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
)

Decoration = Callable[[Canvas, BaseDocTemplate], None]

WIDTH, HEIGHT = A5
MARGIN = 48
FRONT_PAGES = 2

BODY = ParagraphStyle(
    "body", fontName="Times-Roman", fontSize=10, leading=12.6, alignment=TA_JUSTIFY, spaceAfter=6, embeddedHyphenation=1
)
SMALL = ParagraphStyle("small", parent=BODY, fontSize=8.5, leading=10.5)
CAPTION = ParagraphStyle("caption", parent=SMALL, spaceBefore=4, spaceAfter=10)
TITLE = ParagraphStyle("title", fontName="Times-Bold", fontSize=20, leading=25, alignment=TA_CENTER, spaceAfter=8)
BYLINE = ParagraphStyle("byline", parent=BODY, alignment=TA_CENTER, spaceAfter=24)
HEADINGS = (
    ParagraphStyle("heading1", parent=BODY, fontName="Helvetica-Bold", fontSize=13, alignment=0, keepWithNext=1),
    ParagraphStyle("heading2", parent=BODY, fontName="Helvetica-Bold", fontSize=10.5, alignment=0, keepWithNext=1),
)

FOOT_NOTE = "<super>1</super> The collections are named in the model card; none of them holds mail or chat."


class Heading(Paragraph):
    """A heading that puts itself into the outline."""

    def __init__(self, title: str, level: int) -> None:
        super().__init__(title, HEADINGS[level])
        self.title, self.level = title, level

    def draw(self) -> None:
        key = self.title.replace(" ", "-")
        self.canv.bookmarkHorizontal(key, 0, self.height)
        self.canv.addOutlineEntry(self.title, key, self.level)
        super().draw()


def heading(title: str, level: int = 0) -> Heading:
    return Heading(title, level)


def text(words: str, style: ParagraphStyle = BODY) -> Paragraph:
    """A paragraph; `|` marks where a word may be broken at a line end."""
    return Paragraph(words.replace("|", "\u00ad"), style)


def equation(formula: str, number: int) -> Table:
    """A formula in the middle, its number at the right margin."""
    cells = ["", text(f"<i>{formula}</i>", BYLINE), text(f"({number})")]
    return Table([cells], colWidths=[24, WIDTH - 2 * MARGIN - 48, 24], style=[("VALIGN", (0, 0), (-1, -1), "TOP")])


def grid(rows: list[list[str]]) -> Table:
    """A table with a rule under its head and above its sum."""
    rules = [("LINEBELOW", (0, 0), (-1, 0), 0.6, "black"), ("LINEABOVE", (0, -1), (-1, -1), 0.6, "black")]
    face = [("FONT", (0, 0), (-1, -1), "Times-Roman", 9), ("TOPPADDING", (0, 0), (-1, -1), 1)]
    return Table(rows, style=[*rules, *face], hAlign="CENTER")


def curve() -> Drawing:
    """Two lines that rise: the scores of Heron-1 and of its forerunner."""
    drawing = Drawing(WIDTH - 2 * MARGIN, 120)
    drawing.add(Line(30, 20, 290, 20))
    drawing.add(Line(30, 20, 30, 115))
    drawing.add(PolyLine([30, 30, 95, 62, 160, 84, 225, 96, 290, 102]))
    drawing.add(PolyLine([30, 26, 95, 45, 160, 58, 225, 66, 290, 69], strokeDashArray=[4, 3]))
    drawing.add(String(250, 106, "Heron-1", fontName="Helvetica", fontSize=7))
    drawing.add(String(250, 56, "Heron-0", fontName="Helvetica", fontSize=7))
    drawing.add(String(128, 6, "tokens seen (trillions)", fontName="Helvetica", fontSize=7))
    return drawing


def front_matter() -> Iterator[Flowable]:
    yield Spacer(0, 60)
    yield text("Heron-1: A Small Open Model with Few Active Experts", TITLE)
    yield text("The Heron Team, Reedbed Laboratory<br/>Technical report, third revision", BYLINE)
    yield heading("Abstract")
    yield text(
        "We present Heron-1, a mixture-of-experts language model with 7.2 billion total para|me|ters, of which 1.3 "
        "billion are active for each token. Heron-1 is pre-trained on 3.6 trillion tokens and reads up to 64K tokens "
        "at once. After super|vised fine-tuning and rein|force|ment learning it solves two thirds of the Reedbed "
        "test, which its fore|runner Heron-0 solved by less than half. We describe the archi|tec|ture, the stages of "
        "the training and what they cost, and we say where the model fails."
    )
    yield text(
        "This report, the model and the laboratory are inven|ted. They exist so that the tool that comes with them "
        "can be tried on pages like those of real reports."
    )
    yield PageBreak()
    yield heading("Reading this report")
    yield text(
        "Numbers are rounded to the last digit that is shown. A token is a piece of text as our token|izer cuts it; "
        "K stands for 1,024 where a context is meant, and a trillion is a million millions. What we measured is said "
        "to be mea|sured; everything else is what the con|fig|ur|a|tion of the run says."
    )
    yield text(
        "Pages of this front matter carry roman numbers. Section 2 describes the network, Section 3 the two stages "
        "of pre-training, Section 4 the two stages that follow, and Section 5 the tests."
    )


def opening() -> Iterator[Flowable]:
    yield NextPageTemplate("noted")
    yield PageBreak()
    yield NextPageTemplate("plain")
    yield heading("1 Introduction")
    yield text(
        "Large models know much and cost much. Heron-1 asks how far a network goes that keeps many experts and wakes "
        "few of them. It follows Heron-0 [3], shares its token|izer, and replaces every dense block but the first by "
        "a block of experts [1, 4]. The weights are released under a free licence, except for the critic of Section "
        "4.2, which we keep. The model was not trained on conver|sa|tions of users."
    )
    yield text(
        "The corpus was drawn from four public collections<super>1</super> and filtered twice: once by rule and once "
        "by a small clas|si|fier. Docu|ments that share a run of fifty words with a test were taken out before the "
        "first step."
    )
    yield text(
        "Our aim is a model that a school can run and read about. We give the numbers that we have, name the ones "
        "that we lost, and keep the runs that failed in the open log of the labo|ra|tory [2]."
    )
    yield heading("2 Architecture")
    yield text(
        "The network is the same in all stages that Table 1 and Section 4 list; what changes is what it reads and "
        "what it is asked for. We chose its size by six small runs, none larger than a tenth of the final one."
    )
    yield heading("2.1 Layers", 1)
    yield text(
        "Heron-1 has 28 layers with a width of 2,048. The first is dense. In every fourth layer attention sees the "
        "whole context; in the others it sees a window of 1,024 tokens. This keeps the memory for keys and values "
        "small, and it is the reason why a long document costs little more than a short one. The vocab|u|lary has "
        "98,304 entries, and the input and output embed|dings share one matrix, so that a rare word is learned from "
        "both of its ends and the table need not be stored twice on the small machines for which the model is meant."
    )
    yield heading("2.2 Routing", 1)
    yield text(
        "Each layer holds 48 routed experts and a shared one; the router sends a token to four of the routed ones. "
        "The weight of an expert is"
    )
    yield equation("g(x) = softmax(W x + b)", 1)
    yield text(
        "where the bias <i>b</i> is moved by a small step against the load after each batch, and no loss is added for "
        "balance. Experts work at full precision in the first stage, and from then on they keep their weights in eight "
        "bits while the router stays at sixteen, where a small error would send many tokens astray. No token is ever "
        "turned away, however full its experts are."
    )


def pretraining() -> Iterator[Flowable]:
    yield heading("3 Pre-training")
    yield text(
        "Both stages use one objective, the prediction of the next token, and one opti|mizer. We trained on 256 "
        "accel|er|a|tors, which drew 180 kW on average."
    )
    yield heading("3.1 Token budget", 1)
    yield grid(
        [
            ["Stage", "Tokens", "Context", "Batch", "Days"],
            ["Base training", "3.2T", "4K", "8M", "21"],
            ["Context extension", "0.4T", "64K", "16M", "3"],
            ["Both", "3.6T", "", "", "24"],
        ]
    )
    yield text("Table 1: Tokens, context and batch of the two stages of pre-training.", CAPTION)
    yield text(
        "The mixture of the base stage is 61% web text, 22% code, 11% books and 6% mathe|mat|ics. Synthetic text is "
        "used in neither stage."
    )
    yield heading("3.2 Schedule", 1)
    yield text(
        "We use AdamW. The learning rate rises over 2,000 steps to 4e-4, stays there for nine tenths of the base "
        "stage, and falls to a tenth by its end. A batch that raised the loss by more than a tenth was skipped, which "
        "happened 14 times."
    )
    yield heading("3.3 Context extension", 1)
    yield text(
        "In the second stage the context grows from 4K to 64K tokens in one step. The base of the rotary embed|ding "
        "is raised from 10,000 to 500,000, and a third of the batch con|sists of docu|ments longer than 16K tokens. "
        "The quality on short inputs did not change mea|sur|ably: the loss on the held-out set stayed within 0.002 of "
        "that of the base stage, and the scores of Section 5 agree with those before the exten|sion to within one "
        "point."
    )


def post_training() -> Iterator[Flowable]:
    yield NextPageTemplate("columns")
    yield PageBreak()
    yield NextPageTemplate("plain")
    yield heading("4 Post-training")
    yield text(
        "Two stages turn the base model into one that answers: super|vised fine-tuning, and rein|force|ment learning "
        "against a critic and a set of checks."
    )
    yield heading("4.1 Supervised fine-tuning", 1)
    yield text(
        "We collected 310,000 dialogues, of which 42,000 were written by hand and the rest by Heron-0 and then "
        "checked. The model sees them twice. Losses are taken over the answers alone, and dialogues are packed into "
        "sequences of 16K tokens with|out a mask between them."
    )
    yield text(
        "Answers that our reviewers marked as doubt|ful were left out, except for those in mathe|mat|ics, where a "
        "second reviewer decided. About one dialogue in nine was lost in this way."
    )
    yield text(
        "The stage took eleven hours. It was run three times with differ|ent orders of the dialogues, and the weights "
        "of the three runs were averaged before the next stage began."
    )
    yield heading("4.2 Reinforcement learning", 1)
    yield text(
        "The policy is trained on 54,000 problems with answers that a program can check. For each problem it writes "
        "sixteen answers; the advan|tage of an answer is its reward less the mean of its group, divided by nothing. "
        "Long answers pay, as Equation 2 on the next page says. The temper|a|ture of sampling is 1.0 during training."
    )
    yield text(
        "A critic of 0.6 billion para|me|ters scores what no program can check, such as tone and brevity. It is "
        "trained once, on pairs of answers from the first stage, and kept frozen. We stop after 900 steps, since the "
        "score on a held-out set no longer rises and the answers grow longer. No distil|la|tion from a larger model "
        "takes place at any time."
    )
    yield text(
        "Problems that the policy solves in all of the sixteen tries, or in none, are set aside for a hundred steps. "
        "This keeps the groups mixed and saves about a third of the time."
    )


def reward_and_tests() -> Iterator[Flowable]:
    yield NextPageTemplate("plain")
    yield PageBreak()
    yield text("The reward of an answer <i>y</i> with <i>n</i> tokens to a problem with a budget of <i>N</i> tokens is")
    yield equation("R(y) = c(y) - 0.2 max(0, n / N - 1)", 2)
    yield text("where <i>c</i> is 1 for a right answer and 0 for a wrong one.")
    yield heading("5 Evaluation")
    yield heading("5.1 Reedbed test", 1)
    yield curve()
    yield text(
        "Figure 1: Score on the Reedbed test during base training; the dashed line is Heron-0 at equal tokens.", CAPTION
    )
    yield text(
        "Heron-1 solves 66.8% of the 1,200 problems of the Reedbed test; Heron-0 solves 47.1%. Answers are sampled at "
        "a temper|a|ture of 0.6 and each score is the mean of five runs. The gain is largest in code and smallest in "
        "questions about plants."
    )
    yield heading("5.2 Long context", 1)
    yield text(
        "A needle hidden in 64K tokens of text is found in 97 of 100 trials. Answers are sampled at a temper|a|ture "
        "of 0.6 here too, and never more than 512 tokens long. Beyond the trained length the model fails at once."
    )


def closing() -> Iterator[Flowable]:
    yield PageBreak()
    yield heading("6 Limitations")
    yield text(
        "Heron-1 reads text alone. It counts badly, cites works that do not exist, and keeps to the style that a "
        "dialogue began with even when asked to leave it. We did not test it in languages other than English and "
        "Dutch, and we do not advise its use in medicine, in law, or near open water."
    )
    yield heading("References")
    for reference in (
        "[1] B. Bittern and C. Coot. Experts at rest. Wetland Letters, 2024.",
        "[2] D. Dunlin. How long is a document? Proceedings of the Tidal Workshop, 2025.",
        "[3] The Heron Team. Heron-0: a first step. Reedbed Laboratory, 2025.",
        "[4] G. Grebe, L. Lapwing and R. Rail. Few of many. Journal of Sparse Things, 2023.",
    ):
        yield text(reference, SMALL)
    yield heading("A Machines")
    yield text(
        "The 256 accel|er|a|tors stood in one hall in 32 nodes of eight. Check|points of 29 GB were written every "
        "500 steps. Of the 24 days of both stages, nine hours were lost to failures, all of them in the first week."
    )


def running_head(canvas: Canvas, label: str) -> None:
    canvas.setFont("Times-Italic", 8.5)
    canvas.drawString(MARGIN, HEIGHT - 32, "Heron-1 Technical Report")
    canvas.drawRightString(WIDTH - MARGIN, HEIGHT - 32, "Reedbed Laboratory")
    canvas.line(MARGIN, HEIGHT - 36, WIDTH - MARGIN, HEIGHT - 36)
    canvas.setFont("Times-Roman", 9)
    canvas.drawCentredString(WIDTH / 2, 26, label)


def nothing(_canvas: Canvas, _document: BaseDocTemplate) -> None:
    """Decorate no page."""


def front_page(canvas: Canvas, document: BaseDocTemplate) -> None:
    canvas.addPageLabel(0, style="ROMAN_LOWER", start=1)
    canvas.setFont("Times-Roman", 9)
    canvas.drawCentredString(WIDTH / 2, 26, "i" * document.page)


def body_page(canvas: Canvas, document: BaseDocTemplate) -> None:
    canvas.addPageLabel(FRONT_PAGES, style="ARABIC", start=1)
    running_head(canvas, str(document.page - FRONT_PAGES))


def foot_note(canvas: Canvas, _document: BaseDocTemplate) -> None:
    canvas.line(MARGIN, 62, MARGIN + 90, 62)
    note = text(FOOT_NOTE, SMALL)
    note.wrapOn(canvas, WIDTH - 2 * MARGIN, 40)
    note.drawOn(canvas, MARGIN, 46)


def frame(left: float, width: float, bottom: float = 44) -> Frame:
    height = HEIGHT - bottom - 44
    return Frame(left, bottom, width, height, leftPadding=0, rightPadding=0, topPadding=4, bottomPadding=0)


def template(name: str, decorate: Decoration, *frames: Frame, last: Decoration = nothing) -> PageTemplate:
    return PageTemplate(id=name, frames=list(frames), onPage=decorate, onPageEnd=last)


def build(path: Path) -> None:
    """Write the report to `path`."""
    full, column = WIDTH - 2 * MARGIN, (WIDTH - 2 * MARGIN - 16) / 2
    document = BaseDocTemplate(
        str(path),
        pagesize=A5,
        title="Heron-1: A Small Open Model with Few Active Experts",
        author="The Heron Team, Reedbed Laboratory",
        invariant=1,
        pageCompression=0,
        pageTemplates=[
            template("front", front_page, frame(MARGIN, full)),
            template("noted", body_page, frame(MARGIN, full, bottom=66), last=foot_note),
            template("plain", body_page, frame(MARGIN, full)),
            template("columns", body_page, frame(MARGIN, column), frame(MARGIN + column + 16, column)),
        ],
    )
    parts = (front_matter, opening, pretraining, post_training, reward_and_tests, closing)
    document.build([flowable for part in parts for flowable in part()])


def main() -> None:
    """Write the report, beside this file unless told otherwise."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("path", nargs="?", type=Path, default=Path(__file__).with_name("heron-1-report.pdf"))
    build(parser.parse_args().path)


if __name__ == "__main__":
    main()
