"""What a new file may begin with: templates, models of the gallery; the command that starts the studio knows them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Final

from sistel.errors import Language, Text
from sistel.records import entry, record


@record
class Template:
    """A text to begin with."""

    name: str
    title: Text
    about: Text
    text: Callable[[Language], str]


@record
class Sample:
    """A model of the gallery."""

    name: str
    title: Text
    group: str
    """The folder or the kind that it belongs to."""
    text: Callable[[Language], str]


@entry
class Samples:
    """All of them by name."""

    templates: Mapping[str, Template] = field(default_factory=dict)
    models: Mapping[str, Sample] = field(default_factory=dict)


NONE: Final = Samples()
"""An installation without a gallery."""
