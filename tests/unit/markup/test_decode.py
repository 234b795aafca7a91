"""From bytes to text: encodings, and what is said when they are wrong."""

from __future__ import annotations

import codecs

import pytest

from sistel.errors import Diagnostic, Diagnostics, Source
from sistel.markup.xml._reader import Limits, decode, read_xml

TEXT = '<Тело имя="рука робота" масса="1"/>'


def read(data: bytes) -> tuple[Source | None, list[Diagnostic]]:
    """Decode and read as XML, so that nothing is reported twice."""
    diagnostics = Diagnostics()
    source = decode(data, "f.xml", diagnostics)
    if source is not None:
        read_xml(source, diagnostics)
    for diagnostic in diagnostics:
        assert diagnostic.render("en").startswith("f.xml:")
        assert diagnostic.render("ru").startswith("f.xml:")
    return source, list(diagnostics.sorted())


def good(data: bytes) -> str:
    source, problems = read(data)
    assert not problems, problems[0].render("en")
    assert source is not None
    return source.text


def only(data: bytes) -> Diagnostic:
    _, problems = read(data)
    assert len(problems) == 1, "\n".join(problem.render("en") for problem in problems)
    return problems[0]


def test_utf_8_is_the_default() -> None:
    assert good(TEXT.encode()) == TEXT
    assert good(codecs.BOM_UTF8 + TEXT.encode()) == TEXT


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("declared", ["", '<?xml version="1.0" encoding="UTF-16"?>'])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_utf_16(codec: str, declared: str, mark: str) -> None:
    assert good((mark + declared + TEXT).encode(codec)) == declared + TEXT


@pytest.mark.parametrize(
    "name",
    [
        "windows-1251",
        "Windows-1251",
        "cp1251",
        "koi8-r",
        "KOI8-U",
        "cp866",
        "ibm866",
        "iso-8859-5",
        "mac-cyrillic",
        "UTF8",
    ],
)
def test_declared(name: str) -> None:
    text = f'<?xml version="1.0" encoding="{name}"?>\n{TEXT}'
    assert good(text.encode(name)) == text


def test_ascii_and_latin() -> None:
    assert good(b'<?xml version="1.0" encoding="us-ascii"?><a/>')
    assert good('<?xml version="1.0" encoding="iso-8859-1"?><a b="é"/>'.encode("latin-1")).endswith('"é"/>')
    assert only('<?xml version="1.0" encoding="us-ascii"?><a b="é"/>'.encode("latin-1")).code == "bad-byte"


@pytest.mark.parametrize(
    ("name", "near"), [("windows1251", "windows-1251"), ("win-1251", "windows-1251"), ("utf-9", "utf-8"), ("rot13", "")]
)
def test_unknown(name: str, near: str) -> None:
    problem = only(f'<?xml version="1.0" encoding="{name}"?>{TEXT}'.encode())
    assert problem.code == "unknown-encoding"
    assert problem.span is not None
    assert problem.span.text == name
    assert problem.expected is not None
    assert near in (problem.hint.en if problem.hint else "")


def test_unknown_name_of_a_russian_text() -> None:
    source, problems = read(f'<?xml version="1.0" encoding="win"?>{TEXT}'.encode("cp1251"))
    assert [problem.code for problem in problems] == ["unknown-encoding"]
    assert source is not None
    assert TEXT in source.text


@pytest.mark.parametrize(("codec", "name"), [("cp1251", "windows-1251"), ("koi8-r", "koi8-r"), ("cp866", "cp866")])
def test_russian_bytes_that_are_not_utf_8(codec: str, name: str) -> None:
    text = f"<!-- a -->\n{TEXT}"
    source, problems = read(text.encode(codec))
    assert [problem.code for problem in problems] == ["bad-byte"]
    assert problems[0].span is not None
    assert (problems[0].span.line, problems[0].span.column) == (2, 2)
    assert problems[0].hint is not None
    assert name in problems[0].hint.en
    assert source is not None
    assert source.text == text


