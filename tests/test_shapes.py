"""The schema that editors use agrees with what the ledger accepts."""

from typing import Any

import jsonschema
import pytest
import yaml

from tracer import mistakes
from tracer.shapes import INNER, RECORDS, Shape, field_names, schema
from tracer.yamlfile import read

GOOD = """
sources:
  s: {title: T, sha256: 0000000000000000000000000000000000000000000000000000000000000000, quote-words: 40, note: }
pipelines:
  p: {profile: l, stages: [{id: a, kind: pretraining}, {id: b, after: a, path: side}]}
profiles:
  l: {kinds: {pretraining: {tokens: a number, objective: }}}
claims:
  - {id: a, status: stated, value: 9, cite: [{source: s, page: 13, section: 3.10, quote: nine}], review: }
  - {id: b, status: not-stated, searched: [{source: s, terms: [lr], seen: [{page: 10, because: no}]}]}
"""


def validator() -> jsonschema.Draft202012Validator:
    jsonschema.Draft202012Validator.check_schema(schema())
    return jsonschema.Draft202012Validator(schema())


def is_accepted(text: str) -> bool:
    """Whether the ledger has nothing to say against any record of a file."""
    file = read(text.encode(), "a.yaml")
    assert file.problems == ()
    return all(mistakes.in_record(path.split(".")[0], written) == () for path, written in file.records.items())


def as_an_editor_sees_it(text: str) -> Any:
    """The file with numbers and booleans made of plain scalars, keys as text, dates as text."""
    loader = type("Loader", (yaml.SafeLoader,), {})
    loader.add_constructor("tag:yaml.org,2002:timestamp", yaml.SafeLoader.construct_yaml_str)
    return yaml.load(text, Loader=loader)  # noqa: S506 -- a safe loader without dates


def test_a_good_file_satisfies_both() -> None:
    assert is_accepted(GOOD)
    assert list(validator().iter_errors(as_an_editor_sees_it(GOOD))) == []


@pytest.mark.parametrize(
    "text",
    [
        "claims: [{id: a, status: statd}]",
        "claims: [{id: a, status: }]",
        "claims: [{status: stated}]",
        "claims: [{id: a b, status: stated}]",
        "claims: [{id: a, status: stated, txt: b}]",
        "claims: [{id: a, status: stated, cite: {source: s}}]",
        "claims: [{id: a, status: stated, cite: [{page: 3}]}]",
        "claims: [{id: a, status: stated, cite: [{source: s, page: [1, 2]}]}]",
        "claims: [{id: a, status: stated, accept: {page-wrong: }}]",
        "claims: [{id: a, status: stated, review: {on: May}}]",
        "sources: {a: {sha256: abc}}",
        "pipelines: {p: {stages: [{id: a/b}]}}",
        "profiles: {l: {kinds: {rl: [reward]}}}",
    ],
)
def test_a_bad_record_satisfies_neither(text: str) -> None:
    assert not is_accepted(text)
    assert not validator().is_valid(as_an_editor_sees_it(text))


def test_the_schema_describes_every_field() -> None:
    definitions = schema()["$defs"]
    described = [
        field["description"] for shape in definitions.values() for field in shape.get("properties", {}).values()
    ]
    assert len(described) == sum(len(field_names(shape)) for shape in {*RECORDS.values(), *INNER.values()})
    assert all(text.endswith(".") for text in described)


def test_the_schema_names_its_draft_and_the_four_statuses() -> None:
    assert schema()["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema()["$defs"]["Status"]["enum"] == ["stated", "derived", "concluded", "not-stated"]


def test_the_inner_shapes_are_those_of_the_fields_they_are_named_after() -> None:
    shapes: set[type[Shape]] = {*RECORDS.values(), *INNER.values()}
    for shape in shapes:
        for name, field in shape.model_fields.items():
            written = name.replace("_", "-")
            if written in INNER and "Shape" in str(field.annotation):
                assert INNER[written].__name__ in str(field.annotation)
