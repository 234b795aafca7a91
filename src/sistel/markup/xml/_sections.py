"""Everything of XML that is neither an element nor text: comments, CDATA, instructions, document types."""

from __future__ import annotations

import re

from sistel.errors import Text
from sistel.markup.xml._element import shorten
from sistel.markup.xml._lexis import CURLY, NAME, NAME_PATTERN, LazyPattern, Problems, S

_DECLARATION = LazyPattern(
    rf"<\?xml{S}+version{S}*={S}*(?:\"([A-Za-z0-9._-]*)\"|'([A-Za-z0-9._-]*)')"
    rf"(?:{S}+encoding{S}*={S}*(?:\"[A-Za-z][A-Za-z0-9._-]*\"|'[A-Za-z][A-Za-z0-9._-]*'))?"
    rf"(?:{S}+standalone{S}*={S}*(?:\"(?:yes|no)\"|'(?:yes|no)'))?{S}*\?>"
)
_DECLARATION_END = re.compile(r"<\?(?:[^<?]|\?(?!>)){0,1000}\?>")
_CURLY = re.compile(f"[{CURLY}]")
_COMMENT_END = re.compile(r"(?:--?|[–—])[ \t]*+>")
_DASH_COMMENT = re.compile(r"<!-?[–—]")
_DOCTYPE = re.compile(r"<!DOCTYPE", re.IGNORECASE)
_DOCTYPE_LOST = LazyPattern(rf">|(?=<{NAME})")
_ENTITY = LazyPattern(rf"<!ENTITY{S}++({NAME})")
# Each part that must be closed may also end with the file, so that a hostile one is scanned once, not at every turn.
_DOCTYPE_PART = LazyPattern(
    r""""[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|<!--(?:-->|(?s:.*?)(?:-->|\Z))|<\?(?s:.*?)(?:\?>|\Z)|[\[\]>]"""
)


