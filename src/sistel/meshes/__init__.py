"""Surfaces from files: STL, OBJ, COLLADA and glTF as points and triangles, for pictures and for rays of sensors."""

from sistel.meshes._meshes import Mesh, MeshReader, UnreadableMeshError, read_mesh
from sistel.meshes._paints import Paint
from sistel.meshes._simplify import LEVELS, Simplified, simplify

__all__ = ["LEVELS", "Mesh", "MeshReader", "Paint", "Simplified", "UnreadableMeshError", "read_mesh", "simplify"]
