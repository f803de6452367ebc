"""The values of a data file are the text that was typed, at paths that a person can write."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reading import read_or_reason

from tracer.model import Document
from tracer.readers import Unreadable
from tracer.readers.data import read, value_at


def values(typed: str) -> dict[str, str]:
    return dict(read(typed.encode()).values)


def test_json_scalars_are_as_typed() -> None:
    typed = '{"a": 1e5, "b": 1.0, "c": -0, "d": 12345678901234567890123, "e": [true, null, "x"], "f": NaN, "g": 2.50}'
    assert values(typed) == {
        "a": "1e5",
        "b": "1.0",
        "c": "-0",
        "d": "12345678901234567890123",
        "e.0": "true",
        "e.1": "null",
        "e.2": "x",
        "f": "NaN",
        "g": "2.50",
    }


def test_yaml_scalars_are_as_typed() -> None:
    typed = "section: 3.10\nrevision: 7031945268e2\nid: no\nzero: 0012345\ntime: 12:34:56\nempty:\nnull: ~\nq: 'a''b'\n"
    assert values(typed) == {
        "section": "3.10",
        "revision": "7031945268e2",
        "id": "no",
        "zero": "0012345",
        "time": "12:34:56",
        "empty": "",
        "null": "~",
        "q": "a'b",
    }


def test_toml_scalars_are_as_typed_but_for_what_its_parser_rewrites() -> None:
    numbers = "experts = 1_000\nrate = 3.10\nsmall = 1e-5\nday = 2026-07-28\ntied = false\n"
    typed = f'title = "x"\n[model]\n{numbers}[[layer]]\nkind = "kda"\n'
    assert values(typed) == {
        "title": "x",
        "model.experts": "1000",
        "model.rate": "3.10",
        "model.small": "1e-5",
        "model.day": "2026-07-28",
        "model.tied": "false",
        "layer.0.kind": "kda",
    }


def test_the_page_is_the_text_of_the_file() -> None:
    document = read(b'{\r\n  "model": {"num_experts": 896}\r\n}\n')
    assert document.pages[0].text == '{\n  "model": {"num_experts": 896}\n}\n'
    assert (document.kind, document.headings_by) == ("data", None)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("model.layers.1.kind", "mla"),
        ("model.layers[1].kind", "mla"),
        ("/model/layers/1/kind", "mla"),
        ('model."qwen3.5".rate', "1e-4"),
        ("/model/qwen3.5/rate", "1e-4"),
        ("/a~1b", "slash"),
        ('"a/b"', "slash"),
        ('""', "empty"),
        ("model", None),
        ("model.layers", None),
        ("model.layers.2.kind", None),
        ("layers.1.kind", None),
        ("", None),
    ],
)
def test_a_value_is_found_by_path_index_or_pointer(path: str, value: str | None) -> None:
    typed = {
        "model": {"layers": [{"kind": "kda"}, {"kind": "mla"}], "qwen3.5": {"rate": "1e-4"}},
        "a/b": "slash",
        "": "empty",
    }
    assert value_at(read(json.dumps(typed).encode()), path) == value


def test_keys_with_dots_do_not_meet_nested_keys() -> None:
    assert values('{"a.b": 1, "a": {"b": 2}, "c": {"": 3, "[0]": 4}}') == {
        '"a.b"': "1",
        "a.b": "2",
        'c.""': "3",
        'c."[0]"': "4",
    }


def test_aliases_and_merges_are_followed() -> None:
    run = "run:\n  <<: *b\n  steps: 20\n"
    typed = f"base: &b {{rate: 1e-4, steps: 10}}\n{run}list: [*b]\nmany: {{<<: [{{x: 1}}, {{x: 2, y: 3}}]}}\n"
    assert values(typed) == {
        "base.rate": "1e-4",
        "base.steps": "10",
        "run.steps": "20",
        "run.rate": "1e-4",
        "list.0.rate": "1e-4",
        "list.0.steps": "10",
        "many.x": "1",
        "many.y": "3",
    }


def test_several_yaml_documents_are_a_list() -> None:
    assert values("a: 1\n---\na: 2\n") == {"0.a": "1", "1.a": "2"}


@pytest.mark.parametrize("typed", ['{"a": 1, "b": 2, "a": 3}', "a: 1\nb: 2\na: 3\n"])
def test_a_key_that_stands_twice_is_said(typed: str) -> None:
    document = read(typed.encode())
    assert dict(document.values) == {"a": "3", "b": "2"}
    assert document.warnings == ("the key a stands twice in a mapping; the last one is taken",)


ALIAS_BOMB = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))
HOLLOW_BOMB = ALIAS_BOMB.replace("[x, x]", "[]")


@pytest.mark.parametrize(
    "typed",
    [
        ALIAS_BOMB,
        HOLLOW_BOMB,
        "&a [*a]",
        "&a {b: *a}",
        "[" * 50_000,
        '{"a":' * 50_000,
        '{"a":' * 150 + "1" + "}" * 150,
        "- " * 50_000 + "x",
        "a = " + "[" * 50_000,
        ".".join("a" * 200) + " = 1",
    ],
)
def test_bombs_and_deep_nesting_are_refused(typed: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read(typed.encode())
    assert refused.value.unread.kind in ("limit", "broken")


@pytest.mark.parametrize(
    "typed", ["a: [1", "{'a': 1", "a: *b", "? [a]\n: b", "a = \n", "\x01", "a = " + "1" * 5_000 + "x"]
)
def test_what_is_in_none_of_the_formats_is_broken(typed: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read(typed.encode())
    assert refused.value.unread.kind == "broken"
    assert str(refused.value).startswith("it is neither JSON (")


def test_half_a_character_is_replaced() -> None:
    assert values('{"\\ud800": "a\\udc00"}') == {"\ufffd": "a\ufffd"}


TREES = st.recursive(
    st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner),
    max_leaves=20,
)


@settings(max_examples=200, deadline=None)
@given(TREES)
def test_every_scalar_is_found_again_by_its_pointer(tree: object) -> None:
    document = read(json.dumps(tree).encode())
    leaves = [(pointer, leaf) for pointer, leaf in _leaves(tree) if pointer]
    assert len(document.values) == len(leaves) or not leaves
    for pointer, leaf in leaves:
        assert value_at(document, pointer) == leaf


def _leaves(tree: object, pointer: str = "") -> list[tuple[str, str]]:
    if isinstance(tree, str):
        return [(pointer, tree)]
    children = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    steps = [(str(key).replace("~", "~0").replace("/", "~1"), child) for key, child in children]
    return [leaf for step, child in steps for leaf in _leaves(child, f"{pointer}/{step}")]


PIECES = st.sampled_from(
    [
        "a",
        "1",
        ": ",
        "\n",
        "- ",
        "  ",
        "&a ",
        "*a",
        "{",
        "}",
        "[",
        "]",
        ",",
        '"',
        "'",
        "<<",
        "? ",
        "| ",
        "!!x ",
        " = ",
        "---\n",
        "%YAML 9.9\n",
        "\\ud800",
        "#",
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.lists(PIECES, max_size=40).map(lambda pieces: "".join(pieces).encode()) | st.binary(max_size=200))
def test_any_bytes_give_a_document_or_are_unreadable(data: bytes) -> None:
    outcome = read_or_reason(read, data)
    assert isinstance(outcome, Document) or outcome.kind in ("broken", "limit")
