"""The folder of a ledger to a `Ledger`: every record of every file below it, and every mistake at its place.

Nothing a file holds stops the others from being read, and nothing is written.
"""

import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath, PureWindowsPath
from types import MappingProxyType

from tracer import record
from tracer.cache import Cache, ledger_key
from tracer.model import Claim, Failure, Ledger, Pipeline, Place, Places, Problem, Profile, Severity, Source
from tracer.settings import Settings
from tracer.spelling import did_you_mean
from tracer.written import MAX_BYTES, File, Plain, Written, fingerprint, pack, unpack

SUFFIXES = {".yaml", ".yml"}
KEYS = ("sources", "pipelines", "profiles", "claims")
RESERVED = re.compile(r"(?:con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³])(?:\.|$)", re.IGNORECASE)
CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


def load(settings: Settings, cache: Cache | None = None) -> Ledger:
    """The ledger of these settings, whole; Failure only where its folder cannot be listed.

    Files without a mistake are kept in a cache, and neither parsed nor proved again while they stay as they are.
    """
    loading = _Loading(settings, cache or Cache(None))
    for path in sorted(_paths(settings.ledger)):
        loading.take(path)
    loading.cache.keep_ledger_files(loading.sound)
    return loading.ledger()


def _paths(folder: Path) -> Iterator[Path]:
    """Files and links to folders below a folder; what begins with a dot belongs to other programs."""

    def fail(error: OSError) -> None:
        raise Failure(f"the folder {error.filename} cannot be listed: {error.strerror}")

    for parent, folders, files in os.walk(folder, onerror=fail):
        folders[:] = [name for name in folders if not name.startswith(".")]
        linked = (name for name in folders if Path(parent, name).is_symlink())
        named = (name for name in files if Path(name).suffix.casefold() in SUFFIXES and not name.startswith("."))
        yield from (Path(parent, name) for name in (*linked, *named))


class _Loading:
    """The records read so far; the first of two sources, pipelines or profiles of one id is kept."""

    def __init__(self, settings: Settings, cache: Cache) -> None:
        self.settings = settings
        self.cache = cache
        self.sound: dict[str, bytes] = {}
        self.sources: dict[str, Source] = {}
        self.pipelines: dict[str, Pipeline] = {}
        self.profiles: dict[str, Profile] = {}
        self.claims: list[Claim] = []
        self.problems: list[Problem] = []
        self.fingerprints: dict[str, str] = {}
        self.incomplete: list[str] = []
        self.first: dict[tuple[str, str], Place] = {}

    def ledger(self) -> Ledger:
        return Ledger(
            root=str(self.settings.root),
            sources=MappingProxyType({**self.sources, **dict(_named_revisions(self.sources, self.claims))}),
            pipelines=MappingProxyType(self.pipelines),
            profiles=MappingProxyType(self.profiles),
            claims=tuple(self.claims),
            problems=tuple(sorted(self.problems, key=lambda found: (found.at.path, found.at.line, found.at.column))),
            fingerprints=MappingProxyType(self.fingerprints),
            incomplete=tuple(self.incomplete),
            folder=self.settings.ledger.relative_to(self.settings.root).as_posix(),
        )

    def take(self, path: Path) -> None:
        """Read one file and keep its records and problems."""
        shown = os.fsencode(path.relative_to(self.settings.root)).decode(errors="backslashreplace").replace(os.sep, "/")
        data = _bytes(path, self.settings)
        if isinstance(data, str):
            self._report(Place(path=shown, line=1, column=1), data)
            self.incomplete.append(shown)
            return
        self.fingerprints[shown] = fingerprint(data)
        key, before = ledger_key(self.fingerprints[shown]), len(self.problems)
        kept = self.cache.ledger_file(key)
        file = unpack(kept, shown) if kept else _parsed(data, shown)
        self.problems.extend(file.problems)
        if not (file.is_whole and self._take_file(file)):
            self.incomplete.append(shown)
        elif not file.is_sound and len(self.problems) == before:
            self.sound[key] = pack(file)

    def _take_file(self, file: File) -> bool:
        """Keep the records of a file; whether all of it was understood."""
        top = file.top.value
        if top is None:
            return True
        if not isinstance(top, dict):
            self._report(file.top.places.of(""), "the file holds no mapping", "begin it with a line such as `claims:`")
            return False
        understood = [self._take_part(file, key, part) for key, part in top.items()]
        return all(understood)

    def _take_part(self, file: File, key: str, part: Plain) -> bool:
        if part is None:
            return True
        if key not in KEYS:
            hint = did_you_mean(key, KEYS) or f"write {', '.join(KEYS[:-1])} or {KEYS[-1]}"
            self._report(file.top.key_place(key), f"`{key}` is no part of a ledger file", hint)
        elif key == "claims" and isinstance(part, list):
            for index, value in enumerate(part):
                self._take_claim(_written(file, f"claims.{index}", value), is_sound=file.is_sound)
            return True
        elif key != "claims" and isinstance(part, dict):
            for name, value in part.items():
                self._take_named(key, name, _written(file, f"{key}.{name}", value), file)
            return True
        elif key == "claims":
            self._report(file.top.places.of(key), "`claims` is no list", "begin each claim with `- id: `")
        else:
            self._report(file.top.places.of(key), f"`{key}` is no mapping of ids", "write each id as a key")
        return False

    def _take_claim(self, written: Written, *, is_sound: bool) -> None:
        typed = written.value.get("id") if isinstance(written.value, dict) else None
        name = typed if isinstance(typed, str) and typed else str(written.places.of(""))
        mistakes = () if is_sound else _mistakes("claims", written, name)
        self.problems.extend(mistakes)
        self.claims.append(record.claim(name, written, broken=written.is_broken or bool(mistakes)))

    def _take_named(self, key: str, name: str, written: Written, file: File) -> None:
        """Keep a source, a pipeline or a profile, unless its id is taken."""
        at = file.top.key_place(f"{key}.{name}")
        first = self.first.setdefault((key, name), at)
        if first is not at:
            message = f"`{name}` is also the id of one of the {key} in {first.path} on line {first.line}"
            self._report(at, message, "keep one of the two, or give one another id", (first,))
            return
        mistakes = () if file.is_sound else (*_misnamed(key, name, at), *_mistakes(key, written))
        self.problems.extend(mistakes)
        broken = written.is_broken or bool(mistakes)
        if key == "sources":
            self.sources[name] = self._checked_file(record.source(name, written, broken=broken))
        elif key == "pipelines":
            self.pipelines[name] = self._checked_stages(record.pipeline(name, written, broken=broken))
        else:
            self.profiles[name] = record.profile(name, written, broken=broken)

    def _checked_file(self, source: Source) -> Source:
        """The source, without its file where that may not be read."""
        if source.file is None:
            return source
        at = source.places.of("file")
        if reserved := _reserved_part(source.file):
            message = f"`{reserved}` is a name that Windows reserves"
            self.problems.append(Problem(message=message, at=at, hint="rename the file", severity=Severity.WARNING))
        refused = _refusal(source.file, self.settings)
        if refused is None:
            return source
        self._report(at, *refused)
        return replace(source, file=None, broken=True)

    def _checked_stages(self, pipeline: Pipeline) -> Pipeline:
        first: dict[str, int] = {}
        broken = pipeline.broken
        for index, stage in enumerate(pipeline.stages):
            before = first.setdefault(stage.id, index)
            if before == index or not stage.id:
                continue
            at, original = (pipeline.places.of(f"stages.{number}.id") for number in (index, before))
            message = f"the stage `{stage.id}` is written twice, first on line {original.line}"
            self._report(at, message, "give one of the two another id", (original,))
            broken = True
        return replace(pipeline, broken=broken)

    def _report(self, at: Place, message: str, hint: str | None = None, related: tuple[Place, ...] = ()) -> None:
        self.problems.append(Problem(message=message, at=at, hint=hint, related=related))


