"""Forms for the parameters and the initial data of a file: XForms in XHTML, and a page that computes."""

from sistel.views.forms._fields import Field, Form, read_form
from sistel.views.forms._page import draw_form
from sistel.views.forms._xforms import GROUPS, draw_xforms

__all__ = ["GROUPS", "Field", "Form", "draw_form", "draw_xforms", "read_form"]
