"""The studio without a server: what answers its calls is Python inside the browser, and the folder is there too.

NumPy, lxml and LLVM are not there: `arrays` stands in for the first, `sistel.views.trees` for the second, and what
moves is integrated by the kernels in JavaScript that every live page has.
"""

from sistel.studio.browser._desk import Desk
from sistel.studio.browser._pages import index_page

__all__ = ["Desk", "index_page"]
