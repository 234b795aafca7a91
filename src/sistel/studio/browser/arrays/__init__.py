"""What stands in for NumPy where there is none: the functions that pages of models call, under NumPy's names."""

from sistel.studio.browser.arrays import _linear as linalg  # noqa: F401
from sistel.studio.browser.arrays._array import ndarray  # noqa: F401
from sistel.studio.browser.arrays._functions import *  # noqa: F403
from sistel.studio.browser.arrays._functions import all_of as all  # noqa: F401
from sistel.studio.browser.arrays._functions import any_of as any  # noqa: F401
from sistel.studio.browser.arrays._functions import least_of as min  # noqa: F401
from sistel.studio.browser.arrays._functions import most_of as max  # noqa: F401
from sistel.studio.browser.arrays._functions import rounded as round  # noqa: F401
from sistel.studio.browser.arrays._functions import size_of as abs  # noqa: F401
from sistel.studio.browser.arrays._functions import sum_of as sum  # noqa: F401


def __getattr__(name: str) -> object:
    if name.startswith(("__", "pytest")):  # who only asks whether there is such a thing
        raise AttributeError(name)
    raise NotImplementedError(f"numpy.{name}")
