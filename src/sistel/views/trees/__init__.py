"""Trees of XML in pictures: those of lxml, which is fast; where it is not installed, own ones that do the same."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


@cache
def _library() -> Any:
    try:
        from lxml import etree
    except ImportError:
        return None
    return etree


def new_element(tag: str, attributes: Mapping[str, str], namespaces: Mapping[str | None, str] | None = None) -> Element:
    """An element with its attributes, and the namespaces that it declares, by prefix."""
    library = _library()
    if library is None:
        from sistel.views.trees._plain import Element as Plain

        return cast("Element", Plain(tag, attributes, namespaces))
    made: Element = library.Element(tag, attributes, nsmap=namespaces)
    return made


def read_tree(text: str) -> Element:
    """The first element of a document of our own."""
    library = _library()
    if library is None:
        from sistel.views.trees._plain import fromstring

        return cast("Element", fromstring(text))
    made: Element = library.fromstring(text.encode())
    return made


def tree_text(element: Element) -> str:
    """An element as text."""
    library = _library()
    if library is None:
        from sistel.views.trees._plain import tostring

        return tostring(cast("Any", element))
    return str(library.tostring(element, encoding="unicode"))


class Stylesheet:
    """A stylesheet of our own, ready to run: reading it is most of a picture's time."""

    def __init__(self, text: str) -> None:
        """Read it."""
        self._library = library = _library()
        if library is None:
            from sistel.views.trees._sheets import Sheet

            self._plain = Sheet(text)
            return
        self._parser = library.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
        closed = dict.fromkeys(("read_file", "write_file", "create_dir", "read_network", "write_network"), False)
        read = library.fromstring(text.encode(), self._parser)
        self._run = library.XSLT(read, access_control=library.XSLTAccessControl(**closed))

    def run(self, text: str, parameters: Mapping[str, str]) -> str:
        """What it makes of a document.

        Raises:
            RecursionError: What stands in the document is nested too deep.
        """
        if self._library is None:
            return self._plain.run(text, parameters)
        library, run = self._library, self._run
        chosen = {key: library.XSLT.strparam(value) for key, value in parameters.items()}
        try:
            return bytes(run(library.fromstring(text.encode(), self._parser), **chosen)).decode()
        except library.XSLTApplyError:
            if not any("recursion" in entry.message for entry in run.error_log):
                raise
            raise RecursionError from None
