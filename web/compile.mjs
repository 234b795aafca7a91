// Compiles the Python files of a folder with the Python that browsers will run them with: node compile.mjs FOLDER.
import { loadPyodide } from "pyodide";

const python = await loadPyodide();
python.FS.mkdirTree("/source");
python.FS.mount(python.FS.filesystems.NODEFS, { root: process.argv[2] }, "/source");
python.runPython(`
import os, py_compile
for folder, _, names in os.walk("/source"):
    for name in names:
        if name.endswith(".py"):
            path = os.path.join(folder, name)
            # As modules without sources: no clock and no place of this machine gets into them.
            py_compile.compile(path, path + "c", path.removeprefix("/source/"), doraise=True, optimize=0,
                invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
            os.remove(path)
`);
