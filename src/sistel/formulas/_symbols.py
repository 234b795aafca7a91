"""Names of things → symbols: a letter with subscripts for people, an identifier for each language.

`m1` is m with the subscript 1, `mH` m with H, `theta_rate` θ with "rate"; Greek letters may be spelt out. Identifiers
are plain ASCII (Cyrillic and Greek letters are transcribed), never a word of the language, and never used twice.
"""

from __future__ import annotations

import keyword
import re
import unicodedata
from dataclasses import dataclass

from sistel.described import given_once
from sistel.errors import Text
from sistel.formulas._formula import Sym

GREEK: dict[str, str] = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "epsilon": "ε",
    "zeta": "ζ",
    "eta": "η",
    "theta": "θ",
    "iota": "ι",
    "kappa": "κ",
    "lambda": "λ",
    "mu": "μ",
    "nu": "ν",
    "xi": "ξ",
    "rho": "ρ",
    "sigma": "σ",
    "tau": "τ",
    "upsilon": "υ",
    "phi": "φ",
    "chi": "χ",
    "psi": "ψ",
    "omega": "ω",
    "Gamma": "Γ",
    "Delta": "Δ",
    "Theta": "Θ",
    "Lambda": "Λ",
    "Xi": "Ξ",
    "Pi": "Π",
    "Sigma": "Σ",
    "Phi": "Φ",
    "Psi": "Ψ",
    "Omega": "Ω",
}
LETTERS: dict[str, str] = {letter: name for name, letter in GREEK.items()} | {"ϕ": "phi", "ϑ": "theta", "µ": "mu"}

_SPELLINGS = """аa бb вv гg дd еe ёyo жzh зz иi йj кk лl мm нn оo пp рr сs тt уu фf хh цts чch шsh щshch ъ_ ыy ь_ эe
юyu яya"""
_CYRILLIC = {spelling[0]: spelling[1:] for spelling in _SPELLINGS.split()}

_MAXIMA = """and at block cabs carg cos diff do done else elseif exp expand false float floor for from if imagpart in
inf infinity integrate lambda limit list log matrix max min minf next not of or pi print ratsimp realpart rectform
residue return signum sin solve sqrt step subst sum tan taylor then thru to transpose trigexpand trigreduce trigsimp
true und unless while values abs atan2 coordinates velocities accelerations parameter_values definitions intermediate
mass_matrix coriolis_forces gravity_forces applied_forces driving_forces motion kinetic_energy potential_energy residual
ratprint length makelist constraints constraint_jacobian constraint_bias constraint_drift friction_jacobian
multipliers anchors constraint_forces rate rates speeds drift_rates velocity_residual acceleration_residual"""
_PYTHON = """math abs bool dict float int len list max min print range sum tuple zip sin cos parameters
mass_matrix coriolis_forces gravity_forces inverse_dynamics reactions energies PARAMETERS
applied_forces coordinates velocities accelerations less less_equal equal select multipliers anchors forces
constraint_errors constraint_jacobian constraint_bias constraint_drift friction_jacobian forward_dynamics
link_reactions solve enumerate"""
RESERVED = frozenset(_MAXIMA.split()) | frozenset(_PYTHON.split()) | frozenset(keyword.kwlist)


NOTHING = Text("", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbol:
    """How a quantity is written.

    Attributes:
        key: What it is in formulas.
        base: A letter, or a word that is set upright.
        subscript: What stands below, in parts.
        dots: Derivatives with time, as dots above.
        text: The identifier.
        about: What it is.
        unit: Its SI unit, with · and powers; empty for a pure number.
        value: Its value in SI; None where it changes.
    """

    key: Sym
    base: str
    subscript: tuple[str, ...] = ()
    dots: int = 0
    text: str = ""
    about: Text = NOTHING
    unit: Text = NOTHING
    value: float | None = None


class Identifiers:
    """Gives out identifiers, each once."""

    def __init__(self) -> None:
        self._taken = set(RESERVED)

    def take(self, name: str) -> str:
        """An identifier near a name."""
        return given_once(ascii_name(name), self._taken)


def ascii_name(name: str) -> str:
    """A name in Latin letters, digits and underscores, starting with a letter, not too long."""
    made = []
    for character in unicodedata.normalize("NFC", name):
        lower = character.lower()
        if character in LETTERS:
            made.append(LETTERS[character])
        elif lower in _CYRILLIC:
            made.append(_CYRILLIC[lower] if character == lower else _CYRILLIC[lower].capitalize())
        elif character.isascii() and character.isalnum():
            made.append(character)
        else:
            # An accent falls off its letter; what is no letter becomes a gap.
            plain = unicodedata.normalize("NFKD", character)[:1]
            made.append(plain if plain.isascii() and plain.isalnum() else "_")
    text = re.sub(r"_+", "_", "".join(made)).strip("_")[:40].rstrip("_")
    return text if text[:1].isalpha() else f"x{text}"


def split_name(name: str) -> tuple[str, tuple[str, ...]]:
    """The letter or word of a name, and its subscripts."""
    pieces = [piece for piece in re.split(r"[\s_.,:;/\\-]+", name) if piece] or ["x"]
    base, *rest = pieces
    digits = re.fullmatch(r"(.*?\D)(\d+)", base)
    if digits and (len(digits[1]) <= 2 or digits[1] in GREEK or len(digits[2]) <= 2):
        base, rest = digits[1], [digits[2], *rest]
    if re.fullmatch(r"[a-zа-яё][A-ZА-ЯЁ]", base):
        base, rest = base[0], [base[1], *rest]
    return GREEK.get(base, base), tuple(GREEK.get(piece, piece) for piece in rest)


def printable(text: str) -> str:
    """A text without what could command whatever shows it."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)
