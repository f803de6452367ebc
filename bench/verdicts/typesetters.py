"""Composed sheets to PDF files, by reportlab or by fpdf2."""

import unicodedata
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from bench.verdicts.composing import HEIGHT, WIDTH, Composed, Run, Widths, in_drawing_order
from bench.verdicts.model import Design

STANDARD = {"roman": "Times-Roman", "italic": "Times-Italic", "bold": "Times-Bold"}
FAMILIES = {
    "serif": ("DejaVuSerif.ttf", "DejaVuSerif-Italic.ttf", "DejaVuSerif-Bold.ttf"),
    "sans": ("DejaVuSans.ttf", "DejaVuSans-Oblique.ttf", "DejaVuSans-Bold.ttf"),
    "liberation": ("LiberationSerif-Regular.ttf", "LiberationSerif-Italic.ttf", "LiberationSerif-Bold.ttf"),
}
FOLDERS = ("/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/truetype/liberation")
STYLES = ("roman", "italic", "bold")

OFFSET = (60.0, 40.0)
"""What a cropped page leaves away on the left and below."""


def fonts(family: str) -> Mapping[str, Path] | None:
    """The font files of a family by style; None for the standard fonts, also where the family is not installed."""
    found = {
        style: path
        for style, name in zip(STYLES, FAMILIES.get(family, ()), strict=False)
        if (path := next((p for folder in FOLDERS if (p := Path(folder, name)).is_file()), None))
    }
    return found if len(found) == len(STYLES) else None


def widths(design: Design) -> Widths:
    """The metrics of a design's fonts, which are registered with reportlab."""
    return Widths(_registered(design.font))


def _registered(family: str) -> dict[str, str]:
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    files = fonts(family)
    if files is None:
        return dict(STANDARD)
    names = {style: path.stem for style, path in files.items()}
    for style, path in files.items():
        if names[style] not in pdfmetrics.getRegisteredFontNames():
            pdfmetrics.registerFont(TTFont(names[style], str(path)))
    return names


def typeset(document: Composed, path: Path) -> None:
    """Write a composed document as a PDF file."""
    writers: Mapping[str, Callable[[Composed, Path], None]] = {"reportlab": _by_reportlab, "fpdf2": _by_fpdf2}
    writers[document.design.typesetter](document, path)


def _text(design: Design, run: Run) -> str:
    return unicodedata.normalize("NFD", run.text) if design.accents == "decomposed" else run.text


def _by_reportlab(document: Composed, path: Path) -> None:
    from reportlab.pdfgen.canvas import Canvas

    design, names = document.design, _registered(document.design.font)
    canvas = Canvas(str(path), pagesize=_media(design), invariant=1)
    if design.labels == "roman":
        canvas.addPageLabel(0, style="ROMAN_LOWER", start=1)
        canvas.addPageLabel(2, style="ARABIC", start=1)
    for number, sheet in enumerate(document.sheets, start=1):
        _turn(canvas, design)
        for title in (heading for heading in document.headings if heading.sheet == number):
            if design.headings == "outline":
                key = f"{title.number} {title.title}"
                canvas.bookmarkHorizontal(key, 0, title.y)
                canvas.addOutlineEntry(key, key, level=title.level - 1)
        for run in in_drawing_order(design, sheet):
            canvas.setFont(names.get(run.style, names["roman"]), run.size)
            for shift in (0.0, 0.25) if design.is_doubled and run.style == "bold" else (0.0,):
                canvas.drawString(run.x + shift, run.y, _text(design, run))
        canvas.showPage()
    canvas.save()


def _media(design: Design) -> tuple[float, float]:
    """The page's size; reportlab itself swaps its sides on a page that is turned."""
    return (WIDTH + 2 * OFFSET[0], HEIGHT + 2 * OFFSET[1]) if design.is_cropped else (WIDTH, HEIGHT)


def _turn(canvas, design: Design) -> None:  # type: ignore[no-untyped-def]  # reportlab's canvas has no types
    """Turn and crop a page so that its reader sees the same upright sheet."""
    if design.rotation:
        canvas.setPageRotation(design.rotation)
    if design.rotation == 90:
        canvas.translate(HEIGHT, 0)
        canvas.rotate(90)
    elif design.rotation == 270:
        canvas.translate(0, WIDTH)
        canvas.rotate(-90)
    elif design.rotation == 180:
        canvas.translate(WIDTH, HEIGHT)
        canvas.rotate(180)
    if design.is_cropped:
        left, foot = OFFSET
        canvas.setCropBox((left, foot, left + WIDTH, foot + HEIGHT))
        canvas.setFont("Helvetica", 7)
        canvas.drawString(10, 10, "proof sheet, not for distribution")
        canvas.translate(left, foot)


def _by_fpdf2(document: Composed, path: Path) -> None:
    from fpdf import FPDF

    design, files = document.design, fonts(document.design.font)
    pdf = FPDF(unit="pt", format=(WIDTH, HEIGHT))
    pdf.set_auto_page_break(False)
    pdf.set_creation_date(datetime(2026, 1, 1, tzinfo=UTC))
    for style, code in zip(STYLES, ("", "I", "B"), strict=True):
        if files:
            pdf.add_font("text", code, str(files[style]))
    for number, sheet in enumerate(document.sheets, start=1):
        is_front = design.labels == "roman" and number <= 2
        if design.labels == "roman":
            start = number if is_front else number - 2
            pdf.add_page(label_style="r" if is_front else "D", label_start=start)
        else:
            pdf.add_page()
        for heading in (heading for heading in document.headings if heading.sheet == number):
            if design.headings == "outline":
                pdf.set_y(HEIGHT - heading.y)
                pdf.start_section(f"{heading.number} {heading.title}", level=heading.level - 1)
        for run in in_drawing_order(design, sheet):
            code = {"italic": "I", "bold": "B"}.get(run.style, "")
            pdf.set_font("text" if files else "Times", code, run.size)
            pdf.text(run.x, HEIGHT - run.y, _text(design, run))
    pdf.output(str(path))
