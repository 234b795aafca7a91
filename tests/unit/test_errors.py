"""One error, said at once."""

from __future__ import annotations

import pytest

from sistel.errors import SistelError, Source, Span, Text, refuse


def test_refuse_carries_all_that_is_known_of_a_problem() -> None:
    source = Source("walker.xml", "<joint/>")
    span, other = Span(source, 0, 6), Span(source, 6, 8)
    message, expected, hint = Text("wrong", "неверно"), Text("a body", "тело"), Text("try", "попробуйте")
    with pytest.raises(SistelError) as raised:
        refuse("bad-joint", message, span=span, expected=expected, hint=hint, related=[(other, message)])
    (problem,) = raised.value.diagnostics
    assert (problem.code, problem.severity, problem.message) == ("bad-joint", "error", message)
    assert problem.span is span
    assert (problem.expected, problem.hint) == (expected, hint)
    assert problem.related == ((other, message),)
