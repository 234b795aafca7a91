"""Travels in files: tables and arrays; pictures and pages are made further up."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Language, Text, refuse
from sistel.files import cell
from sistel.markup import write_bytes

if TYPE_CHECKING:
    from sistel.arms.travels._travel import Travel
    from sistel.arrays import Array
    from sistel.motion.trajectories import MotionTable


SUFFIXES = (".csv", ".npz", ".svg", ".html", ".table.html", ".table.csv", ".table.ods", ".table.xlsx")


def save_travel(travel: Travel, path: str | os.PathLike[str], lang: Language | None) -> None:
    """Write a travel, see `Travel.save`; a file is replaced whole or not at all."""
    target = Path(path)
    kind = next((each for each in reversed(SUFFIXES) if target.name.casefold().endswith(each)), None)
    if kind is None:
        suffixes = ", ".join(SUFFIXES)
        refuse(
            "unknown-format",
            Text(f'"{target.suffix}" is no format of a travel', f"«{target.suffix}» — не формат движения"),
            expected=Text(suffixes, suffixes),
        )
    if kind == ".html":
        travel.run.save(target, lang=lang)
        return
    if kind.startswith(".table"):
        joint_table(travel).save(target, lang=lang)
        return
    write_bytes(str(target), _npz(travel) if kind == ".npz" else _text(travel, kind, lang).encode())


def _text(travel: Travel, kind: str, lang: Language | None) -> str:
    return csv_of(travel) if kind == ".csv" else travel.plot(lang)


def joint_table(travel: Travel) -> MotionTable:
    """The motion of the joints as a table, angles in degrees, lengths in millimetres."""
    from sistel.motion.trajectories import motion_table

    t, first = np.unique(travel.t, return_index=True)
    units = ["deg" if kind == "turn" else "mm" for kind in travel.model.rate_kinds]
    return motion_table(t, travel.q[first], names=travel.names, units=units)


def columns_of(travel: Travel) -> dict[str, Array]:
    """Everything by the heads of a table, with units."""
    made = {"t [s]": travel.t}
    kinds = travel.model.rate_kinds
    names = list(zip(travel.names, kinds, strict=True))

    def joints(word: str, values: Array, turn: str, slide: str) -> None:
        for i, (name, kind) in enumerate(names):
            made[f"{word} {name} [{turn if kind == 'turn' else slide}]"] = values[:, i]

    joints("q", travel.q, "rad", "m")
    joints("v", travel.v, "rad/s", "m/s")
    joints("a", travel.a, "rad/s^2", "m/s^2")
    joints("torque", travel.torques, "N*m", "N")
    if travel.torques_anfis is not None:
        joints("torque_anfis", travel.torques_anfis, "N*m", "N")
    joints("power", travel.power, "W", "W")
    joints("energy", travel.energy, "J", "J")
    for word, values in (("x", travel.positions), ("v", travel.velocity[:, 3:]), ("a", travel.acceleration[:, 3:])):
        unit = {"x": "m", "v": "m/s", "a": "m/s^2"}[word]
        for i, axis in enumerate("xyz"):
            made[f"tool {axis if word == 'x' else word + axis} [{unit}]"] = values[:, i]
    for i, axis in enumerate("xyz"):
        made[f"tool w{axis} [rad/s]"] = travel.velocity[:, i]
    for name, load in travel.reactions.items():
        for i, (word, unit) in enumerate((("M", "N*m"), ("F", "N"))):
            for k, axis in enumerate("xyz"):
                made[f"{word}{axis} {name} [{unit}]"] = load[:, 3 * i + k]
    return made


def csv_of(travel: Travel) -> str:
    """A table with commas; every number reads back to the bit."""
    columns = columns_of(travel)
    lines = [",".join(cell(head) for head in columns)]
    lines += [",".join(map(repr, row)) for row in zip(*(each.tolist() for each in columns.values()), strict=True)]
    return "\r\n".join(lines) + "\r\n"


def _npz(travel: Travel) -> bytes:
    from sistel._version import __version__

    meta = {
        "sistel": __version__,
        "system": travel.model.name,
        "fingerprint": travel.model.fingerprint,
        "frame": travel.frame,
        "names": travel.names,
        "applied": travel.applied,
        "payload": None
        if travel.payload is None
        else [travel.payload.mass, *travel.payload.centre, *travel.payload.inertia],
        "reactions": list(travel.reactions),
        "crossings": [
            {
                "quantity": each.quantity,
                "names": each.names,
                "time": each.time,
                "worst": each.worst,
                "limit": each.limit,
            }
            for each in travel.crossings
        ],
    }
    words = ("t", "q", "v", "a", "poses", "velocity", "acceleration", "torques", "power", "energy", "singular")
    arrays = {word: getattr(travel, word) for word in words}
    if travel.torques_anfis is not None:
        arrays["torques_anfis"] = travel.torques_anfis
    for i, load in enumerate(travel.reactions.values()):
        arrays[f"reaction_{i}"] = load
    buffer = io.BytesIO()
    np.savez_compressed(buffer, meta=np.array(json.dumps(meta, ensure_ascii=False)), **arrays)
    return buffer.getvalue()
