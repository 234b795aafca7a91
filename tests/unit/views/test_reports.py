"""Reports: what they consist of, how it is laid out, and the three writers."""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import lxml.html
import pytest
from support.paper import needs_poppler, outside, read_words

import sistel
from sistel.cli import main
from sistel.errors import SistelError
from sistel.views.reports import Report, model_report, report_bytes, report_suffix, run_report
from sistel.views.reports._document import (
    WIDTH,
    Figure,
    Formula,
    Heading,
    Math,
    Paragraph,
    ReportColumn,
    ReportTable,
)
from sistel.views.reports._formulas import fo_math, typst_math
from sistel.views.reports._layout import divided, figure_size, has_contents
from sistel.views.reports._pictures import printable, too_wide, turned
from sistel.views.reports._typography import broken, numerals, quoted
from sistel.views.reports._typst import typst_text

MODELS = Path(__file__).parents[3] / "models"
FO = "{http://www.w3.org/1999/XSL/Format}"
EVIL = '<b>#evil $x$ "q" \\end{document} & שלום ]]> */ --> </style><script>alert(1)</script> {0} `raw` // @label'


def report(*blocks: object, title: str = "a report", lang: str = "en") -> Report:
    """A document of some blocks."""
    return Report(
        kind="Report", title=title, about="", lang=lang, facts=(("file", "a.xml"),), blocks=blocks, made="sistel"
    )  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "en", "ru"),
    [
        ("-1.5", "−1.5", "−1,5"),
        ("600, 0, -0.5", "600, 0, −0.5", "600; 0; −0,5"),
        ("-90 … 90.5°", "−90 … 90.5°", "−90 … 90,5°"),
        ("1.5e-07", "1.5·10⁻⁷", "1,5·10⁻⁷"),
        ("2e+15", "2·10¹⁵", "2·10¹⁵"),
        ("0.35 kg", "0.35\N{NO-BREAK SPACE}kg", "0,35\N{NO-BREAK SPACE}kg"),
        ("≥ 0.1 mm", "≥ 0.1\N{NO-BREAK SPACE}mm", "≥ 0,1\N{NO-BREAK SPACE}mm"),
        ("±0.815 mm (95 %)", "±0.815\N{NO-BREAK SPACE}mm (95 %)", "±0,815\N{NO-BREAK SPACE}mm (95 %)"),
        (
            "x 0.5 … 5000 mm; y -3000 … 0 mm",
            "x 0.5 … 5000\N{NO-BREAK SPACE}mm; y −3000 … 0\N{NO-BREAK SPACE}mm",
            "x 0,5 … 5000\N{NO-BREAK SPACE}mm; y −3000 … 0\N{NO-BREAK SPACE}mm",
        ),
        ("left 2.5: -14.0067", "left 2.5: −14.0067", "left 2.5: −14,0067"),
        # Names, expressions and versions stay as they are.
        ("leg-2.5", "leg-2.5", "leg-2.5"),
        ("q1 < 0.5 and x > -1", "q1 < 0.5 and x > -1", "q1 < 0.5 and x > -1"),
        ("walker.xml:12:5", "walker.xml:12:5", "walker.xml:12:5"),
        ("", "", ""),
    ],
)
def test_numerals(text: str, en: str, ru: str) -> None:
    assert (numerals(text, "en"), numerals(text, "ru")) == (en, ru)


def test_quotation_marks_and_long_words() -> None:
    assert quoted('the "left" leg', "en") == "the “left” leg" and quoted('"левая"', "ru") == "«левая»"
    word = "".join(chr(ord("a") + i % 26) for i in range(1000))
    made = broken(word)
    assert made.replace("\N{ZERO WIDTH SPACE}", "") == word
    assert max(map(len, made.split("\N{ZERO WIDTH SPACE}"))) <= 18
    assert broken("a short sentence of short words stays") == "a short sentence of short words stays"


