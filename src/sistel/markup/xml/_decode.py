"""From bytes to text: which encoding a file is in, and what to say when it is not the one it claims."""

from __future__ import annotations

import re
from encodings.aliases import aliases

from sistel.errors import Diagnostics, Source, Span, Text, did_you_mean, one_of
from sistel.markup.xml._element import LIMITS, Limits, shorten
from sistel.markup.xml._lexis import ILLEGAL, Problems, report_illegal

_UTF_16 = frozenset({"utf_16", "utf_16_le", "utf_16_be"})
_ENCODINGS = frozenset(
    {"utf_8", "utf_8_sig", "ascii", "latin_1", "koi8_r", "koi8_u", "koi8_t", "kz1048", "mac_cyrillic", "mac_roman"}
    | {f"iso8859_{part}" for part in (*range(1, 12), *range(13, 17))}
    | {f"cp{page}" for page in (437, 737, 775, 850, 852, 855, 857, 858, 860, 861, 862, 863, 864, 865, 866, 869)}
    | {f"cp125{page}" for page in range(9)}
    | _UTF_16
)
"""Python's names of the text encodings that a file may be in; its other codecs are not for files of strangers."""
_KNOWN = ("utf-8", "windows-1251", "koi8-r", "cp866", "utf-16", "iso-8859-5", "iso-8859-1", "us-ascii")
"""What to offer when a name is not known."""

_DECLARED = re.compile(r"\A\s*<\?xml[^>]*?\sencoding\s*=\s*[^\w<>?]{0,4}([^\"'<>?\s]*)", re.IGNORECASE)
_UTF_16_LITTLE = re.compile(rb"\A(?:[ \t\r\n]\0)*<\0")
_UTF_16_BIG = re.compile(rb"\A(?:\0[ \t\r\n])*\0<")
_JSON = re.compile(r"[{\[]\s*(?:[\"{}\[\]\-0-9]|true|false|null)")
_CYRILLIC_WORDS = re.compile("[А-Яа-яЁё]{2,}")

_MAGIC = (
    (b"PK\x03\x04", Text("a ZIP archive or an office document", "архив ZIP или офисный документ")),
    (b"\xd0\xcf\x11\xe0", Text("an old office document", "офисный документ старого образца")),
    (b"%PDF", Text("a PDF document", "документ PDF")),
    (b"{\\rtf", Text("an RTF document", "документ RTF")),
    (b"\x89PNG", Text("a PNG picture", "рисунок PNG")),
    (b"\xff\xd8\xff", Text("a JPEG picture", "рисунок JPEG")),
    (b"GIF8", Text("a GIF picture", "рисунок GIF")),
    (b"\x1f\x8b", Text("a gzip archive", "архив gzip")),
    (b"7z\xbc\xaf", Text("a 7z archive", "архив 7z")),
    (b"Rar!", Text("a RAR archive", "архив RAR")),
    (b"\x7fELF", Text("a program", "программа")),
    (b"MZ\x90", Text("a program", "программа")),
    (b"glTF", Text("a glTF model", "модель glTF")),
)


def decode(data: bytes, path: str, diagnostics: Diagnostics, *, limits: Limits = LIMITS) -> Source | None:
    """The text of an XML file.

    The encoding is that of the byte order mark, of the XML declaration, or UTF-8, in this order. Bytes that do not
    belong to it are an error, and reading goes on with the encoding that they look like, or with U+FFFD for each.
    `path` is the name of the file in messages; nothing is opened.

    Returns:
        The text without its byte order mark; None when it makes no sense to look for XML in it.
    """
    nowhere = Span(Source(path, ""), 0, 0)
    if len(data) > limits.size:
        size, limit = len(data) / 2**20, limits.size / 2**20
        message = Text(
            f"the file is too large: {size:.1f} MiB, at most {limit:.1f} MiB are read",
            f"файл слишком велик: {size:.1f} МиБ, читается не больше {limit:.1f} МиБ",
        )
        diagnostics.error("file-too-large", nowhere, message)
        return None
    if not data.strip():
        diagnostics.error("empty-file", nowhere, _empty(blank=bool(data)))
        return None
    what = _binary(data)
    if what is not None:
        diagnostics.error("not-xml", nowhere, _not_xml(what))
        return None
    if _is_utf_32(data):
        diagnostics.error(
            "unsupported-encoding",
            nowhere,
            Text("the encoding UTF-32 is not supported", "кодировка UTF-32 не поддерживается"),
            hint=Text("save the file as UTF-8", "сохраните файл в UTF-8"),
        )
        return None
    return _Decoder(data, path, diagnostics).decode()


