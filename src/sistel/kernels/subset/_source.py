"""From a Python function to its text, its syntax tree and the places in it, and to the objects that its names mean."""

from __future__ import annotations

import ast
import builtins
import inspect
import linecache
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Final

from sistel.kernels.subset._records import fields_of

_MISSING: Final = object()
_WORD: Final = re.compile(r"[^\W\d]\w*")


class SubsetError(Exception):
    """A function is outside the subset. The message begins with the place: ``file:line:column``."""


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """The text of one function."""

    function: FunctionType
    file: str
    first: int
    """Number of the first line."""
    text: str
    """As it stands in the file, with its indentation."""

    @property
    def name(self) -> str:
        return self.function.__name__

    def error(self, node: ast.AST | None, message: str) -> SubsetError:
        """An error at a node; without one, at the function's first line."""
        line, column = self.first if node is None else self.line(node), getattr(node, "col_offset", 0)
        lines = self.text.splitlines()
        if 0 <= line - self.first < len(lines):
            # The tree counts bytes, people count letters.
            column = len(lines[line - self.first].encode()[:column].decode(errors="ignore"))
        return SubsetError(f"{self.file}:{line}:{column + 1}: {message}")

    @property
    def is_indented(self) -> bool:
        return self.text[:1].isspace()

    def line(self, node: ast.AST) -> int:
        """The line of the file in which a node of the tree begins."""
        within: int = getattr(node, "lineno", 1)
        return self.first + within - (2 if self.is_indented else 1)

    def resolve(self, node: ast.expr) -> object:
        """The object that a global name, or an attribute of a module, means; an error where there is none."""
        if isinstance(node, ast.Name):
            found = self.function.__globals__.get(node.id, _MISSING)
            if found is _MISSING:
                found = getattr(builtins, node.id, _MISSING)
            if found is _MISSING:
                raise self.error(node, f"nothing is called {node.id!r} here")
            return found
        if isinstance(node, ast.Attribute):
            owner = self.resolve(node.value)
            if not isinstance(owner, ModuleType):
                raise self.error(node, f"attributes are taken of modules only: {ast.unparse(node)}")
            found = getattr(owner, node.attr, _MISSING)
            if found is _MISSING:
                raise self.error(node, f"nothing is called {ast.unparse(node)!r}")
            return found
        raise self.error(node, f"a name is needed here: {ast.unparse(node)}")

    def meanings(self, members: Mapping[object, int]) -> list[tuple[str, str]]:
        """What the global names of the function mean, as far as code depends on it.

        Args:
            members: The functions that are compiled together, and their places.
        """
        known, names = self.function.__globals__, self.function.__code__.co_names
        found: list[tuple[str, str]] = []
        for name in names:
            thing = known.get(name)
            found.append((name, _meaning(thing, members)))
            if isinstance(thing, ModuleType):
                inside = ((each, getattr(thing, each, None)) for each in names)
                found += [(each, repr(value)) for each, value in inside if type(value) in (bool, int, float)]
        for name, note in self.function.__annotations__.items():
            if isinstance(note, str):
                words = _WORD.findall(note)
                things = [known.get(word) for word in words]
                found += [(word, _meaning(thing, members)) for word, thing in zip(words, things, strict=True)]
                # A type may be spelt as an attribute of a module.
                owners = [thing for thing in things if isinstance(thing, ModuleType)]
                named = [(word, getattr(owner, word, None)) for owner in owners for word in words]
                found += [(word, _meaning(thing, members)) for word, thing in named if thing is not None]
            else:
                found.append((name, _meaning(note, members)))
        return found


def _meaning(thing: object, members: Mapping[object, int]) -> str:
    if hasattr(thing, "__args__"):
        return repr((repr(thing), [_meaning(each, members) for each in thing.__args__]))
    if thing is None or type(thing) in (bool, int, float):
        return repr(thing)
    if isinstance(thing, ModuleType):
        return thing.__name__
    if isinstance(thing, FunctionType) and thing in members:
        return f"#{members[thing]}"
    fields = fields_of(thing)
    if fields is not None:
        return repr([(name, _meaning(each, members)) for name, each in fields.items()])
    return f"{getattr(thing, '__module__', '')}.{getattr(thing, '__qualname__', type(thing).__name__)}"


