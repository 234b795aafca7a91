"""Scenes in pages: the scene of a system that a page moves, and pages that show any X3D file."""

from sistel.views.viewer._page import Viewer, view_scene
from sistel.views.viewer._scene_block import PageScene, scene_for_page

__all__ = ["PageScene", "Viewer", "scene_for_page", "view_scene"]