def report_not_xml(source: Source, problems: Problems) -> bool:
    """Report a text that is obviously something else than XML; whether it was."""
    text = source.text
    start = len(text) - len(text.lstrip("\ufeff \t\r\n"))
    if start == len(text):
        problems.error("empty-file", 0, 0, _empty(blank=bool(text)))
        return True
    what = None
    if _JSON.match(text, start):
        what = Text("JSON", "JSON")
    elif text.find("<", start) < 0:
        what = Text("a text without any tags", "текст без тегов")
    if what is None:
        return False
    problems.error("not-xml", start, start + 1, _not_xml(what))
    return True


def _empty(*, blank: bool) -> Text:
    if blank:
        return Text("the file holds nothing but blanks", "в файле нет ничего, кроме пробелов")
    return Text("the file is empty", "файл пуст")


def _not_xml(what: Text) -> Text:
    return Text(f"this is not XML, but {what.en}", f"это не XML, а {what.ru}")


def _binary(data: bytes) -> Text | None:
    for magic, what in _MAGIC:
        if data.startswith(magic):
            return what
    head = data[:4096]
    if not _is_utf_32(data) and _utf_16(data) is None and head.count(0) * 20 > len(head):
        return Text("a binary file", "двоичный файл")
    return None


def _is_utf_32(data: bytes) -> bool:
    return data.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff", b"<\0\0\0", b"\0\0\0<"))


def _utf_16(data: bytes) -> tuple[str, int] | None:
    """Codec of a UTF-16 file and the length of its byte order mark; None when it is no such file."""
    if data.startswith(b"\xff\xfe"):
        return "utf_16_le", 2
    if data.startswith(b"\xfe\xff"):
        return "utf_16_be", 2
    if _UTF_16_LITTLE.match(data):
        return "utf_16_le", 0
    if _UTF_16_BIG.match(data):
        return "utf_16_be", 0
    return None


def _codec(name: str) -> str | None:
    """Python's name of an encoding, or None when it is not one of those allowed."""
    key = name.lower().replace("-", "_").replace(" ", "_")
    found = aliases.get(key, key)
    return found if found in _ENCODINGS else None


