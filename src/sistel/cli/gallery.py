"""`sistel gallery`: a site of files with a page for every system."""

from __future__ import annotations

import math
import os
import signal
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sistel.cli._arguments import Call, Usage, wrong_call
from sistel.cli._console import Console
from sistel.cli._described import arguments, examples, options
from sistel.cli._progress import ProgressLine
from sistel.cli._site import Job, Outcome, make
from sistel.cli._site_store import Store
from sistel.cli._values import read_whole
from sistel.errors import Text

if TYPE_CHECKING:
    from concurrent.futures import Future

LENGTH = 5.0
"""Of motions that nobody gave a length [s]."""
LENGTHS = {
    "andrews_squeezer": 0.05,
    "dominoes": 1.5,
    "fuzzy_scout": 14.0,
    "line_follower": 15.0,
    "pendulum_wave": 20.0,
    "planar_biped": 0.6,
    "scout": 14.0,
}
"""Of models of the gallery that are over sooner, or have more to show [s]; those of the examples have theirs."""
AT_ONCE = 8
"""Processes at most, unless told otherwise; and no more than there are processors."""
MOST_AT_ONCE = 64
OFTEN = 3.0
"""Time between two states of the index [s]."""

USAGE = Usage(
    about=Text(
        "Makes a site of files that opens without a server and without a network: an index with a card for every "
        "model, which can be searched, and a page for each with its scheme, motion, plots and equations. What has not "
        "changed is not made again. Without files, the models that come along.",
        "Делает сайт из файлов, который открывается без сервера и без сети: указатель с карточкой на каждую модель, с "
        "поиском, и страницу для каждой: схема, движение, графики, уравнения. Что не изменилось, заново не делается. "
        "Без файлов — модели, которые входят в поставку.",
    ),
    arguments=arguments(
        """
        files: [FILE | ФАЙЛ] @file *
            systems in XsysTel, URDF or MJCF
            системы в XsysTel, URDF или MJCF
        """
    ),
    options=options(
        """
        --output -o FOLDER | ПАПКА
            where the site goes
            куда положить сайт
        --until TIME | ВРЕМЯ
            length of the motions: 3, 800 ms; 5 s by default, or as in the examples
            длина движений: 3, 800 мс; по умолчанию 5 с или как в примерах
        --still
            pages without motions
            страницы без движений
        --studio ADDRESS | АДРЕС
            where the studio without a server lies, as seen from the index: pages open their models in it
            где лежит студия без сервера, если смотреть из указателя: страницы открывают в ней свои модели
        --jobs NUMBER | ЧИСЛО
            how many pages are made at once: as many as there are processors, up to 8
            сколько страниц делать сразу: по числу процессоров, до 8
        """
    ),
    examples=examples(
        """
        sistel gallery -o site
            all models that come along
            все модели из поставки
        sistel gallery *.xml -o site
            one's own models
            свои модели
        """
    ),
)


def run(call: Call, console: Console) -> int:
    """Make the site."""
    from sistel.cli._main import DONE, INTERRUPTED, OWN_ERROR, WRONG_MODEL

    target = call.value("output")
    if target is None:
        wrong_call(
            "missing-option",
            Text("it does not say where the site goes", "не сказано, куда положить сайт"),
            expected=Text("--output FOLDER", "--output ПАПКА"),
        )
    folder, at_once = Path(target), _at_once(call)
    jobs = _jobs(call, folder, console)
    for part in (folder, folder / "thumbs", folder / "models"):
        part.mkdir(parents=True, exist_ok=True)
    site = _Site(folder, jobs, console)
    progress = _Progress(len(jobs), console)
    try:
        for outcome in _made(site.left(), at_once):
            site.add(outcome)
            progress.ready(len(site.outcomes), outcome.source)
    except KeyboardInterrupt:
        progress.wipe()
        site.write(whole=False)
        console.message(
            Text(
                f"interrupted: {site.good} of {len(jobs)} pages are made, and the index has what is there",
                f"прервано: сделано страниц {site.good} из {len(jobs)}, указатель содержит то, что есть",
            )
        )
        return INTERRUPTED
    progress.wipe()
    outcomes = site.write(whole=True)
    _tell(folder, outcomes, console)
    if any(problem.code == "own-error" for outcome in outcomes for problem in outcome.problems):
        return OWN_ERROR
    return DONE if all(outcome.card is not None for outcome in outcomes) else WRONG_MODEL


def _jobs(call: Call, folder: Path, console: Console) -> list[Job]:
    from sistel.cli._demos import DEMOS
    from sistel.cli._gallery import Entry, entries
    from sistel.cli._values import read_number
    from sistel.units import TIME
    from sistel.views.gallery import slugs

    text = call.value("until")
    until = LENGTH if text is None else read_number("--until", text, TIME)
    if not 0.0 < until < math.inf:
        wrong_call("bad-number", Text(f'--until cannot be "{text}"', f"--until не может быть «{text}»"))
    studio = _address(call.value("studio"))
    known = {} if text is not None else {**LENGTHS, **{demo.model: demo.until for demo in DEMOS}}
    pressed = {demo.model: demo.inputs for demo in DEMOS}
    given = list(dict.fromkeys(call.all("files")))
    found = [Entry(path, Path(path)) for path in given] if given else list(entries())
    if not found:
        wrong_call("no-models", Text("no gallery is installed", "галерея не установлена"))
    names = slugs(Path(entry.name).name if given else entry.name for entry in found)
    return [
        Job(
            path=str(entry.path),
            slug=slug,
            source=entry.name if given else entry.path.name,
            about=_about(entry),
            folder=str(folder),
            lang=console.lang,
            until=until if given else known.get(entry.name, until),
            runs=not call.given("still"),
            inputs={} if given else pressed.get(entry.name, {}),
            names=None if given else entry.names,
            walks=not given and entry.walks,
            cut=text is not None,
            studio=studio,
        )
        for entry, slug in zip(found, names, strict=True)
    ]