def _parsed(data: bytes, path: str) -> File:
    from tracer.yamlfile import read

    return read(data, path)


def _mistakes(key: str, written: Written, claim: str | None = None) -> tuple[Problem, ...]:
    from tracer import mistakes

    return mistakes.in_record(key, written, claim)


def _misnamed(key: str, name: str, at: Place) -> tuple[Problem, ...]:
    from tracer import mistakes

    return mistakes.in_name(key, name, at)


def _named_revisions(sources: Mapping[str, Source], claims: Sequence[Claim]) -> Iterator[tuple[str, Source]]:
    """Each revision that a claim names as `source@revision`, as a source of its own."""
    cited = (citation.source for claim in claims for citation in claim.citations)
    searched = (search.source for claim in claims for search in claim.searched)
    for name in dict.fromkeys((*cited, *searched)):
        of, at, revision = name.rpartition("@")
        if at and of in sources and name not in sources:
            found = _revision(sources[of], revision)
            if found:
                yield name, replace(found, id=name, revision_of=of)


def _revision(source: Source, name: str) -> Source | None:
    """A source as it was at one of its revisions; the present one may be named too."""
    if name == source.revision:
        return source
    for index, revision in enumerate(source.revisions):
        if revision.name == name:
            at = source.places.positions.get(f"revisions.{index}.sha256", (1, 1))
            places = Places(path=source.places.path, positions={"": at, "sha256": at})
            return replace(
                source, revision=name, sha256=revision.sha256, url=None, file=None, revisions=(), places=places
            )
    return None


def _written(file: File, path: str, value: Plain) -> Written:
    """A record of a file; one that is a mere text or blank has no place but its own."""
    found = file.records.get(path)
    return found or Written(value=value, path=file.top.path, values={"": file.top.values.get(path, (1, 1))})


def _bytes(path: Path, settings: Settings) -> bytes | str:
    """The bytes of a ledger file, or why they are not read."""
    try:
        str(path).encode()
        if path.is_symlink():
            target = path.resolve(strict=True)
            if not any(target.is_relative_to(folder.resolve()) for folder in (settings.ledger, *settings.allow)):
                return "a symbolic link leads out of the ledger here"
        kind = path.stat().st_mode
        if stat.S_ISDIR(kind):
            return (
                "a symbolic link to a folder is not followed"
                if path.is_symlink()
                else "a folder has the name of a file"
            )
        if not stat.S_ISREG(kind):
            return "this is no regular file"
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except UnicodeEncodeError:
        return "the name of the file is not UTF-8"
    except RuntimeError:
        return "a symbolic link leads to itself here"
    except OSError as error:
        return f"the file cannot be read: {error.strerror}"


def _reserved_part(file: str) -> str | None:
    return next((part for part in file.split("/") if RESERVED.match(part)), None)


def _refusal(file: str, settings: Settings) -> tuple[str, str] | None:
    """Why a source's file may not be read, and what to write instead; a folder that the settings allow is fine."""
    inside = "write a path inside the project, or name its folder under `allow` in the settings"
    if CONTROL.search(file):
        return "`file` holds a control character", "write the path as it is on the disk"
    try:
        is_foreign = os.name != "nt" and bool(PureWindowsPath(file).drive)
        if not is_foreign and settings.allows(settings.root / file):
            return None
    except (OSError, RuntimeError):
        return f"`{file}` leads nowhere", "write the path of a file"
    if PurePosixPath(file).is_absolute() or PureWindowsPath(file).drive:
        return f"`{file}` is an absolute path", inside
    return f"`{file}` leads out of the project", inside