def functions_of(namespace: Mapping[str, object]) -> tuple[FunctionType, ...]:
    """All functions that a module defines, given its `globals()`: for modules written in the subset from end to end."""
    own = namespace["__name__"]
    return tuple(each for each in namespace.values() if isinstance(each, FunctionType) and each.__module__ == own)


def renamed(functions: Iterable[object], others: Iterable[object]) -> tuple[FunctionType, ...]:
    """Copies of functions in which the names of some of them mean others: one text for two kinds of tables.

    Args:
        functions: Those that have a text for both.
        others: What some of the names mean in them and in each other.
    """
    chosen: dict[str, FunctionType] = {}
    for each in dict.fromkeys((*functions, *others)):
        assert isinstance(each, FunctionType)
        if chosen.setdefault(each.__name__, each) is not each:
            raise ValueError(f"two of the functions are called {each.__name__!r}")
    made = {
        name: FunctionType(each.__code__, dict(each.__globals__), name, each.__defaults__)
        for name, each in chosen.items()
    }
    for name, copy in made.items():
        copy.__annotations__ = chosen[name].__annotations__
        copy.__globals__.update({word: made[word] for word in copy.__code__.co_names if word in made})
    return tuple(made.values())


def read_source(function: object) -> Source:
    """Find the text of a function.

    Raises:
        SubsetError: It is not a plain function, or its text is not to be had.
    """
    if not isinstance(function, FunctionType):
        raise SubsetError(f"{function!r} is not a function written in Python")
    code = function.__code__
    file, first = code.co_filename, code.co_firstlineno
    place = f"{file}:{first}:1"
    if code.co_freevars:
        raise SubsetError(
            f"{place}: {function.__name__!r} uses names of the function around it: {code.co_freevars[0]!r}"
        )
    linecache.checkcache(file)
    lines = linecache.getlines(file, function.__globals__)
    text = _block(lines, first - 1, max((line for _, _, line in code.co_lines() if line), default=first))
    if not _whole(text):
        try:
            text = inspect.getsource(function)
        except (OSError, TypeError):
            raise SubsetError(f"{place}: the text of {function.__name__!r} is not to be had") from None
    return Source(function, file, first, text)


def _block(lines: list[str], first: int, end: int) -> str:
    """The lines of a function.

    `inspect.getsource` reads the words one by one, which takes longer than everything else when code is found in the
    cache. The compiled function knows its last line but for what leaves no trace in it, as a closing ``continue``, and
    for lines that only continue a statement; these are indented.

    Args:
        lines: All lines of the file.
        first: Where the function begins.
        end: How far it certainly goes.
    """
    if first >= len(lines):
        return ""
    head = _indentation(lines[first])
    while end < len(lines) and (not lines[end].strip() or _indentation(lines[end]) > head):
        end += 1
    return "".join(lines[first:end]).rstrip() + "\n"


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def _whole(text: str) -> bool:
    """Whether a piece of text may be a function to its end; a docstring at the end leaves no trace in the code."""
    return bool(text) and text.count('"""') % 2 == 0 and text.count("'''") % 2 == 0


def parse(source: Source) -> ast.FunctionDef:
    """The syntax tree of a function. Its lines count from the function's own, and from one before if it is indented."""
    indented = source.is_indented
    try:
        tree = ast.parse("if True:\n" + source.text if indented else source.text, source.file)
    except SyntaxError:
        raise source.error(None, f"the text of {source.name!r} is not a function by itself") from None
    inner = tree.body[0]
    node = inner.body[0] if indented and isinstance(inner, ast.If) else inner
    if not isinstance(node, ast.FunctionDef) or node.name != source.name:
        raise source.error(None, f"{source.name!r} is not defined by def here, or the file has changed since")
    if node.decorator_list:
        raise source.error(node.decorator_list[0], "decorators are not allowed")
    return node