def test_tables_fit_the_page() -> None:
    """Parts are as wide as the page at most, have all columns once, and begin with the keys."""
    draw = random.Random(1)
    for _ in range(60):
        count = draw.randint(1, 30)
        cells = [
            ["x" * draw.randint(0, 60) if i % 3 else f"{draw.uniform(-1e6, 1e6):.7g}" for i in range(count)]
            for _ in range(4)
        ]
        columns = tuple(
            ReportColumn(title=f"c{i}", kind="words" if i % 3 else "numbers", keep=bool(i % 2)) for i in range(count)
        )
        table = ReportTable(title="t", columns=columns, rows=tuple(tuple(map(broken, row)) for row in cells), keys=1)
        parts = divided(table)
        assert all(sum(part.widths) <= WIDTH + 1e-9 for part in parts)
        assert all(part.columns[0] == 0 for part in parts)
        rest = [i for part in parts for i in part.columns[1:]]
        assert rest == list(range(1, count))


def test_pictures() -> None:
    """Sizes keep proportions, dark rules and variables go, wide pictures are turned."""
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="500" viewBox="0 0 2000 500"><style>.a{--ink:#123;}'
        ".a text{fill:var(--ink);stroke:var(--none,#456)}@media (prefers-color-scheme:dark){.a{--ink:#fff}.a b{x:y}}"
        "</style><text>t</text></svg>"
    )
    made = printable(svg)
    assert "media" not in made and "var(" not in made and "fill:#123;stroke:#456" in made
    assert too_wide(made)
    wide, high = figure_size(Figure(svg=turned(made), caption="", height=225.0))
    assert high == pytest.approx(4 * wide) and high <= 225 and wide <= WIDTH
    ElementTree.fromstring(turned(made))


def test_formulas() -> None:
    """The equation of a pendulum, in the letters of each writer."""
    model = sistel.load(MODELS / "pendulum.xml").model
    blocks = model_report(model, "en").blocks
    at = next(i for i, block in enumerate(blocks) if isinstance(block, Heading) and "Equations of motion" in block.text)
    formula = next(block for block in blocks[at:] if isinstance(block, Formula))
    row = formula.head + "".join(formula.lines)
    shown = "".join(ElementTree.fromstring(f'<r xmlns:fo="{FO[1:-1]}">{fo_math(row, "en")}</r>').itertext())
    # L² m q̈ + L g m sin q = τ, in the order of the formula's own.
    assert re.sub(r"\s", "", shown) == "mL2q̈1+mgLsinq1=τ1"
    typed = typst_math(row, "en")
    assert 'dot.double(q)_("1")' in typed and 'op("sin")' in typed and 'L^("2")' in typed
    assert "frac(" in typst_math("<mfrac><mn>1</mn><mi>m</mi></mfrac>", "en")
    assert '"1,5"' in typst_math("<mn>1.5</mn>", "ru")
    assert typst_math('<mi>a"#b\\</mi>', "en") == '"a\\"#b\\\\"'


def hostile() -> Report:
    """A report whose every text is meant to break out."""
    columns = tuple(ReportColumn(title=EVIL, kind=kind) for kind in ("words", "numbers", "code"))
    return report(
        Heading(EVIL, 1),
        Paragraph(EVIL, "note"),
        ReportTable(title=EVIL, columns=columns, rows=((EVIL, EVIL, EVIL), (Math("<mi>&lt;x&gt;</mi>"), "✓", "✗"))),
        Figure(svg='<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>', caption=EVIL),
        title=EVIL,
    )


@needs_poppler
def test_hostile_texts(tmp_path: Path) -> None:
    """Texts stay texts in every format."""
    pytest.importorskip("typst", reason="typst is not installed")
    made = hostile()
    root = ElementTree.fromstring(report_bytes(made, ".fo"))
    told = "".join(root.itertext())
    assert told.count(EVIL) >= 6
    page = lxml.html.document_fromstring(report_bytes(made, ".print.html").decode())
    assert page.xpath("//script") == [] and page.xpath("//b") == [] and len(page.xpath("//style")) == 1
    assert page.text_content().count(EVIL) >= 6
    path = tmp_path / "evil.pdf"
    path.write_bytes(report_bytes(made, ".pdf"))
    words = read_words(path)
    assert outside(words) == []
    text = " ".join(word.text for word in words)
    for part in ("<b>#evil", "\\end{document}", "</style><script>alert(1)</script>", "`raw`", "@label"):
        assert part in text.replace(" ", "") or part in text


