"""Networks in files: JSON with a version; what is not such a file is refused."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from sistel._version import __version__
from sistel.errors import SistelError, Text, refuse
from sistel.files import drafted, open_regular, reason_of
from sistel.solve.anfis._dynamics import DynamicsNets
from sistel.solve.anfis._errors import Errors
from sistel.solve.anfis._ik import IkNets
from sistel.solve.anfis._network import Anfis
from sistel.solve.anfis._poses import NAMES
from sistel.solve.anfis._reports import DynamicsReport, IkReport, Seeding

if TYPE_CHECKING:
    from collections.abc import Sized

    from sistel.arrays import Array
    from sistel.plain import Json, JsonObject


FORMAT = 1
"""Version of the files."""
MOST_BYTES = 16 * 2**20
"""Size of a file; networks for an arm have some hundred kilobytes."""
_BROKEN = (ValueError, TypeError, LookupError, RecursionError, MemoryError, OverflowError, AttributeError)
"""What reading something else may raise."""

Nets = Anfis | IkNets | DynamicsNets
"""What files hold."""


def save(nets: Nets, path: str | os.PathLike[str]) -> None:
    """Write networks to a JSON file, to the last bit; it is replaced whole or not at all.

    Raises:
        SistelError: The file cannot be written.
    """
    kinds: dict[type, str] = {Anfis: "network", IkNets: "inverse kinematics", DynamicsNets: "inverse dynamics"}
    if type(nets) not in kinds:
        refuse("no-file", Text("only networks can be saved so", "так сохраняют только сети"))
    data = {"format": "sistel anfis", "version": FORMAT, "sistel": __version__, "kind": kinds[type(nets)]}
    text = json.dumps(data | _plain(nets), ensure_ascii=False, allow_nan=False)
    target = Path(path)
    try:
        with drafted(target) as draft:
            draft.write_text(text + "\n", encoding="utf-8")
    except OSError as problem:
        said = reason_of(problem)
        refuse("no-file", Text(f"{target}: {said.en}", f"{target}: {said.ru}"))


def load(path: str | os.PathLike[str]) -> Nets:
    """Read networks back.

    Raises:
        SistelError: There is no such file, or it is not one of networks.
    """
    target = Path(path)
    try:
        with open_regular(target) as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as problem:
        said = reason_of(problem)
        refuse("no-file", Text(f"{target}: {said.en}", f"{target}: {said.ru}"))
    if len(content) > MOST_BYTES:
        _refuse(target)
    try:
        data = json.loads(content.decode("utf-8"), parse_constant=_no_number)
        known = data["format"] == "sistel anfis" and isinstance(data["version"], int)
    except _BROKEN:
        _refuse(target)
    if not known:
        _refuse(target)
    if data["version"] > FORMAT:
        refuse(
            "newer-file",
            Text(
                f"{target} is of version {data['version']}, known are those up to {FORMAT}",
                f"{target}: версия {data['version']}, известны до {FORMAT}",
            ),
            hint=Text("a newer sistel reads it", "его прочтёт более новый sistel"),
        )
    readers: dict[str, Callable[[Json], Nets]]
    readers = {"network": _network, "inverse kinematics": _ik, "inverse dynamics": _dynamics}
    try:
        return readers[data["kind"]](data)
    except (*_BROKEN, SistelError):
        _refuse(target)


def _refuse(path: Path) -> NoReturn:
    refuse(
        "no-file",
        Text(f"{path} is no file of networks, or is damaged", f"{path} — не файл сетей или повреждён"),
        expected=Text("a file that sistel.solve.anfis.save wrote", "файл, который записала sistel.solve.anfis.save"),
    )


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number of JSON")


def _plain(value: object) -> Any:
    """Frozen data as what JSON knows."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Errors):
        return asdict(value)
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if hasattr(value, "__dataclass_fields__"):
        return {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}
    return value


def _numbers(value: object) -> Array:
    """Numbers and nothing that only looks so."""
    items = [value]
    while items:
        item = items.pop()
        if isinstance(item, list):
            items += item
        elif not isinstance(item, (int, float)) or isinstance(item, bool) or not math.isfinite(item):
            raise TypeError("no number")
    return np.array(value, dtype=np.float64)


def _network(data: Json) -> Anfis:
    return Anfis(**{name: _numbers(data[name]) for name in Anfis.__dataclass_fields__})


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError("no list")
    return tuple(_text(each) for each in value)


def _indices(value: object, end: int) -> tuple[int, ...]:
    """Positions in rising order, each once, below an end."""
    if not isinstance(value, list) or not all(type(each) is int and 0 <= each < end for each in value):
        raise ValueError("no positions")
    if sorted(set(value)) != value or not value:
        raise ValueError("no positions")
    return tuple(value)


def _errors(data: Json) -> Errors:
    figures = {name: float(_numbers(data[name])) for name in Errors.__dataclass_fields__ if name != "count"}
    return Errors(**figures, count=int(_numbers(data["count"])))


def _seeding(data: Json) -> Seeding:
    return Seeding(**{name: float(_numbers(data[name])) for name in Seeding.__dataclass_fields__})


def _common(data: Json) -> JsonObject:
    """What both reports hold."""
    return {
        "joints": _texts(data["joints"]),
        "errors": tuple(_errors(each) for each in data["errors"]),
        "spreads": tuple(_numbers(data["spreads"]).tolist()),
        "samples": int(_numbers(data["samples"])),
        "cut": bool(data["cut"]),
    }


def _check_counts(joints: tuple[str, ...], *others: Sized) -> None:
    if not joints or any(len(each) != len(joints) for each in others):
        raise ValueError("different numbers of joints")


def _ik(data: Json) -> IkNets:
    said = data["report"]
    report = IkReport(
        **_common(said),
        place=_errors(said["place"]),
        turn=None if said["turn"] is None else _errors(said["turn"]),
        solver=None if said["solver"] is None else _errors(said["solver"]),
        seeding=None if said["seeding"] is None else _seeding(said["seeding"]),
    )
    nets = IkNets(
        networks=tuple(_network(each) for each in data["networks"]),
        joints=_texts(data["joints"]),
        frame=_text(data["frame"]),
        orientation=data["orientation"],
        uses=_indices(data["uses"], len(NAMES[data["orientation"]])),
        middle=_numbers(data["middle"]),
        low=_numbers(data["low"]),
        high=_numbers(data["high"]),
        fingerprint=_text(data["fingerprint"]),
        report=report,
    )
    _check_counts(nets.joints, nets.networks, nets.low, nets.high, report.joints, report.errors, report.spreads)
    arrays = np.concatenate([nets.low, nets.high, nets.middle])
    if nets.middle.shape != (3,) or not np.isfinite(arrays).all() or not (nets.low < nets.high).all():
        raise ValueError("no ranges")
    if any(network.inputs != len(nets.uses) for network in nets.networks):
        raise ValueError("networks of other inputs")
    return nets


def _dynamics(data: Json) -> DynamicsNets:
    report = DynamicsReport(**_common(data["report"]))
    joints = _texts(data["joints"])
    nets = DynamicsNets(
        networks=tuple(_network(each) for each in data["networks"]),
        joints=joints,
        uses=tuple(_indices(each, 3 * len(joints)) for each in data["uses"]),
        fingerprint=_text(data["fingerprint"]),
        report=report,
    )
    _check_counts(joints, nets.networks, nets.uses, report.joints, report.errors, report.spreads)
    if any(network.inputs != len(used) for network, used in zip(nets.networks, nets.uses, strict=True)):
        raise ValueError("networks of other inputs")
    return nets
