"""What pages carry inside: their scripts, libraries for scenes, the font of formulas.

`tools/assets` builds and fetches them; wheels have them. They are not part of the sources.

| name | what it is |
|---|---|
| `boot.js` | the script that stands in a page and starts the next two |
| `page.js`, `lesson.js` | modules of pages and lessons, uPlot inside; `start` makes a page of its element |
| `widget.js` | a module for notebooks: a page in a frame, and what it tells Python |
| `viewer.js`, `gripper.js`, `gallery.js` | scripts of scenes, of the gripper and of galleries |
| `sender.js` | the script of pages that send programs to drives |
| `sources.sha256` | a digest of the files in `web/` that these were built from |
| `uplot.css` | uPlot: how plots look |
| `x_ite.mjs`, `x_ite.css` | X_ITE: scenes in space; a module, adapted so that it needs nothing beside it |
| `x_ite.json`, `x_ite.NAME.js` | its components, and which nodes of X3D each one has |
| `x_ite.tangents.wasm` | what it needs for textures that give normals |
| `DroidSerif-Regular.ttf`, `Ubuntu-R.ttf`, `UbuntuMono-R.ttf` | what it writes the texts of scenes with |
| `x3dom.js`, `x3dom.css` | X3DOM, another viewer of scenes; a classic script |
| `math.woff2` | STIX Two Math: letters, signs and growing brackets of formulas |
| `NAME.packed` | what is large, packed as pages carry it |
| `LICENSES.txt` | who made all this, and under which terms |
"""

from sistel.views.assets._letters import bytes_of, letters_of
from sistel.views.assets._read import asset, asset_letters, asset_text

__all__ = ["asset", "asset_letters", "asset_text", "bytes_of", "letters_of"]