def _address(text: str | None) -> str:
    """An address that pages may lead to: one beside them, or of a server."""
    from urllib.parse import urlsplit

    if text is None:
        return ""
    try:
        scheme = urlsplit(text).scheme
    except ValueError:
        scheme = "?"
    if scheme not in ("", "http", "https") or not text.isprintable() or not text.endswith("/"):
        wrong_call(
            "bad-address",
            Text(f'--studio cannot be "{text}"', f"--studio не может быть «{text}»"),
            expected=Text("an address of a folder: ../studio/", "адрес папки: ../studio/"),
        )
    return text


def _about(entry: object) -> str:
    """What the comment of a file says; nothing where it cannot be read, which is told when it is loaded."""
    from sistel.cli._gallery import Entry

    assert isinstance(entry, Entry)
    try:
        return entry.about()
    except (OSError, UnicodeError):
        return ""


def _at_once(call: Call) -> int:
    return read_whole(call, "jobs", 1, MOST_AT_ONCE) or min(os.cpu_count() or 1, AT_ONCE)


def _made(jobs: Sequence[Job], at_once: int) -> Iterator[Outcome]:
    """The systems one after another as they are ready."""
    at_once = min(at_once, len(jobs))
    if at_once < 2:
        yield from map(make, jobs)
        return
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    pool = ProcessPoolExecutor(at_once, mp_context=get_context("spawn"), initializer=_ready)
    try:
        waiting: dict[Future[Outcome], Job] = {pool.submit(make, job): job for job in jobs}
        left = dict(waiting)
        try:
            for future in as_completed(waiting):
                outcome = future.result()
                del left[future]
                yield outcome
        except BrokenProcessPool:
            # A process that was killed, for want of memory perhaps: the rest is made here, one by one.
            yield from map(make, left.values())
    except BaseException:
        # Whoever has made half of a page has written none of it.
        for process in list(getattr(pool, "_processes", {}).values()):
            process.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _ready() -> None:
    """What a process does first: Ctrl-C goes to all processes of a terminal, and the first of them ends the others."""
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Wait for the first process to end, however it does: nobody needs the pages then."""
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class _Site:
    """A site that is being made: its index leads to what is there at any time."""

    def __init__(self, folder: Path, jobs: Sequence[Job], console: Console) -> None:
        """What an earlier build has made of the same is there at once."""
        self.folder, self.jobs, self.console = folder, jobs, console
        self.store = Store(folder)
        self.outcomes = {job.slug: known for job in jobs if (known := self.store.found(job)) is not None}
        self.asked = {job.slug: job for job in jobs}
        self.next = time.monotonic() + OFTEN

    @property
    def good(self) -> int:
        """How many pages there are."""
        return sum(outcome.card is not None for outcome in self.outcomes.values())

    def left(self) -> list[Job]:
        """What is still to be made."""
        return [job for job in self.jobs if job.slug not in self.outcomes]

    def add(self, outcome: Outcome) -> None:
        """A page is ready; now and then the index is written anew, as whoever is killed cannot do it in the end."""
        self.outcomes[outcome.slug] = outcome
        self.store.add(self.asked[outcome.slug], outcome)
        if time.monotonic() >= self.next:
            self.write(whole=False)
            self.next = time.monotonic() + OFTEN

    def write(self, *, whole: bool) -> list[Outcome]:
        """Write the index, and what is known of its pages.

        Args:
            whole: Whether nothing is left to do; else pages of an earlier build stand where they are not made yet.
        """
        from sistel.markup import write_text
        from sistel.views.gallery import draw_index

        found = [(job, self.outcomes.get(job.slug)) for job in self.jobs]
        cards = [outcome.card if outcome is not None else self.store.last(job) for job, outcome in found]
        there = [card for card in cards if card is not None]
        if whole or there:
            write_text(str(self.folder / "index.html"), draw_index(there, self.console.lang))
            self.store.write(whole=whole)
        return [outcome for _, outcome in found if outcome is not None]


def _tell(folder: Path, outcomes: Sequence[Outcome], console: Console) -> None:
    made = [outcome for outcome in outcomes if outcome.card is not None and outcome.card.page]
    index = folder / "index.html"
    if console.json:
        console.document(
            {
                "output": str(index),
                "models": [
                    {
                        "file": outcome.source,
                        "name": None if outcome.card is None else outcome.card.name,
                        "page": f"models/{outcome.card.slug}.html" if outcome.card and outcome.card.page else None,
                        "motion": outcome.card is not None and outcome.card.run,
                        "seconds": round(outcome.seconds, 3),
                        "kept": outcome.kept,
                        "diagnostics": [problem.to_json(console.lang) for problem in outcome.problems],
                    }
                    for outcome in outcomes
                ],
            }
        )
        return
    for outcome in outcomes:
        console.diagnostics(outcome.problems)
    moving = sum(outcome.card is not None and outcome.card.run for outcome in made)
    kept = sum(outcome.kept for outcome in made)
    console.message(
        Text(
            f"written: {index}, {len(made)} pages, {moving} with a motion{f', {kept} as they were' if kept else ''}",
            f"записано: {index}, страниц: {len(made)}, с движением: {moving}{f', прежних: {kept}' if kept else ''}",
        )
    )


class _Progress(ProgressLine):
    """How many are ready, on a terminal, in one line."""

    def __init__(self, count: int, console: Console) -> None:
        super().__init__(console)
        self.count = count
        self.show(f"0 / {count}")

    def ready(self, number: int, name: str) -> None:
        shown = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in name)
        self.show(f"{number} / {self.count}  {shown}")
