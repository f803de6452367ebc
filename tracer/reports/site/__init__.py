"""A Report to the pages of a site: static, without a network, readable without JavaScript.

Pages are made one by one, each from what `material` has gathered; who takes them writes or serves them. The same report
gives the same bytes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

from tracer.reports.site import addresses, claims, home, lists, pipelines, reading, sources, stages
from tracer.reports.site.material import Material
from tracer.reports.site.rendering import rendered

ASSETS = (addresses.STYLE, addresses.SCRIPT, addresses.ICON)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A file of the site, by its path from the root of the site."""

    path: str
    data: bytes


def count(material: Material) -> int:
    """How many pages there will be."""
    ledger = material.report.ledger
    return len(material.stages) + len(material.by_id) + len(ledger.sources) + len(ledger.pipelines) + len(ASSETS) + 5


def pages(material: Material) -> Iterator[Page]:
    """Every page and every file that pages need, the pictures apart."""
    for asset in ASSETS:
        yield Page(path=asset, data=files(__name__).joinpath(asset).read_bytes())
    for shelf in (home, lists, reading, pipelines, stages, sources, claims):
        for path, template, values in shelf.pages(material):
            text = rendered(template, {"material": material, "here": path, **values})
            yield Page(path=path, data=text.encode("utf-8"))
