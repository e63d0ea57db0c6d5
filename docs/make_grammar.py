"""Write the reference of the environment file into its page.

Usage:
    python docs/make_grammar.py
"""

from __future__ import annotations

from pathlib import Path

from gelenk.robots.armbot.environment import grammar
from gelenk.robots.armbot.environment.grammar import Kind, Param
from gelenk.robots.armbot.environment.values import describe

PAGE = Path(__file__).resolve().parent / "environment-file.md"
START, END = "<!-- grammar -->\n", "<!-- end of grammar -->"


RULES = """\
Lengths are in centimetres, angles in degrees, speeds in centimetres per second.

- Directives are upper-case words with parameters between blanks; line breaks count as
  blanks. Only the texts of STRING, CONFIG and TPCONFIG end with their line.
- `// ...` and `/* ... */` are comments; the latter may run over lines and do not nest.
  In the texts of STRING, CONFIG and TPCONFIG `//` counts only at the start or after a
  blank.
- Every number may be an expression without blanks: numbers, names of a NUMBER,
  `+ - * /`, unary minus and parentheses. Everything is computed in floating point.
- Where a text allows it, `_I{expression}_` becomes a whole number (halves away from
  zero), `_D{expression}_` a decimal number and `_S{name}_` the text of a STRING. The
  last `_` may be left out.
- A name is defined before it is used, and once.
- Files are UTF-8.
"""


def describe_grammar() -> str:
    """Return the reference of all directives as Markdown."""
    lines = [RULES, "| Directive | Meaning |", "|---|---|"]
    lines += [f"| `{_cell(d.usage)}` | {d.text} |" for d in grammar.DIRECTIVES]
    lines += [
        "",
        "`[nr]` is the digit of a robot, glued to the word; 0 without it.",
        "",
    ]
    lines += ["| Plan | |", "|---|---|"]
    for word, params in grammar.PLANS.items():
        names = " ".join(f"<{param.name}>" for param in params)
        more = " followed by n points `<x> <y>`" if word == "POLY" else ""
        owners = ", ".join(d.word for d in grammar.DIRECTIVES if word in d.plans)
        lines.append(f"| `{word} {names}`{more} | in {owners} |")
    lines += ["", "| Parameter | Is |", "|---|---|"]
    lines += [f"| {names} | {describe(kind)} |" for kind, names in _by_kind().items()]
    return "\n".join(lines) + "\n"


def _by_kind() -> dict[Kind, str]:
    """Return the names of the parameters of each kind, with their directives."""
    groups: dict[Kind, dict[str, list[str]]] = {}
    owners: list[tuple[str, tuple[Param, ...]]] = [
        (d.word, d.params) for d in grammar.DIRECTIVES
    ]
    owners += [(word, params) for word, params in grammar.PLANS.items()]
    owners.append(("POLY", grammar.POINT))
    for word, params in owners:
        for param in params:
            words = groups.setdefault(param.kind, {}).setdefault(param.name, [])
            if word not in words:
                words.append(word)
    return {kind: _join(names) for kind, names in groups.items()}


def _join(words_by_name: dict[str, list[str]]) -> str:
    """Return names with their words; those of the same words stand together."""
    names_by_words: dict[tuple[str, ...], list[str]] = {}
    for name, words in words_by_name.items():
        names_by_words.setdefault(tuple(words), []).append(f"`{name}`")
    return "; ".join(
        f"{' '.join(names)} ({', '.join(words)})"
        for words, names in names_by_words.items()
    )


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def page_with(text: str, page: str) -> str:
    """Return a page with the text between its marks."""
    before, _, rest = page.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}\n{text.strip()}\n\n{END}{after}"


def main() -> None:
    """Write the page."""
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(page_with(describe_grammar(), page), encoding="utf-8")
    print("docs/environment-file.md")


if __name__ == "__main__":
    main()
