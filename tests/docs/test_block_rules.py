"""The rules by which pages are run, on small pages of their own."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from support.blocks import BlockError, PageRunner, matches, read_blocks, read_commands


def run(text: str, folder: Path, lang: str = "en") -> None:
    page = folder / "page.md"
    runner = PageRunner(page, folder, lang)
    for block in read_blocks(textwrap.dedent(text)):
        runner.run(block)


@pytest.mark.parametrize(
    ("expected", "actual", "same"),
    [
        ("a\nb", "a \nb\n\n", True),
        ("a\nb", "a\nc", False),
        ("a", "a\nb", False),
        ("a\n…\nz", "a\nb\nc\nz", True),
        ("a\n…\nz", "a\nz", True),
        ("a\n…", "a\nb\n", True),
        ("…", "anything\nat all", True),
        ("t = … s", "t = 0.31 s", True),
        ("t = … s", "t = 0.31\n s", False),
        ("x.y", "x-y", False),
    ],
)
def test_output_matches(expected: str, actual: str, same: bool) -> None:
    assert matches(expected, actual) is same


def test_commands_are_read_with_status_and_output() -> None:
    (block,) = read_blocks(
        "text\n\n```console\n$ sistel show a.xml\ntree\n$ sistel check b.xml  # exits 1\nwrong\n\n"
        "$ sistel run \\\n> --until 1\n$ sistel x\n# exits 2\n```\n"
    )
    commands = list(read_commands(block))
    assert [(c.text, c.status, c.output) for c in commands] == [
        ("sistel show a.xml", 0, "tree"),
        ("sistel check b.xml", 1, "wrong"),
        ("sistel run --until 1", 0, ""),
        ("sistel x", 2, ""),
    ]
    assert [c.line for c in commands] == [4, 6, 9, 11]


def test_python_shares_a_namespace_and_a_folder(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("here")
    run(
        """
        ```python
        from dataclasses import dataclass
        from pathlib import Path

        @dataclass
        class Note:
            text: "str"

        note = Note(Path("note.txt").read_text())
        ```

        - in a list

          ```python
          >>> note.text
          'here'
          >>> answer = 42
          ```

        ```python
        assert answer == 42
        ```
        """,
        tmp_path,
    )


def test_python_error_names_the_line_of_the_page(tmp_path: Path) -> None:
    with pytest.raises(BlockError, match="ZeroDivisionError") as caught:
        run("# title\n\n```python\na = 1\na / 0\n```\n", tmp_path)
    assert caught.value.line == 5


def test_doctest_that_differs_fails(tmp_path: Path) -> None:
    with pytest.raises(BlockError, match="Expected"):
        run("```python\n>>> 1 + 1\n3\n```\n", tmp_path)


def test_commands_run(tmp_path: Path) -> None:
    run(
        """
        ```console
        $ git clone somewhere
        Cloning …
        $ make setup
        $ python -c "print('one'); print('two')"
        one
        two
        $ .venv/bin/python -c "raise SystemExit(1)"  # exits 1
        $ LANG=C python -c "print(1)" > out.txt
        ```
        """,
        tmp_path,
    )
    assert (tmp_path / "out.txt").read_text() == "1\n"


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ('$ python -c "raise SystemExit(3)"', "exits 3, the page says 0"),
        ("$ python -c pass  # exits 1", "exits 0, the page says 1"),
        ("$ python -c 'print(1)'\n2", "prints something else"),
        ("$ rm -rf .", "`rm` is none of the commands"),
    ],
)
def test_command_that_differs_fails(command: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(BlockError, match=message):
        run(f"```console\n{command}\n```\n", tmp_path)


@pytest.mark.parametrize(("lang", "start"), [("en", "C."), ("ru", "ru_RU")])
def test_commands_speak_the_language_of_the_page(lang: str, start: str, tmp_path: Path) -> None:
    run(f"```console\n$ python -c \"import os; print(os.environ['LANG'])\"\n{start}…\n```\n", tmp_path, lang)
