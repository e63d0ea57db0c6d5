"""Write the reference of the environment file into its page.

Usage:
    python docs/make_grammar.py
"""

from __future__ import annotations

from pathlib import Path

from gelenk.robots.armbot.environment.reference import describe_grammar

PAGE = Path(__file__).resolve().parent / "environment-file.md"
START, END = "<!-- grammar -->\n", "<!-- end of grammar -->"


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
