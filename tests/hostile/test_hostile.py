"""Hostile and damaged files: a clear answer in bounded time and memory, never a traceback.

Each case runs in a process of its own with limits on memory and processor time, as a stranger's file would meet the
command line: what is tested is the whole way from bytes to message.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from support.commands import limits, sistel_program

MEMORY = 1_500_000_000
"""Address space that reading may use, beside what is imported [bytes]."""
SECONDS = 40
"""Processor time on a slow, shared machine; the slowest case takes about a tenth of it."""

BODY = '<body name="b{}" joint="revolute" mass="1" com="0,1"/>'

BOMB = """<?xml version="1.0"?>
<!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaa">
{}]>
<system><body name="&z;" joint="revolute"/></system>
""".format(
    "\n".join(
        f'<!ENTITY {b} "{f"&{a};" * 10}">'
        for a, b in zip("abcdefghijklmnopqrstuvwxy", "bcdefghijklmnopqrstuvwxyz", strict=True)
    )
)

EXTERNAL = '<!DOCTYPE s [<!ENTITY e SYSTEM "file:///etc/passwd">]><system name="&e;"><body joint="revolute"/></system>'


def check(path: Path, *, lang: str = "en") -> tuple[int, list[dict[str, object]]]:
    """Exit code and diagnostics of `sistel check FILE --json`."""
    done = subprocess.run(
        [sistel_program(), "check", str(path), "--json", "--lang", lang],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, **limits(MEMORY, SECONDS)},
    )
    assert "Traceback" not in done.stderr, done.stderr[-2000:]
    return done.returncode, json.loads(done.stdout)["diagnostics"]


CASES: dict[str, tuple[bytes, str, int | None]] = {
    "entity bomb": (BOMB.encode(), "doctype", 2),
    "external entity": (EXTERNAL.encode(), "doctype", 1),
    "10,000 deep": (b"<system>\n" + b"<body>" * 10_000 + b"</body>" * 10_000 + b"</system>", "too-deep", 2),
    "1,000,000 deep and unclosed": (b"<system>\n" + b"<body>" * 1_000_000, "too-deep", 2),
    "100 MB": (b"<system>" + b" " * 100_000_000 + b"</system>", "file-too-large", None),
    "15 MB of bodies": (b"<system>" + BODY.format("x").encode() * 270_000 + b"</system>", "too-many-elements", 1),
    "15 MB in one attribute": (
        b'<system name="' + b"x" * 15_000_000 + b'"><body joint="1" mass="1"/></system>',
        "massless-end",
        1,
    ),
    "15 MB of one expression": (
        b'<system><body place="' + b"1+" * 7_500_000 + b'1, 0" joint="1"/></system>',
        "too-long",
        1,
    ),
    "15 MB of brackets": (b'<system><body place="' + b"(" * 15_000_000 + b'" joint="1"/></system>', "too-long", 1),
    "deep brackets": (
        b'<system><body place="' + b"(" * 2_000 + b"1" + b")" * 2_000 + b', 0" joint="1"/></system>',
        "too-deep",
        1,
    ),
    "a million attributes": (
        b"<system " + b" ".join(b'a%d=""' % i for i in range(1_000_000)) + b"/>",
        "too-many-attributes",
        1,
    ),
    "a billion copies": (
        f'<system>\n<repeat count="1e9">{BODY.format("{i}")}</repeat></system>'.encode(),
        "too-many-copies",
        2,
    ),
    "copies of copies of copies": (
        (
            "<system>\n"
            + "".join(f'<repeat count="99" index="{index}">' for index in "abcdefgh")
            + BODY.format("{a}")
            + "</repeat>" * 8
            + "</system>"
        ).encode(),
        "too-many-copies",
        2,
    ),
    "copies whose number grows": (
        f'<system>\n<repeat count="2000" index="j"><repeat count="j">{BODY.format("{j} {i}")}</repeat></repeat></system>'.encode(),
        "too-many-copies",
        2,
    ),
    "copies of nothing": (
        b'<system>\n<repeat count="90000"><repeat count="9" index="j"/></repeat></system>',
        "no-bodies",
        1,
    ),
    "copies of a long text": (
        b'<system>\n<repeat count="50000"><body name="b {i}" joint="1" mass="1" com="0,1"><shape d="m0,0'
        + b"h1" * 5_000
        + b'"/></body></repeat></system>',
        "too-many-copies",
        2,
    ),
    "copies of a long expression": (
        b'<system>\n<repeat count="50000"><body name="b {i}" joint="1" mass="1'
        + b"+i" * 90
        + b'" com="0,1"/></repeat></system>',
        "too-many-copies",
        2,
    ),
    "repetitions inside each other": (
        b"<system>\n" + b'<repeat count="1">' * 10_000 + b"</repeat>" * 10_000 + b"</system>",
        "too-deep",
        2,
    ),
    "20,000 wrong copies": (
        b'<system>\n<repeat count="20000"><body name="b {i}" base="c {i}" joint="1" mass="1" com="0,1"/></repeat></system>',
        "unknown-name",
        2,
    ),
    "15 MB of less-than signs": (b"<" * 15_000_000, "no-root", None),
    "15 MB of quotes": (b"<system a=" + b'"' * 15_000_000, "", 1),
    "an open comment": (b"<system><!--" + b"-" * 15_000_000, "unclosed-comment", 1),
    "empty": (b"", "empty-file", None),
    "blanks": (b" \n" * 1000, "empty-file", None),
    "a zip": (b"PK\x03\x04" + bytes(range(256)) * 100, "not-xml", None),
    "random bytes": (bytes((i * 7919 + i // 3) % 256 for i in range(100_000)), "", None),
    "utf-16 without end": ("<system><body".encode("utf-16")[:-1], "", 1),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name.startswith("15 MB") else []) for name in CASES]
)
def test_hostile_file(name: str, tmp_path: Path) -> None:
    data, code, line = CASES[name]
    path = tmp_path / "hostile.xml"
    path.write_bytes(data)
    exit_code, diagnostics = check(path)
    codes = [item["code"] for item in diagnostics]
    assert not code or code in codes, codes[:10]
    assert exit_code == (0 if code == "massless-end" else 1)
    if line is not None and code:
        assert next(item["line"] for item in diagnostics if item["code"] == code) == line
    assert len(diagnostics) <= 202, "the message itself must stay bounded"
    assert all(len(str(item["message"])) < 600 for item in diagnostics)
    path.unlink()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "windows-1251", "koi8-r"])
def test_encodings(encoding: str, tmp_path: Path) -> None:
    declared = encoding.removesuffix("-sig")
    text = f'<?xml version="1.0" encoding="{declared}"?>\n<системаТел><тело имя="звено" КП="ВКП" масса="1" ЦМ="0,1"/></системаТел>\n'
    path = tmp_path / "model.xml"
    path.write_bytes(text.encode(encoding))
    assert check(path) == (0, [])
    # The same mistake is found at the same place in every encoding.
    path.write_bytes(text.replace("ВКП", "ВПК").encode(encoding))
    exit_code, (problem,) = check(path, lang="ru")
    assert (exit_code, problem["code"], problem["line"], problem["column"]) == (1, "unknown-word", 2, 35)


def test_wrong_encoding_is_named(tmp_path: Path) -> None:
    path = tmp_path / "model.xml"
    path.write_bytes('<системаТел><тело КП="ВКП" масса="1" ЦМ="0,1"/></системаТел>'.encode("windows-1251"))
    exit_code, (problem,) = check(path)
    assert (exit_code, problem["code"]) == (1, "bad-byte")
    assert "windows-1251" in f"{problem['message']} {problem.get('hint')}"
