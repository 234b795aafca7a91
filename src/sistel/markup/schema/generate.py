"""What is made of the schema table for people and their editors; imported only when it is asked for."""

from sistel.markup.schema._reference import schema_completions, schema_reference
from sistel.markup.schema._xsd import schema_xsd

__all__ = ["schema_completions", "schema_reference", "schema_xsd"]
