"""Annotations as types of the subset."""

from __future__ import annotations

import ast
import collections.abc
import typing
from dataclasses import dataclass
from typing import Final

from sistel.kernels.subset._records import fields_of
from sistel.kernels.subset._source import Source
from sistel.kernels.subset._types import (
    BOOL,
    FLOAT,
    FLOATS,
    INT,
    INTS,
    NONE,
    RESULTS,
    Floats,
    Ints,
    Kind,
    function_kind,
)

_KINDS: Final[dict[object, Kind]] = {
    float: FLOAT,
    int: INT,
    bool: BOOL,
    Floats: FLOATS,
    Ints: INTS,
    None: NONE,
    type(None): NONE,
}
_CALLABLES: Final = (collections.abc.Callable, typing.Callable)
_ALLOWED: Final = "float, int, bool, Floats, Ints, Function[[...], ...] and frozen dataclasses of these are"


@dataclass(frozen=True, slots=True)
class Signature:
    """What a function takes and returns."""

    names: tuple[str, ...]
    kind: Kind
    """The kind of pointers to it."""

    @property
    def parameters(self) -> tuple[Kind, ...]:
        return self.kind.parameters

    @property
    def leaves(self) -> list[tuple[str, Kind]]:
        """The arguments of machine code: records fall apart into their fields."""
        parameters = zip(self.names, self.parameters, strict=True)
        return [(f"{name}{path}", leaf) for name, kind in parameters for path, leaf in kind.leaves]

    @property
    def result(self) -> Kind:
        assert self.kind.result is not None
        return self.kind.result


def signature(source: Source, node: ast.FunctionDef) -> Signature:
    """Read the parameters and the result of a function."""
    given = node.args
    for extra in (given.vararg, given.kwarg, *given.kwonlyargs, *given.defaults):
        if extra is not None:
            raise source.error(extra, "parameters are positional and have no defaults")
    every = [*given.posonlyargs, *given.args]
    kinds: list[Kind] = []
    for each in every:
        if each.annotation is None:
            raise source.error(each, f"the parameter {each.arg!r} has no annotation")
        kinds.append(_parameter(source, each.annotation))
    if node.returns is None:
        raise source.error(node, f"the result of {node.name!r} has no annotation")
    result = annotation(source, node.returns)
    if result not in RESULTS:
        raise source.error(node.returns, f"a function returns float, int, bool or None, not {result.name}")
    return Signature(tuple(each.arg for each in every), function_kind(tuple(kinds), result))


def annotation(source: Source, node: ast.expr) -> Kind:
    """The kind that an annotation stands for."""
    if isinstance(node, ast.Constant) and node.value is None:
        return NONE
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        raise source.error(node, "annotations are written without quotation marks")
    if isinstance(node, ast.Subscript):
        return _written(source, node)
    if not isinstance(node, (ast.Name, ast.Attribute)):
        raise source.error(node, f"no type of the subset: {ast.unparse(node)}; {_ALLOWED}")
    return _kind(source, node, source.resolve(node))


def _parameter(source: Source, node: ast.expr) -> Kind:
    kind = annotation(source, node)
    if kind == NONE:
        raise source.error(node, "a parameter cannot be None")
    return kind


def _written(source: Source, node: ast.Subscript) -> Kind:
    """A Function[[...], ...] that is spelt out in the annotation itself."""
    inside = node.slice.elts if isinstance(node.slice, ast.Tuple) else []
    if source.resolve(node.value) not in _CALLABLES or len(inside) != 2 or not isinstance(inside[0], ast.List):
        raise source.error(node, f"no type of the subset: {ast.unparse(node)}; {_ALLOWED}")
    parameters = tuple(_parameter(source, each) for each in inside[0].elts)
    return _function(source, node, parameters, annotation(source, inside[1]))


def _kind(source: Source, node: ast.expr, found: object) -> Kind:
    """The kind of an object that an annotation names."""
    if typing.get_origin(found) is collections.abc.Callable:
        inside = typing.get_args(found)
        if len(inside) == 2 and isinstance(inside[0], list):
            parameters = tuple(_kind(source, node, each) for each in inside[0])
            return _function(source, node, parameters, _kind(source, node, inside[1]))
    if isinstance(found, type) and fields_of(found) is not None:
        return record_kind(source, node, found)
    try:
        return _KINDS[found]
    except (KeyError, TypeError):
        raise source.error(node, f"no type of the subset: {ast.unparse(node)}; {_ALLOWED}") from None


def record_kind(source: Source, node: ast.expr, record: type) -> Kind:
    """The kind of a frozen dataclass."""
    fields = fields_of(record)
    if not fields:
        raise source.error(node, f"a record has fields: {ast.unparse(node)} has none")
    kinds = tuple((name, _kind(source, node, each)) for name, each in fields.items())
    for name, kind in kinds:
        if kind == NONE:
            raise source.error(node, f"a field cannot be None: {name!r} of {ast.unparse(node)}")
    return Kind(record.__qualname__, "", fields=kinds)


def _function(source: Source, node: ast.expr, parameters: tuple[Kind, ...], result: Kind) -> Kind:
    if NONE in parameters or result not in RESULTS:
        raise source.error(node, "a function takes values and returns float, int, bool or None")
    return function_kind(parameters, result)
