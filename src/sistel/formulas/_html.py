"""A page of its own: no scripts, nothing from elsewhere, both languages, light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from sistel.errors import Language, Text, user_language
from sistel.formulas._equations import Equations
from sistel.formulas._formula import ZERO, Sym
from sistel.formulas._mathml import MathmlSetter, math, relation_math
from sistel.formulas._sections import Section, sections
from sistel.formulas._symbols import Symbol, printable

_STYLE = """
:root{color-scheme:light dark;--paper:#fdfcf9;--ink:#1d2129;--dim:#667085;--line:#e4e1d8;--card:#fff;--mark:#2a5db0;
--tint:#f1f4fa}
@media (prefers-color-scheme:dark){:root{--paper:#14171c;--ink:#e7e9ee;--dim:#98a2b3;--line:#2b313b;--card:#1a1f26;
--mark:#8ab4f8;--tint:#1d2531}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 Georgia,"Times New Roman","PT Serif",serif}
.wrap{max-width:60rem;margin:0 auto;padding:2.2rem 1.2rem 4rem}
header h1{font-size:2.1rem;line-height:1.2;margin:.2rem 0 .3rem;font-weight:600;letter-spacing:-.01em}
header p{margin:.2rem 0;color:var(--dim)}
.class{color:var(--mark);font-weight:600}
.hero div{margin-top:.5rem;font-size:1.05rem}
.hero{margin:1.4rem 0 .4rem;padding:1rem 1.2rem;background:var(--tint);border-radius:.7rem;font-size:1.25rem;
text-align:center;overflow-x:auto}
h2{font-size:1.22rem;font-weight:600;margin:2.4rem 0 .3rem;padding-bottom:.35rem;border-bottom:1px solid var(--line)}
h3{font-size:1rem;font-weight:600;margin:1.2rem 0 .2rem}
.about{color:var(--dim);margin:.2rem 0 .6rem;font-size:.95rem}
.formula{overflow-x:auto;padding:.38rem 0}
.formula math{font-size:1.12rem;text-align:left;margin:0;display:block math;width:max-content}
math{font-family:"STIX Two Math","Latin Modern Math","Cambria Math","Libertinus Math","DejaVu Math TeX Gyre",math,serif}
mtd{padding:.3em .55em}
mtable[displaystyle] mtd{padding:.16em 0}
table.symbols{border-collapse:collapse;margin:.4rem 0;width:100%;font-size:.97rem}
table.symbols td,table.symbols th{text-align:left;padding:.32rem .9rem .32rem 0;border-bottom:1px solid var(--line);
vertical-align:baseline}
table.symbols th{color:var(--dim);font-weight:400;font-size:.85rem}
table.symbols td.value{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
table.symbols th.value{text-align:right}
table.symbols td.unit{white-space:nowrap;color:var(--dim)}
.note{border-left:3px solid var(--mark);padding:.1rem .9rem;margin:.8rem 0;color:var(--dim)}
.switch{position:absolute;opacity:0;pointer-events:none}
.languages{float:right;font:13px/1 system-ui,sans-serif}
.languages label{cursor:pointer;padding:.35rem .6rem;border:1px solid var(--line);color:var(--dim)}
.languages label:first-child{border-radius:.5rem 0 0 .5rem;border-right:0}
.languages label:last-child{border-radius:0 .5rem .5rem 0}
#in-en:checked~.wrap .ru,#in-ru:checked~.wrap .en{display:none}
#in-en:checked~.wrap label[for=in-en],#in-ru:checked~.wrap label[for=in-ru]{background:var(--tint);color:var(--mark)}
#in-en:focus-visible~.wrap label[for=in-en],#in-ru:focus-visible~.wrap label[for=in-ru]{outline:2px solid var(--mark)}
footer{margin-top:3rem;color:var(--dim);font-size:.85rem}
@media print{.languages{display:none}body{background:none}.formula{overflow:visible}}
"""


def to_html(equations: Equations, *, lang: Language | None) -> str:
    """The text of a page."""
    lang = lang or user_language()
    return "".join(_Page(equations, lang).parts())


def _both(text: Text) -> str:
    if text.en == text.ru:
        return escape(text.en)
    return f'<span class="en" lang="en">{escape(text.en)}</span><span class="ru" lang="ru">{escape(text.ru)}</span>'


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
    made = _both(text)
    for sign, markup in _PROSE.items():
        made = made.replace(sign, markup)
    return made


class _Page:
    def __init__(self, equations: Equations, lang: Language) -> None:
        self.equations, self.lang = equations, lang
        self.sections, labels = sections(equations)
        self.setter = MathmlSetter({**equations.symbols, **labels})

    def parts(self) -> Iterator[str]:
        model = self.equations.model
        name = escape(printable(model.name))
        title = Text("equations of motion", "уравнения движения").say(self.lang)
        yield f'<!doctype html>\n<html lang="{self.lang}">\n<head><meta charset="utf-8">'
        yield '<meta name="viewport" content="width=device-width,initial-scale=1">'
        yield f"<title>{name}: {title}</title><style>{_STYLE}</style></head>\n<body>\n"
        for code in ("en", "ru"):
            checked = " checked" if code == self.lang else ""
            yield f'<input class="switch" type="radio" name="lang" id="in-{code}"{checked}>'
        yield '<div class="wrap"><header><div class="languages">'
        yield '<label for="in-en">English</label><label for="in-ru">Русский</label></div>'
        yield f"<h1>{name}</h1>"
        if model.about:
            yield f"<p><i>{escape(printable(model.about))}</i></p>"
        kind = Text("planar", "плоская") if model.planar else Text("spatial", "пространственная")
        bodies = Text(f"{len(model.bodies)} bodies", f"тел: {len(model.bodies)}")
        freedoms = Text(f"{model.nv} velocities", f"скоростей: {model.nv}")
        yield f'<p><span class="class">{escape(model.structure_class)}</span> · {_both(kind)} · {_both(bodies)} · '
        yield f"{_both(freedoms)}</p>"
        if len(model.structures) > 1 or self.equations.constraints:
            yield from self.structure()
        yield "</header>\n"
        applied = any(formula != ZERO for formula in self.equations.applied)
        hero = HERO + ("<mo>+</mo><mi>Q</mi>" if applied else "")
        held = bool(self.equations.constraints)
        hero += FORCES if held else ""
        more = f"<div>{math(ACCELERATIONS, display=False)}</div>" if held else ""
        yield f'<div class="hero">{math(hero, display=False)}{more}</div>'
        for note in self.equations.notes:
            yield f'<p class="note">{_both(note)}</p>'
        yield from self.symbols()
        for section in self.sections:
            yield from self.section(section)
        yield f"<footer>{_both(Text('Made by sistel; SI units.', 'Сделано в sistel; единицы СИ.'))}</footer>"
        yield "</div>\n</body></html>\n"

    def structure(self) -> Iterator[str]:
        """What holds, and the way to the other structures."""
        equations, model = self.equations, self.equations.model
        name = escape(printable(equations.structure.name))
        words = [_both(Text(f"degrees of freedom: {equations.dof}", f"степеней свободы: {equations.dof}"))]
        if len(model.structures) > 1:
            words.insert(0, f'{_both(Text("structure", "структура"))} <span class="class">{name}</span>')
        held = dict.fromkeys(one.link for one in equations.constraints)
        if held:
            words.append(_both(Text("holds: ", "держат: ")) + escape(", ".join(map(printable, held))))
        yield f"<p>{' · '.join(words)}</p>"

    def symbols(self) -> Iterator[str]:
        equations = self.equations
        heads = (("", ""), ("quantity", "величина"), ("value", "значение"), ("unit", "единица"))
        yield f"<h2>{_both(Text('Symbols', 'Обозначения'))}</h2>"
        yield '<table class="symbols"><thead><tr>'
        for en, ru in heads:
            yield f"<th{' class=value' if en == 'value' else ''}>{_both(Text(en, ru))}</th>"
        yield "</tr></thead><tbody>"
        rows: list[Symbol] = [*equations.used()]
        for block in ("q", "v"):
            rows += [s for key, s in equations.symbols.items() if key.block == block and (block == "q" or s.about.en)]
        rows += equations.held()
        for symbol in rows:
            value = "" if symbol.value is None else f"{symbol.value:.6g}"
            yield f"<tr><td>{math(self.setter.symbol(symbol), display=False)}</td><td>{_both(symbol.about)}</td>"
            yield f'<td class="value">{value}</td><td class="unit">{_both(symbol.unit)}</td></tr>'
        yield "</tbody></table>\n"
        motors = [
            f"{math(self.setter.symbol(equations.symbols[Sym('tau', place)]), False)} {escape(printable(motor.name))}"
            for motor in equations.model.motors
            for place in (equations.model.bodies[motor.body - 1].first_v + motor.coordinate,)
        ]
        if motors:
            yield f'<p class="about">{_both(Text("Motors: ", "Приводы: "))}{", ".join(motors)}</p>'

    def section(self, section: Section) -> Iterator[str]:
        yield f'<section id="{section.key}"><h2>{_both(section.title)}</h2>'
        if section.about.en:
            yield f'<p class="about">{_sentence(section.about)}</p>'
        for index, relation in enumerate(section.relations):
            if index in section.heads:
                yield f"<h3>{_both(section.heads[index])}</h3>"
            yield f'<div class="formula">{relation_math(relation, self.setter)}</div>'
        yield "</section>\n"


HERO = (
    '<mi>𝐌</mi><mo stretchy="false">(</mo><mi>q</mi><mo stretchy="false">)</mo><mspace width="0.2em"></mspace>'
    '<mover accent="true"><mi>q</mi><mo>¨</mo></mover><mo>+</mo>'
    '<mi>C</mi><mo stretchy="false">(</mo><mi>q</mi><mo>,</mo><mover accent="true"><mi>q</mi><mo>˙</mo></mover>'
    '<mo stretchy="false">)</mo><mo>+</mo><mi>G</mi><mo stretchy="false">(</mo><mi>q</mi><mo stretchy="false">)</mo>'
    "<mo>=</mo><mi>τ</mi>"
)
FORCES = '<mo>+</mo><msup><mi>𝐉</mi><mi>T</mi></msup><mspace width="0.15em"></mspace><mi>λ</mi>'
ACCELERATIONS = (
    '<mi>𝐉</mi><mspace width="0.2em"></mspace><mover accent="true"><mi>q</mi><mo>¨</mo></mover>'
    '<mo>+</mo><mi>γ</mi><mo>=</mo><mn>0</mn><mo>,</mo><mspace width="1em"></mspace><mi>γ</mi><mo>=</mo>'
    '<mover accent="true"><mi>𝐉</mi><mo>˙</mo></mover>'
    '<mspace width="0.2em"></mspace><mover accent="true"><mi>q</mi><mo>˙</mo></mover>'
)
