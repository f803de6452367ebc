"""A template's name and its values to the text of a page; every value is escaped, and harmless to read.

What ledgers and sources hold reaches a page through `harmless`: on one line, with controls and characters that reorder
a line written out. Only `Markup`, which is made here and by the path, is taken as it is.
"""

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from markupsafe import Markup

from tracer import __version__, wording
from tracer.reports.site import addresses

if TYPE_CHECKING:
    from jinja2 import Environment


MENU = (
    (addresses.HOME, "Models"),
    (addresses.CLAIMS, "Claims"),
    (addresses.FINDINGS, "Findings"),
    (addresses.COVERAGE, "Coverage"),
    (addresses.READING, "How to read"),
)


def harmless(value: object) -> object:
    """A value of a template as it may be printed; a text that is already fine is not looked at letter by letter."""
    if not isinstance(value, str) or isinstance(value, Markup) or value.isprintable():
        return value
    return wording.flowing(value)


@cache
def environment() -> "Environment":
    """The templates of this folder, strict about names that are not there."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("tracer.reports.site"),
        autoescape=True,
        finalize=harmless,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters.update(
        counted=wording.counted,
        status=wording.status_words,
        value=wording.value_words,
        tier=wording.tier_words,
    )
    made.globals.update(
        link=addresses.link,
        pipeline_page=addresses.pipeline,
        stage_page=addresses.stage,
        claim_page=addresses.claim,
        source_page=addresses.source,
        menu=MENU,
        version=__version__,
    )
    return made


def rendered(template: str, values: Mapping[str, object]) -> str:
    """A template filled with values."""
    return environment().get_template(template).render(values)


def section_sign(section: str | None) -> str:
    """A section as a reader knows it: `§4.1.3`, but `Table 1` and `Abstract` as they are."""
    if not section:
        return ""
    return f"§{section}" if wording.SECTION_NUMBER.fullmatch(section) else section
