"""Equations of a page that were written before: they stay on disk, for they take half of the time of a page."""

from __future__ import annotations

import hashlib
import json
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING

from sistel.kernels import USER, read_entry, write_entry, writing
from sistel.views.page._equations import equations_of, file_of

if TYPE_CHECKING:
    from sistel.model import Model
    from sistel.views._model_data import EquationsData


def kept_equations(model: Model) -> tuple[EquationsData, str]:
    """As `equations_of`; what the same sources have written for the same system comes from the user's cache."""
    key = _key(model)
    if key is None:
        return equations_of(model)
    stored = read_entry(USER, key)
    if stored is not None:
        with suppress(ValueError, TypeError, zlib.error):
            data, text = json.loads(zlib.decompress(stored))
            return data, text
    data, text = equations_of(model)
    write_entry(USER, key, zlib.compress(json.dumps([data, text]).encode()))
    return data, text


def _key(model: Model) -> str | None:
    """All that equations depend on; None where that is not known.

    Letters stand for parameters, which numbers alone do not tell: the texts of the files are a part of it.
    """
    recipe = model.recipe
    if recipe is None or recipe.change is not None or recipe.included is None:
        return None
    documents = [recipe.document, *(each for each in recipe.included if each is not None)]
    texts = [each.source.text for each in documents]
    parts = writing(), model.fingerprint, file_of(model), recipe.values, recipe.renumber, texts
    return hashlib.sha256(repr(("equations", *parts)).encode("utf-8", "replace")).hexdigest()
