"""Bytes of a file and the text of a window: the window has plain lines, and the file keeps the form that it had."""

from __future__ import annotations

import codecs
import re
from typing import Final

from sistel.errors import Text, refuse
from sistel.records import entry

_DECLARED: Final = re.compile(rb"""\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")
_MARKS: Final = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_FAMILIES: Final = ("utf-8", "utf-16", "cp125", "iso8859", "koi8", "ascii", "mac-", "cp866", "cp855", "latin")


@entry
class Form:
    """How a text stands in its file."""

    codec: str = "utf-8"
    mark: bytes = b""
    """Of the byte order."""
    ends: str = "\n"
    """Of its lines."""


def decode(data: bytes, path: str) -> tuple[str, Form]:
    """The text of a file, its lines ended by line feeds, and the form to write it back in.

    Raises:
        SistelError: It is no text.
    """
    mark, codec = next(((mark, codec) for mark, codec in _MARKS if data.startswith(mark)), (b"", _declared(data)))
    try:
        text = data[len(mark) :].decode(codec)
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        refuse(
            "not-text",
            Text(
                f"{path}:{line}: byte 0x{data[problem.start]:02X} does not belong to {codec.upper()}",
                f"{path}:{line}: байт 0x{data[problem.start]:02X} не принадлежит {codec.upper()}",
            ),
            hint=Text("it is no text, or one in another encoding", "это не текст, или текст в другой кодировке"),
        )
    if "\0" in text:
        refuse("not-text", Text(f"{path} is no text", f"{path} — не текст"))
    count = text.count("\r\n")
    ends = "\r\n" if count and 2 * count >= text.count("\n") else "\n"
    return plain(text), Form(codec, mark, ends)


def plain(text: str) -> str:
    """A text whose lines end with line feeds, as XML reads it and editors show it."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def encode(text: str, form: Form, path: str) -> bytes:
    """The bytes of a text: in the form that its file has, unless it declares another encoding by now.

    Raises:
        SistelError: Its encoding has no such letter.
    """
    text = plain(text)
    codec = form.codec if form.mark else _declared(text[:400].encode("ascii", "replace"))
    if form.ends != "\n":
        text = text.replace("\n", form.ends)
    try:
        return form.mark + text.encode(codec)
    except UnicodeEncodeError as problem:
        letter = text[problem.start]
        line = text.count("\n", 0, problem.start) + 1
        code = f"U+{ord(letter):04X}"
        shown = f'"{letter}" ({code})' if letter.isprintable() else code
        refuse(
            "no-letter",
            Text(
                f"{path}:{line}: the encoding {codec.upper()} has no {shown}",
                f"{path}:{line}: в кодировке {codec.upper()} нет {shown}",
            ),
            hint=Text('declare encoding="UTF-8" in the first line', 'объявите encoding="UTF-8" в первой строке'),
        )


def _declared(data: bytes) -> str:
    """The encoding that an XML declaration names, of those that readers know; else UTF-8."""
    found = _DECLARED.match(data[:400])
    if found is None:
        return "utf-8"
    try:
        name = codecs.lookup(found[1].decode()).name
    except LookupError:
        return "utf-8"
    return name if name.startswith(_FAMILIES) and not name.endswith("-sig") and name != "utf-16" else "utf-8"
