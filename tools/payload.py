"""Types of what pages are told, for TypeScript: web/src/payload.ts from src/sistel/views/_page_data.py and beside it.

python tools/payload.py              write the file
python tools/payload.py --check      say whether it is up to date
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from sistel.views import _form_data, _lesson_data, _model_data, _page_data, _page_words, _payloads, _picture_data

MODULES = (_page_words, _form_data, _page_data, _picture_data, _model_data, _lesson_data, _payloads)
FILE = Path(__file__).resolve().parent.parent / "web" / "src" / "payload.ts"
HEAD = """// Written by tools/payload.py from src/sistel/views/_page_data.py: change the types there.
"""
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null"}


def main(arguments: list[str]) -> int:
    """Write, or look whether there is something to write."""
    text = HEAD + "\n" + "\n".join(written(kind) for kind in parts((*_payloads.PAYLOADS, *_payloads.COMMON)))
    if "--check" in arguments:
        same = FILE.is_file() and FILE.read_text(encoding="utf-8") == text
        if not same:
            print(f"{FILE.name} is old: run python tools/payload.py", file=sys.stderr)
        return 0 if same else 1
    FILE.write_text(text, encoding="utf-8")
    return 0


def parts(kinds: tuple[Any, ...]) -> list[Any]:
    """All tables that some tables consist of, each once, in the order of the source."""
    found: dict[Any, None] = {}
    open_ = list(kinds)
    while open_:
        kind = open_.pop()
        if is_typeddict(kind):
            if kind not in found:
                found[kind] = None
                open_ += get_type_hints(kind).values()
        else:
            open_ += [each for each in get_args(kind) if not isinstance(each, str)]
    homes = [module.__name__ for module in MODULES]
    names = {module.__name__: list(vars(module)) for module in MODULES}
    return sorted(found, key=lambda kind: (homes.index(kind.__module__), names[kind.__module__].index(kind.__name__)))


def written(kind: Any) -> str:
    """An interface."""
    about = [line.strip() for line in (kind.__doc__ or "").strip().splitlines()]
    # Tables that are made by a call have the words of `dict`.
    about = [] if about[:1] == (dict.__doc__ or "").splitlines()[:1] else about
    lines = [f"/** {about[0]} */"] if len(about) == 1 else ["/**", *(f" * {line}".rstrip() for line in about), " */"]
    lines = lines if about else []
    lines.append(f"export interface {kind.__name__} {{")
    for name, hint in get_type_hints(kind, include_extras=True).items():
        optional = get_origin(hint) is NotRequired
        lines.append(f"  {name}{'?' if optional else ''}: {spelled(get_args(hint)[0] if optional else hint)};")
    return "\n".join([*lines, "}", ""])


def spelled(hint: Any) -> str:
    """A type of Python in TypeScript."""
    if hint in PLAIN:
        return PLAIN[hint]
    if is_typeddict(hint):
        return str(hint.__name__)
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        return " | ".join(f'"{each}"' for each in inner)
    if origin in (Union, UnionType):
        return " | ".join(spelled(each) for each in inner)
    if origin is list:
        item = spelled(inner[0])
        return f"({item})[]" if " " in item and not item.startswith("[") and not item.endswith("[]") else f"{item}[]"
    if origin is tuple:
        return f"[{', '.join(spelled(each) for each in inner)}]"
    if origin is dict:
        return f"Record<{spelled(inner[0])}, {spelled(inner[1])}>"
    raise TypeError(f"no TypeScript for {hint}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
