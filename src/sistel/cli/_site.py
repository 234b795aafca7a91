"""One system of a site: its pictures and its page, made in a process of its own."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from sistel.cli._site_store import digest_of
from sistel.errors import Diagnostic, Language, SistelError, Text
from sistel.records import record

if TYPE_CHECKING:
    from sistel.simulation import Run
    from sistel.system import System
    from sistel.views.gallery import Card

PATIENCE = 20.0
"""How long a simulation may take; what is there then is shown [s]."""
MEMORY = 2.0**26
"""What a motion may take: fast ones are cut to what can be looked at [bytes]."""
STRIDE = 0.15
"""Of the walks of machines whose gait is composed [m]."""
LARGEST_PICTURE = 400_000
"""Of a picture that moves in the index [letters]; larger ones would make it slow."""


@record
class Job:
    """What is to be made."""

    path: str
    slug: str
    source: str
    """The file as people call it."""
    about: str
    folder: str
    lang: Language
    until: float
    """Length of the motion [s]."""
    runs: bool
    """Whether there is to be a motion."""
    inputs: Mapping[str, Sequence[tuple[float, float]]] = field(default_factory=dict)
    """What an operator does meanwhile, by input: times [s] and values."""
    names: Text | None = None
    """What it is called, where that is known in both languages."""
    walks: bool = False
    """Whether a gait is composed for it."""
    cut: bool = False
    """Whether somebody asked for that length, so that a composed motion must not be longer either."""
    studio: str = ""
    """Address of the studio without a server, as the index sees it."""


@record
class Outcome:
    """What was made."""

    slug: str
    source: str
    card: Card | None
    """None where the file could not be read."""
    problems: tuple[Diagnostic, ...] = ()
    """Why something is missing."""
    seconds: float = 0.0
    made_of: Mapping[str, str] = field(default_factory=dict)
    """Digests of the files that it was made of, by path; empty where one was looked for in vain."""
    files: tuple[str, ...] = ()
    """What was written, by the paths in the site."""
    kept: bool = False
    """Whether an earlier build has made it."""


_INCLUDES = re.compile(rb"<(?:include|" + "включить".encode() + rb")[\s/>]")
BACK = "../index.html"
"""The index, as pages see it."""


def make(job: Job) -> Outcome:
    """Make the files of one system: every one is replaced whole or not at all."""
    from sistel.markup import files_named

    begin, made_of = time.monotonic(), {}
    try:
        # What the model is made of is looked at first: a change meanwhile is seen by the next build.
        made_of = {job.path: digest_of(job.path)}
        with files_named() as named:
            card, problems = _make(job)
        made_of |= {path: digest_of(path) for path in named}
    except SistelError as problem:
        card, problems = None, [item for item in problem.diagnostics if item.severity == "error"]
    except (OSError, UnicodeError) as problem:
        card, problems = (
            None,
            [Diagnostic("system", "error", Text(f"{job.source}: {problem}", f"{job.source}: {problem}"))],
        )
    except Exception as problem:
        # One system of many: the others are made all the same, and this is told as what it is.
        what = f"{type(problem).__name__}: {problem}"
        text = Text(f"{job.source}: sistel itself failed ({what})", f"{job.source}: отказала сама программа ({what})")
        card, problems = None, [Diagnostic("own-error", "error", text)]
    files = () if card is None else _files(card)
    seconds = time.monotonic() - begin
    return Outcome(
        slug=job.slug,
        source=job.source,
        card=card,
        problems=tuple(problems),
        seconds=seconds,
        made_of=made_of,
        files=files,
    )


def _files(card: Card) -> tuple[str, ...]:
    """What a page consists of, by the paths in the site."""
    there = (
        (f"thumbs/{card.slug}.svg", True),
        (f"thumbs/{card.slug}.moving.svg", card.moving),
        (f"models/{card.slug}.html", card.page),
    )
    return tuple(name for name, made in there if made)


def _make(job: Job) -> tuple[Card, list[Diagnostic]]:
    from sistel.cli._site_motions import exercised
    from sistel.face import rests_on_idle_motors
    from sistel.markup import write_text
    from sistel.system import load
    from sistel.views.gallery import card_of

    folder = Path(job.folder)
    problems: list[Diagnostic] = []
    known = load(job.path)
    system, walked, until = known, None, job.until
    if job.walks and job.runs:
        system, walked = _walked(known, job)
    elif job.runs and rests_on_idle_motors(known.model):
        # An arm that nothing drives would fall: it shows how it moves.
        system, length = exercised(known)
        until = min(until, length) if job.cut else length
    write_text(str(folder / "thumbs" / f"{job.slug}.svg"), str(system.scheme(labels="none")))
    run = _run(system, job, until, problems) if job.runs and walked is None else walked
    moving = run is not None and _moving(run, folder / "thumbs" / f"{job.slug}.moving.svg", job.lang)
    target = folder / "models" / f"{job.slug}.html"
    page, shown = _page(system, run, target, job, problems)
    card = card_of(known.model, job.slug, job.source, job.about, names=job.names, page=page, moving=moving, run=shown)
    return card, problems


def _walked(system: System, job: Job) -> tuple[System, Run]:
    """A walking machine with its gait, and the run of that."""
    from sistel.cells import GAITS, machine_of, plan_walk, walk_run, walk_xml
    from sistel.system import parse

    legs = len(machine_of(system.model).legs)
    gait = next(name for name, counts in GAITS.items() if legs in counts)
    walk = plan_walk(system.model, gait, stride=STRIDE)
    path = Path(job.path).resolve()
    walking = parse(walk_xml(walk, path.name, None, job.lang), str(path.with_name("walk.xml")))
    return walking, walk_run(walk, walking.model, job.lang)


def _run(system: System, job: Job, until: float, problems: list[Diagnostic]) -> Run | None:
    """The motion, as far as it goes; what stops it is told."""
    from sistel.simulation import RunError

    reasons = system.structure(None).why_not
    if reasons:
        problems.append(_note(job, Text("it cannot be simulated", "его нельзя моделировать"), reasons[0]))
        return None
    # Of this process alone: a machine that has much else to do must not change what is on the pages.
    limit = time.process_time() + PATIENCE

    def progress(now: float, structure: str) -> None:
        if time.process_time() > limit:
            raise KeyboardInterrupt  # a run that is interrupted keeps what it has

    start = system.model.start_time
    try:
        run = system.simulate(start + until, progress=progress, memory=MEMORY, inputs=job.inputs or None)
    except RunError as problem:
        problems.append(_note(job, Text("its motion ends early", "его движение кончается раньше"), _reason(problem)))
        run = problem.run
    except SistelError as problem:
        problems.append(_note(job, Text("it cannot be simulated", "его нельзя моделировать"), _reason(problem)))
        return None
    if run.stopped is not None and time.process_time() > limit:
        problems.append(
            _note(job, Text("its motion took too long", "его движение считалось слишком долго"), run.stopped)
        )
    return run if run.segments and run.end > run.begin else None


def _reason(problem: SistelError) -> Text:
    first = problem.diagnostics[0]
    return first.message


def _note(job: Job, what: Text, why: Text) -> Diagnostic:
    return Diagnostic(
        "no-motion", "warning", Text(f"{job.source}: {what.en}: {why.en}", f"{job.source}: {what.ru}: {why.ru}")
    )


def _page(system: System, run: Run | None, target: Path, job: Job, problems: list[Diagnostic]) -> tuple[bool, bool]:
    """Write the page, with the motion or without; whether it is there, and whether it has the motion."""
    from sistel.markup import write_text
    from sistel.views.page import draw_page

    for motion in dict.fromkeys((run, None)):
        try:
            text = draw_page(system.model, motion, lang=job.lang, back=BACK, studio=_studio(job))
        except SistelError as problem:
            what = Text("its page has no motion", "на его странице нет движения")
            if motion is None:
                what = Text("it has no page", "у него нет страницы")
            problems.append(_note(job, what, _reason(problem)))
            continue
        write_text(str(target), text)
        return True, motion is not None
    target.unlink(missing_ok=True)
    return False, False


def _studio(job: Job) -> str:
    """The address of the studio as pages see it: they lie one folder deeper than the index.

    None for models that include other files: a link has one.
    """
    from urllib.parse import urlsplit

    with suppress(OSError):
        if _INCLUDES.search(Path(job.path).read_bytes()):
            return ""
    outside = not job.studio or urlsplit(job.studio).scheme or job.studio.startswith("/")
    return job.studio if outside else f"../{job.studio}"


def _moving(run: Run, target: Path, lang: Language) -> bool:
    """Write a picture that moves, where there can be one that is not too large."""
    from sistel.markup import write_text
    from sistel.views.animation import animate_run

    try:
        text = str(animate_run(run, lang=lang))
    except SistelError:
        text = ""
    if not 0 < len(text) <= LARGEST_PICTURE:
        target.unlink(missing_ok=True)
        return False
    write_text(str(target), text)
    return True
