"""`sistel studio`: models of a folder, written, seen and run in the browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from sistel.cli._arguments import Call, Usage, wrong_call
from sistel.cli._console import Console
from sistel.cli._described import arguments, examples, options
from sistel.cli._values import read_whole
from sistel.errors import Language, Text

if TYPE_CHECKING:
    from sistel.studio.workspace import Samples

USAGE = Usage(
    about=Text(
        "Opens a folder of models in the browser: they are written there, seen while they are written, run and "
        "compared. The server listens to this machine alone and lets in whoever has the address with its token; it "
        "reads and writes nothing outside the folder, and works until Ctrl-C. Drafts and runs are kept in .sistel "
        'inside the folder. It needs the extra: pip install "sistel[studio]".',
        "Открывает папку с моделями в браузере: там их пишут и сразу видят, запускают и сравнивают. Сервер слушает "
        "только эту машину и впускает того, у кого есть адрес с ключом; он ничего не читает и не пишет вне папки и "
        "работает до Ctrl-C. Черновики и расчёты хранятся в .sistel внутри папки. Нужно дополнение: "
        'pip install "sistel[studio]".',
    ),
    arguments=arguments(
        """
        place: [FILE|FOLDER | ФАЙЛ|ПАПКА] @file
            the folder, or a file of it to begin with; the current folder by default
            папка или файл в ней, с которого начать; по умолчанию текущая папка
        """
    ),
    options=options(
        """
        --port NUMBER | ЧИСЛО
            of the address; any that is free by default
            порт адреса; по умолчанию любой свободный
        --no-browser
            print the address and open no browser
            напечатать адрес и не открывать браузер
        --base PATH | ПУТЬ
            path of the address, for a proxy before it: /alice/
            путь в адресе, для прокси перед сервером: /alice/
        --origin ADDRESS | АДРЕС
            address of that proxy, as browsers see it: https://studio.example.org
            адрес этого прокси, каким его видят браузеры: https://studio.example.org
        --memory NUMBER | ЧИСЛО
            MiB that a process beside the server may take: an answer, a run; 4096 by default
            сколько МиБ можно процессу рядом с сервером: ответу, расчёту; по умолчанию 4096
        """
    ),
    examples=examples(
        """
        sistel studio
            the current folder
            текущая папка
        sistel studio robots/arm.xml
            a file, and the folder that it is in
            файл и папка, в которой он лежит
        sistel studio --no-browser --port 8100
            at a fixed address, without a browser
            по постоянному адресу, без браузера
        """
    ),
)

_BASE = re.compile(r"/(?:[A-Za-z0-9._~-]+/)*")
_ORIGIN = re.compile(r"https?://[a-z0-9.-]+(?::[0-9]{1,5})?")


def run(call: Call, console: Console) -> int:
    """Serve the folder, and wait."""
    from sistel.cli._main import DONE
    from sistel.studio.jobs import Limits
    from sistel.studio.server import Options, serve

    given = Path(call.value("place") or ".")
    port = read_whole(call, "port", 1, 2**16 - 1)
    memory = read_whole(call, "memory", 256, 2**20)
    folder, opened = (given.parent, given.name) if given.is_file() else (given, None)

    def ready(address: str) -> None:
        if console.json:
            console.document({"address": address, "folder": str(folder)})
        else:
            console.write(f"{address}\n")
            console.message(Text("the studio runs; Ctrl-C ends it", "студия работает; Ctrl-C закончит"))
        console.flush()
        if not call.given("no-browser"):
            _open(address, console)

    def there(address: str) -> None:
        if opened is not None:
            from sistel.studio import show

            show(given, folder=folder, browser=False).close()
        if console.json:
            console.document({"address": address, "folder": str(folder), "already": True})
        else:
            console.write(f"{address}\n")
            console.message(
                Text("a studio of this folder runs already, there", "студия этой папки уже работает, по этому адресу")
            )
        console.flush()
        if not call.given("no-browser"):
            _open(address, console)

    serve(
        Options(
            folder=str(folder),
            opened=opened,
            port=port or 0,
            base=_base(call),
            origin=_origin(call),
            samples=samples(),
            limits=Limits() if memory is None else Limits(memory=memory * 2**20),
        ),
        ready,
        there,
    )
    return DONE


def _base(call: Call) -> str:
    base = call.value("base") or "/"
    if _BASE.fullmatch(base) is None:
        wrong_call(
            "bad-base",
            Text(f'--base cannot be "{base}"', f"--base не может быть «{base}»"),
            expected=Text("a path between slashes, such as /alice/", "путь между косыми чертами, например /alice/"),
        )
    return base


def _origin(call: Call) -> str:
    origin = (call.value("origin") or "").rstrip("/").lower()
    if origin and _ORIGIN.fullmatch(origin) is None:
        wrong_call(
            "bad-origin",
            Text(f'--origin cannot be "{origin}"', f"--origin не может быть «{origin}»"),
            expected=Text("such as https://studio.example.org", "например, https://studio.example.org"),
        )
    return origin


def _open(address: str, console: Console) -> None:
    """Show the address in a browser; who has none, opens it himself."""
    import webbrowser

    try:
        opened = webbrowser.open(address)
    except webbrowser.Error:
        opened = False
    if not opened:
        console.message(
            Text("no browser could be opened: open the address yourself", "браузер не открылся: откройте адрес сами")
        )


def samples() -> Samples:
    """What new files may begin with: the templates of `sistel new`, and the gallery."""
    from sistel.cli._gallery import Entry, entries
    from sistel.cli._templates import EMPTY, STARTER, TEMPLATES
    from sistel.studio.workspace import Sample, Samples, Template

    def translated(entry: Entry) -> Callable[[Language], str]:
        def text(lang: Language) -> str:
            from sistel.errors import Diagnostics, Source
            from sistel.markup import translate

            return translate(Source(str(entry.path), entry.text()), lang, Diagnostics())

        return text

    # What includes other files is not whole as one.
    known = {entry.name: entry for entry in entries() if entry.path.stem == entry.name}
    templates = {}
    for name, about in TEMPLATES.items():
        if name == EMPTY:
            title = Text("empty", "пустая")
            templates[name] = Template(name=name, title=title, about=about, text=STARTER.say)
        elif name in known:
            entry = known[name]
            title = entry.names or Text(name, name)
            templates[name] = Template(name=name, title=title, about=about, text=translated(entry))
    models = {
        name: Sample(
            name=name,
            title=entry.names or Text(name, name),
            group="",
            text=translated(entry),
        )
        for name, entry in known.items()
    }
    return Samples(templates, models)
