"""The method of Dormand and Prince of order 8 with its two estimates of the error and its dense output, as a table.

The numbers are those of Hairer, Nørsett and Wanner, "Solving Ordinary Differential Equations I", 2nd edition, 1993,
section II.5 (the method and the estimates of order 5 and 3) and II.6 (the dense output of order 7), rounded to doubles.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from sistel.simulation.implicit._tableaus import Method, locked, watched_nodes

if TYPE_CHECKING:
    from sistel.arrays import Array


Row = Mapping[int, float]
"""Weights by the number of a stage; those that are missing are 0."""

STAGES: Final = 16
"""The method has 12; one more is the end of the step, where the next one begins, and three are for the dense output."""
DEGREE: Final = 8
"""Of the polynomials that stand for watched functions; the dense output is of degree 7."""

ROOT: Final = math.sqrt(6.0)
NODES: Final = (
    *(0.0, 4 * (6 - ROOT) / 270, (6 - ROOT) / 45, (6 - ROOT) / 30, (6 + ROOT) / 30, 1 / 3, 1 / 4, 4 / 13),
    *(127 / 195, 3 / 5, 6 / 7, 1.0, 1.0, 1 / 10, 1 / 5, 7 / 9),
)
"""Where the stages are, in parts of the step."""

ROWS: Final[tuple[Row, ...]] = (
    {},
    {0: 0.05260015195876773},
    {0: 0.0197250569845379, 1: 0.0591751709536137},
    {0: 0.02958758547680685, 2: 0.08876275643042054},
    {0: 0.2413651341592667, 2: -0.8845494793282861, 3: 0.924834003261792},
    {0: 0.037037037037037035, 3: 0.17082860872947386, 4: 0.12546768756682242},
    {0: 0.037109375, 3: 0.17025221101954405, 4: 0.06021653898045596, 5: -0.017578125},
    {
        0: 0.03709200011850479,
        3: 0.17038392571223998,
        4: 0.10726203044637328,
        5: -0.015319437748624402,
        6: 0.008273789163814023,
    },
    {
        0: 0.6241109587160757,
        3: -3.3608926294469414,
        4: -0.868219346841726,
        5: 27.59209969944671,
        6: 20.154067550477894,
        7: -43.48988418106996,
    },
    {
        0: 0.47766253643826434,
        3: -2.4881146199716677,
        4: -0.590290826836843,
        5: 21.230051448181193,
        6: 15.279233632882423,
        7: -33.28821096898486,
        8: -0.020331201708508627,
    },
    {
        0: -0.9371424300859873,
        3: 5.186372428844064,
        4: 1.0914373489967295,
        5: -8.149787010746927,
        6: -18.52006565999696,
        7: 22.739487099350505,
        8: 2.4936055526796523,
        9: -3.0467644718982196,
    },
    {
        0: 2.273310147516538,
        3: -10.53449546673725,
        4: -2.0008720582248625,
        5: -17.9589318631188,
        6: 27.94888452941996,
        7: -2.8589982771350235,
        8: -8.87285693353063,
        9: 12.360567175794303,
        10: 0.6433927460157636,
    },
    {
        0: 0.054293734116568765,
        5: 4.450312892752409,
        6: 1.8915178993145003,
        7: -5.801203960010585,
        8: 0.3111643669578199,
        9: -0.1521609496625161,
        10: 0.20136540080403034,
        11: 0.04471061572777259,
    },
    {
        0: 0.056167502283047954,
        6: 0.25350021021662483,
        7: -0.2462390374708025,
        8: -0.12419142326381637,
        9: 0.15329179827876568,
        10: 0.00820105229563469,
        11: 0.007567897660545699,
        12: -0.008298,
    },
    {
        0: 0.03183464816350214,
        5: 0.028300909672366776,
        6: 0.053541988307438566,
        7: -0.05492374857139099,
        10: -0.00010834732869724932,
        11: 0.0003825710908356584,
        12: -0.00034046500868740456,
        13: 0.1413124436746325,
    },
    {
        0: -0.42889630158379194,
        5: -4.697621415361164,
        6: 7.683421196062599,
        7: 4.06898981839711,
        8: 0.3567271874552811,
        12: -0.0013990241651590145,
        13: 2.9475147891527724,
        14: -9.15095847217987,
    },
)
"""Of every stage: how the rates of those before it make it. Row 12 is the method itself."""

FIFTH: Final[Row] = {
    0: 0.01312004499419488,
    5: -1.2251564463762044,
    6: -0.4957589496572502,
    7: 1.6643771824549864,
    8: -0.35032884874997366,
    9: 0.3341791187130175,
    10: 0.08192320648511571,
    11: -0.022355307863886294,
}
"""How the method differs from a formula of order 5."""

THIRD: Final[Row] = {0: 31 / 127, 8: 1 - 31 / 127 - 3 / 136, 11: 3 / 136}
"""A formula of order 3."""

DENSE: Final[tuple[Row, ...]] = (
    {
        0: -8.428938276109013,
        5: 0.5667149535193777,
        6: -3.0689499459498917,
        7: 2.38466765651207,
        8: 2.117034582445028,
        9: -0.871391583777973,
        10: 2.2404374302607883,
        11: 0.6315787787694688,
        12: -0.08899033645133331,
        13: 18.148505520854727,
        14: -9.194632392478356,
        15: -4.436036387594894,
    },
    {
        0: 10.427508642579134,
        5: 242.28349177525817,
        6: 165.20045171727028,
        7: -374.5467547226902,
        8: -22.113666853125306,
        9: 7.733432668472264,
        10: -30.674084731089398,
        11: -9.332130526430229,
        12: 15.697238121770845,
        13: -31.139403219565178,
        14: -9.35292435884448,
        15: 35.81684148639408,
    },
    {
        0: 19.985053242002433,
        5: -387.0373087493518,
        6: -189.17813819516758,
        7: 527.8081592054236,
        8: -11.57390253995963,
        9: 6.8812326946963,
        10: -1.0006050966910838,
        11: 0.7777137798053443,
        12: -2.778205752353508,
        13: -60.19669523126412,
        14: 84.32040550667716,
        15: 11.99229113618279,
    },
    {
        0: -25.69393346270375,
        5: -154.18974869023643,
        6: -231.5293791760455,
        7: 357.6391179106141,
        8: 93.40532418362432,
        9: -37.45832313645163,
        10: 104.0996495089623,
        11: 29.8402934266605,
        12: -43.53345659001114,
        13: 96.32455395918828,
        14: -39.17726167561544,
        15: -149.72683625798564,
    },
)
"""How the rates of all stages make the last four terms of the dense output."""


def _full(row: Row) -> Array:
    made = np.zeros(STAGES)
    made[list(row)] = list(row.values())
    return made


def power_weights() -> Array:
    """How the rates of all stages make the coefficients of the powers 1 to 7 of the time on a step, shape (7, 16).

    The dense output is y + x (F₀ + (1 - x) (F₁ + x (F₂ + (1 - x) (F₃ + …)))), multiplied out here.
    """
    step, start, end = _full(ROWS[12]), np.eye(STAGES)[0], np.eye(STAGES)[12]
    terms = [step, start - step, 2 * step - start - end, *map(_full, DENSE)]
    powers = np.zeros((7, STAGES))
    for place, term in reversed(list(enumerate(terms))):
        higher = np.vstack([np.zeros(STAGES), powers[:-1]])
        powers = powers - higher if place % 2 == 0 else higher
        powers[0] += term
    return powers


@lru_cache(maxsize=1)
def dormand_prince() -> Method:
    """The method of order 8.

    After the common part its table has: the weights of the stages in the two estimates of the error, of order 5 and of
    order 3; then those in the coefficients of the dense output, power by power.
    """
    A = np.array([_full(row) for row in ROWS])
    parts = [np.array(NODES), A[12], A.ravel(), watched_nodes(DEGREE)]
    own = [_full(FIFTH), A[12] - _full(THIRD), power_weights().ravel()]
    return Method(stages=STAGES, order=8, degree=DEGREE, table=locked([*parts, *own]))
