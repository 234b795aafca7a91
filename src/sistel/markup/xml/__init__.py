"""An own XML reader: tolerant, quick, with the place of every character; damaged files give precise errors."""

from sistel.markup.xml._decode import decode
from sistel.markup.xml._element import LIMITS, Attribute, Element, Limits
from sistel.markup.xml._reader import read_xml

__all__ = ["LIMITS", "Attribute", "Element", "Limits", "decode", "read_xml"]
