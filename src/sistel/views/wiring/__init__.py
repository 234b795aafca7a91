"""Functional schemes as drawings: blocks, wires, samples and holds."""

from sistel.views.wiring._draw import DrawnScheme, chosen, draw_wiring, drawn_schemes, page_style, scheme_strips
from sistel.views.wiring._layout import Layout, lay_out
from sistel.views.wiring._net import Box, Net, Wire, net_of

__all__ = [
    "Box",
    "DrawnScheme",
    "Layout",
    "Net",
    "Wire",
    "chosen",
    "draw_wiring",
    "drawn_schemes",
    "lay_out",
    "net_of",
    "page_style",
    "scheme_strips",
]
