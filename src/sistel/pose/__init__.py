"""Rotations, positions and displacements in all their descriptions: pure geometry, knows no robots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.pose._exact import (
    SNAP,
    exact_angle,
    exact_angles,
    exact_axis,
    exact_rotation,
)
from sistel.pose._rotation import (
    IDENTITY,
    Rotation,
    Vector3,
    axis_angle,
    compose,
    cross,
    determinant,
    from_axis_angle,
    from_quaternion,
    from_roll_pitch_yaw,
    norm,
    plane_axes,
    quaternion,
    roll_pitch_yaw,
    rotate,
    rotate_inertia,
    transpose,
)

if TYPE_CHECKING:
    from sistel.pose._angles import (
        ORDERS,
    )
    from sistel.pose._axial import (
        CODES,
        OCTANTS,
        axial_code,
        axial_group,
        axial_rotation,
        class_of_axis,
        euler_between,
        euler_parameters,
        multiply_codes,
        quarter_turns,
        turn_between,
    )
    from sistel.pose._body_code import (
        Primitive,
        read_body,
    )
    from sistel.pose._codes import (
        Pose,
        TimedPose,
        read_move,
        read_position,
        read_transitions,
        read_turn,
        write_move,
        write_position,
        write_transitions,
        write_turn,
    )
    from sistel.pose._displacements import (
        Screw,
        apart,
        from_dual,
        from_screw,
        homogeneous,
        multiply_dual,
        to_dual,
        to_screw,
    )
    from sistel.pose._group import (
        Group,
    )
    from sistel.pose._icosahedron import (
        icosahedral_codes,
        icosahedral_group,
        icosahedral_rotation,
    )
    from sistel.pose._passing import PROFILES, REST, part_of_way, pass_through
    from sistel.pose._phrases import (
        Phrase,
        read_phrase,
        say_code,
    )
    from sistel.pose._places import (
        Articulated,
        Column,
    )
    from sistel.pose._quaternions import (
        angle_between,
        conjugate,
        multiply,
        turn,
    )
    from sistel.pose._sets import (
        Parameters,
        ParameterSet,
    )
    from sistel.pose._turns import (
        nearest_axial,
    )

# Reading a file needs the first ones alone, and must not wait for NumPy.
_HOMES = {
    "write_body": "_body_code",
    "write_move": "_codes",
    "write_transitions": "_codes",
    "write_turn": "_codes",
    "PROFILES": "_passing",
    "REST": "_passing",
    "part_of_way": "_passing",
    "pass_through": "_passing",
    "Articulated": "_places",
    "CODES": "_axial",
    "Column": "_places",
    "Group": "_group",
    "OCTANTS": "_axial",
    "ORDERS": "_angles",
    "ParameterSet": "_sets",
    "Parameters": "_sets",
    "Phrase": "_phrases",
    "Pose": "_codes",
    "Primitive": "_body_code",
    "Screw": "_displacements",
    "TimedPose": "_codes",
    "angle_between": "_quaternions",
    "apart": "_displacements",
    "axial_code": "_axial",
    "axial_group": "_axial",
    "axial_rotation": "_axial",
    "class_of_axis": "_axial",
    "conjugate": "_quaternions",
    "euler_between": "_axial",
    "euler_parameters": "_axial",
    "from_dual": "_displacements",
    "from_screw": "_displacements",
    "homogeneous": "_displacements",
    "icosahedral_codes": "_icosahedron",
    "icosahedral_group": "_icosahedron",
    "icosahedral_rotation": "_icosahedron",
    "multiply": "_quaternions",
    "multiply_codes": "_axial",
    "multiply_dual": "_displacements",
    "nearest_axial": "_turns",
    "quarter_turns": "_axial",
    "read_body": "_body_code",
    "read_move": "_codes",
    "read_phrase": "_phrases",
    "read_position": "_codes",
    "read_transitions": "_codes",
    "read_turn": "_codes",
    "say_code": "_phrases",
    "to_dual": "_displacements",
    "to_screw": "_displacements",
    "turn": "_quaternions",
    "turn_between": "_axial",
    "write_position": "_codes",
}

__all__ = [
    "CODES",
    "IDENTITY",
    "OCTANTS",
    "ORDERS",
    "PROFILES",
    "REST",
    "SNAP",
    "Articulated",
    "Column",
    "Group",
    "ParameterSet",
    "Parameters",
    "Phrase",
    "Pose",
    "Primitive",
    "Rotation",
    "Screw",
    "TimedPose",
    "Vector3",
    "angle_between",
    "apart",
    "axial_code",
    "axial_group",
    "axial_rotation",
    "axis_angle",
    "class_of_axis",
    "compose",
    "conjugate",
    "cross",
    "determinant",
    "euler_between",
    "euler_parameters",
    "exact_angle",
    "exact_angles",
    "exact_axis",
    "exact_rotation",
    "from_axis_angle",
    "from_dual",
    "from_quaternion",
    "from_roll_pitch_yaw",
    "from_screw",
    "homogeneous",
    "icosahedral_codes",
    "icosahedral_group",
    "icosahedral_rotation",
    "multiply",
    "multiply_codes",
    "multiply_dual",
    "nearest_axial",
    "norm",
    "part_of_way",
    "pass_through",
    "plane_axes",
    "quarter_turns",
    "quaternion",
    "read_body",
    "read_move",
    "read_phrase",
    "read_position",
    "read_transitions",
    "read_turn",
    "roll_pitch_yaw",
    "rotate",
    "rotate_inertia",
    "say_code",
    "to_dual",
    "to_screw",
    "transpose",
    "turn",
    "turn_between",
    "write_body",
    "write_move",
    "write_position",
    "write_transitions",
    "write_turn",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        from importlib import import_module

        value = getattr(import_module(f"sistel.pose.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'sistel.pose' has no attribute {name!r}")
