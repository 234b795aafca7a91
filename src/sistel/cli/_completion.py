"""Completion scripts, made from the tables of commands and options."""

from __future__ import annotations

from collections.abc import Iterator

from sistel.cli._arguments import COMMON, Argument, Option
from sistel.cli._commands import COMMANDS, Command
from sistel.errors import Language
from sistel.records import entry


@entry
class _Known:
    """A command with everything that may follow it."""

    command: Command
    arguments: tuple[Argument, ...]
    options: tuple[Option, ...]


def _known() -> list[_Known]:
    return [
        _Known(command, command.code.USAGE.arguments, (*command.code.USAGE.options, *COMMON)) for command in COMMANDS
    ]


def _words(argument: Argument) -> tuple[str, ...]:
    """What may stand in the place of an argument, files apart."""
    if argument.completes == "template":
        from sistel.cli.new import names

        return names()
    return argument.choices or argument.offers


def bash(lang: Language) -> str:
    """The script for bash; it needs nothing but bash itself (3.2 or newer)."""
    cases = []
    for known in _known():
        options = " ".join(option.name for option in known.options)
        values = "".join(
            f"        {option.name}) words='{' '.join(option.choices)}' ;;\n"
            if option.choices
            else f"        {option.name}) return ;;\n"
            for option in known.options
            if option.value is not None
        )
        places = "".join(
            f"        {'*' if argument.many else index}) {_bash_place(argument)} ;;\n"
            for index, argument in enumerate(known.arguments)
        )
        cases.append(
            f"    {known.command.name})\n"
            f"      case $previous in\n{values}        *) options='{options}'; take=yes ;;\n      esac\n"
            f"      [[ -n $take ]] && case $place in\n{places}        *) ;;\n      esac ;;\n"
        )
    commands = " ".join(command.name for command in COMMANDS)
    common = " ".join(option.name for option in COMMON)
    valued = "|".join(dict.fromkeys(o.name for known in _known() for o in known.options if o.value is not None))
    return f"""\
# Completion of sistel for bash.
_sistel() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}
  local command= place=0 words= options= files= take= index word
  # bash cuts --lang=ru into three words.
  if [[ $current == = ]]; then current=; elif [[ $previous == = ]]; then previous=${{COMP_WORDS[COMP_CWORD-2]}}; fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=${{COMP_WORDS[index]}}
    case $word in
      {valued}) [[ ${{COMP_WORDS[index+1]}} == = ]] && ((index++)); ((index++)) ;;
      -?*|=) ;;
      *) if [[ -z $command ]]; then command=$word; else ((place++)); fi ;;
    esac
  done
  case $command in
    '')
      case $previous in
        --lang) words='ru en' ;;
        *) words='{commands}'; options='{common}' ;;
      esac ;;
{"".join(cases)}  esac
  [[ $current == -* ]] && words=$options && files=
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
  fi
}}
complete -F _sistel sistel
"""


def _bash_place(argument: Argument) -> str:
    words = " ".join(_words(argument))
    return (f"words='{words}'" if words else "") + ("files=yes" if argument.completes == "file" else "") or ":"


def zsh(lang: Language) -> str:
    """The script for zsh."""
    commands = "\n".join(f"    {_quote(f'{c.name}:{_colons(c.help.say(lang))}')}" for c in COMMANDS)
    cases = []
    for known in _known():
        specs = [_zsh_option(option, lang) for option in known.options]
        specs += [_zsh_argument(argument, lang) for argument in known.arguments]
        lines = " \\\n        ".join(map(_quote, specs))
        cases.append(f"    {known.command.name})\n      _arguments -s \\\n        {lines} ;;\n")
    common = " \\\n    ".join(_quote(_zsh_option(option, lang)) for option in COMMON)
    return f"""\
#compdef sistel
# Completion of sistel for zsh.
_sistel() {{
  local context state state_descr line
  typeset -A opt_args
  local -a commands
  commands=(
{commands}
  )
  _arguments -C \\
    {common} \\
    '1: :->command' \\
    '*:: :->rest'
  case $state in
    command) _describe command commands ;;
    rest)
      case $line[1] in
{_indent("".join(cases))}      esac ;;
  esac
}}
if [[ $funcstack[1] == _sistel ]]; then _sistel "$@"; else compdef _sistel sistel; fi
"""


def _zsh_option(option: Option, lang: Language) -> str:
    text = option.help.say(lang).replace("[", "(").replace("]", ")")
    many = "*" if option.many else ""
    if option.value is None:
        return f"{many}{option.name}[{_colons(text)}]"
    values = f"({' '.join(option.choices)})" if option.choices else " "
    value = _colons(option.value.say(lang)).replace("[", "(").replace("]", ")")
    return f"{many}{option.name}=[{_colons(text)}]:{value}:{values}"


def _zsh_argument(argument: Argument, lang: Language) -> str:
    mark = "*:" if argument.many else ":" if argument.required else "::"
    words = _words(argument)
    action = "_files" if argument.completes == "file" else f"({' '.join(words)})" if words else " "
    return f"{mark}{_colons(argument.name.say(lang))}:{action}"


def fish(lang: Language) -> str:
    """The script for fish."""
    return "\n".join(("# Completion of sistel for fish.", *_fish(lang), ""))


def _fish(lang: Language) -> Iterator[str]:
    names = " ".join(command.name for command in COMMANDS)
    none = f"not __fish_seen_subcommand_from {names}"
    yield "complete -c sistel -f"
    for command in COMMANDS:
        yield f"complete -c sistel -n {_quote(none)} -a {command.name} -d {_quote(command.help.say(lang))}"
    for option in COMMON:
        yield f"complete -c sistel {_fish_option(option, lang)}"
    for known in _known():
        seen = f"-n {_quote(f'__fish_seen_subcommand_from {known.command.name}')}"
        for option in known.options[: len(known.options) - len(COMMON)]:
            yield f"complete -c sistel {seen} {_fish_option(option, lang)}"
        for argument in known.arguments:
            words = " ".join(_words(argument))
            if words:
                yield f"complete -c sistel {seen} -a {_quote(words)} -d {_quote(argument.name.say(lang))}"
        if any(argument.completes == "file" for argument in known.arguments):
            yield f"complete -c sistel {seen} -F"


def _fish_option(option: Option, lang: Language) -> str:
    words = [f"-l {option.key}"]
    if option.short:
        words.append(f"-s {option.short[1:]}")
    if option.value is not None:
        words.append(f"-x -a {_quote(' '.join(option.choices))}" if option.choices else "-x")
    return " ".join((*words, f"-d {_quote(option.help.say(lang))}"))


def _colons(text: str) -> str:
    return text.replace("\\", "\\\\").replace(":", "\\:")


def _quote(text: str) -> str:
    """A word for a shell, in single quotes."""
    return "'" + text.replace("'", "'\\''") + "'"


def _indent(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())
