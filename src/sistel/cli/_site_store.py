"""What a site was made of: pages whose files, options and program are as they were are not made again.

A file of the site, `made.json`, says of every page what went into it, by digests, and what came out. A page stands only
while all of that is as it was: the model with whatever it names, what was asked for, this program to the last letter,
and the files of the page themselves.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sistel.errors import Diagnostic, Text

if TYPE_CHECKING:
    from sistel.cli._site import Job, Outcome
    from sistel.plain import JsonObject
    from sistel.views.gallery import Card

STORE: Final = "made.json"
PACKAGE: Final = Path(__file__).resolve().parent.parent


@cache
def program_digest(package: Path = PACKAGE) -> str:
    """Of every file of this program: another state of it may draw otherwise, whatever its version says."""
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            digest.update(path.relative_to(package).as_posix().encode() + b"\n" + path.read_bytes())
    return digest.hexdigest()


def digest_of(path: str | Path) -> str:
    """Of the content of a file; empty where there is none that can be read."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return ""


def asked(job: Job) -> str:
    """A digest of what a page is made by: the options and the program; where the site lies makes no difference."""
    given = {each.name: getattr(job, each.name) for each in fields(job) if each.name != "folder"}
    return hashlib.sha256(f"{program_digest()} {given!r}".encode()).hexdigest()


class Store:
    """What is known of a site."""

    def __init__(self, folder: Path) -> None:
        """Read what an earlier build has left; what cannot be understood counts as nothing."""
        self.folder = folder
        self.before: dict[str, JsonObject] = {}
        """By the slugs of the pages."""
        self.now: dict[str, JsonObject] = {}
        try:
            data = json.loads((folder / STORE).read_text(encoding="utf-8"))
            self.before = {str(row["job"]["slug"]): row for row in data["pages"]}
        except (OSError, ValueError, TypeError, KeyError):
            self.before = {}

    def found(self, job: Job) -> Outcome | None:
        """What an earlier build has made of the same; None where anything is not as it was."""
        row = self.before.get(job.slug)
        if row is None:
            return None
        try:
            same = row["asked"] == asked(job) and all(
                digest_of(self.folder / name) == known
                for name, known in (*row["made_of"].items(), *row["files"].items())
            )
            outcome = _outcome(row) if same else None
        except (KeyError, TypeError, ValueError, AttributeError):
            return None
        if outcome is not None:
            self.now[job.slug] = row
        return outcome

    def last(self, job: Job) -> Card | None:
        """The card of a page that an earlier build has made, whatever it was made of, if its files are still there."""
        try:
            row = self.before[job.slug]
            whole = all((self.folder / name).is_file() for name in row["files"])
            return _card(row["card"]) if whole else None
        except (KeyError, TypeError, ValueError, AttributeError):
            return None

    def add(self, job: Job, outcome: Outcome) -> None:
        """Remember what has been made; a page that is told to be wrong at a place of its file is made again."""
        if outcome.card is None or any(problem.span is not None for problem in outcome.problems):
            return
        self.now[job.slug] = {
            "job": {"slug": job.slug},
            "asked": asked(job),
            "made_of": {self._beside(path): digest for path, digest in outcome.made_of.items()},
            "files": {name: digest_of(self.folder / name) for name in outcome.files},
            "source": outcome.source,
            "card": _row(outcome.card),
            "problems": [
                {"code": each.code, "severity": each.severity, "message": _said(each.message)}
                for each in outcome.problems
            ],
        }

    def write(self, *, whole: bool) -> None:
        """Write it.

        Args:
            whole: Whether the build has come to its end; else what an earlier one has left is still of use.
        """
        from sistel.markup import write_text

        rows = self.now if whole else {**self.before, **self.now}
        if whole:
            self._remove(name for row in self.before.values() for name in row.get("files", {}) if isinstance(name, str))
        data = {"pages": [rows[slug] for slug in sorted(rows)]}
        write_text(str(self.folder / STORE), json.dumps(data, ensure_ascii=False, indent=0) + "\n")

    def _beside(self, path: str) -> str:
        """The path of a file from the site: both may be moved together."""
        try:
            return Path(os.path.relpath(path, self.folder)).as_posix()
        except ValueError:
            return os.path.abspath(path)

    def _remove(self, names: Iterable[str]) -> None:
        """Remove files of pages that the site no longer has; only what lies in its own folders."""
        kept = {name for row in self.now.values() for name in row["files"]}
        for name in set(names) - kept:
            folder, _, file = name.partition("/")
            if folder in ("models", "thumbs") and file and "/" not in file and "\\" not in file:
                (self.folder / folder / file).unlink(missing_ok=True)


def _said(text: Text) -> dict[str, str]:
    return {"en": text.en, "ru": text.ru}


def _row(card: Card) -> dict[str, object]:
    row: dict[str, object] = {each.name: getattr(card, each.name) for each in fields(card)}
    return {**row, "class_words": _said(card.class_words), "names": _said(card.names)}


def _card(row: JsonObject) -> Card:
    from sistel.views.gallery import Card

    texts = {name: Text(**row[name]) for name in ("class_words", "names")}
    return Card(**{**row, **texts, "dof": tuple(row["dof"])})


def _outcome(row: JsonObject) -> Outcome:
    from sistel.cli._site import Outcome

    problems = tuple(Diagnostic(each["code"], each["severity"], Text(**each["message"])) for each in row["problems"])
    return Outcome(
        slug=row["job"]["slug"],
        source=row["source"],
        card=_card(row["card"]),
        problems=problems,
        made_of=row["made_of"],
        files=tuple(row["files"]),
        kept=True,
    )
