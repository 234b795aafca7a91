"""A dialogue about axial orientations: VoiceXML 2.1, with its grammar inside; it asks for nothing beside it."""

from __future__ import annotations

import json
from html import escape

from sistel.errors import Language, Text
from sistel.pose import CODES, quarter_turns, say_code
from sistel.views.voice._grammar import LOCALES, rules

BEGIN = 13
"""The orientation of a gripper before anything is said: fingers right, thumb up."""

_AXES: dict[Language, dict[str, str]] = {
    "en": {"x": "x", "y": "y", "z": "z", "+": "plus", "-": "minus"},
    "ru": {"x": "икс", "y": "игрек", "z": "зет", "+": "плюс", "-": "минус"},
}
_WORDS: dict[str, Text] = {
    "ask": Text("Where do the fingers and the thumb point?", "Куда направлены пальцы и куда большой?"),
    "help": Text(
        "Say, for example: fingers down thumb left. Or a turn: from fingers up thumb left to fingers down thumb right. "
        "Say stop to end.",
        "Скажите, например: пальцы вниз большой влево. Или переход: из положения пальцы вверх большой влево "
        "в положение пальцы вниз большой вправо. Скажите стоп, чтобы закончить.",
    ),
    "silence": Text("I have heard nothing.", "Ничего не слышно."),
    "unknown": Text("I have not understood.", "Не понято."),
    "lost": Text("I still do not understand. Good bye.", "Всё ещё не понято. До свидания."),
    "elsewhere": Text("The gripper is now:", "Сейчас схват:"),
    "code": Text("Code", "Код"),
    "turns": Text("Quarter turns about its own axes:", "Четверти оборота вокруг своих осей:"),
    "same": Text("It is there already.", "Он уже там."),
    "end": Text("Good bye.", "До свидания."),
}
_EVENTS: dict[str, dict[Language, tuple[str, ...]]] = {
    "exit": {"en": ("stop", "good bye"), "ru": ("стоп", "до свидания")},
    "help": {"en": ("help",), "ru": ("помощь", "справка")},
}
"""What may be said at any time instead of an orientation."""


def draw_dialogue(lang: Language) -> str:
    """The dialogue as a file.

    It asks where the fingers and the thumb point, answers with the code, the phrase and the quarter turns from where
    the gripper is, and asks again; two orientations in one sentence are a transition that begins at the first.
    """
    say = {key: escape(text.say(lang), quote=False) for key, text in _WORDS.items()}
    grammar = f'<grammar version="1.0" xml:lang="{LOCALES[lang]}" mode="voice" tag-format="semantics/1.0" root='
    links = [
        f'  <link event="{event}">{grammar}"{event}"><rule id="{event}" scope="public"><one-of>'
        f"{''.join(f'<item>{word}</item>' for word in words[lang])}</one-of></rule></grammar></link>"
        for event, words in _EVENTS.items()
    ]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<vxml xmlns="http://www.w3.org/2001/vxml" version="2.1" xml:lang="{LOCALES[lang]}">',
        '  <meta name="generator" content="sistel"/>',
        f'  <var name="now" expr="{BEGIN}"/>',
        '  <var name="before" expr="0"/>',
        "  <script><![CDATA[",
        f"    var says = {_table({str(code): say_code(code, lang) for code in CODES})};",
        f"    var turns = {_table(_turns(lang))};",
        "  ]]></script>",
        *links,
        f'  <catch event="exit"><prompt>{say["end"]}</prompt><exit/></catch>',
        '  <form id="gripper">',
        '    <field name="command">',
        f"      <prompt>{say['ask']}</prompt>",
        f'      {grammar}"command">',
        *(f"        {line}" for line in rules(lang)),
        "      </grammar>",
        f"      <help><prompt>{say['help']}</prompt><reprompt/></help>",
        f"      <noinput><prompt>{say['silence']}</prompt><reprompt/></noinput>",
        f"      <nomatch><prompt>{say['unknown']} {say['help']}</prompt></nomatch>",
        f'      <nomatch count="4"><prompt>{say["lost"]}</prompt><exit/></nomatch>',
        "      <filled>",
        '        <assign name="before" expr="now"/>',
        '        <if cond="command.start != 0">',
        '          <if cond="command.start != now">',
        f'            <prompt>{say["elsewhere"]} <value expr="says[now]"/>.</prompt>',
        "          </if>",
        '          <assign name="before" expr="command.start"/>',
        "        </if>",
        '        <assign name="now" expr="command.goal"/>',
        f'        <prompt>{say["code"]} <value expr="now"/>: <value expr="says[now]"/>.</prompt>',
        '        <if cond="before == now">',
        f"          <prompt>{say['same']}</prompt>",
        "        <else/>",
        f'          <prompt>{say["turns"]} <value expr="turns[100 * before + now]"/>.</prompt>',
        "        </if>",
        '        <clear namelist="command"/>',
        "      </filled>",
        "    </field>",
        "  </form>",
        "</vxml>",
        "",
    ]
    return "\n".join(lines)


def _turns(lang: Language) -> dict[str, str]:
    """Quarter turns from one orientation to another in words, by both codes one after the other."""
    words = _AXES[lang]
    return {
        str(100 * a + b): ", ".join(f"{words[turn[0]]} {words[turn[1]]}" for turn in quarter_turns(a, b))
        for a in CODES
        for b in CODES
        if a != b
    }


def _table(rows: dict[str, str]) -> str:
    return json.dumps(rows, ensure_ascii=False)
