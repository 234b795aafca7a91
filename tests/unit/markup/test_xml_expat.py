"""The reader against expat: the same trees for what is well formed, an error for everything else."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from xml.parsers import expat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.thorough import cases

from sistel.errors import Diagnostics
from sistel.markup.xml._lexis import NAME_PATTERN
from sistel.markup.xml._reader import Element, decode, read_xml

Tree = tuple[str, tuple[tuple[str, str], ...], list["Tree"], list[str]]
"""Name, attributes, children, and the stretches of text that are not blank."""


def expat_tree(data: bytes) -> Tree | None:
    """What expat makes of a document in UTF-8; None when it refuses it, or finds a document type."""
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = parser.ordered_attributes = True
    roots: list[Tree] = []
    stack: list[Tree] = []
    text: list[str] = []
    refused: list[bool] = []

    def flush() -> None:
        run = "".join(text)
        text.clear()
        if run.strip():
            stack[-1][3].append(run)

    def start(name: str, attributes: list[str]) -> None:
        flush()
        element: Tree = (name, tuple(zip(attributes[::2], attributes[1::2], strict=True)), [], [])
        (stack[-1][2] if stack else roots).append(element)
        stack.append(element)

    def end(name: str) -> None:
        flush()
        assert stack.pop()[0] == name

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text.append
    parser.StartDoctypeDeclHandler = lambda *_: refused.append(True)
    try:
        parser.Parse(data, True)
    except expat.ExpatError:
        return None
    return None if refused else roots[0]


def own_tree(element: Element) -> Tree:
    attributes = tuple((name, attribute.value.text) for name, attribute in element.attributes.items())
    return element.name, attributes, [own_tree(child) for child in element.children], [t.text for t in element.text]


def own(data: bytes) -> tuple[Tree | None, Diagnostics]:
    diagnostics = Diagnostics()
    source = decode(data, "f.xml", diagnostics)
    root = read_xml(source, diagnostics) if source is not None else None
    return (own_tree(root) if root is not None else None), diagnostics


def fifth_edition(data: bytes) -> bool:
    """Whether a document has a letter that XML 1.0 allows in names since its fifth edition; expat knows the fourth."""
    letters = set(re.findall(r"[^\x00-\x7f]", data.decode(errors="replace")))
    return any(NAME_PATTERN.match(letter) and expat_tree(f"<a{letter}/>".encode()) is None for letter in letters)


def check(data: bytes) -> None:
    """Neither reader may know better than the other."""
    expected = expat_tree(data)
    tree, diagnostics = own(data)
    for diagnostic in diagnostics:
        assert diagnostic.render("ru")
    if expected is None:
        assert diagnostics.failed or fifth_edition(data), data
    elif {diagnostic.code for diagnostic in diagnostics} & {"unknown-encoding", "encoding-mismatch"}:
        pass  # expat was told the encoding
    else:
        assert not diagnostics.failed, (data, diagnostics.items[0].render("en"))
        assert tree == expected, data


NAMES = ("a", "b1", "Тело", "точка-х", "x:y", "_z", "системаТел", "é")
PIECES = (
    *(
        "x",
        "1",
        "ж",
        "Ё",
        " ",
        "\n",
        "\t",
        "\r\n",
        "\r",
        "”",
        "“",
        "«",
        "😀",
        "\u00a0",
        "-",
        "--",
        "]]",
        "/",
        "?",
        "!",
        "=",
    ),
    *("&lt;", "&gt;", "&amp;", "&quot;", "&apos;", "&#65;", "&#x41f;", "&#10;", "&#9;", "&#13;"),
)
SECTIONS = (
    *("<!-- c -->", "<!---->", "<!-- - <b> &foo; -->", "<?pi?>", "<?pi ж ? < ?>"),
    *("<![CDATA[]]>", "<![CDATA[<b>&amp;]] ж\r\n]]>"),
)

blanks = st.sampled_from(["", " ", "\n", "\t ", "\r\n"])
values = st.lists(st.sampled_from((*PIECES, ">")), max_size=6).map("".join)
attribute = st.builds(
    lambda blank, name, before, after, quote, value: f"{blank or ' '}{name}{before}={after}{quote}{value}{quote}",
    *(blanks, st.sampled_from(NAMES), blanks, blanks, st.sampled_from("\"'"), values),
)
texts = st.lists(st.sampled_from(PIECES), max_size=6).map("".join)


def unique(written: list[str]) -> str:
    """Attributes without those whose name was there before."""
    return "".join({text.split("=")[0].strip(): text for text in written}.values())


def element(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    content = st.lists(children | texts | st.sampled_from(SECTIONS), max_size=4).map("".join)
    return st.builds(
        lambda name, written, blank, inside: f"<{name}{unique(written)}{blank}>{inside}</{name}{blank}>",
        *(st.sampled_from(NAMES), st.lists(attribute, max_size=4), blanks, content),
    )


leaf = st.builds(
    lambda name, written, blank: f"<{name}{unique(written)}{blank}/>",
    *(st.sampled_from(NAMES), st.lists(attribute, max_size=4), blanks),
)
PROLOGS = (
    "",
    '<?xml version="1.0"?>',
    "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\n<!-- ж -->",
    "\ufeff",
    "\n",
)
documents = st.builds(
    lambda prolog, root, epilog: (prolog + root + epilog).encode(),
    *(
        st.sampled_from(PROLOGS),
        st.recursive(leaf, element, max_leaves=12),
        st.sampled_from(["", "\n", "<?pi?><!-- -->"]),
    ),
)


@given(documents)
@settings(max_examples=cases(150, 300), deadline=None)
def test_well_formed_documents_give_the_same_tree(data: bytes) -> None:
    expected = expat_tree(data)
    assert expected is not None
    tree, diagnostics = own(data)
    assert not diagnostics.items, diagnostics.items[0].render("en")
    assert tree == expected


FRAGMENTS = [
    *(letter.encode() for letter in "<>/&;\"'=-!?[]a1.:\\”ж \n\t\r"),
    *(b"--", b"<!--", b"-->", b"<![CDATA[", b"]]>", b"]]", b"<?", b"?>"),
    *(
        b"</a>",
        b"<a>",
        b"&lt",
        b"&#",
        b"&#x",
        b"xml",
        b"<?xml version='1.0'?>",
        b"<!DOCTYPE a>",
    ),
    *(b"\x00", b"\x0c", b"\xff", b"\xd0", b"\xc2\xa0", b"\xef\xbb\xbf", b"\xef\xbf\xbf", b"\xed\xa0\x80"),
]


def mutations(data: bytes, random_: random.Random) -> Iterator[bytes]:
    """A document with a few bytes deleted, changed, repeated or put in."""
    for _ in range(40):
        mutant = bytearray(data)
        for _ in range(random_.choice((1, 1, 1, 2, 3))):
            at, to = random_.randrange(len(mutant) + 1), random_.randrange(len(mutant) + 1)
            kind = random_.randrange(5)
            if kind == 0:
                del mutant[at : at + random_.choice((1, 1, 2, 5))]
            elif kind == 1:
                mutant[at : at + 1] = bytes([random_.randrange(256)])
            elif kind == 2:
                mutant[at:at] = mutant[min(at, to) : max(at, to)][:30]
            else:
                mutant[at : at + kind - 3] = random_.choice(FRAGMENTS)
        yield bytes(mutant)


@pytest.mark.slow
@given(documents, st.randoms(use_true_random=False))
@settings(max_examples=cases(60, 150), deadline=None)
def test_damaged_documents_are_judged_alike(data: bytes, random_: random.Random) -> None:
    for mutant in mutations(data, random_):
        check(mutant)


@pytest.mark.parametrize(
    "text",
    [
        *("<!--->-->", "<!-->--><a/>", "<a><!----></a>", "<a><!-----></a>", "<?a?><b/>", "<?a ?><b/>", "<a><?b??></a>"),
        *(
            "<a b='1'c='2'/>",
            "<a b = '1'/>",
            "<a/ >",
            "<a / >",
            "<a></a >",
            "<a>< /a>",
            "<a></ a>",
            "<a\u00a0/>",
            "<a>]]]>",
        ),
        *("<?xml version='1.0'?><a/>", "<?xml version = '1.0' ?><a/>", "<?xml  encoding='utf-8'?><a/>", "<?xml?><a/>"),
        *(
            "<?xml version='1.0'encoding='utf-8'?><a/>",
            "<?xml version=''?><a/>",
            "<?xml version='1:0'?><a/>",
            "<?XML ?><a/>",
        ),
        *(
            "<a>&#x110000;</a>",
            "<a>&#X41;</a>",
            "<a>&#65</a>",
            "<a>&lt;</a>",
            "<a b='&#xD800;'/>",
            "<a>\ufffe</a>",
            "<a>\x7f\x85</a>",
        ),
        *(
            "<:/>",
            "<a:b:c/>",
            "<-a/>",
            "<a-/>",
            "<.a/>",
            "<a b='<'/>",
            "<a b='>'/>",
            "<a/><a/>",
            "<a/>x",
            "x<a/>",
            "<a/>&#32;",
        ),
        *(
            "<a/><![CDATA[]]>",
            "<![CDATA[]]><a/>",
            "\n<?xml version='1.0'?><a/>",
            "\ufeff\ufeff<a/>",
            "<a xmlns:b=''/>",
            "",
        ),
    ],
)
def test_corners_are_judged_alike(text: str) -> None:
    check(text.encode())
