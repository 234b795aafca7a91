"""Sections as files."""

from __future__ import annotations

import io
import math
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final, Unpack

import numpy as np

from sistel.errors import Language, Text, refuse, user_language
from sistel.files import cell
from sistel.look import still_page
from sistel.markup import write_bytes
from sistel.views.text._numbers import clean
from sistel.views.workspace._draw import draw_workspace

if TYPE_CHECKING:
    from sistel.arms import SectionMap, Workspace
    from sistel.plain import JsonObject
    from sistel.views.workspace._draw import Looks

FORMATS: Final = (".svg", ".png", ".html", ".csv", ".npz")


def save_workspace(workspace: Workspace, path: str, of: SectionMap | None = None, **options: Unpack[Looks]) -> None:
    """Write a section; `options` are those of `draw_workspace`.

    Raises:
        SistelError: The format is not known, or the file cannot be written.
    """
    kind = Path(path).suffix.casefold()
    if kind not in FORMATS:
        message = Text(f"{path}: there is no such format", f"{path}: такого формата нет")
        refuse("unknown-format", message)
    if kind == ".png":
        from sistel.views.schemes import save_picture

        options["theme"] = options.get("theme") or "light"
        save_picture(draw_workspace(workspace, of, **options), path)
        return
    if kind == ".svg":
        data = draw_workspace(workspace, of, **options).encode()
    elif kind == ".html":
        data = page(workspace, of, **options).encode()
    elif kind == ".csv":
        data = table(workspace, of).encode()
    else:
        data = numbers(workspace, of)
    write_bytes(path, data)


def page(workspace: Workspace, of: SectionMap | None, **options: Unpack[Looks]) -> str:
    """The picture as a page."""
    lang: Language = options.get("lang") or user_language()
    options["lang"] = lang
    options["theme"] = options.get("theme") or "page"
    svg = draw_workspace(workspace, of, **options)
    title = escape(clean(options.get("title") or f"{workspace.name}: {workspace.frame}"))
    heading = escape(f"{workspace.name}: {workspace.frame}")
    style = ".sheet svg{display:block;max-width:100%;height:auto;margin:0 auto}"
    return still_page(title, style, lang, [str(svg)], heading=heading)


def table(workspace: Workspace, of: SectionMap | None) -> str:
    """A row for every point that is reached: its place, the value, the posture; in SI."""
    index = np.argwhere(workspace.inside)
    flat = np.stack([workspace.x[index[:, 1]], workspace.y[index[:, 0]]], axis=1)
    places = workspace.plane.out(flat)
    q = (workspace.q if of is None else of.q)[tuple(index.T)]
    names = ["x [m]", "y [m]", "z [m]"]
    columns = [places]
    if of is not None:
        names.append(f"{of.what} [{of.unit or '1'}]")
        columns.append(of.values[tuple(index.T)][:, None])
    model = workspace._chain.model
    names += [cell(name) for name in model.coordinate_names]
    columns.append(q)
    text = io.StringIO()
    np.savetxt(text, np.concatenate(columns, axis=1), fmt="%.12g", delimiter=",", header=",".join(names), comments="")
    return text.getvalue()


def numbers(workspace: Workspace, of: SectionMap | None) -> bytes:
    """Everything, as arrays."""
    buffer = io.BytesIO()
    begins = np.cumsum([0, *(len(line) for line in workspace.boundary)])
    data: JsonObject = {
        "x": workspace.x,
        "y": workspace.y,
        "inside": workspace.inside,
        "q": workspace.q if of is None else of.q,
        "boundary": np.concatenate([*workspace.boundary, np.zeros((0, 2))]),
        "boundary_begins": begins,
        "plane_point": workspace.plane.point,
        "plane_right": workspace.plane.right,
        "plane_up": workspace.plane.up,
        "area": workspace.area,
        "area_error": workspace.area_error,
        "volume": math.nan if workspace.volume is None else workspace.volume,
        "volume_error": math.nan if workspace.volume_error is None else workspace.volume_error,
        "reach": np.array([workspace.near, workspace.reach]),
        "box": np.stack([workspace.low, workspace.high]),
    }
    if of is not None:
        data["values"] = of.values
    np.savez_compressed(buffer, **data)
    return buffer.getvalue()
