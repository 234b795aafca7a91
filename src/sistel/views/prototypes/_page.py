"""A page on which a gripper turns as one says: by words, codes and numbers."""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode

import numpy as np

from sistel.errors import Language, user_language
from sistel.look import header, style_sheet
from sistel.pose import CODES, OCTANTS, Parameters, ParameterSet, euler_parameters
from sistel.views._payloads import GripperData
from sistel.views.assets import asset_text
from sistel.views.page._files import view_text
from sistel.views.page._packed import packed, packed_asset
from sistel.views.prototypes._files import gripper_scene
from sistel.views.prototypes._names import FIELDS, say
from sistel.views.prototypes._scenes import TRANSITIONS
from sistel.views.prototypes._tables import declared, gripper_tables, phrase_tables
from sistel.views.prototypes._write import script_text
from sistel.views.viewer._page import RULES

PARTS = ("KeyDeviceSensor", "Scripting")
"""What the scene needs of X_ITE beyond its core."""


def gripper_page(lang: Language | None = None) -> str:
    """A page with one gripper that turns as a visitor says; one file, which needs nothing beside it.

    Args:
        lang: In which it speaks first; the user's unless told otherwise.

    Raises:
        SistelError: The viewer of scenes is not installed.
    """
    lang = lang or user_language()
    scene = gripper_scene({"spread": "0.04", "keys": "true"}, lang, axes=True)
    blocks = {"module": "x_ite.mjs", "style": "x_ite.css", **{f"part-{name}": f"x_ite.{name}.js" for name in PARTS}}
    script = f"\n{library(lang)}\n{asset_text('gripper.js')}{_START}".replace("</script", "<\\/script").replace(
        "<!--", "<\\!--"
    )
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    data: GripperData = {
        "lang": lang,
        "parts": list(PARTS),
        "fields": {field.key: say(field.key, lang) for field in FIELDS["gripper"]},
        "octants": [list(octant) for octant in OCTANTS],
        "euler": {str(code): list(euler_parameters(code)) for code in CODES},
        "tour": list(TRANSITIONS),
    }
    return _TEMPLATE.format(
        lang=lang,
        style=style_sheet(view_text("prototypes/page/page.css")),
        header=header(""),
        # Scripts of scenes are run from their texts.
        rules=RULES.format(scripts=f"'sha256-{digest}' 'unsafe-eval' blob:"),
        blocks="\n".join([packed("scene", scene), *(packed_asset(name, file) for name, file in blocks.items())]),
        # Inside a script element nothing may look like its end, or like a comment.
        data=json.dumps(data).replace("<", "\\u003c"),
        script=script,
    )


def library(lang: Language) -> str:
    """What reads codes, numbers of all sets and phrases, in JavaScript: `Poses`, `Bodies`, `Phrases`."""
    parameters = Parameters.standard()
    tables = gripper_tables(lang, parameters, {}, "cubic", whole=True)
    for key, sets, still in (
        ("rotations", parameters.rotations, [1.0, 0, 0, 0]),
        ("positions", parameters.positions, [0.0, 0, 0]),
    ):
        for table, each in zip(tables[key], sets, strict=True):
            table["start"] = _start(each, still)
    scripts = ("codes.js", "body.js", "phrases.js")
    return declared("TABLES", tables) + declared("PHRASES", phrase_tables()) + "\n".join(map(script_text, scripts))


def _start(chosen: ParameterSet, still: list[float]) -> list[float]:
    """The numbers with which a gripper stands in the centre, fingers right and thumb up [m and deg]."""
    written = np.array(chosen.write(np.array(still)), dtype=float)
    angles = sorted(chosen.angles)
    written[angles] = np.degrees(written[angles])
    return [float(round(number, 6)) + 0.0 for number in written]


_START = """for (const root of document.querySelectorAll("[data-sistel=gripper]")) {
  const data = JSON.parse(root.querySelector("[data-payload]").textContent);
  gripperPage.showGripper(root, data, { Poses, Phrases, TABLES });
}
"""
_TEMPLATE = """<!doctype html>
<html lang="{lang}">
<!-- Made by sistel. This page carries X_ITE (MIT licence). -->
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{rules}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>sistel</title>
<style>
{style}</style>
</head>
<body data-sistel="gripper">
{header}<main class="stage"></main>
<aside class="panel"></aside>
{blocks}
<script type="application/json" data-payload>{data}</script>
<script type="module">{script}</script>
</body>
</html>
"""
