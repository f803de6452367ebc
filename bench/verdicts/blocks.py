"""Characters to a font file that has them all, each drawn as a block, where no font for CJK is installed.

What a reader is told of a glyph, its character and its box, is as in a true font.
"""

from collections.abc import Iterable
from pathlib import Path

EM = 1000
_WIDE, _NARROW, _BLANK = 1000, 520, 300


def write(characters: Iterable[str], path: Path) -> None:
    """A TrueType font with these characters."""
    from fontTools.fontBuilder import FontBuilder

    named = {f"u{ord(character):05X}": character for character in sorted({" ", *characters})}
    widths = {name: _width(character) for name, character in named.items()} | {".notdef": _WIDE}
    builder = FontBuilder(EM, isTTF=True)
    builder.setupGlyphOrder([".notdef", *named])
    builder.setupCharacterMap({ord(character): name for name, character in named.items()})
    builder.setupGlyf({name: _block(width) for name, width in widths.items()})
    builder.setupHorizontalMetrics({name: (width, 40) for name, width in widths.items()})
    builder.setupHorizontalHeader(ascent=880, descent=-120)
    builder.setupNameTable({"familyName": "Blocks", "styleName": "Regular", "psName": "Blocks"})
    builder.setupOS2(sTypoAscender=880, sTypoDescender=-120, usWinAscent=880, usWinDescent=120)
    builder.setupPost()
    builder.save(str(path))


def width(text: str, size: float) -> float:
    """How wide a text is in such a font, in points."""
    return sum(map(_width, text)) * size / EM


def _width(character: str) -> int:
    if character == " ":
        return _BLANK
    return _NARROW if character.isascii() else _WIDE


def _block(width: int):  # type: ignore[no-untyped-def]  # fontTools has no types
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    pen = TTGlyphPen(None)
    if width != _BLANK:
        left, right = 40, width - 40
        pen.moveTo((left, 0))
        for point in ((left, 760), (right, 760), (right, 0)):
            pen.lineTo(point)
        pen.closePath()
    return pen.glyph()
