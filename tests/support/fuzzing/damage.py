"""Damage that knows what it damages: elements, attributes, values, rows, cells, keys, arrays, chunks, and bytes last.

Every function takes the bytes of a file, others of its kind, and a source of chance, and gives other bytes; the same chance
gives the same bytes. What a format does not allow is what is wanted.
"""

from __future__ import annotations

import contextlib
import io
import json
import random
import re
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from support.fuzzing.values import LOOKALIKE, NAMES, NUMBERS, UNITS, number, value

from sistel.simulation.run._archives import checksum

Damage = Callable[[bytes, Sequence[bytes], random.Random], bytes]
LARGEST = 60_000
"""No mutant is longer [bytes]: long ones only make the same damage slower."""

_TAG = re.compile(r'<(/?)([^\s<>/!?"\'=]+)((?:"[^"]*"|\'[^\']*\'|[^<>"\'])*?)(/?)>')
_ATTRIBUTE = re.compile(r'([^\s<>/="\']+)\s*=\s*"([^"]*)"')
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_NAMING = ("name", "имя", "id", "number", "номер", "DEF")
_CODINGS = ("utf-16", "utf-16-le", "utf-16-be", "cp1251", "koi8-r", "utf-32", "latin-1", "utf-8-sig", "cp866", "utf-7")
_NO_ARCHIVE = (
    ValueError,
    OSError,
    KeyError,
    EOFError,
    zipfile.BadZipFile,
    zlib.error,
    RuntimeError,
    struct.error,
    OverflowError,
    tokenize.TokenError,
    SyntaxError,
    TypeError,
)
"""What NumPy may raise for an archive that was damaged before."""


