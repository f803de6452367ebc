"""The written form of a ledger: what a record may hold, as shapes to check it against and as a schema for editors."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from tracer.model import Status

StagePath = Literal["main", "side"]
DIALECT = "https://json-schema.org/draft/2020-12/schema"
SCALAR = {"type": ["string", "number", "boolean"]}
"""What an editor takes for a text: it sees a number in `page: 13`, where the ledger reads the text `13`."""

SOME = r"\S"
NAME = r"^[^\s\x00-\x1f\x7f]+$"
PART = r"^[^\s/\x00-\x1f\x7f]+$"
SHA256 = r"^[0-9a-fA-F]{64}$"
RANGE = r"^[1-9][0-9]{0,6}(\s*[-–]\s*[1-9][0-9]{0,6})?$"
DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
COUNT = r"^[1-9][0-9]{0,6}$"
URL = r"^https?://\S+$"

Text = Annotated[str, WithJsonSchema(SCALAR)]
Words = Annotated[str, Field(pattern=SOME), WithJsonSchema({**SCALAR, "pattern": SOME})]
Name = Annotated[str, Field(pattern=NAME), WithJsonSchema({**SCALAR, "pattern": NAME})]
Part = Annotated[str, Field(pattern=PART), WithJsonSchema({**SCALAR, "pattern": PART})]
Sha256 = Annotated[str, Field(pattern=SHA256), WithJsonSchema({**SCALAR, "pattern": SHA256})]
Range = Annotated[str, Field(pattern=RANGE), WithJsonSchema({**SCALAR, "pattern": RANGE})]
Date = Annotated[str, Field(pattern=DATE), WithJsonSchema({**SCALAR, "pattern": DATE})]
Count = Annotated[str, Field(pattern=COUNT), WithJsonSchema({**SCALAR, "pattern": COUNT})]
Url = Annotated[str, Field(pattern=URL), WithJsonSchema({**SCALAR, "pattern": URL})]


def _kebab(name: str) -> str:
    return name.replace("_", "-")


def _says(description: str) -> Any:
    """An optional field and what an editor says of it; of any type, as the default of a field of any type must be."""
    return Field(default=None, description=description)


class Shape(BaseModel):
    """A mapping of the ledger; `noun` names it in messages."""

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=_kebab)
    noun: ClassVar[str] = "the file"


class RevisionShape(Shape):
    """An earlier pin of a source."""

    noun = "a revision"
    name: Words = Field(description="What the publisher calls it: a commit, v2, a date.")
    sha256: Sha256 = Field(description="The sha256 of its bytes, 64 hexadecimal digits.")
    seen: Date | None = _says("The day it was seen, as 2026-05-01.")


class SourceShape(Shape):
    """A document that claims cite; its sha256 is its identity."""

    noun = "a source"
    title: Text | None = _says("The title of the document.")
    publisher: Text | None = _says("Who published it.")
    url: Url | None = _says("Where it can be downloaded.")
    revision: Text | None = _says("What the publisher calls this revision: a commit, v2, a date.")
    sha256: Sha256 | None = _says("The sha256 of its bytes, 64 hexadecimal digits; `tracer pin` writes it.")
    file: Words | None = _says("Its file, relative to the settings file, with `/`; else it is found by its sha256.")
    note: Text | None = _says("A remark for people.")
    quote_words: Count | None = _says("How many words a quote from this source may have.")
    revisions: list[RevisionShape] | None = _says("Earlier pins of this source.")


class StageShape(Shape):
    """One step of a pipeline."""

    noun = "a stage"
    id: Part = Field(description="Its name; a claim names it as `pipeline/stage`.")
    title: Text | None = _says("What people read.")
    kind: Name | None = _says("What kind of stage it is; the profile lists the fields of each kind.")
    after: Part | None = _says("The stage that it follows.")
    path: StagePath | None = _says("`side` takes the stage off the main path.")
    published: Text | None = _says("What was published of its result, such as `weights`.")
    note: Text | None = _says("A remark for people.")


class PipelineShape(Shape):
    """How one model was trained, as stages."""

    noun = "a pipeline"
    title: Text | None = _says("What people read.")
    profile: Name | None = _says("The profile that lists the fields of a complete record.")
    stages: list[StageShape] | None = _says("The stages, in the order they are shown.")


class ProfileShape(Shape):
    """The fields that a complete record answers, per kind of stage."""

    noun = "a profile"
    title: Text | None = _says("What people read.")
    extends: Name | None = _says("The profile whose fields this one adds to.")
    kinds: dict[Name, dict[Words, Text | None] | None] | None = _says(
        "For each kind of stage its fields, and for each field what counts as an answer."
    )


class CitationShape(Shape):
    """A pointer into a source, with the words that stand there."""

    noun = "a citation"
    source: Name = Field(description="The id of a source.")
    section: Text | None = _says("A number (4.1.3), a title, an appendix (F), `Table 1`, `Fig. 8` or `Eq. 15`.")
    page: Text | None = _says("The number printed on the page, or a range such as `1-2`.")
    sheet: Range | None = _says("The physical page, counted from 1.")
    at: Text | None = _says("The path of a value in a JSON, YAML or TOML file, such as `model.num_experts`.")
    lines: Range | None = _says("Lines of a plain text, such as `12-14`.")
    quote: Text | None = _says("A short verbatim quote; `…` joins its parts.")
    because: Text | None = _says("Why it says so, where the quote alone does not.")


class SeenShape(Shape):
    """A place where a term occurs, and why it is no answer."""

    noun = "an item of `seen`"
    page: Text | None = _says("The number printed on the page, or a range such as `1-2`.")
    sheet: Range | None = _says("The physical page, counted from 1.")
    section: Text | None = _says("The section, where there are no pages.")
    because: Text | None = _says("Why what stands there is not an answer.")


class SearchShape(Shape):
    """What was looked for before a claim said `not-stated`."""

    noun = "a search"
    source: Name = Field(description="The id of the source that was searched.")
    terms: list[Words] | None = _says("The words that were looked for.")
    seen: list[SeenShape] | None = _says("The pages where a term occurs, and why they are no answer.")


class ReviewShape(Shape):
    """A person's sign-off; `tracer review` writes it."""

    noun = "a review"
    by: Text | None = _says("Who signed.")
    on: Date | None = _says("The day, as 2026-05-01.")
    seen: Text | None = _says("The fingerprint of what was signed.")


