"""Colours of pages, by day and by night: a reader's system chooses, or a button of the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Colours = Mapping[str, tuple[str, str]]
"""By day and by night."""

COLOURS: Colours = {
    "paper": ("#ffffff", "#12161c"),
    "plate": ("#f4f6f8", "#1a2028"),
    "ink": ("#1d2731", "#dfe6ee"),
    "faint": ("#5d6b78", "#94a3b2"),
    "line": ("#d5dce3", "#2e3843"),
    "accent": ("#1f6f9f", "#6cb6e4"),
    "accent2": ("#a8501f", "#e39a6b"),
    "warn": ("#b3261e", "#ff8a80"),
}
CURVES: Colours = {
    "curve-0": ("#1f6f9f", "#6cb6e4"),
    "curve-1": ("#b5602a", "#e39a6b"),
    "curve-2": ("#3f8f4f", "#7cc98a"),
    "curve-3": ("#7a5aa6", "#b79be0"),
    "curve-4": ("#b08a1e", "#dcbb5a"),
    "curve-5": ("#2a9a9a", "#66cccc"),
    "curve-6": ("#b0487d", "#e58ab8"),
    "curve-7": ("#6b7680", "#a3afba"),
}
AXES: Colours = {
    "axis-x": ("#d03a2f", "#ff6b5e"),
    "axis-y": ("#2e9a48", "#5fd080"),
    "axis-z": ("#2b6fd6", "#6aa5ff"),
    "aim-x": ("#eba29c", "#8f4640"),
    "aim-y": ("#9fd3ab", "#3f7a50"),
    "aim-z": ("#a3c2f0", "#44669c"),
    "good": ("#2b7d46", "#7cc98a"),
}
"""Of a lesson: axes of the tool and of its target."""
PAGES = (":root", ".sistel")
"""What has the colours: a page of its own, or one of several in a document."""


def theme(colours: Colours, roots: Sequence[str] = (":root",)) -> str:
    """The colours as properties of CSS, three times: by day, where the system has night, where the reader asks for it.

    Scripts read the properties for what they draw, which rules out one property with two colours (`light-dark`).

    Args:
        colours: By name.
        roots: Selectors of the elements that have them.
    """
    day = "".join(f"--{name}:{light};" for name, (light, _) in colours.items())
    night = "".join(f"--{name}:{dark};" for name, (_, dark) in colours.items())
    unless = ",".join(f'{root}:not([data-theme="light"])' for root in roots)
    asked = ",".join(f'{root}[data-theme="dark"]' for root in roots)
    return (
        f"{','.join(roots)}{{{day}color-scheme:light}}\n"
        f"@media (prefers-color-scheme:dark){{{unless}{{{night}color-scheme:dark}}}}\n"
        f"{asked}{{{night}color-scheme:dark}}\n"
    )
