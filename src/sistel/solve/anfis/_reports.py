"""What can be expected of trained networks, said plainly."""

from __future__ import annotations

import math
from dataclasses import dataclass

from sistel.errors import Language, Text, user_language
from sistel.solve.anfis._errors import Errors

EXACT = 1e-8
"""Distance to a target within which inverse kinematics counts as solved [m]."""
POOR = 0.1
"""Part of the variance of a joint that may stay unexplained before the report warns of it."""
_HEAD = Text(
    f"{'':24}  {'RMSE':>10}  {'mean':>10}  {'median':>10}  {'95 %':>10}  {'worst':>10}",
    f"{'':24}  {'СКО':>10}  {'среднее':>10}  {'медиана':>10}  {'95 %':>10}  {'худшее':>10}",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seeding:
    """One attempt of a numerical solver per target, from its usual start and from what networks say."""

    usual_success: float
    """Part of the targets that are reached from the usual start, 0 to 1."""
    usual_iterations: float
    """In the mean."""
    success: float
    """Part of the targets that are reached from what networks say, 0 to 1."""
    iterations: float
    """In the mean."""

    def say(self) -> Text:
        """A sentence."""
        usual, seeded = 100.0 * self.usual_success, 100.0 * self.success
        return Text(
            f"one attempt of the solver reaches {usual:.3g} % of the targets in {self.usual_iterations:.3g} iterations "
            f"from its usual start, {seeded:.3g} % in {self.iterations:.3g} from the networks",
            f"одна попытка решателя достигает {usual:.3g} % целей за {self.usual_iterations:.3g} итераций от обычного "
            f"начала и {seeded:.3g} % за {self.iterations:.3g} от сетей",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Report:
    """Errors of networks, on cases that they were not taught."""

    joints: tuple[str, ...]
    errors: tuple[Errors, ...]
    """Of every coordinate [m or rad], or of every force [N or N·m]."""
    spreads: tuple[float, ...]
    """Standard deviation of each of them in the test."""
    samples: int
    """Postures or motions learnt from."""
    cut: bool
    """Whether learning was cut short."""

    @property
    def unexplained(self) -> tuple[float, ...]:
        """Part of the variance of each that the networks miss: 0 is perfect, 1 as good as the mean."""
        return tuple(
            (error.rmse / spread) ** 2 if spread > 0.0 else 0.0
            for error, spread in zip(self.errors, self.spreads, strict=True)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class IkReport(_Report):
    """Errors of networks for inverse kinematics, on postures that they were not taught."""

    place: Errors
    """Distance of the tool from the target, by forward kinematics of predictions within the ranges [m]."""
    turn: Errors | None
    """Angle of the tool to the target [rad]; None where the orientation does not matter."""
    solver: Errors | None
    """Distance from the target that a numerical solver leaves on some of the same targets [m]; None without one."""
    seeding: Seeding | None
    """What the networks are worth as a seed of that solver; None without one."""

    @property
    def worse_than_solver(self) -> bool:
        """Whether a numerical solver does better: the one that was tried, else one that reaches 1e-8 m."""
        return self.place.p95 > (EXACT if self.solver is None else max(self.solver.p95, EXACT))

    def verdict(self) -> tuple[Text, ...]:
        """What to make of the figures, in sentences."""
        place = self.place
        said = []
        if self.solver is not None:
            side = Text("worse", "хуже") if self.worse_than_solver else Text("no worse", "не хуже")
            said.append(
                Text(
                    f"{side.en} than the numerical solver: 95 % of tool errors are within {1e3 * place.p95:.3g} mm, "
                    f"with the solver within {1e3 * self.solver.p95:.3g} mm",
                    f"{side.ru} численного решения: 95 % ошибок инструмента не больше {1e3 * place.p95:.3g} мм, "
                    f"у численного не больше {1e3 * self.solver.p95:.3g} мм",
                )
            )
        elif self.worse_than_solver:
            said.append(
                Text(
                    "every target of the test can be reached exactly, the networks miss them by "
                    f"{1e3 * place.mean:.3g} mm in the mean: worse than any numerical solver that converges",
                    "каждую цель проверки можно достичь точно, сети промахиваются в среднем на "
                    f"{1e3 * place.mean:.3g} мм: хуже любого численного решения, которое сходится",
                )
            )
        if self.worse_than_solver:
            said.append(
                Text(
                    "use the networks as a seed for a solver", "используйте сети как начальное приближение для решателя"
                )
            )
        if self.seeding is not None:
            said.append(self.seeding.say())
        poor = [name for name, part in zip(self.joints, self.unexplained, strict=True) if part > POOR]
        if poor:
            names = ", ".join(poor[:8])
            said.append(
                Text(
                    f"badly learnt: {names}; perhaps several postures reach one pose, or angles jump by a turn: "
                    "narrow the ranges",
                    f"плохо выучены: {names}; возможно, одной цели отвечает несколько поз или углы скачут на оборот: "
                    "сузьте диапазоны",
                )
            )
        return (*said, *_cut(self.cut))

    def say(self, lang: Language | None = None) -> str:
        """The report as a text."""
        lang = lang or user_language()
        head = Text(
            f"Inverse kinematics by ANFIS, {self.samples} postures learnt, {self.place.count} tested",
            f"Обратная задача кинематики, АНСВ: выучено поз {self.samples}, проверено {self.place.count}",
        )
        lines = [head.say(lang), _HEAD.say(lang)]
        lines += _rows(self.joints, self.errors)
        lines.append(f"{Text('tool, distance', 'инструмент, расстояние').say(lang):24}  {self.place.say('mm', 1e3)}")
        if self.turn is not None:
            turn = self.turn.say("°", math.degrees(1.0))
            lines.append(f"{Text('tool, angle', 'инструмент, угол').say(lang):24}  {turn}")
        if self.solver is not None:
            lines.append(f"{Text('numerical solver', 'численное решение').say(lang):24}  {self.solver.say('mm', 1e3)}")
        return "\n".join([*lines, *(sentence.say(lang) for sentence in self.verdict())])

    def __str__(self) -> str:
        return self.say()


@dataclass(frozen=True, slots=True, kw_only=True)
class DynamicsReport(_Report):
    """Errors of networks for inverse dynamics, on motions that they were not taught."""

    def verdict(self) -> tuple[Text, ...]:
        """What to make of the figures, in sentences."""
        worst = max(range(len(self.joints)), key=lambda index: self.unexplained[index])
        share = 100.0 * math.sqrt(self.unexplained[worst])
        said = Text(
            f"worse than the equations, which give these forces to rounding: the networks miss up to {share:.3g} % of "
            f"the spread of a force ({self.joints[worst]})",
            f"хуже уравнений, которые дают эти силы с точностью до округления: сети промахиваются до {share:.3g} % "
            f"разброса силы ({self.joints[worst]})",
        )
        return (said, *_cut(self.cut))

    def say(self, lang: Language | None = None) -> str:
        """The report as a text."""
        lang = lang or user_language()
        head = Text(
            f"Inverse dynamics by ANFIS, {self.samples} motions learnt, {self.errors[0].count} tested",
            f"Обратная задача динамики, АНСВ: выучено движений {self.samples}, проверено {self.errors[0].count}",
        )
        lines = [head.say(lang), _HEAD.say(lang), *_rows(self.joints, self.errors)]
        return "\n".join([*lines, *(sentence.say(lang) for sentence in self.verdict())])

    def __str__(self) -> str:
        return self.say()


def _rows(joints: tuple[str, ...], errors: tuple[Errors, ...]) -> list[str]:
    # SI, without the unit: a joint may turn or slide.
    return [f"{name[:24]:24}  {error.say('')}".rstrip() for name, error in zip(joints, errors, strict=True)]


def _cut(cut: bool) -> tuple[Text, ...]:
    return (Text("learning was cut short", "обучение прервано"),) if cut else ()
