"""Model → proof sheet."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from sistel.errors import Language, SistelError, Text
from sistel.model import Model, Structure
from sistel.proofs._claim import Claim
from sistel.proofs._code import STRUCTURE_CODE, TREE_CODE
from sistel.proofs._impact import IMPACT
from sistel.proofs._motion import MOTION
from sistel.proofs._reactions import REACTIONS
from sistel.proofs._rolling import ROLLING
from sistel.proofs._shapes import SHAPES
from sistel.proofs._sheet import Form, Proof, ProofSheet, Section
from sistel.proofs._structure import STRUCTURE
from sistel.proofs._subject import StructureSubject, Subject
from sistel.proofs._tree import BIG, TREE

TREE_CLAIMS: tuple[Claim[Subject], ...] = (*TREE, *MOTION, *TREE_CODE)
STRUCTURE_CLAIMS: tuple[Claim[StructureSubject], ...] = (
    *STRUCTURE,
    *ROLLING,
    *SHAPES,
    *REACTIONS,
    *IMPACT,
    *STRUCTURE_CODE,
)

Progress = Callable[[int, int, Text], None]
"""Told before every proof: how many are done, how many there are, and what comes."""

LOSSY = 1e6
"""Condition from which it is worth knowing how many digits are left."""
TREE_TITLE = Text("Tree of bodies", "Дерево тел")
APART = 1e-9
"""Distance [m or rad] at which the links of an assembled posture count as apart."""


def prove(
    model: Model,
    *,
    structure: str | None = None,
    states: int | None = None,
    seed: int = 1,
    progress: Progress | None = None,
    draw: Callable[[ProofSheet, Form, Language], str] | None = None,
) -> ProofSheet:
    """Compute every quantity of a model in two independent ways, and compare.

    Args:
        model: The system.
        structure: The only structure to look at; all of them by default.
        states: How many random states of the tree of bodies; structures get half as many.
        seed: Of the random states.
        progress: Told before every proof.
        draw: Makes pages of the sheet.
    """
    chosen = [known for known in model.structures if structure in (None, known.name)]
    total = len(TREE_CLAIMS) + len(chosen) * len(STRUCTURE_CLAIMS)
    ticks = _Ticks(progress, total)
    subject = Subject(model, states, seed)
    if model.nv == 0:
        sections = [_nothing()]
    else:
        with np.errstate(all="ignore"):  # numbers that are none fail their proofs
            sections = [_tree(subject, ticks), *(_structure(subject, known, ticks) for known in chosen)]
    return ProofSheet(name=model.name, fingerprint=model.fingerprint, seed=seed, sections=tuple(sections), draw=draw)


class _Ticks:
    def __init__(self, progress: Progress | None, total: int) -> None:
        self.progress, self.total, self.done = progress, total, 0

    def __call__(self, claims: tuple[Claim[Any], ...]) -> Iterator[Claim[Any]]:
        for claim in claims:
            if self.progress is not None:
                self.progress(self.done, self.total, claim.what)
            yield claim
            self.done += 1


def _proofs(claims: tuple[Claim[Any], ...], subject: object, ticks: _Ticks) -> tuple[Proof, ...]:
    made = (claim.prove(subject) for claim in ticks(claims))
    return tuple(proof for proof in made if proof is not None)


def _tree(subject: Subject, ticks: _Ticks) -> Section:
    return Section(key="tree", structure=None, title=TREE_TITLE, proofs=_proofs(TREE_CLAIMS, subject, ticks))


def _structure(whole: Subject, structure: Structure, ticks: _Ticks) -> Section:
    title = Text(f"Structure “{structure.name}”", f"Структура «{structure.name}»")
    if structure.span is None:
        title = Text("The system with its links", "Система со связями")

    def section(proofs: tuple[Proof, ...], *remarks: Text) -> Section:
        return Section(key="structure", structure=structure.name, title=title, proofs=proofs, remarks=remarks)

    if structure.why_not:
        ticks.done += len(STRUCTURE_CLAIMS)
        return section((), *structure.why_not)
    if whole.huge:
        ticks.done += len(STRUCTURE_CLAIMS)
        return section((), BIG.reason)
    subject = StructureSubject(whole, structure)
    error = 0.0 if subject.free else subject.start[1]
    if not error <= APART:
        ticks.done += len(STRUCTURE_CLAIMS)
        initial = structure.name == whole.model.start_structure
        return section(_apart(error) if initial else (), _cannot_assemble(error))
    return section(_proofs(STRUCTURE_CLAIMS, subject, ticks), *_remarks(subject))


def _condition(subject: StructureSubject) -> float:
    """Of the equations of motion; 0 where the claims have already said that there is none."""
    try:
        return subject.condition
    except (SistelError, ArithmeticError, np.linalg.LinAlgError):
        return 0.0


def _nothing() -> Section:
    remark = Text("nothing moves: all joints are fixed", "ничего не движется: все КП неподвижны")
    return Section(key="tree", structure=None, title=TREE_TITLE, proofs=(), remarks=(remark,))


def _apart(error: float) -> tuple[Proof, ...]:
    """The start of the file must meet what the file says; other structures may begin far from it."""
    (claim,) = (claim for claim in STRUCTURE_CLAIMS if claim.key == "closed")
    return (Proof(key=claim.key, what=claim.what, ways=claim.ways, error=error, tolerance=APART, states=1),)


def _cannot_assemble(error: float) -> Text:
    return Text(
        f"cannot be assembled near the start of the file: its links remain {error:.3g} apart [m or rad]",
        f"не собирается вблизи начала файла: связи расходятся на {error:.3g} [м или рад]",
    )


def _remarks(subject: StructureSubject) -> Iterator[Text]:
    if subject.free:
        return
    found = subject.mobility
    if found.redundant:
        links = ", ".join(found.redundant_links)
        yield Text(
            f"redundant constraints: {len(found.redundant)}, of {links}; the reactions of rigid bodies are not unique, "
            f"degrees of freedom {found.dof} instead of Grübler's {found.grubler}",
            f"избыточных связей {len(found.redundant)}: {links}; реакции твёрдых тел не единственны, "
            f"степеней свободы {found.dof}, а по формуле Грюблера {found.grubler}",
        )
    if _condition(subject) > LOSSY:
        left = max(0, round(-math.log10(min(subject.units.rounding * subject.condition, 1.0))))
        yield Text(
            f"condition {subject.condition:.0e}: of accelerations and reactions only {left} digits are certain; such "
            "are light bodies beside heavy ones, and postures that are nearly singular",
            f"обусловленность {subject.condition:.0e}: у ускорений и реакций надёжны лишь {left} знаков; так бывает, "
            "когда лёгкие тела рядом с тяжёлыми, и вблизи особых положений",
        )
    if found.singular:
        yield Text("the first posture is singular", "начальное положение особое")
