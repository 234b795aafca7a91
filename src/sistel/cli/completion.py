"""`sistel completion`: scripts that complete commands, options and files in a shell."""

from __future__ import annotations

from sistel.cli._arguments import Argument, Call, Usage
from sistel.cli._console import Console
from sistel.cli._described import examples
from sistel.errors import Text

SHELLS = ("bash", "zsh", "fish")

USAGE = Usage(
    about=Text(
        "Writes a completion script to standard output. It is static: it names the commands, options and templates of "
        "this version, and starts no program while you type.",
        "Выводит сценарий дополнения. Он постоянный: в нём команды, ключи и образцы этой версии, и при наборе никакие "
        "программы не запускаются.",
    ),
    arguments=(
        Argument(
            key="shell",
            name=Text("SHELL", "ОБОЛОЧКА"),
            help=Text("bash, zsh or fish", "bash, zsh или fish"),
            choices=SHELLS,
        ),
    ),
    examples=examples(
        """
        eval "$(sistel completion bash)"
            in ~/.bashrc
            в ~/.bashrc
        sistel completion zsh > "${fpath[1]}/_sistel"
            for zsh, once
            для zsh, один раз
        sistel completion fish > ~/.config/fish/completions/sistel.fish
            for fish, once
            для fish, один раз
        """
    ),
)


def run(call: Call, console: Console) -> int:
    """Write the script."""
    from sistel.cli._completion import bash, fish, zsh

    shell = call.required("shell")
    script = {"bash": bash, "zsh": zsh, "fish": fish}[shell](console.lang)
    if console.json:
        console.document({"shell": shell, "script": script})
    else:
        console.write(script)
    return 0