def test_damaged_utf_8() -> None:
    data = TEXT.encode().replace("б".encode(), b"\xff\xfe")
    source, problems = read(data)
    assert [problem.code for problem in problems] == ["bad-byte"]
    assert problems[0].span is not None
    assert problems[0].span.column == TEXT.index("б") + 1
    assert "0xFF" in problems[0].message.en
    assert problems[0].hint is not None
    assert "1251" not in problems[0].hint.en
    assert source is not None
    assert source.text == TEXT.replace("б", "\ufffd\ufffd")


def test_a_damaged_name_is_one_mistake() -> None:
    assert only("<Тело></Тело>".encode().replace("л".encode(), b"\xff", 1)).code == "bad-byte"
    assert only("<Тело></Тело>".encode().replace("л".encode(), b"\x00", 1)).code == "control-character"


def test_western_bytes_are_not_taken_for_russian() -> None:
    hint = only('<a name="café"/>'.encode("latin-1")).hint
    assert hint is not None
    assert "1251" not in hint.en


def test_truncated_utf_16() -> None:
    assert "bad-byte" in [problem.code for problem in read((TEXT + "\n").encode("utf-16")[:-1])[1]]


def test_contradictions() -> None:
    problem = only(f'<?xml version="1.0" encoding="utf-16"?>{TEXT}'.encode())
    assert problem.code == "encoding-mismatch"
    problem = only(f'<?xml version="1.0" encoding="utf-8"?>{TEXT}'.encode("utf-16"))
    assert problem.code == "encoding-mismatch"
    problem = only(codecs.BOM_UTF8 + f'<?xml version="1.0" encoding="windows-1251"?>{TEXT}'.encode())
    assert (problem.code, problem.severity) == ("encoding-mismatch", "warning")


@pytest.mark.parametrize("codec", ["utf-32", "utf-32-le", "utf-32-be"])
def test_utf_32(codec: str) -> None:
    problem = only(TEXT.encode(codec))
    assert problem.code == "unsupported-encoding"
    assert "UTF-32" in problem.message.en


def test_size() -> None:
    diagnostics = Diagnostics()
    assert decode(b"<a/>" * 2**20, "f.xml", diagnostics, limits=Limits(size=2**20)) is None
    (problem,) = diagnostics
    assert problem.code == "file-too-large"
    assert "4.0 MiB" in problem.message.en
    assert "1.0 MiB" in problem.message.en


def test_nothing() -> None:
    assert only(b"").code == "empty-file"
    assert only(b" \r\n\t").code == "empty-file"
    assert only(codecs.BOM_UTF8).code == "empty-file"
    assert only(" \n".encode("utf-16")).code == "empty-file"


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"PK\x03\x04\x14\x00\x06\x00", "ZIP"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "PNG"),
        (b"%PDF-1.7\n%\xe2\xe3", "PDF"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "office"),
        (b"{\\rtf1\\ansi", "RTF"),
        (b"\x1f\x8b\x08\x00", "gzip"),
        (b'{"bodies": ["<a>"]}', "JSON"),
        (b"solid part\nfacet normal 0 0 1\n", "without any tags"),
        (bytes(range(256)) * 4 + bytes(200), "binary"),
    ],
)
def test_something_else(data: bytes, word: str) -> None:
    problem = only(data)
    assert problem.code == "not-xml"
    assert word in problem.message.en


def test_control_characters_are_reported_once() -> None:
    source, problems = read(b'<a>\n<b c="1\x00"/>\x1b</a>')
    assert [problem.code for problem in problems] == ["control-character"]
    assert problems[0].span is not None
    assert (problems[0].span.line, problems[0].span.column) == (2, 8)
    assert source is not None
    assert source.text == '<a>\n<b c="1\ufffd"/>\ufffd</a>'
