"""The order of the README's list against every import of the package."""

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "tracer"
README = (ROOT / "README.md").read_text(encoding="utf-8")


def listed() -> dict[str, int]:
    """Each room of the package (a module or a shelf) with the number of its group in the README's list."""
    line = next(line for line in README.splitlines() if line.startswith("model <"))
    return {room.strip(): rank for rank, group in enumerate(line.split("<")) for room in group.split(",")}


def modules() -> dict[str, Path]:
    """Each module by its dotted name; a package by its own name."""
    named = {path: ".".join(path.relative_to(ROOT).with_suffix("").parts) for path in sorted(PACKAGE.rglob("*.py"))}
    return {name.removesuffix(".__init__"): path for path, name in named.items()}


def room(module: str) -> str:
    """`readers` for `tracer.readers.pdf`, `__init__` for `tracer`."""
    return (module.split(".") + ["__init__"])[1]


def imported(path: Path, known: dict[str, Path]) -> Iterator[str]:
    """The modules of the package that a file imports, anywhere in it; the version is a constant that all may name."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "tracer")
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}:{node.lineno}: a relative import"
            if (node.module or "").split(".")[0] == "tracer":
                members = (f"{node.module}.{alias.name}" for alias in node.names if alias.name != "__version__")
                yield from (member if member in known else str(node.module) for member in members)


IMPORTS = {name: sorted(set(imported(path, modules()))) for name, path in modules().items()}


def test_the_readme_lists_every_room_of_the_package_and_no_other() -> None:
    assert set(listed()) == {room(name) for name in modules()}


def test_the_map_of_the_readme_names_every_room_of_the_package() -> None:
    names = re.findall(r"^(\w+)(?:\.py|/) {2,}\w", README, flags=re.MULTILINE)
    assert sorted(names) == sorted(set(listed()) - {"__init__", "__main__"})


@pytest.mark.parametrize("module", sorted(IMPORTS))
def test_a_module_imports_only_what_stands_before_it(module: str) -> None:
    ranks = listed()
    wrong = [
        target
        for target in IMPORTS[module]
        if room(target) != room(module) and ranks[room(target)] >= ranks[room(module)] and room(module) != "__init__"
    ]
    assert wrong == []


def test_the_public_names_come_from_below_the_command_line() -> None:
    ranks = listed()
    assert [target for target in IMPORTS["tracer"] if ranks[room(target)] > ranks["__init__"]] == []


def test_no_import_goes_in_a_circle() -> None:
    """A package may name the modules on it, and they its nouns: that is how a shelf chooses."""
    targets = {
        name: [target for target in IMPORTS[name] if not target.startswith(f"{name}.") and target != "tracer"]
        for name in IMPORTS
    }
    order = list(TopologicalSorter(targets).static_order())
    assert set(targets) <= set(order)


def test_the_model_imports_nothing_of_the_rest_of_the_package() -> None:
    targets = {target for name in IMPORTS if room(name) == "model" for target in IMPORTS[name]}
    assert {room(target) for target in targets} == {"model"}


def test_a_module_of_the_model_imports_only_those_that_its_docstring_names_before() -> None:
    order = re.findall(r"`(\w+)`", (PACKAGE / "model" / "__init__.py").read_text(encoding="utf-8").split('"""')[1])
    assert {f"tracer.model.{name}" for name in order} == {name for name in IMPORTS if name.startswith("tracer.model.")}
    for at, name in enumerate(order):
        assert {target.rpartition(".")[2] for target in IMPORTS[f"tracer.model.{name}"]} <= set(order[:at])
