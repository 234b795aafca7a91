"""What pages carry inside: libraries for plots and scenes, the font of formulas.

`tools/assets` fetches them; wheels have them. They are not part of the sources.

| name | what it is |
|---|---|
| `uplot.js`, `uplot.css` | uPlot: plots; a classic script that defines `uPlot` |
| `x_ite.mjs`, `x_ite.css` | X_ITE: scenes in space; a module, adapted so that it needs nothing beside it |
| `x_ite.json`, `x_ite.NAME.js` | its components, and which nodes of X3D each one has |
| `x_ite.tangents.wasm` | what it needs for textures that give normals |
| `DroidSerif-Regular.ttf`, `Ubuntu-R.ttf`, `UbuntuMono-R.ttf` | what it writes the texts of scenes with |
| `x3dom.js`, `x3dom.css` | X3DOM, another viewer of scenes; a classic script |
| `math.woff2` | STIX Two Math: letters, signs and growing brackets of formulas |
| `LICENSES.txt` | who made all this, and under which terms |
"""

from sistel.views.assets._read import asset, asset_text

__all__ = ["asset", "asset_text"]
