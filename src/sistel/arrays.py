"""What arrays are called in signatures.

The names are for people and for mypy: import them under ``TYPE_CHECKING``. Nothing here loads NumPy at run time, so
packages that read descriptions stay free of numerics.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    """Real numbers."""
    Whole = NDArray[np.int64]
    """Whole numbers."""
    Indices = NDArray[np.intp]
    """Places in another array, as NumPy's own searches answer them."""
    Flags = NDArray[np.bool_]
    """Truth values."""
    AnyArray = NDArray[Any]
    """Numbers of a kind that is chosen at run time."""
    AnyType = np.dtype[Any]
    """Such a kind."""
