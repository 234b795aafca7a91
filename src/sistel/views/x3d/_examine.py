"""Whether the meshes of a model can be shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.errors import Diagnostics, Text
from sistel.markup import AccessError
from sistel.meshes import MeshReader, UnreadableMeshError

if TYPE_CHECKING:
    from sistel.model import Model


def examine_meshes(model: Model, diagnostics: Diagnostics) -> int:
    """Read all meshes of a model, and warn of those that hold nothing to show; how many were read.

    Those that are not found have been told at reading.
    """
    seen: set[tuple[str, str]] = set()
    reader, count = MeshReader(), 0
    for shape in model.shapes:
        source = shape.span.source
        if shape.kind != "mesh" or (shape.path, source.path) in seen:
            continue
        seen.add((shape.path, source.path))
        try:
            reader.read(shape)
        except AccessError:
            continue
        except UnreadableMeshError as problem:
            reason = problem.reason
            message = Text(
                f'the mesh "{shape.path}" cannot be read: {reason.en}',
                f"сетку «{shape.path}» не удалось прочитать: {reason.ru}",
            )
            diagnostics.warning("bad-mesh", shape.span, message)
            continue
        count += 1
    return count
