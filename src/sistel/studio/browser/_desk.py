"""What answers calls: those about files here, those about texts by the service, all others with what to do instead."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Final

from sistel.errors import Diagnostic, SistelError, Text
from sistel.studio.browser._console import asked, numbers_of, time_of
from sistel.studio.browser._files import HINT
from sistel.studio.browser._files import METHODS as FILES
from sistel.studio.service import failure, language, reply, table, text, tried_values
from sistel.studio.workspace import Files, check_name

Answer = dict[str, object]
_ABSENT: Final = ("numpy", "llvmlite", "lxml", "sistel.")


class Desk:
    """Answers the calls of one window."""

    def __init__(self, files: Files) -> None:
        """Of the files of a folder."""
        self.files = files

    def answer(self, question: str) -> str:
        """The answer to a call, both as JSON: `done`, or why not as `failed`."""
        asked = json.loads(question)
        return json.dumps(self.reply(str(asked["call"]), asked.get("with") or {}), ensure_ascii=False)

    def reply(self, name: str, params: Mapping[str, object]) -> Answer:
        """The answer to a call."""
        try:
            path = params.get("path")
            if isinstance(path, str) and path:
                check_name(path)
            if name in FILES:
                return {"done": FILES[name](self.files, params)}
            if name in OWN:
                return {"done": OWN[name](params)}
            return reply(name, params) if name not in SERVED else _needs_server()
        except SistelError as problem:
            return {"failed": failure(problem)}
        except (ImportError, NotImplementedError) as problem:
            if isinstance(problem, NotImplementedError) or (problem.name or "").startswith(_ABSENT):
                return _needs_server()
            return _broken(problem)
        except RecursionError:
            return _failed("too-deep", Text("this is nested too deep", "вложенность слишком велика"))
        except MemoryError:
            return _failed("too-much-memory", Text("this takes more memory than a browser gives", "не хватает памяти"))
        except Exception as problem:  # one call fails, the window goes on
            return _broken(problem)


def _failed(code: str, why: Text, hint: Text | None = None) -> Answer:
    return {"failed": failure(SistelError([Diagnostic(code, "error", why, hint=hint)]))}


def _needs_server() -> Answer:
    why = Text("this is computed by the studio on your own machine", "это вычисляет студия на вашей машине")
    return _failed("needs-server", why, HINT)


def _broken(problem: Exception) -> Answer:
    what = f"{type(problem).__name__}: {problem}"
    return _failed("own-error", Text(f"sistel itself failed: {what}", f"отказала сама программа: {what}"))


def page_of_model(params: Mapping[str, object]) -> object:
    """The page of a text, which moves by itself: `{html, title}`."""
    from sistel.system import parse
    from sistel.views.page import draw_page

    path, source = text(params, "path"), text(params, "text")
    system = parse(source, path)
    given = {name: value for name, value in table(params, "changed").items() if isinstance(value, (int, float, str))}
    # What was tried is in the units of the author.
    tried = numbers_of(table(params, "parameters"))
    changed = {**given, **(tried_values(path, source, tried) if tried else {})}
    if changed:
        system = system.with_parameters(changed)
    # Equations have a view of their own: a page that is made anew with every change does without them.
    page = draw_page(system.model, lang=language(params), equations=False, framed=True)
    return {"html": page, "title": system.name}


OWN: Final[Mapping[str, Callable[[Mapping[str, object]], object]]] = {
    "page.make": page_of_model,
    "console.run": asked,
    "console.time": time_of,
}
SERVED: Final = frozenset(("run.touch", "jobs.cancel", "runs.response", "sweep.start", "sweep.resume"))
"""What the server alone answers; the window itself answers what else is asked of runs."""
