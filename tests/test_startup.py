"""What a warm audit does without: to import it would take longer than to check a thousand quotes."""

import hashlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

NOT_NEEDED = {"pydantic", "yaml", "pint", "pypdf", "pypdfium2", "rapidfuzz", "rich", "jinja2", "importlib.metadata"}
AUDIT = """
import contextlib, io, sys
from tracer.__main__ import main
sys.argv = ["tracer", "audit", "--format", "json"]
with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()) as said:
    main()
assert '"verified": 1' in said.getvalue(), said.getvalue()
print(*sorted(sys.modules))
"""
LEDGER = """\
sources:
  report:
    title: A report
    sha256: {sha256}
    file: report.pdf
claims:
  - id: experts
    text: Nine experts teach the student.
    status: stated
    cite:
      - source: report
        sheet: 1
        quote: Nine experts teach the student
"""


def test_a_warm_audit_of_quotes_imports_little(tmp_path: Path, empty_cache: Path, pdf_of: Callable[..., bytes]) -> None:
    data = pdf_of(["Nine experts teach the student."])
    (tmp_path / "report.pdf").write_bytes(data)
    (tmp_path / "claims").mkdir()
    ledger = LEDGER.format(sha256=hashlib.sha256(data).hexdigest())
    (tmp_path / "claims" / "ledger.yaml").write_text(ledger, encoding="utf-8")
    (tmp_path / "tracer.toml").write_text("")
    cold, warm = (
        set(
            subprocess.run(
                [sys.executable, "-c", AUDIT], cwd=tmp_path, capture_output=True, text=True, check=True
            ).stdout.split()
        )
        for _ in range(2)
    )
    assert {"pydantic", "yaml"} <= cold
    assert warm & NOT_NEEDED == set()