NAMES = """<system name="&lt;i&gt; $x$ #q ]]&gt; &quot;a&quot; {long}" about="&lt;script&gt;alert(1)&lt;/script&gt; \N{RIGHT-TO-LEFT OVERRIDE}evil">
<body name="{name}" joint="revolute" mass="1" com="0, 100" inertia="0.01">
<body name="שלום مرحبا 漢字" joint="revolute" place="0, 200" mass="1" com="0, 100" inertia="0.01"/></body></system>"""


@needs_poppler
def test_hostile_names(tmp_path: Path) -> None:
    """Long names are broken and cut, which is said once; those of other scripts stay; nothing turns the writing."""
    pytest.importorskip("typst", reason="typst is not installed")
    run = sistel.parse(NAMES.format(long="n" * 1000, name="Ы" * 200)).simulate(0.1)
    made = run_report(run, "en")
    said = [block.text for block in made.blocks if isinstance(block, Paragraph) and "shortened" in block.text]
    assert len(said) == 1 and "160" in said[0]
    root = ElementTree.fromstring(report_bytes(made, ".fo"))
    told = "".join(root.itertext())
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in told and "שלום مرحبا 漢字" in told and "ЫЫЫ" in told
    page = lxml.html.document_fromstring(report_bytes(made, ".print.html").decode())
    assert page.xpath("//script") == [] and page.xpath("//i") == []
    path = tmp_path / "names.pdf"
    path.write_bytes(report_bytes(made, ".pdf"))
    assert outside(read_words(path)) == []


@needs_poppler
@pytest.mark.slow
def test_fifty_pages(tmp_path: Path) -> None:
    """A long table goes on, page by page, with its head on each; the contents say where it begins."""
    pytest.importorskip("typst", reason="typst is not installed")
    columns = tuple(ReportColumn(title=f"column{i}", kind="numbers") for i in range(3))
    rows = tuple(tuple(f"{i + k / 10:.7g}" for k in range(3)) for i in range(2800))
    table = ReportTable(title="numbers", columns=columns, rows=rows)
    made = report(Heading("1  First", 1), table, Heading("2  Last", 1))
    assert has_contents(made)
    path = tmp_path / "long.pdf"
    path.write_bytes(report_bytes(made, ".pdf"))
    words = read_words(path)
    count = words[-1].page
    assert count >= 50 and outside(words) == []
    heads = {word.page for word in words if word.text == "column2"}
    assert len(heads) >= count - 1
    told = [word.text for word in words]
    assert {"0.2", "2799.2"} <= set(told) and told.count("Last") == 2  # the heading, and its line in the contents


@needs_poppler
def test_tall_figures_leave_no_empty_pages(tmp_path: Path) -> None:
    """What does not fit goes to the foot of the next page, and the text goes on; rows of tables stay whole."""
    pytest.importorskip("typst", reason="typst is not installed")
    words = "one two three four five six seven eight nine ten " * 8
    columns = (ReportColumn(title="no", kind="numbers"), ReportColumn(title="words"))
    table = ReportTable(title="words", columns=columns, rows=tuple((f"{i}", f"{words}end{i}") for i in range(100, 118)))
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="170mm" height="200mm"><rect width="9" height="9"/></svg>'
    figure = Figure(svg=svg, caption="tall picture", height=200.0)
    path = tmp_path / "a.pdf"
    made = report(Paragraph("first " * 300), figure, Paragraph("after"), table, Heading("1  Next", 1, True))
    path.write_bytes(report_bytes(made, ".pdf"))
    found = read_words(path)
    page = {word.text: word.page for word in found}
    assert page["after"] == 1 and page["picture"] == 2 and outside(found) == []
    for i in range(100, 118):
        assert page[f"{i}"] == page[f"end{i}"]
    # A part of its own begins behind everything, with a page of its own.
    assert (
        page["Next"] == max(page.values())
        and [word.text for word in found if word.page == page["Next"]].count("Next") == 1
    )


