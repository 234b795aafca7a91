"""Equations of a page that were written before: they stay on disk, for they take half of the time of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.kernels import keep_written, recall_written
from sistel.views.page._equations import equations_of, file_of

if TYPE_CHECKING:
    from sistel.model import Model
    from sistel.views._model_data import EquationsData


def kept_equations(model: Model) -> tuple[EquationsData, str]:
    """As `equations_of`; what the same sources have written for the same system comes from the user's cache."""
    what = _depends_on(model)
    if what is None:
        return equations_of(model)
    data, text = recall_written(*what) or keep_written(equations_of(model), *what)
    return data, text


def _depends_on(model: Model) -> tuple[object, ...] | None:
    """All that equations depend on; None where that is not known.

    Letters stand for parameters, which numbers alone do not tell: the texts of the files are a part of it.
    """
    recipe = model.recipe
    if recipe is None or recipe.change is not None or recipe.included is None:
        return None
    documents = [recipe.document, *(each for each in recipe.included if each is not None)]
    texts = [each.source.text for each in documents]
    return "equations", model.fingerprint, file_of(model), recipe.values, recipe.renumber, texts