class Sections:
    """Reads what begins with ``<!`` or ``<?``, and says where it ends."""

    def __init__(self, problems: Problems) -> None:
        self.misplaced = -1
        """Offset of an XML declaration that has something before it; what stands there is no further mistake."""
        self.cut = False
        """The file ended inside a section: that elements are left open is no further mistake."""
        self._problems = problems
        self._text = problems.source.text
        # A closing mark that was not found once is not there later either: it is not looked for again.
        self._comment_ends = True
        self._instruction_ends = True
        self._doctype_ends = True

    def comment(self, start: int) -> int:
        """After a comment that begins with ``<!--``."""
        text = self._text
        end = text.find("-->", start + 4) if self._comment_ends else -1
        if end < 0:
            self._comment_ends = False
            return self._unclosed_comment(start, start + 4)
        hyphens = text.find("--", start + 4, end + 2)
        if hyphens < end:
            nested = text.startswith("<!--", hyphens - 2)
            self._problems.error(
                "comment-hyphens",
                hyphens,
                hyphens + 2,
                Text('"--" may not stand inside a comment', "внутри комментария не может стоять «--»"),
                hint=Text("a comment cannot hold another one", "комментарий не может содержать другой комментарий")
                if nested
                else Text('write one "-", or put blanks between', "напишите один «-» или разделите их пробелом"),
                related=[(start, start + 4, Text("the comment begins here", "комментарий начинается здесь"))],
            )
        return end + 3

    def _unclosed_comment(self, start: int, body: int) -> int:
        found = _COMMENT_END.search(self._text, body)
        if found is not None:
            self._problems.error(
                "unclosed-comment",
                found.start(),
                found.end(),
                Text('a comment ends with "-->"', "комментарий завершается знаками «-->»"),
                expected=Text("-->", "-->"),
                related=[(start, body, Text("the comment begins here", "комментарий начинается здесь"))],
            )
            return found.end()
        self._problems.error(
            "unclosed-comment",
            start,
            body,
            Text("the comment that begins here is not closed", "комментарий, начатый здесь, не закрыт"),
            expected=Text('"-->" at its end', "«-->» в конце"),
        )
        return self._to_end()

    def _to_end(self) -> int:
        self.cut = True
        return len(self._text)

    def character_data(self, start: int) -> int:
        """After a section that begins with ``<![CDATA[``, its closing ``]]>`` included."""
        end = self._text.find("]]>", start + 9)
        if end >= 0:
            return end + 3
        self._problems.error(
            "unclosed-section",
            start,
            start + 9,
            Text("the CDATA section that begins here is not closed", "раздел CDATA, начатый здесь, не закрыт"),
            expected=Text('"]]>" at its end', "«]]>» в конце"),
        )
        return self._to_end()

    def instruction(self, start: int, *, first: bool) -> int:
        """After a processing instruction or the XML declaration; `first` when nothing stands before it in the file."""
        text = self._text
        target = NAME_PATTERN.match(text, start + 2)
        name = target[0] if target is not None else ""
        if name.lower() == "xml":
            return self._declaration(start, name, first=first)
        end = text.find("?>", start + 2) if self._instruction_ends else -1
        if end < 0:
            self._instruction_ends = False
            return self._unclosed_instruction(start)
        after = start + 2 + len(name)
        if not name or (after < end and text[after] not in " \t\r\n"):
            self._problems.error(
                "bad-instruction",
                start,
                min(end + 2, start + 40),
                Text('"<?" must be followed by a name', "после «<?» должно стоять имя"),
                hint=Text(
                    'delete it, or write a comment "<!-- … -->"', "удалите её или напишите комментарий «<!-- … -->»"
                ),
            )
        return end + 2

    def _unclosed_instruction(self, start: int) -> int:
        close = self._text.find(">", start)
        end = close + 1 if close >= 0 else self._to_end()
        self._problems.error(
            "unclosed-instruction",
            start,
            min(end, start + 80),
            Text('what begins with "<?" must end with "?>"', "то, что начинается с «<?», должно завершаться «?>»"),
            expected=Text("?>", "?>"),
        )
        return end

    def _declaration(self, start: int, name: str, *, first: bool) -> int:
        text = self._text
        match = _DECLARATION.match(text, start)
        if match is not None and first:
            version = match[1] if match[1] is not None else match[2]
            if not version.startswith("1."):
                self._problems.warning(
                    "xml-version",
                    match.start(match.lastindex or 1),
                    match.end(match.lastindex or 1),
                    Text(
                        f'XML version "{shorten(version, 20)}" is read as version 1.0',
                        f"XML версии «{shorten(version, 20)}» читается как версия 1.0",
                    ),
                )
            return match.end()
        if match is not None:
            self.misplaced = start
            self._problems.error(
                "xml-declaration",
                start,
                match.end(),
                Text(
                    "the XML declaration may only stand at the very beginning of the file",
                    "объявление XML может стоять только в самом начале файла",
                ),
                hint=Text(
                    "delete what stands before it, or the declaration", "удалите то, что перед ним, или его само"
                ),
            )
            return match.end()
        match = _DECLARATION_END.match(text, start)
        close = match.end() - 1 if match is not None else text.find(">", start)
        end = close + 1 if close >= 0 else self._to_end()
        curly = _CURLY.search(text, start, end)
        hint = None
        if curly is not None:
            hint = Text(
                f'use straight quotation marks (") instead of "{curly[0]}"',
                f'используйте прямые кавычки (") вместо «{curly[0]}»',
            )
        elif name != "xml":
            hint = Text('write "xml" in small letters', "напишите «xml» строчными буквами")
        elif close >= 0 and text[close - 1] != "?":
            hint = Text('it must end with "?>"', "оно должно завершаться «?>»")
        self._problems.error(
            "xml-declaration",
            start,
            min(end, start + 120),
            Text("the XML declaration is damaged", "объявление XML повреждено"),
            expected=Text('<?xml version="1.0" encoding="utf-8"?>', '<?xml version="1.0" encoding="utf-8"?>'),
            hint=hint,
        )
        return end

    def declaration(self, start: int) -> int:
        """After something that begins with ``<!`` and is neither a comment nor CDATA."""
        text = self._text
        if _DOCTYPE.match(text, start):
            return self._document_type(start)
        dash = _DASH_COMMENT.match(text, start)
        if dash is not None:
            self._problems.error(
                "comment-dash",
                start,
                dash.end(),
                Text('a comment begins with "<!--"', "комментарий начинается знаками «<!--»"),
                hint=Text(
                    "a word processor has joined two hyphens into a dash",
                    "текстовый редактор соединил два дефиса в тире",
                ),
            )
            close = _COMMENT_END.search(text, dash.end())
            return close.end() if close is not None else self._to_end()
        close_at = text.find(">", start)
        end = close_at + 1 if close_at >= 0 else self._to_end()
        word = text[start : start + 9]
        section = word.upper() == "<![CDATA["
        self._problems.error(
            "bad-markup",
            start,
            min(end, start + 40),
            Text('"<!" begins neither a comment nor CDATA here', "«<!» не начинает здесь ни комментария, ни CDATA"),
            expected=Text("<![CDATA[ … ]]>", "<![CDATA[ … ]]>") if section else Text("<!-- … -->", "<!-- … -->"),
        )
        return end

    def _document_type(self, start: int) -> int:
        text = self._text
        end = -1
        if self._doctype_ends:
            depth = 0
            for part in _DOCTYPE_PART.finditer(text, start + 9):
                if part[0] == "[":
                    depth += 1
                elif part[0] == "]":
                    depth -= 1
                elif part[0] == ">" and depth <= 0:
                    end = part.end()
                    break
        if end < 0:
            self._doctype_ends = False
            lost = _DOCTYPE_LOST.search(text, start + 9)
            end = lost.end() if lost is not None else self._to_end()
        self._problems.declared_entities.update(_ENTITY.findall(text, start, end))
        self._problems.error(
            "doctype",
            start,
            min(end, start + 9),
            Text(
                "document type declarations are not allowed: they can make a small file grow without limit",
                "объявления типа документа не допускаются: через них маленький файл может вырасти без предела",
            ),
            hint=Text(
                'delete everything from "<!DOCTYPE" to its ">"', "удалите всё от «<!DOCTYPE» до закрывающего его «>»"
            ),
        )
        return end