def test_runs_without_steps(tmp_path: Path) -> None:
    """What a run has not kept is said, and the rest is there."""
    system = sistel.load(MODELS / "bouncing_ball.xml")
    run = system.simulate(1.0, keep="events")
    made = run_report(run, "en")
    told = [block.text for block in made.blocks if isinstance(block, Paragraph)]
    assert any("kept no steps" in text for text in told)
    assert any(isinstance(block, ReportTable) and "Events" in block.title for block in made.blocks)
    run.save(tmp_path / "a.fo")
    ElementTree.parse(tmp_path / "a.fo")


def test_without_typst(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is computed in vain: the command says at once what is missing, and what does without."""
    monkeypatch.setitem(sys.modules, "typst", None)
    pendulum, pdf = str(MODELS / "pendulum.xml"), tmp_path / "a.pdf"
    assert main(["run", pendulum, "--until", "1e9", "-o", str(pdf), "--lang", "en"]) == 2
    told = capsys.readouterr().err
    assert "pip install 'sistel[reports]'" in told and ".fo" in told and not pdf.exists()
    assert main(["run", pendulum, "--until", "0.1", "-o", str(pdf), "--lang", "ru"]) == 2
    assert "отчёты PDF верстает Typst" in capsys.readouterr().err
    with pytest.raises(SistelError, match="Typst"):
        sistel.load(pendulum).save(pdf)
    assert list(tmp_path.iterdir()) == []
    assert main(["run", pendulum, "--until", "0.1", "-o", str(tmp_path / "a.fo"), "--lang", "en"]) == 0


def test_systems_save_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A system has a report without a run; a page for print is not the page that moves."""
    system = sistel.load(MODELS / "pendulum.xml")
    assert system.save(tmp_path / "a.print.html", lang="ru") == ()
    shown = tmp_path / "b.print.html"
    assert main(["show", str(MODELS / "pendulum.xml"), "-o", str(shown), "--lang", "ru"]) == 0
    assert shown.read_bytes() == (tmp_path / "a.print.html").read_bytes()
    assert main(["show", str(MODELS / "pendulum.xml"), "-o", str(tmp_path / "b.png"), "--lang", "en"]) == 2
    assert ".pdf, .fo or .print.html" in capsys.readouterr().err
    page = (tmp_path / "a.print.html").read_text(encoding="utf-8")
    assert (
        "Отчёт о системе" in page and "<script" not in page and "http://" not in page.replace("http://www.w3.org", "")
    )
    assert "@page{size:A4" in page and 'counter(page) " "' in page
    assert report_suffix("x.html") is None and report_suffix(".pdf") is None and report_suffix("a.b.fo") == ".fo"


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_one_language(lang: str) -> None:
    """No word of the other language, but for names from the file."""
    made = model_report(sistel.load(MODELS / "pendulum.xml").model, lang)  # type: ignore[arg-type]
    text = re.sub(r"bytes\(\"(?:[^\"\\]|\\.)*\"\)", "", typst_text(made))
    strings = re.findall(r'"((?:[^"\\]|\\.)*)"', text)
    cyrillic = [each for each in strings if re.search("[а-яё]", each)]
    assert (cyrillic == []) is (lang == "en")
    titles = [
        block.title if isinstance(block, ReportTable) else block.text if isinstance(block, Heading) else block.caption
        for block in made.blocks
        if isinstance(block, Heading | ReportTable | Figure)
    ]
    assert len(titles) > 8
    assert all(bool(re.search("[а-яё]", title)) is (lang == "ru") for title in titles)
