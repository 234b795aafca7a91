"""Names of files as the window says them: inside the folder, on every system, and nothing else."""

from __future__ import annotations

import re
from typing import Final

from sistel.errors import Text, refuse

LONGEST: Final = 240
"""Bytes of a part of a name: file systems allow 255, and drafts need some of them."""
DEEPEST: Final = 24
"""Folders inside each other."""

_DEVICES: Final = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\..*)?", re.IGNORECASE)
_FORBIDDEN: Final = re.compile('[\x00-\x1f\x7f<>:"|?*\\\\\u200e\u200f\u202a-\u202e\u2066-\u2069]')

_ESCAPED: Final = re.compile("%(?:00|2e|2f|5c)", re.IGNORECASE)
"""What addresses read as a point, a slash or an end: whoever decodes such a name is led elsewhere."""


def check_name(path: str) -> str:
    """The same name, if it is one of a file inside the folder: parts with slashes between, the same on every system.

    Raises:
        SistelError: It is absolute, leads out, is hidden, or is no name on some system.
    """
    why = why_not(path)
    if why is not None:
        shown = _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", path[:80])
        refuse(
            "bad-name",
            Text(f'"{shown}" cannot be the name of a file here', f"«{shown}» не может быть здесь именем файла"),
            expected=Text("such as arm.xml or walkers/compass.xml", "например, рука.xml или ходоки/циркуль.xml"),
            hint=why,
        )
    return path


def why_not(path: str) -> Text | None:
    """Why a name is none; None where it is one."""
    parts = path.split("/")
    if len(parts) > DEEPEST:
        return Text(f"at most {DEEPEST} folders inside each other", f"не более {DEEPEST} вложенных папок")
    for part in parts:
        why = _why_not_part(part)
        if why is not None:
            return why
    return None


def _why_not_part(part: str) -> Text | None:
    if not part:
        return Text("a part of it is empty, or it is absolute", "часть имени пуста, или оно абсолютно")
    if part.startswith("."):
        return Text(
            "a part begins with a point: hidden files and folders above are not shown here",
            "часть имени начинается с точки: скрытые файлы и папки выше здесь не видны",
        )
    if _FORBIDDEN.search(part):
        return Text(
            'it has a character that names do not have everywhere: \\ : * ? " < > | or one that is not seen',
            'в нём есть знак, которого в именах бывает не всюду: \\ : * ? " < > | или невидимый',
        )
    if _ESCAPED.search(part):
        return Text(
            "it has %2E, %2F, %5C or %00, which addresses read as another character",
            "в нём есть %2E, %2F, %5C или %00, а в адресах это другой знак",
        )
    if part[-1] in ". ":
        return Text("a part ends with a point or a blank", "часть имени кончается точкой или пробелом")
    if _DEVICES.fullmatch(part):
        return Text("Windows has a device of that name", "в Windows так называется устройство")
    try:
        if len(part.encode()) > LONGEST:
            return Text(f"a part is longer than {LONGEST} bytes", f"часть имени длиннее {LONGEST} байт")
    except UnicodeEncodeError:
        return Text("it is no text", "это не текст")
    return None
