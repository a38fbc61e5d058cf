#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Manual pages and shell completions of the programs, made from what their own --help says.

program_pages.py BIN RESOURCES OUT [--epoch SECONDS]: writes OUT/man/*.1 and OUT/completions/{bash,zsh,fish}/... for the
programs in the folder BIN. Nothing in them is written by hand but the sentences in PROGRAMS.
"""

import argparse
import json
import os
import re
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

# Program -> what it is in a few words, and what to see besides.
PROGRAMS = {
    "remat": ("plan rematerialization of PyTorch training graphs", "remat-studio"),
    "remat-studio": ("plan and see the memory of a training step", "remat"),
    "remat-layout": ("lay out a graph with Graphviz for remat-studio", "remat-studio"),
    "remat-cbc": ("solve one integer program for remat and remat-studio", "remat"),
    "remat-run": ("run one graph with LibTorch for remat and remat-studio", "remat"),
}
EXIT_CODES = [("0", "Done."), ("1", "The answer is no: no plan fits, a check failed."), ("2", "Wrong call or bad input.")]


@dataclass
class Option:
    names: list[str]  # -o, --output; a positional has one name without dashes
    value: str  # empty for a flag
    text: str
    choices: list[str] = field(default_factory=list)
    files: bool = False

    @property
    def positional(self):
        return not self.names[0].startswith("-")


@dataclass
class Program:
    name: str
    text: str
    usage: str
    options: list[Option]
    commands: list["Program"] = field(default_factory=list)
    lists: dict[str, list[tuple[str, str]]] = field(default_factory=dict)  # what --help lists below its options
    plain: str = ""

    def all_options(self):
        """Its own and those of its commands, each once."""
        of_all = [*self.options, *(option for command in self.commands for option in command.all_options())]
        return list({tuple(option.names): option for option in of_all}.values())

    def all_commands(self):
        """Its commands, each followed by its own."""
        return [each for command in self.commands for each in (command, *command.all_commands())]


KNOWN_LISTS = ("Positionals", "Options", "Arguments", "Subcommands")


def call(program, *arguments):
    environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", LC_ALL="C.UTF-8", LANGUAGE="en", COLUMNS="100")
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=True, env=environment).stdout


def sections(text):
    """Heading -> [(left, right)] of the two-column lists below it; what goes on in the next line is joined."""
    found, rows = {}, None
    for line in text.splitlines():
        if re.match(r"^[A-Z]\w*:$", line):
            rows = found.setdefault(line[:-1], [])
        elif rows is not None and (match := re.match(r"^  (\S.*?)(?:\s{2,}(\S.*))?$", line)):
            rows.append([match[1], match[2] or ""])
        elif rows and re.match(r"^\s{3,}\S", line):
            rows[-1][1] = f"{rows[-1][1]} {line.strip()}".strip()
        elif line.strip():
            rows = None
    return found


def option_from(left, text, known):
    left = re.sub(r"\s(Excludes|Needs):.*$", "", left)
    names_part, _, value = left.partition(" ")
    if names_part.endswith(","):  # Qt: `-h, --help`
        second, _, value = value.partition(" ")
        names_part += second
    names = names_part.split(",")
    value = value.replace("REQUIRED", "").strip().strip("<>")
    option = Option(names, value, text)
    if braces := re.search(r"\{([^}]*)\}", value):
        option.choices = braces[1].split(",")
    elif listed := re.match(r"one of ([\w, -]+)$", text):
        option.choices = [choice.strip() for choice in listed[1].split(",")]
    else:
        option.choices = known.get(names[-1], [])
    takes_text = option.positional or re.match(r"TEXT|PNG", value)
    option.files = not option.choices and bool(takes_text) and ("file" in text or "(." in text or "folder" in text
                                                                or "measured costs" in text or value == "PNG")
    return option


def read_program(path, known, *command):
    text = call(path, *command, "--help")
    parts = sections(text)
    usage = (re.search(r"Usage: (.*)", text) or [None, Path(path).name])[1]
    usage = usage.replace(str(path), Path(path).name)
    before = text.split("Usage:")[0].strip()
    after = re.search(r"Usage:.*\n((?:\S.*\n)+)", text)  # Qt says what the program is after its usage
    options = [option_from(*row, known) for title in ("Positionals", "Options", "Arguments") for row in parts.get(title, [])]
    name = command[-1] if command else Path(path).name
    program = Program(name, " ".join((before or (after[1] if after else "")).split()), usage, options)
    if not options:
        program.plain = text
    program.lists = {title: rows for title, rows in parts.items() if title not in KNOWN_LISTS}
    for left, right in parts.get("Subcommands", []):
        child = read_program(path, known, *command, left.split(",")[0])
        child.text = right
        program.commands.append(child)
    return program


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = re.sub(r"`([^`]*)`", r"\\fB\1\\fR", text)
    return "\\&" + text if text.startswith((".", "'")) else text


def man_options(options):
    lines = []
    for option in options:
        value = re.sub(r":.*|=.*", "", option.value)
        names = ", ".join(f"\\fB{roff(name)}\\fR" for name in option.names)
        lines += [".TP", names + (f" \\fI{roff(value)}\\fR" if value and not option.positional else "")]
        default = re.search(r"=([^=\]]+)$", option.value)
        text = (option.text[:1].upper() + option.text[1:]).rstrip(".") + "."
        lines.append(roff(text) + (f" Default: {roff(default[1])}." if default else ""))
    return lines


def man_page(program, version, date):
    title, also = PROGRAMS[program.name]
    name = roff(program.name)
    lines = [f'.TH {program.name.upper()} 1 "{date}" "{program.name} {version}" "Remat Studio"',
             ".SH NAME", f"{name} \\- {roff(title)}", ".SH SYNOPSIS"]
    if program.plain:
        lines += [f".B {name}", "[\\-\\-version | \\-\\-help]", ".SH DESCRIPTION", ".nf",
                  *[roff(line) for line in program.plain.rstrip().splitlines()], ".fi"]
    else:
        lines += [roff(program.usage), ".SH DESCRIPTION", roff(program.text), ".SH OPTIONS", *man_options(program.options)]
    if program.commands:
        lines.append(".SH COMMANDS")
        for command in program.all_commands():
            lines += [f".SS {roff(command.usage)}", roff(command.text[:1].upper() + command.text[1:]) + ".",
                      *man_options([option for option in command.options if "--help" not in option.names])]
            for title, rows in command.lists.items():
                lines += [".PP", f"{roff(title)}:"]
                for left, right in rows:
                    lines += [".TP", f"\\fB{roff(left)}\\fR", roff(right[:1].upper() + right[1:]) + "."]
        lines.append(".SH EXIT STATUS")
        for code, meaning in EXIT_CODES:
            lines += [".TP", code, meaning]
    lines += [".SH SEE ALSO", f".BR {roff(also)} (1)"]
    return "\n".join(lines) + "\n"


def words(items):
    return " ".join(items)


def bash_case(options, words_before=()):
    """What to offer after an option that takes a value, and otherwise."""
    lines = ["            case $previous in"]
    for option in options:
        if option.positional or not option.value:
            continue
        pattern = "|".join(option.names)
        if option.choices:
            lines.append(f"            {pattern}) COMPREPLY=($(compgen -W '{words(option.choices)}' -- \"$current\")); return ;;")
        elif option.files:
            lines.append(f"            {pattern}) _remat_files; return ;;")
        else:
            lines.append(f"            {pattern}) return ;;")
    names = [name for option in options if not option.positional for name in option.names]
    lines += ["            esac", "            case $current in",
              f"            -*) COMPREPLY=($(compgen -W '{words(names)}' -- \"$current\")); return ;;", "            esac"]
    if words_before:
        lines.append(f"            COMPREPLY=($(compgen -W '{words(words_before)}' -- \"$current\"))")
    elif any(option.positional for option in options):
        lines.append("            _remat_files")
    return lines


def bash_completion(program):
    function = "_" + program.name.replace("-", "_")
    lines = [f"# Completion of {program.name} for bash; made from its --help.",
             "_remat_files() {", "    compopt -o filenames 2>/dev/null",
             "    local IFS=$'\\n'", "    COMPREPLY=($(compgen -f -- \"${COMP_WORDS[COMP_CWORD]}\"))", "}",
             f"{function}() {{", "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=",
             "    COMPREPLY=()"]
    if program.commands:
        lines.append("    [ \"$COMP_CWORD\" -gt 1 ] && command=${COMP_WORDS[1]}")
    lines.append("    case $command in")
    for command in program.commands:
        lines.append(f"        {command.name})")
        if command.commands:
            names = words(each.name for each in command.commands)
            lines.append("            if [ $COMP_CWORD = 2 ] && [ \"${current:0:1}\" != - ]; then")
            lines += [f"                COMPREPLY=($(compgen -W '{names}' -- \"$current\")); return", "            fi"]
        lines += [*bash_case(command.all_options()), "            ;;"]
    lines += ["        *)", *bash_case(program.options, [command.name for command in program.commands]), "            ;;",
              "    esac", "}", f"complete -F {function} {program.name}"]
    return "\n".join(lines) + "\n"


def zsh_quote(text):
    return text.replace("'", "").replace("[", "(").replace("]", ")").replace(":", ".").replace("`", "")


def zsh_arguments(options):
    specs = []
    for option in options:
        action = f"({words(option.choices)})" if option.choices else "_files" if option.files else " "
        if option.positional:
            specs.append(f"'*:{option.names[0]}:_files'" if option.files or not option.choices else f"'*:{option.names[0]}:{action}'")
            continue
        for name in option.names:
            value = f":{zsh_quote(option.text)[:30]}:{action}" if option.value else ""
            specs.append(f"'{name}[{zsh_quote(option.text)}]{value}'")
    return " \\\n            ".join(dict.fromkeys(specs))


def zsh_completion(program):
    lines = [f"#compdef {program.name}", f"# Completion of {program.name} for zsh; made from its --help."]
    if not program.commands:
        return "\n".join([*lines, f"_arguments {zsh_arguments(program.options)}"]) + "\n"
    lines += ["local -a commands", "commands=("]
    lines += [f"    '{command.name}:{zsh_quote(command.text)}'" for command in program.commands]
    lines += [")", "if (( CURRENT == 2 )); then", "    _describe command commands",
              f"    _arguments {zsh_arguments(program.options)}", "else", "    local command=$words[2]",
              "    shift words; (( CURRENT-- ))", "    case $command in"]
    for command in program.commands:
        names = words(each.name for each in command.commands)
        first = f"'1:command:({names})' " if names else ""
        lines += [f"        {command.name})", f"            _arguments {first}{zsh_arguments(command.all_options())}", "            ;;"]
    lines += ["    esac", "fi"]
    return "\n".join(lines) + "\n"


def fish_completion(program):
    def quoted(text):
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    def option_lines(options, condition):
        for option in options:
            if option.positional:
                continue
            names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
            value = "" if not option.value else " -x -a " + quoted(words(option.choices)) if option.choices else \
                " -r -F" if option.files else " -x"
            yield f"complete -c {program.name}{condition} {names}{value} -d {quoted(option.text)}"

    lines = [f"# Completion of {program.name} for fish; made from its --help."]
    condition = " -n __fish_use_subcommand" if program.commands else ""
    lines += option_lines(program.options, condition)
    for command in program.commands:
        lines.append(f"complete -c {program.name} -f{condition} -a {command.name} -d {quoted(command.text)}")
        inside = f" -n '__fish_seen_subcommand_from {command.name}'"
        lines.append(f"complete -c {program.name}{inside} -F")
        if command.commands:
            lines.append(f"complete -c {program.name}{inside} -a '{words(each.name for each in command.commands)}'")
        lines += option_lines(command.all_options(), inside)
    return "\n".join(lines) + "\n"


def read_programs(folder, resources):
    remat = folder / "remat"
    known = {
        "--device": sorted(path.stem for path in (resources / "devices").glob("*.json")),
        "--solver": [solver["name"] for solver in json.loads(call(remat, "solvers", "--json"))["solvers"]],
        "--theme": ["light", "dark", "contrast"],
        "--sample": sorted(path.stem for path in (resources / "samples").glob("*.pt2")),
    }
    return [read_program(folder / name, known) for name in PROGRAMS if (folder / name).exists()]


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=Path)
    parser.add_argument("resources", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--epoch", type=int, default=int(os.environ.get("SOURCE_DATE_EPOCH", time.time())))
    arguments = parser.parse_args()
    date = time.strftime("%Y-%m-%d", time.gmtime(arguments.epoch))
    for program in read_programs(arguments.bin, arguments.resources):
        version = call(arguments.bin / program.name, "--version").split()[-1]
        write(arguments.out / "man" / f"{program.name}.1", man_page(program, version, date))
        if program.plain:
            continue  # helpers are not called by hand
        write(arguments.out / "completions/bash" / program.name, bash_completion(program))
        write(arguments.out / "completions/zsh" / f"_{program.name}", zsh_completion(program))
        write(arguments.out / "completions/fish" / f"{program.name}.fish", fish_completion(program))


if __name__ == "__main__":
    main()
