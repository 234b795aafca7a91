"""A page of its own: no scripts, nothing from elsewhere, both languages, light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from sistel.errors import Language, Text, user_language
from sistel.formulas._equations import Equations
from sistel.formulas._formula import Sym
from sistel.formulas._mathml import general_rows, math, relation_math, set_sections
from sistel.formulas._sections import Section
from sistel.formulas._symbols import Symbol, printable
from sistel.look import both, switched_page
from sistel.markup.schema import CLASSES

_STYLE = """
.sheet{max-width:60rem}
.class{color:var(--accent);font-weight:600}
.hero div{margin-top:.5rem;font-size:1.05rem}
.hero{margin:1.4rem 0 .4rem;padding:1rem 1.2rem;background:var(--plate);border-radius:var(--r2);font-size:var(--t5);
text-align:center;overflow-x:auto}
h2{margin:40px 0 6px;padding-bottom:6px;border-bottom:1px solid var(--line)}
h3{margin:20px 0 4px}
.about{margin:4px 0 10px}
.formula{overflow-x:auto;padding:.38rem 0}
.formula math{font-size:1.12rem;text-align:left;margin:0;display:block math;width:max-content}
math{font-family:"STIX Two Math","Latin Modern Math","Cambria Math","Libertinus Math","DejaVu Math TeX Gyre",math,serif}
mtd{padding:.3em .55em}
mtable[displaystyle] mtd{padding:.16em 0}
table.symbols{border-collapse:collapse;margin:.4rem 0;width:100%;font-size:var(--t3)}
table.symbols td,table.symbols th{text-align:left;padding:.32rem .9rem .32rem 0;border-bottom:1px solid var(--line);
vertical-align:baseline}
table.symbols th{color:var(--dim);font-weight:400;font-size:var(--t1)}
table.symbols td.value{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
table.symbols th.value{text-align:right}
table.symbols td.unit{white-space:nowrap;color:var(--dim)}
.note{border-left:3px solid var(--accent);padding:.1rem .9rem;margin:.8rem 0;color:var(--dim)}
@media print{.formula{overflow:visible}}
"""


def to_html(equations: Equations, *, lang: Language | None) -> str:
    """The text of a page."""
    lang = lang or user_language()
    return _Page(equations, lang).text()


_PROSE = {
    "𝐉ᵀ": "<b>J</b><sup>T</sup>",
    "𝐃ᵀ": "<b>D</b><sup>T</sup>",
    "𝐌": "<b>M</b>",
    "𝐉": "<b>J</b>",
    "𝐃": "<b>D</b>",
    "q̈": math('<mover accent="true"><mi>q</mi><mo>¨</mo></mover>', display=False),
    "q̇": math('<mover accent="true"><mi>q</mi><mo>˙</mo></mover>', display=False),
}


def _sentence(text: Text) -> str:
    """A sentence with letters of matrices and derivatives in it, for which fonts of prose have no good signs."""
    made = both(text)
    for sign, markup in _PROSE.items():
        made = made.replace(sign, markup)
    return made


class _Page:
    def __init__(self, equations: Equations, lang: Language) -> None:
        self.equations, self.lang = equations, lang
        self.sections, self.setter = set_sections(equations)

    def text(self) -> str:
        """The whole page."""
        model = self.equations.model
        name = escape(printable(model.name))
        title = Text("equations of motion", "уравнения движения")
        kind = Text("planar", "плоская") if model.planar else Text("spatial", "пространственная")
        bodies = Text(f"{len(model.bodies)} bodies", f"тел: {len(model.bodies)}")
        freedoms = Text(f"{model.nv} velocities", f"скоростей: {model.nv}")
        # In English the abbreviation would say nothing.
        of = Text(CLASSES.choice(model.structure_class).doc.en, f"{model.structure_class}, {kind.ru}")
        kind = of if model.planar else Text(f"{kind.en} {of.en}", of.ru)
        facts = " · ".join((both(title), both(kind), both(bodies), both(freedoms)))
        window = f"{name}: {title.say(self.lang)}"
        return switched_page(window, _STYLE, self.lang, self.inside(), heading=name, facts=facts)

    def inside(self) -> Iterator[str]:
        """What stands on it."""
        model = self.equations.model
        if model.about:
            yield f'<p class="about">{escape(printable(model.about))}</p>'
        if len(model.structures) > 1 or self.equations.constraints:
            yield from self.structure()
        hero, *more = (math(row, display=False) for row in general_rows(self.equations))
        yield f'<div class="hero">{hero}{"".join(f"<div>{row}</div>" for row in more)}</div>'
        for note in self.equations.notes:
            yield f'<p class="note">{both(note)}</p>'
        yield from self.symbols()
        for section in self.sections:
            yield from self.section(section)
        yield f"<footer>{both(Text('Made by sistel; SI units.', 'Сделано в sistel; единицы СИ.'))}</footer>"

    def structure(self) -> Iterator[str]:
        """What holds, and the way to the other structures."""
        equations, model = self.equations, self.equations.model
        name = escape(printable(equations.structure.name))
        words = [both(Text(f"degrees of freedom: {equations.dof}", f"степеней свободы: {equations.dof}"))]
        if len(model.structures) > 1:
            words.insert(0, f'{both(Text("structure", "структура"))} <span class="class">{name}</span>')
        held = dict.fromkeys(one.link for one in equations.constraints)
        if held:
            words.append(both(Text("holds: ", "держат: ")) + escape(", ".join(map(printable, held))))
        yield f"<p>{' · '.join(words)}</p>"

    def symbols(self) -> Iterator[str]:
        equations = self.equations
        heads = (("", ""), ("quantity", "величина"), ("value", "значение"), ("unit", "единица"))
        yield f"<h2>{both(Text('Symbols', 'Обозначения'))}</h2>"
        yield '<table class="symbols"><thead><tr>'
        for en, ru in heads:
            yield f"<th{' class=value' if en == 'value' else ''}>{both(Text(en, ru))}</th>"
        yield "</tr></thead><tbody>"
        rows: list[Symbol] = [*equations.used()]
        for block in ("q", "v"):
            rows += [s for key, s in equations.symbols.items() if key.block == block and (block == "q" or s.about.en)]
        rows += equations.held()
        for symbol in rows:
            value = "" if symbol.value is None else f"{symbol.value:.6g}"
            yield f"<tr><td>{math(self.setter.symbol(symbol), display=False)}</td><td>{both(symbol.about)}</td>"
            yield f'<td class="value">{value}</td><td class="unit">{both(symbol.unit)}</td></tr>'
        yield "</tbody></table>\n"
        motors = [
            f"{math(self.setter.symbol(equations.symbols[Sym('tau', place)]), False)} {escape(printable(motor.name))}"
            for motor in equations.model.motors
            for place in (equations.model.bodies[motor.body - 1].first_v + motor.coordinate,)
        ]
        if motors:
            yield f'<p class="about">{both(Text("Motors: ", "Приводы: "))}{", ".join(motors)}</p>'

    def section(self, section: Section) -> Iterator[str]:
        yield f'<section id="{section.key}"><h2>{both(section.title)}</h2>'
        if section.about.en:
            yield f'<p class="about">{_sentence(section.about)}</p>'
        for index, relation in enumerate(section.relations):
            if index in section.heads:
                yield f"<h3>{both(section.heads[index])}</h3>"
            yield f'<div class="formula">{relation_math(relation, self.setter)}</div>'
        yield "</section>\n"
