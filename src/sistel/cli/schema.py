"""`sistel schema`: the language of the descriptions, for editors and people."""

from __future__ import annotations

from sistel.cli._arguments import Call, Usage
from sistel.cli._console import Console
from sistel.cli._described import examples, options
from sistel.errors import Text

USAGE = Usage(
    about=Text(
        "Writes the language of the descriptions to standard output: an XSD for editors and validators, a reference in "
        "Markdown for people, or the words with their meanings in JSON for completion.",
        "Выводит язык описаний: XSD для редакторов и проверок, справочник в Markdown для людей или слова с их "
        "значениями в JSON для дополнения.",
    ),
    options=options(
        """
        --xsd
            XML Schema (the default)
            XML Schema (по умолчанию)
        --reference
            reference in Markdown
            справочник в Markdown
        --completions
            words for editors, JSON
            слова для редакторов, JSON
        """
    ),
    exclusive=(("--xsd", "--reference", "--completions"),),
    examples=examples(
        """
        sistel schema > xsystel.xsd
            a file for your editor
            файл для вашего редактора
        """
    ),
)


def run(call: Call, console: Console) -> int:
    """Write the schema."""
    from sistel.markup.schema.generate import schema_completions, schema_reference, schema_xsd

    if call.given("completions"):
        console.document(schema_completions())
        return 0
    form = "reference" if call.given("reference") else "xsd"
    text = schema_reference(console.lang) if form == "reference" else schema_xsd()
    if console.json:
        console.document({"form": form, "text": text})
    else:
        console.write(text if text.endswith("\n") else f"{text}\n")
    return 0
