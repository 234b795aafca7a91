"""Orientations for people: the table of octants, the gripper, products, lattices of subgroups, named angles."""

from sistel.look import Theme
from sistel.views.orientations._angles import ANGLES, AngleSet, draw_angles
from sistel.views.orientations._gripper import draw_gripper
from sistel.views.orientations._lattice import draw_lattice
from sistel.views.orientations._octants import draw_octants
from sistel.views.orientations._products import (
    draw_products,
    group_members,
    products,
    products_html,
    products_page,
    products_text,
    say_kind,
)
from sistel.views.orientations._subgroups import Subgroup, describe_subgroups
from sistel.views.orientations._text import octants_text

__all__ = [
    "ANGLES",
    "AngleSet",
    "Subgroup",
    "Theme",
    "describe_subgroups",
    "draw_angles",
    "draw_gripper",
    "draw_lattice",
    "draw_octants",
    "draw_products",
    "group_members",
    "octants_text",
    "products",
    "products_html",
    "products_page",
    "products_text",
    "say_kind",
]
