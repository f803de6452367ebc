"""A formula and the values of its inputs to an amount, exactly and within limits on size.

simpleeval walks the tree; numbers are read from the formula's own text, as a binary float cannot hold 0.1.
"""

import ast
import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from tracer import amounts
from tracer.amounts import FUNCTIONS, Amount, UnworkableError, Written
from tracer.spelling import did_you_mean

LONGEST = 2_000
"""Characters of a formula."""

MOST_NODES = 500
DEEPEST = 100

_ALLOWED = (
    ast.BinOp
    | ast.UnaryOp
    | ast.Call
    | ast.Name
    | ast.Load
    | ast.Add
    | ast.Sub
    | ast.Mult
    | ast.Div
    | ast.Pow
    | ast.USub
    | ast.UAdd
)
_POWER = "**"
_SIGNS = frozenset(("+", "-", "*", "/", "(", ")", ",", _POWER))
_SPELLED = MappingProxyType({"×": "*", "·": "*", "÷": "/", "−": "-"})
_LITERAL = re.compile(r"(?:[0-9][0-9_]*(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?(?:[^\W\d_]+|\s*%)?")
_NAME = re.compile(r"[^\W\d]\w*(?:[-./][^\W\d]\w*)*")
_SPACE = re.compile(r"\s+")
_UNIT_WORD = re.compile(rf"\s*({_NAME.pattern})")
_MOST_ARGUMENTS = MappingProxyType({"round": 2, "ceil": 1, "floor": 1, "sqrt": 1, "log2": 1, "log10": 1})


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """A formula made ready: `expression` has a made-up name for each number (`literals`) and each input (`names`)."""

    expression: str
    tree: ast.expr
    literals: Mapping[str, Written]
    names: Mapping[str, str]

    def amount(self, inputs: Mapping[str, Written], base: int) -> Amount:
        """What the formula gives when K and M count in `base`s."""
        values = {name: _bare(literal.amount(base)) for name, literal in self.literals.items()}
        values |= {name: inputs[original].amount(base) for name, original in self.names.items()}
        return _evaluated(self, values)


def formula(text: str, inputs: Mapping[str, str]) -> Formula:
    """The formula ready for use, or an `UnworkableError` that says what it may not hold."""
    if len(text) > LONGEST:
        raise UnworkableError(f"the formula is longer than {LONGEST:,} characters")
    literals: dict[str, Written] = {}
    names: dict[str, str] = {}
    parts = []
    for part in _parts(text, inputs):
        made_up = f"_{len(literals) + len(names)}"
        if part.kind == "number":
            literals[made_up] = _literal(part.text, part.unit)
        elif part.kind == "input":
            names[made_up] = part.text
        parts.append(part.text if part.kind == "sign" else made_up)
    expression = " ".join(parts)
    return Formula(expression=expression, tree=_tree(expression), literals=literals, names=names)


def with_values(text: str, inputs: Mapping[str, str], values: Mapping[str, str]) -> str:
    """The formula with values in the place of its inputs; one that cannot be read stays as it is written."""
    pieces, done = [], 0
    try:
        for part in _parts(text, inputs):
            if part.kind == "input":
                pieces += [text[done : part.start], values.get(part.text, part.text)]
                done = part.start + len(part.text)
    except UnworkableError:
        return text
    return "".join([*pieces, text[done:]])


def _bare(amount: Amount) -> Amount:
    return Amount(value=amount.value, is_bare=True) if amount.unit is None else amount


def _literal(text: str, unit: str | None) -> Written:
    found = amounts.written(text.replace("_", ""), unit)
    if found is None:
        raise UnworkableError(f"`{text[:40]}` is no number that can be computed with")
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """A number, an input or a sign of a formula, where it begins, and the unit behind a number."""

    kind: Literal["number", "input", "sign"]
    text: str
    start: int
    unit: str | None = None


def _parts(text: str, inputs: Mapping[str, str]) -> Iterator[_Part]:
    """The numbers, inputs and signs of a formula, in order."""
    at = 0
    while at < len(text):
        if space := _SPACE.match(text, at):
            at = space.end()
        elif number := _LITERAL.match(text, at):
            start, (at, unit) = at, _unit_after(text, number.end(), inputs)
            yield _Part(kind="number", text=number[0], start=start, unit=unit)
        elif name := _NAME.match(text, at):
            found = _longest_input(name[0], inputs)
            is_call = text[at + len(found) :].lstrip().startswith("(")
            yield _Part(kind=_name_kind(found, inputs, is_call=is_call), text=found, start=at)
            at += len(found)
        else:
            sign = _POWER if text.startswith(_POWER, at) else text[at]
            yield _Part(kind="sign", text=_sign(sign), start=at)
            at += len(sign)


