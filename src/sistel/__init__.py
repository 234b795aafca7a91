"""sistel: systems of bodies from one file — their structure, equations, motion and pictures.

Conventions, everywhere: SI units inside (m, kg, s, rad, N, N·m), millimetres and degrees only in XML. Planar systems
have x to the right, y down and clockwise angles; spatial ones carry their own gravity and are z-up by default.

    >>> import sistel
    >>> system = sistel.load("models/cart_pendulum.xml")
    >>> system.structure_class
    'ПСТОВ'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel import shown
from sistel._version import __version__

if TYPE_CHECKING:
    from sistel.errors import Diagnostic, SistelError
    from sistel.model import Body, Joint, Model, Structure, Transition
    from sistel.system import System, load, parse

# Nothing heavy is imported before it is used: `import sistel` has to be quick. Not even `sistel.lazy`.
_HOMES = {
    "Body": "sistel.model",
    "Diagnostic": "sistel.errors",
    "Joint": "sistel.model",
    "Model": "sistel.model",
    "SistelError": "sistel.errors",
    "Structure": "sistel.model",
    "System": "sistel.system",
    "Transition": "sistel.model",
    "load": "sistel.system",
    "parse": "sistel.system",
}

__all__ = [
    "Body",
    "Diagnostic",
    "Joint",
    "Model",
    "SistelError",
    "Structure",
    "System",
    "Transition",
    "__version__",
    "load",
    "parse",
]


def _views() -> None:
    """Let views draw results of the layers below them, from the first time that one is asked for."""
    from sistel.views import register

    register()


shown.when_asked(_views)


def __getattr__(name: str) -> object:
    if name in _HOMES:
        from importlib import import_module

        value = getattr(import_module(_HOMES[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'sistel' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
