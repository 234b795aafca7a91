"""The one table of XsysTel: every element and attribute, in both languages, with its unit, default and meaning.

The reader, the writer, the translator, the XSD, the reference page and the editor completions all come from here.
To add a word to the language, add a row beside its kin; to add an element, add it to `ELEMENTS` too.
"""

from __future__ import annotations

from sistel.markup.schema._behaviours import (
    ASSIGN,
    BEHAVIOUR,
    DATA,
    ENTER,
    EXIT,
    FINAL,
    GO,
    HISTORY,
    PARALLEL,
    RAISE,
    STATE,
)
from sistel.markup.schema._bodies import BODY, FORCE_ELEMENT, FRAME, MOMENT_ELEMENT, POINT, SPRING
from sistel.markup.schema._console import DIAL, INDICATOR, INPUT, LAMP, PLACE
from sistel.markup.schema._drawing import DIMENSION, DIMENSIONS, DRAWING, LINE, MARK, POSE
from sistel.markup.schema._drives import CLUTCH, COUPLING, DIFFERENTIAL, GEAR
from sistel.markup.schema._kinds import ElementSpec
from sistel.markup.schema._links import (
    BLADE,
    CHANGE,
    CLOSURE,
    CONTACT,
    COUNTER,
    IMPULSE,
    JOINT,
    LINKS,
    LOCK,
    SET,
    STRUCTURE,
    TRACK,
    TRANSITION,
)
from sistel.markup.schema._motions import COORDINATE, GROUP, MOTION, MOTOR, POSTURE, ROW, START, STOP
from sistel.markup.schema._schemes import BLOCK, OUTPUT, RULE, RULES, SCHEME, SENSOR, SIGNAL, TERM, USE, VARIABLE
from sistel.markup.schema._shapes import (
    BOX,
    CAPSULE,
    CIRCLE,
    CONE,
    CYLINDER,
    MESH,
    POLYGON,
    POLYLINE,
    PROFILE,
    SHAPE,
    SPHERE,
    WHEEL,
    WORLD,
)
from sistel.markup.schema._system import GRAVITY, INCLUDE, PARAMETER, REPEAT, SYSTEM
from sistel.markup.schema._tasks import (
    CONTROL,
    DYNAMICS,
    IDENTIFICATION,
    KINEMATICS,
    MOTORS,
    STATICS,
    SYNTHESIS,
    TASK,
    VARY,
)

VERSION = 1
"""Version of the language; files of an older version keep loading."""

ELEMENTS: tuple[ElementSpec, ...] = (
    SYSTEM, PARAMETER, GRAVITY, BODY, POINT, FRAME, WORLD, SHAPE, BOX, POLYGON, POLYLINE, PROFILE, CYLINDER, SPHERE, CIRCLE, WHEEL, CONE, CAPSULE,
    MESH, FORCE_ELEMENT, MOMENT_ELEMENT, SPRING, MOTOR, STOP, MOTION, ROW, START, COORDINATE, POSTURE, GROUP, INCLUDE, REPEAT, LINKS, JOINT,
    CLOSURE, CONTACT, BLADE, TRACK, LOCK, COUPLING, GEAR, CLUTCH, DIFFERENTIAL, COUNTER, STRUCTURE, CHANGE, TRANSITION, SET, IMPULSE, SCHEME, SIGNAL, BLOCK, VARIABLE, TERM, RULE, RULES, USE, SENSOR, INPUT, OUTPUT, LAMP, DIAL, INDICATOR, BEHAVIOUR, STATE, PARALLEL, FINAL, HISTORY, GO, ENTER, EXIT, ASSIGN, RAISE, DATA, DRAWING, PLACE, POSE, LINE, MARK,
    DIMENSIONS, DIMENSION, TASK, VARY, KINEMATICS, STATICS, DYNAMICS, CONTROL, IDENTIFICATION, SYNTHESIS, MOTORS,
)  # fmt: skip

ELEMENT_BY_KEY: dict[str, ElementSpec] = {element.key: element for element in ELEMENTS}
ELEMENT_BY_WORD: dict[str, ElementSpec] = {
    word.casefold(): element for element in ELEMENTS for word in (*element.en, *element.ru)
}
