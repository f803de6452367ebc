"""Objects as they stand in a file to a PDF, for files that no library would write."""

import io
import zlib
from collections.abc import Sequence

FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
SENTENCE = "Nine experts teach the student."
CONTENT = b"BT /F 12 Tf 72 700 Td (Nine experts teach the student.) Tj ET"


def stream(data: bytes, entries: bytes = b"") -> bytes:
    """A stream object; `entries` are those of its dictionary."""
    return b"<< %s /Length %d >>\nstream\n%s\nendstream" % (entries, len(data), data)


def raw_pdf(objects: Sequence[bytes], trailer: bytes = b"") -> bytes:
    """A PDF of these objects, numbered from 1; the first is its catalog."""
    out = io.BytesIO()
    out.write(b"%PDF-1.7\n")
    offsets = []
    for number, content in enumerate(objects, start=1):
        offsets.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, content))
    table = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    out.writelines(b"%010d 00000 n \n" % offset for offset in offsets)
    out.write(b"trailer\n<< /Size %d /Root 1 0 R %s >>\n" % (len(objects) + 1, trailer))
    out.write(b"startxref\n%d\n%%%%EOF\n" % table)
    return out.getvalue()


def one_page(
    content: bytes = CONTENT,
    *,
    catalog: bytes = b"",
    page: bytes = b"",
    box: bytes = b"[0 0 595 842]",
    kids: bytes = b"3 0 R",
    count: int = 1,
    resources: bytes = b"",
    more: Sequence[bytes] = (),
) -> bytes:
    """A PDF with one page, entries added here and there; `more` objects are numbered from 6."""
    return raw_pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R %s >>" % catalog,
            b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, count),
            b"<< /Type /Page /Parent 2 0 R /MediaBox %s /Contents 4 0 R "
            b"/Resources << /Font << /F 5 0 R >> %s >> %s >>" % (box, resources, page),
            content if content.startswith(b"<<") else stream(content),
            FONT,
            *more,
        ]
    )


def many_pages(count: int, content: bytes = CONTENT) -> bytes:
    """A PDF whose pages all show the same content."""
    kids = b" ".join(b"%d 0 R" % number for number in range(5, 5 + count))
    return raw_pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [%s] /Count %d /MediaBox [0 0 595 842] "
            b"/Resources << /Font << /F 4 0 R >> >> >>" % (kids, count),
            stream(zlib.compress(content, 9), b"/Filter /FlateDecode"),
            FONT,
            *[b"<< /Type /Page /Parent 2 0 R /Contents 3 0 R >>"] * count,
        ]
    )


def bomb(mebibytes: int) -> bytes:
    """White space without end, deflated twice: less than a hundred-thousandth of what it unpacks to."""
    deflating = zlib.compressobj(9, wbits=-15)
    block = deflating.compress(b" " * (1 << 20)) + deflating.flush(zlib.Z_FULL_FLUSH)
    return zlib.compress(b"\x78\xda" + block * mebibytes + deflating.flush(), 9)


TWICE = b"/Filter [/FlateDecode /FlateDecode]"
