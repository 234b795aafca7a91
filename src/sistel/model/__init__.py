"""The model of a system of bodies: frozen, in SI, validated; it knows its own structure."""

from sistel.model._build import build
from sistel.model._canonical import to_document
from sistel.model._check import Typed, only_counters
from sistel.model._classes import classify
from sistel.model._elements import (
    GROUND,
    Body,
    Closure,
    Contact,
    Coupling,
    Force,
    Formula,
    Frame,
    Inertia,
    Joint,
    Lock,
    Motion,
    Motor,
    Parameter,
    Point,
    Shape,
    Side,
    Spring,
    Stop,
)
from sistel.model._letters import GRAVITY, Lettered
from sistel.model._live import LiveModel, live_model
from sistel.model._model import (
    Change,
    Counter,
    Group,
    Impulse,
    Memory,
    Model,
    Picture,
    Posture,
    Recount,
    Reset,
    Structure,
    Transition,
)
from sistel.model._queries import check_limits, parameter_values, read_quantity, read_value
from sistel.model._recipe import Recipe, changed, letters_of
from sistel.model._rules import MEETING
from sistel.model._structures import ONLY
from sistel.model.joints import JointType

__all__ = [
    "GRAVITY",
    "GROUND",
    "MEETING",
    "ONLY",
    "Body",
    "Change",
    "Closure",
    "Contact",
    "Counter",
    "Coupling",
    "Force",
    "Formula",
    "Frame",
    "Group",
    "Impulse",
    "Inertia",
    "Joint",
    "JointType",
    "Lettered",
    "LiveModel",
    "Lock",
    "Memory",
    "Model",
    "Motion",
    "Motor",
    "Parameter",
    "Picture",
    "Point",
    "Posture",
    "Recipe",
    "Recount",
    "Reset",
    "Shape",
    "Side",
    "Spring",
    "Stop",
    "Structure",
    "Transition",
    "Typed",
    "build",
    "changed",
    "check_limits",
    "classify",
    "letters_of",
    "live_model",
    "only_counters",
    "parameter_values",
    "read_quantity",
    "read_value",
    "to_document",
]