class _Decoder:
    """One file: first the text, then what has to be said about it, for a message needs the text to point at."""

    def __init__(self, data: bytes, path: str, diagnostics: Diagnostics) -> None:
        self.data = data
        self.source = Source(path, "")
        self.problems = Problems(self.source, diagnostics, limit=10)
        self.declared = ""
        """The encoding that the declaration names."""
        self.declared_at = 0

    def decode(self) -> Source:
        mark = 3 if self.data.startswith(b"\xef\xbb\xbf") else 0
        wide = _utf_16(self.data)
        if wide is not None:
            codec, mark = wide
        else:
            codec = "utf_8"
        self.data = self.data[mark:]
        head = self.data[:2048].decode(codec if wide is not None else "latin_1", "replace")
        match = _DECLARED.match(head)
        declared = None
        if match is not None:
            self.declared, self.declared_at = match[1], match.start(1)
            declared = _codec(self.declared)
        if match is not None and declared is None:
            self._text(codec, silent=True)
            self._report_unknown()
        elif declared is not None and (declared in _UTF_16) != (wide is not None):
            self._text(codec, silent=True)
            self._report_mismatch("UTF-16" if wide is not None else "UTF-8")
        elif declared is None or wide is not None or mark:
            self._text(codec)
            if mark == 3 and declared not in (None, "utf_8", "utf_8_sig"):
                self._warn_mark()
        else:
            self._text("utf_8" if declared == "utf_8_sig" else declared)
        report_illegal(self.problems)
        self.source.text = ILLEGAL.sub("\ufffd", self.source.text)  # reported now, not again while reading
        return self.source

    def _text(self, codec: str, *, silent: bool = False) -> None:
        """Decode; report the first bad byte unless another error about the encoding will be."""
        try:
            self.source.text = self.data.decode(codec)
            return
        except UnicodeDecodeError as failure:
            first = failure.start
        text = self.data.decode(codec, "replace")
        guess = self._guess(text) if codec == "utf_8" else None
        self.source.text = text if guess is None else self.data.decode(guess, "replace")
        if silent:
            return
        offset = len(self.data[:first].decode(guess or codec, "replace"))
        shown = self.declared or codec.replace("_", "-")
        byte = f"0x{self.data[first]:02X}"
        more = text.count("\ufffd") - self.data.count("\ufffd".encode(codec)) - 1 if codec == "utf_8" else 0
        if guess is not None:
            name = "windows-1251" if guess == "cp1251" else guess.replace("_", "-")
            hint = Text(
                f'it looks like {name}: save it as UTF-8, or write <?xml version="1.0" encoding="{name}"?> first in it',
                f'похоже на {name}: сохраните файл в UTF-8 или начните его с <?xml version="1.0" encoding="{name}"?>',
            )
        else:
            hint = Text("save the file as UTF-8", "сохраните файл в UTF-8")
        self.problems.error(
            "bad-byte",
            offset,
            offset + 1,
            Text(
                f"the byte {byte} does not belong to a text in {shown}"
                + (f" (and {more} more places)" if more > 0 and guess is None else ""),
                f"байт {byte} не может встретиться в тексте в кодировке {shown}"
                + (f" (ещё таких мест: {more})" if more > 0 and guess is None else ""),
            ),
            hint=hint,
        )

    def _guess(self, text: str) -> str | None:
        """The one-byte encoding of Russian that bytes which are not UTF-8 look like."""
        bad = text.count("\ufffd")
        if sum(1 for character in text if character > "\x7f") > 2 * bad:
            return None  # mostly UTF-8, damaged in places
        best, found = 0.0, None
        for codec in ("cp1251", "koi8_r", "cp866"):
            sample = self.data[:65536].decode(codec, "replace")
            others = sum(1 for character in sample if character > "\x7f")
            words = "".join(_CYRILLIC_WORDS.findall(sample))
            # Between these encodings small letters turn into capitals or into frames; a text has mostly small ones.
            score = sum(1.0 if character.islower() else 0.4 for character in words)
            if len(words) >= 0.7 * others and score > best:
                best, found = score, codec
        return found

    def _report_unknown(self) -> None:
        shown = shorten(self.declared, 40)
        self.problems.error(
            "unknown-encoding",
            self.declared_at,
            self.declared_at + max(1, len(self.declared)),
            Text(f'the encoding "{shown}" is not known', f"кодировка «{shown}» неизвестна"),
            expected=one_of(_KNOWN),
            hint=did_you_mean(self.declared, _KNOWN),
        )

    def _report_mismatch(self, actual: str) -> None:
        shown = shorten(self.declared, 40)
        self.problems.error(
            "encoding-mismatch",
            self.declared_at,
            self.declared_at + len(self.declared),
            Text(
                f'the declaration says "{shown}", but the file is in {actual}',
                f"в объявлении указано «{shown}», но файл в кодировке {actual}",
            ),
            expected=Text(f'encoding="{actual.lower()}"', f'encoding="{actual.lower()}"'),
        )

    def _warn_mark(self) -> None:
        shown = shorten(self.declared, 40)
        self.problems.warning(
            "encoding-mismatch",
            self.declared_at,
            self.declared_at + len(self.declared),
            Text(
                f'the declaration says "{shown}", but the byte order mark says UTF-8; it is read as UTF-8',
                f"в объявлении указано «{shown}», но метка в начале файла означает UTF-8; файл читается в UTF-8",
            ),
        )
