"""Problems whose answer has to be searched for: statics and equilibrium."""

from sistel.solve._equilibrium import Equilibrium, equilibrium
from sistel.solve._statics import static_forces

__all__ = ["Equilibrium", "equilibrium", "static_forces"]