def xml(data: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    """Elements and attributes exchanged, doubled, dropped, moved, renamed; values replaced."""
    text = data.decode("utf-8", errors="replace")
    if rng.randrange(20) == 0:
        return raw(data, others, rng)
    changed = rng.choice(_GENTLE if rng.randrange(5) < 3 else _XML)(text, others, rng)
    return changed.encode("utf-8", errors="replace")


def _elements(text: str) -> list[tuple[int, int, int]]:
    """Begin, end of the start tag, and end of every element whose tags pair up."""
    found: list[tuple[int, int, int]] = []
    opened: list[tuple[str, int, int]] = []
    for tag in _TAG.finditer(text):
        if tag[4]:
            found.append((tag.start(), tag.end(), tag.end()))
        elif not tag[1]:
            opened.append((tag[2], tag.start(), tag.end()))
        elif opened and opened[-1][0] == tag[2]:
            _, begin, head = opened.pop()
            found.append((begin, head, tag.end()))
    return found


def _some(text: str, rng: random.Random) -> tuple[int, int, int] | None:
    """Any element but the root, where there is another."""
    found = _elements(text)
    inner = [each for each in found if each[0] != min(found)[0]] if len(found) > 1 else found
    return rng.choice(inner) if inner else None


def _drop(text: str, others: Sequence[bytes], rng: random.Random) -> str:
    at = _some(text, rng)
    return text if at is None else text[: at[0]] + text[at[2] :]


def _double(text: str, others: Sequence[bytes], rng: random.Random) -> str:
    at = _some(text, rng)
    return text if at is None else text[: at[2]] + text[at[0] : at[2]] * rng.choice((1, 1, 2, 9)) + text[at[2] :]


def _swap(text: str, others: Sequence[bytes], rng: random.Random) -> str:
    a, b = _some(text, rng), _some(text, rng)
    if a is None or b is None:
        return text
    a, b = sorted((a, b))
    if a[2] > b[0]:
        return text
    return text[: a[0]] + text[b[0] : b[2]] + text[a[2] : b[0]] + text[a[0] : a[2]] + text[b[2] :]


def _move(text: str, others: Sequence[bytes], rng: random.Random) -> str:
    """An element becomes the child of another, or its neighbour."""
    at = _some(text, rng)
    if at is None:
        return text
    piece, rest = text[at[0] : at[2]], text[: at[0]] + text[at[2] :]
    return _put(rest, piece, rng)


def _put(text: str, piece: str, rng: random.Random) -> str:
    tags = list(_TAG.finditer(text))
    if not tags:
        return text + piece
    tag = rng.choice(tags)
    if tag[4] and rng.randrange(2):
        return f"{text[: tag.start()]}<{tag[2]}{tag[3]}>{piece}</{tag[2]}>{text[tag.end() :]}"
    return text[: tag.end()] + piece + text[tag.end() :]


def _splice(text: str, others: Sequence[bytes], rng: random.Random) -> str:
    """An element of another file."""
    other = rng.choice(others).decode("utf-8", errors="replace")
    at = _some(other, rng)
    return text if at is None else _put(text, other[at[0] : at[2]], rng)


def _join(text: str, others: Sequence[bytes], rng: random.Random) -> str:
    """The beginning of this file and the end of another."""
    other = rng.choice(others).decode("utf-8", errors="replace")
    return text[: rng.randrange(len(text) + 1)] + other[rng.randrange(len(other) + 1) :]


def _values(text: str) -> list[re.Match[str]]:
    return list(_ATTRIBUTE.finditer(text))


def _value(text: str, others: Sequence[bytes], rng: random.Random) -> str:
    found = _values(text)
    if not found:
        return text
    at = rng.choice(found)
    return text[: at.start(2)] + value(at[2], rng) + text[at.end(2) :]


def _one_number(text: str, others: Sequence[bytes], rng: random.Random) -> str:
    """One number within a value, the rest of which stays as it is."""
    found = [(at, n) for at in _values(text) if at[1] not in _NAMING for n in _NUMBER.finditer(at[2])]
    if not found:
        return _text_number(text, others, rng)
    at, n = rng.choice(found)
    begin = at.start(2)
    return text[: begin + n.start()] + _other_number(n[0], rng) + text[begin + n.end() :]


def _text_number(text: str, others: Sequence[bytes], rng: random.Random) -> str:
    found = list(_NUMBER.finditer(text))
    if not found:
        return text
    n = rng.choice(found)
    return text[: n.start()] + _other_number(n[0], rng) + text[n.end() :]


def _other_number(old: str, rng: random.Random) -> str:
    kind = rng.randrange(12)
    if kind < 2:
        return number(rng)
    try:
        # Nearly the same, the other way round, of another size, or of a size beyond all measure.
        mild = (-1.0, 0.0, 1.0 + 1e-12, 0.5, 3.0, 1e-3, 1e3, 1e-6, 1e6, 1e-9, 1e9, 1e-12, 1e12, 180.0, 1e-15)
        wild = (1e30, 1e-30, 1e100, 1e-100, 1e200, 1e-300)
        return repr(float(old) * rng.choice(wild if kind == 2 else mild))
    except (ValueError, OverflowError):
        return number(rng)


def _neighbour(text: str, others: Sequence[bytes], rng: random.Random) -> str:
    """The value of another attribute of this file, best of the same name."""
    found = _values(text)
    if len(found) < 2:
        return text
    at = rng.choice(found)
    same = [each for each in found if each[1] == at[1] and each[2] != at[2]]
    other = rng.choice(same if same and rng.randrange(3) else found)
    return text[: at.start(2)] + other[2] + text[at.end(2) :]


def _borrow(text: str, others: Sequence[bytes], rng: random.Random) -> str:
    """An attribute of another file, added to some element."""
    other = rng.choice(others).decode("utf-8", errors="replace")
    given, tags = _values(other), [tag for tag in _TAG.finditer(text) if not tag[1]]
    if not given or not tags:
        return text
    tag, one = rng.choice(tags), rng.choice(given)
    at = tag.start() + 1 + len(tag[2])
    return f'{text[:at]} {one[1]}="{one[2]}"{text[at:]}'


def _drop_attribute(text: str, others: Sequence[bytes], rng: random.Random) -> str:
    found = _values(text)
    if not found:
        return text
    at = rng.choice(found)
    return text[: at.start()] + text[at.end() :]


def _rename_attribute(text: str, others: Sequence[bytes], rng: random.Random) -> str:
    found = _values(text)
    if not found:
        return text
    at, other = rng.choice(found), rng.choice(found)
    word = other[1] if rng.randrange(3) else at[1].translate(LOOKALIKE)
    return text[: at.start(1)] + word + text[at.end(1) :]


def _rename_element(text: str, others: Sequence[bytes], rng: random.Random) -> str:
    found, tags = _elements(text), [tag[2] for tag in _TAG.finditer(text)]
    if not found or not tags:
        return text
    begin, head, end = rng.choice(found)
    old = re.match(r"<([^\s<>/]+)", text[begin:head])
    new = rng.choice(tags) if rng.randrange(3) else rng.choice(tags).translate(LOOKALIKE)
    if old is None:
        return text
    inside = text[begin:end].replace(f"<{old[1]}", f"<{new}", 1)
    if inside.endswith(f"</{old[1]}>"):
        inside = inside[: -len(old[1]) - 1] + f"{new}>"
    return text[:begin] + inside + text[end:]


def _name(text: str, others: Sequence[bytes], rng: random.Random) -> str:
    """A name that collides, is strange, or looks like another; where it is meant elsewhere that may follow, or not."""
    found = [at for at in _values(text) if at[1] in _NAMING]
    if not found:
        return text
    at = rng.choice(found)
    new = rng.choice((rng.choice(found)[2], rng.choice(NAMES), at[2].translate(LOOKALIKE), rng.choice(NAMES)))
    if at[2] and rng.randrange(2):
        return text.replace(f'"{at[2]}"', f'"{new}"')
    return text[: at.start(2)] + new + text[at.end(2) :]


def _reference(text: str, others: Sequence[bytes], rng: random.Random) -> str:
    """Something that means one name means another, itself, or nothing."""
    found = _values(text)
    names = [at[2] for at in found if at[1] in _NAMING and at[2]]
    uses = [at for at in found if at[1] not in _NAMING and at[2] in names]
    if not uses:
        return _name(text, others, rng)
    at = rng.choice(uses)
    new = rng.choice((rng.choice(names), rng.choice(names), rng.choice(NAMES)))
    return text[: at.start(2)] + new + text[at.end(2) :]


def _unit(text: str, others: Sequence[bytes], rng: random.Random) -> str:
    found = [at for at in _values(text) if _NUMBER.search(at[2])]
    if not found:
        return text
    at = rng.choice(found)
    return text[: at.end(2)] + rng.choice(UNITS) + text[at.end(2) :]


def _deep(text: str, others: Sequence[bytes], rng: random.Random) -> str:
    """Something nested in itself many times."""
    at = _some(text, rng)
    if at is None or at[2] - at[0] > 400:
        return text
    head = text[at[0] : at[1]]
    tag = _TAG.fullmatch(head)
    if tag is None:
        return text
    opened, count = f"<{tag[2]}{tag[3]}>", rng.choice((2, 5, 40, 300))
    return text[: at[0]] + (opened * count)[: LARGEST // 2] + f"</{tag[2]}>" * count + text[at[2] :]


_XML = (
    *(_drop, _double, _swap, _move, _splice, _splice, _value, _value, _value, _borrow, _borrow, _drop_attribute),
    *(_rename_attribute, _rename_element, _name, _name, _reference, _reference, _unit, _deep, _join),
)
_GENTLE = (_one_number, _one_number, _one_number, _one_number, _neighbour, _reference, _drop_attribute, _drop, _double)
"""What is often right again: such files are read, and go on to places that few others reach."""


def table(data: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    """Rows and cells of a table with commas or semicolons."""
    lines = data.decode("utf-8", errors="replace").splitlines()
    sign = ";" if lines and ";" in lines[-1] else ","
    kind = rng.randrange(9)
    at = rng.randrange(len(lines)) if lines else 0
    if not lines or kind == 0:
        return raw(data, others, rng)
    if kind == 1:
        del lines[at]
    elif kind == 2:
        lines.insert(rng.randrange(len(lines) + 1), lines[at])
    elif kind == 3:
        other = rng.choice(others).decode("utf-8", errors="replace").splitlines() or [""]
        lines.insert(at, rng.choice(other))
    else:
        cells = lines[at].split(sign)
        i, j = rng.randrange(len(cells)), rng.randrange(len(cells))
        if kind == 4:
            cells[i], cells[j] = cells[j], cells[i]
        elif kind == 5:
            cells.insert(i, cells[j])
        elif kind == 6:
            del cells[i]
        else:
            cells[i] = value(cells[i], rng)
        lines[at] = sign.join(cells)
    return "\n".join(lines).encode("utf-8", errors="replace") + b"\n"


def tokens(data: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    """Lines and words of a text without a finer form, such as a mesh."""
    lines = data.decode("utf-8", errors="replace").split("\n")
    kind, at = rng.randrange(6), rng.randrange(len(lines))
    if kind == 0:
        return raw(data, others, rng)
    if kind == 1:
        lines.insert(rng.randrange(len(lines) + 1), lines[at])
    elif kind == 2:
        del lines[at]
    elif kind == 3:
        other = rng.choice(others).decode("utf-8", errors="replace").split("\n")
        lines.insert(at, rng.choice(other))
    else:
        words = lines[at].split(" ")
        words[rng.randrange(len(words))] = number(rng) if rng.randrange(4) else rng.choice(NAMES)
        lines[at] = " ".join(words)
    return "\n".join(lines).encode("utf-8", errors="replace")


_PLAIN: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        0,
        1,
        -1,
        2**31,
        2**63,
        2**64,
        -(2**63),
        10**400,
        1e308,
        -1e308,
        5e-324,
        1e-200,
        0.5,
        1.5,
        3,
        5,
    ),
    *(
        "",
        "a",
        "1",
        [],
        {},
        [0],
        [[]],
        [0, 0, 0],
        [1e308, 0, 0],
        float("nan"),
        float("inf"),
        "я" * 3000,
        5126,
        5121,
        99999,
    ),
)


def tree(data: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    """Keys, items and values of a JSON text."""
    try:
        root = json.loads(data)
    except ValueError:
        return raw(data, others, rng)
    if rng.randrange(12) == 0:
        return raw(data, others, rng)
    return json.dumps(_branch(root, others, rng), ensure_ascii=rng.randrange(2) == 0).encode("utf-8", errors="replace")


def _branch(root: Any, others: Sequence[bytes], rng: random.Random) -> Any:
    holders: list[Any] = []
    todo = [root]
    while todo:
        each = todo.pop()
        if isinstance(each, dict | list) and each:
            holders.append(each)
            todo += each.values() if isinstance(each, dict) else each
    if not holders:
        return rng.choice(_PLAIN)
    holder = rng.choice(holders)
    key = rng.choice(list(holder)) if isinstance(holder, dict) else rng.randrange(len(holder))
    kind = rng.randrange(7)
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, list):
        holder.insert(rng.randrange(len(holder) + 1), holder[key])
    elif kind == 2:
        giver = rng.choice(holders)
        found = rng.choice(list(giver.values()) if isinstance(giver, dict) else giver)
        # A copy: a tree that holds itself has no text.
        holder[key] = json.loads(json.dumps(found))
    elif kind == 3 and isinstance(holder, dict):
        name = rng.choice((*NAMES[:12], str(key).translate(LOOKALIKE), rng.choice(list(holder))))
        holder[name] = holder.pop(key)
    elif isinstance(holder[key], int | float) and not isinstance(holder[key], bool) and rng.randrange(2):
        try:
            holder[key] = holder[key] * rng.choice((-1, 0, 2, 1000, 0.5, 1e-9, 1e100)) + rng.choice((0, 0, 1, -1))
        except OverflowError:
            holder[key] = 0
    elif isinstance(holder[key], str) and rng.randrange(2):
        holder[key] = value(holder[key], rng)
    else:
        holder[key] = rng.choice(_PLAIN)
    return root


def glb(data: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    """The JSON of a .glb, put back with true or false lengths; or its bytes."""
    if len(data) < 20 or rng.randrange(4) == 0:
        return binary(data, others, rng)
    length = min(int.from_bytes(data[12:16], "little"), len(data) - 20)
    text = tree(data[20 : 20 + length], others, rng)
    text += b" " * (-len(text) % 4)
    rest = data[20 + length :]
    told = len(text) + rng.choice((0, 0, 0, 0, 0, 0, 4, -4, 2**20))
    return struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), max(told, 0), 0x4E4F534A) + text + rest


def binary(data: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    """Numbers of four or eight bytes in place, pieces moved; else bytes."""
    if len(data) < 16 or rng.randrange(3) == 0:
        return raw(data, others, rng)
    changed = bytearray(data)
    at = rng.randrange(len(data) - 8)
    if rng.randrange(2):
        at -= at % 4
    kind = rng.randrange(4)
    if kind == 0:
        new = struct.pack(
            "<I", rng.choice((0, 1, 2, 0xFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, rng.randrange(2**32)))
        )
    elif kind == 1:
        new = struct.pack(
            "<f", rng.choice((0.0, -1.0, 1e38, 1e-45, float("nan"), float("inf"), float("-inf"), 1e15, 1e16))
        )
    elif kind == 2:
        new = struct.pack(
            "<d", rng.choice((0.0, -1.0, 1e308, 5e-324, float("nan"), float("inf"), float("-inf"), 1e200))
        )
    else:
        begin = rng.randrange(len(data))
        new = data[begin : begin + rng.choice((4, 12, 50, 200))]
    changed[at : at + len(new)] = new
    return bytes(changed)


def archive(data: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    """Arrays and words of an .npz, written again as a whole archive; else bytes, and headers of zip."""
    if rng.randrange(4) == 0:
        return binary(data, others, rng)
    try:
        arrays = _arrays(data)
        giver = _arrays(rng.choice(others)) or arrays
    except _NO_ARCHIVE:
        return raw(data, others, rng)
    if not arrays:
        return raw(data, others, rng)
    name = rng.choice(sorted(arrays))
    kind = rng.randrange(8)
    if kind == 0:
        del arrays[name]
    elif kind == 1:
        arrays[name] = arrays[rng.choice(sorted(arrays))]
    elif kind == 2:
        arrays[name] = giver.get(name, arrays[name])
    elif "meta" in arrays and kind in (3, 4):
        try:
            root = json.loads(str(arrays["meta"]))
            arrays["meta"] = np.array(json.dumps(_branch(root, others, rng), ensure_ascii=False))
        except ValueError:
            arrays["meta"] = np.array("{}")
    else:
        arrays[name] = _array(arrays[name], rng)
    if "checksum" in arrays and rng.randrange(2):
        # As somebody would who wants to be believed.
        del arrays["checksum"]
        with contextlib.suppress(ValueError, TypeError):
            arrays["checksum"] = np.array(checksum(arrays))
    return _packed(arrays)


def _arrays(data: bytes) -> dict[str, Any]:
    with np.load(io.BytesIO(data), allow_pickle=False) as read:
        return {name: read[name] for name in read.files}


def _packed(arrays: dict[str, Any]) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def _array(old: Any, rng: random.Random) -> Any:
    """Other numbers, another type, another shape."""
    kind = rng.randrange(7)
    with np.errstate(all="ignore"):
        if kind < 3 and old.dtype.kind in "fiu" and old.size:
            new = old.copy()
            special = (
                (0.0, -1.0, 1e308, 1e-300, float("nan"), float("inf"), 1e12)
                if old.dtype.kind == "f"
                else (0, 1, 127, 7)
            )
            new.flat[rng.randrange(new.size)] = rng.choice(special)
            return new
        if kind == 3:
            return old[::-1] if old.ndim else np.array([old, old])
        if kind == 4 and old.dtype.kind in "fiu":
            return old.astype(rng.choice(("f4", "i8", "U10", "c16", "?", ">f8", "i1")))
        if kind == 5:
            return old[:-1] if old.ndim and len(old) else old.reshape(1)
        if kind == 6 and old.ndim:
            return np.concatenate([old, old])
        return rng.choice((np.zeros(0), np.zeros((0, 2)), np.zeros((2, 2, 2)), np.array("x"), np.array(3), old.T))


def raw(data: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    """Bytes exchanged, pieces doubled or dropped, the end cut off, another encoding."""
    at = rng.randrange(len(data) + 1)
    kind = rng.randrange(9)
    if kind == 0 and data:
        return data[: min(at, len(data) - 1)] + bytes([rng.randrange(256)]) + data[at + 1 :]
    if kind == 1:
        return data[:at] + rng.choice(NUMBERS).encode() + data[at:]
    if kind == 2:
        return data[:at] + data[at + rng.randrange(1, 60) :]
    if kind == 3:
        return data[:at] + data[at : at + rng.randrange(1, 300)] + data[at:]
    if kind == 4:
        other = rng.choice(others)
        begin = rng.randrange(len(other) + 1)
        return data[:at] + other[begin : begin + rng.randrange(1, 300)] + data[at:]
    if kind == 5:
        return data[:at]
    if kind == 6:
        coding = rng.choice(_CODINGS)
        text = data.decode("utf-8", errors="replace")
        if rng.randrange(2):
            text = re.sub(r'encoding="[^"]*"', f'encoding="{rng.choice(_CODINGS)}"', text)
        return text.encode(coding, errors="replace")
    if kind == 7:
        return data[:at] + bytes(rng.randrange(256) for _ in range(rng.randrange(1, 9))) + data[at:]
    return data[:at] + rng.choice(
        (b"\0", b"\xff\xfe", b"\xed\xa0\x80", b"\r", b"\x1a", b"\xef\xbb\xbf", b"]]>", b"<!--", b"&a;")
    )


def damaged(data: bytes, others: Sequence[bytes], damage: Damage, rng: random.Random) -> bytes:
    """One to eight damages, one after another."""
    for _ in range(rng.choice((1, 1, 1, 1, 1, 1, 2, 2, 3, 6))):
        data = damage(data, others, rng)[:LARGEST]
    return data