class ClaimShape(Shape):
    """One statement about a pipeline, with its grounds."""

    noun = "a claim"
    id: Name = Field(description="The name of the claim, the only one in the ledger.")
    stage: Text | None = _says("The stage it is about, as `pipeline/stage`.")
    field: Text | None = _says("Which field of the stage it answers, such as `learning rate`.")
    text: Text | None = _says("The statement, in a sentence.")
    value: Text | None = _says("The value, as people write it; it is checked against the quotes.")
    unit: Text | None = _says("The unit of the value.")
    status: Status = Field(
        description="How it is grounded: stated in a source, derived by a formula, concluded, or not-stated."
    )
    cite: list[CitationShape] | None = _says("The citations that support it.")
    formula: Text | None = _says("How a derived value is computed, over the names of `inputs`.")
    inputs: dict[Words, Name] | None = _says("For each name in the formula, the id of the claim that gives its value.")
    tolerance: Text | None = _says("How far a derived value may be from what the formula gives.")
    because: Text | None = _says("The reason of a concluded claim.")
    leans_on: list[Name] | None = _says("The ids of the claims that it rests on.")
    searched: list[SearchShape] | None = _says("What was looked for, where the status is not-stated.")
    disputes: list[CitationShape] | None = _says("Citations that say something else.")
    accept: dict[Name, Words] | None = _says("For each rule whose finding is to be kept, the reason.")
    made_in: CitationShape | None = _says("The audited document that makes the claim.")
    review: ReviewShape | None = _says("A person's sign-off.")
    note: Text | None = _says("A remark for people.")


class FileShape(Shape):
    """A file of a ledger: any of four lists of records, in any order, spread over any number of files."""

    noun = "a ledger file"
    sources: dict[Name, SourceShape] | None = _says("The documents that claims cite, by id.")
    pipelines: dict[Part, PipelineShape] | None = _says("The trained models, by id.")
    profiles: dict[Name, ProfileShape] | None = _says("Lists of the fields that a complete record answers, by id.")
    claims: list[ClaimShape] | None = _says("The claims.")


RECORDS: dict[str, type[Shape]] = {
    "sources": SourceShape,
    "pipelines": PipelineShape,
    "profiles": ProfileShape,
    "claims": ClaimShape,
}
"""The shape of the records under each key of a file."""

INNER: dict[str, type[Shape]] = {
    "cite": CitationShape,
    "disputes": CitationShape,
    "made-in": CitationShape,
    "searched": SearchShape,
    "seen": SeenShape,
    "review": ReviewShape,
    "stages": StageShape,
    "revisions": RevisionShape,
}
"""The shape of the mappings under a field of a record."""


def field_names(shape: type[Shape]) -> tuple[str, ...]:
    """The keys that a shape may hold, as they are written."""
    return tuple(map(_kebab, shape.model_fields))


def schema() -> JsonSchemaValue:
    """The JSON Schema (draft 2020-12) of a ledger file, for editors."""
    made = FileShape.model_json_schema(schema_generator=_EditorSchema)
    return {"$schema": DIALECT, "title": "A file of a tracer ledger", **made}


class _EditorSchema(GenerateJsonSchema):
    """Leaves out what only clutters an editor: made-up titles and defaults that are null."""

    def field_title_should_be_set(self, schema: object) -> bool:  # noqa: ARG002 -- the signature is pydantic's
        return False

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        inner = self.generate_inner(schema["schema"])
        kinds = inner.get("type")
        if kinds is None or "enum" in inner:
            return {"anyOf": [inner, {"type": "null"}]}
        return {**inner, "type": [*([kinds] if isinstance(kinds, str) else kinds), "null"]}