def _unit_after(text: str, at: int, inputs: Mapping[str, str]) -> tuple[int, str | None]:
    """The words behind a number up to the next input, as in `24 hours * gpus` or `6 FLOP/token/parameter`."""
    words: list[str] = []
    while found := _UNIT_WORD.match(text, at):
        word = _before_input(found[1], inputs)
        if not word or (word in FUNCTIONS and text[found.end() :].lstrip().startswith("(")):
            break
        words.append(word)
        at = found.start(1) + len(word)
        if word != found[1]:
            break
    return at, " ".join(words) or None


def _before_input(words: str, inputs: Mapping[str, str]) -> str:
    """The part of `hours/steps` that stands before an input of that name."""
    kept = ""
    for piece in re.findall(r"[-./]?[^-./]+", words):
        if piece.lstrip("-./") in inputs:
            break
        kept += piece
    return kept


def _longest_input(name: str, inputs: Mapping[str, str]) -> str:
    """The longest beginning of `a-b` or `a.b` that is an input, else its first word."""
    pieces = re.split(r"([-./])", name)
    beginnings = ("".join(pieces[:end]) for end in range(len(pieces), 0, -2))
    return next((beginning for beginning in beginnings if beginning in inputs), pieces[0])


def _name_kind(name: str, inputs: Mapping[str, str], *, is_call: bool) -> Literal["input", "sign"]:
    if is_call and name in FUNCTIONS:
        return "sign"
    if name in inputs and not is_call:
        return "input"
    if is_call:
        raise UnworkableError(f"`{name}` is no function of a formula; there are {', '.join(FUNCTIONS)}")
    hint = did_you_mean(name, tuple(inputs))
    raise UnworkableError(f"`{name}` is no input of the claim" + (f"; {hint}" if hint else ""))


def _sign(written: str) -> str:
    sign = _SPELLED.get(written, written)
    if sign == "^":
        raise UnworkableError("`^` has no meaning in a formula; a power is written `**`")
    if sign not in _SIGNS:
        raise UnworkableError(f"`{written}` has no meaning in a formula")
    return sign


def _tree(expression: str) -> ast.expr:
    """The tree of an expression that holds numbers, inputs, + - * / ** and calls, and is neither large nor deep."""
    try:
        tree = ast.parse(expression, mode="eval").body
    except (SyntaxError, RecursionError, MemoryError):  # the parser's own limits on nesting end in the last two
        raise UnworkableError("the formula cannot be read") from None
    waiting: deque[tuple[ast.AST, int]] = deque([(tree, 1)])
    nodes = 0
    while waiting:
        node, depth = waiting.popleft()
        nodes += 1
        if nodes > MOST_NODES or depth > DEEPEST:
            raise UnworkableError("the formula has too many parts")
        _refuse_oddities(node)
        waiting.extend((child, depth + 1) for child in ast.iter_child_nodes(node))
    return tree


def _refuse_oddities(node: ast.AST) -> None:
    if not isinstance(node, _ALLOWED):
        raise UnworkableError("a formula holds numbers, inputs, + - * / ** and functions, nothing else")
    if not isinstance(node, ast.Call):
        return
    if not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS:
        raise UnworkableError("a sign is missing before a parenthesis of the formula")
    if not 1 <= len(node.args) <= _MOST_ARGUMENTS.get(node.func.id, MOST_NODES):
        raise UnworkableError(f"`{node.func.id}` is given {len(node.args)} amounts")


def _evaluated(formula: Formula, values: Mapping[str, Amount]) -> Amount:
    from simpleeval import SimpleEval

    evaluator = SimpleEval(
        operators={
            ast.Add: amounts.add,
            ast.Sub: amounts.subtract,
            ast.Mult: amounts.multiply,
            ast.Div: amounts.divide,
            ast.Pow: amounts.power,
            ast.USub: amounts.negate,
            ast.UAdd: amounts.positive,
        },
        functions=dict(FUNCTIONS),
        names=dict(values),
    )
    found = evaluator.eval(formula.expression, previously_parsed=formula.tree)
    assert isinstance(found, Amount)  # noqa: S101 -- names, operators and functions all give amounts
    return found
