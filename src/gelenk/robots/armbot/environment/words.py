"""Which words belong to a directive, and where the next one begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gelenk.robots.armbot.environment import grammar
from gelenk.robots.armbot.environment.expression import Variable
from gelenk.robots.armbot.environment.grammar import Param
from gelenk.robots.armbot.environment.problems import Speller
from gelenk.robots.armbot.environment.spelling import is_like_keyword, nearest_word
from gelenk.robots.armbot.environment.tokens import Scanner, Token


class Words:
    """The words of a file, taken in groups that end before keywords.

    Attributes:
        scanner: Where they come from.
        variables: Names defined so far; none of them is a keyword.
        speller: Recognises misspelt keywords.
    """

    def __init__(
        self, scanner: Scanner, variables: Mapping[str, Variable], speller: Speller
    ) -> None:
        self.scanner, self.variables, self.speller = scanner, variables, speller

    def collect(self, params: Sequence[Param] | None) -> list[Token]:
        """Take the words of the given parameters, or all up to the next keyword."""
        tokens: list[Token] = []
        while params is None or len(tokens) < len(params):
            token = self.scanner.peek()
            if token is None:
                break
            # A text may look like a keyword, unless it begins a line as keywords do.
            form = "" if params is None else params[len(tokens)].kind.form
            is_text = form in ("word", "label", "name")
            if self.is_stop(token) and (token.is_first or not is_text):
                break
            if params is None and self.is_end(token):
                break
            tokens.append(token)
            self.scanner.take()
        return tokens

    def is_stop(self, token: Token) -> bool:
        """Return whether a word is a keyword, or seems to be meant as one."""
        if token.text in grammar.KEYWORDS or token.text in grammar.PLANS:
            return True
        if token.text in self.variables:
            return False
        if token.text in grammar.ENDS:
            return True
        return token.is_first and (
            self.is_end(token) or is_like_keyword(token.text, self.speller)
        )

    def is_end(self, token: Token) -> bool:
        """Return whether a word closes a plan, or seems to be meant to."""
        if token.text in grammar.KEYWORDS or token.text in self.variables:
            return False
        if token.text.upper().startswith("END"):
            return True
        return token.is_first and (
            nearest_word(token.text, self.speller) in grammar.ENDS
        )

    def skip(self, *, to_new_line: bool = False) -> list[Token]:
        """Move to the next directive and return the words that were left out.

        Args:
            to_new_line: Stop also where a line begins with an upper-case word: that is
                another mistake.
        """
        skipped: list[Token] = []
        while (token := self.scanner.peek()) is not None:
            is_inner = token.text in grammar.PLANS or self.is_end(token)
            if self.is_stop(token) and not is_inner:
                break
            if to_new_line and not is_inner and token.is_first and token.text.isupper():
                break
            self.scanner.take()
            skipped.append(token)
        return skipped

    def skip_to_end(self) -> None:
        """Move behind the keyword that closes a plan, or to the next directive."""
        while (token := self.scanner.peek()) is not None:
            is_plan = token.text in grammar.PLANS
            if self.is_stop(token) and not is_plan and not self.is_end(token):
                return
            self.scanner.take()
            if self.is_end(token):
                return
