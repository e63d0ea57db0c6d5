"""Reads an environment file into statements, by the table of directives.

One mistake gives one message: a directive is read as what it seems to be meant as, and
after nonsense reading goes on at the next keyword.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gelenk.robots.armbot.environment import grammar
from gelenk.robots.armbot.environment.description import Given, Place
from gelenk.robots.armbot.environment.expression import BrokenNameError
from gelenk.robots.armbot.environment.grammar import Param
from gelenk.robots.armbot.environment.problems import (
    ProblemList,
    Speller,
    one_of,
    quote,
)
from gelenk.robots.armbot.environment.spelling import guess_directive, is_like_keyword
from gelenk.robots.armbot.environment.statement import PlanWords, Statement
from gelenk.robots.armbot.environment.tokens import Scanner, Token
from gelenk.robots.armbot.environment.values import Reader, ValueProblem


def read_statements(text: str, file: str, problems: ProblemList) -> list[Statement]:
    """Return the directives of a text; what is wrong with them goes to `problems`."""
    return _Parser(text, file, problems).run()


class _Parser:
    def __init__(self, text: str, file: str, problems: ProblemList) -> None:
        self.scanner = Scanner(text, file)
        self.problems = problems
        self.speller = Speller()
        self.reader = Reader(self.speller)
        self.definitions: dict[str, Place] = {}
        self.last: Statement | None = None
        self.is_quiet = False  # while reading something that is only guessed

    def run(self) -> list[Statement]:
        statements = []
        while (token := self.scanner.take()) is not None:
            self.is_quiet = False
            guess = guess_directive(token, self.last, self.speller)
            if guess.problem:
                self.note(token.offset, guess.problem)
                self.is_quiet = True
            if guess.directive is None:
                self.skip()
                continue
            place = self.scanner.place(token.offset)
            statement = Statement(
                directive=guess.directive,
                number=guess.number,
                place=place,
                is_ok=not self.is_quiet,
            )
            self.read_statement(statement, token)
            self.define(statement)
            statements.append(statement)
            self.last = statement
        if self.scanner.open_comment is not None:
            self.problems.add(
                self.scanner.place(self.scanner.open_comment),
                "expected a `*/` that closes this comment, got the end of the file",
            )
        return statements

    # One directive.

    def read_statement(self, statement: Statement, token: Token) -> None:
        if statement.directive.variant and not self.choose_variant(statement, token):
            return
        directive = statement.directive
        if directive.params[-1].kind.form == "line":
            self.read_line(statement, token)
            return
        if directive.plans:
            if self.read_head(statement, token) and self.read_plan(statement, token):
                self.read_end(statement, token)
            else:
                statement.is_ok = False
                self.skip_to_end()
            return
        tokens = self.collect(directive.params)
        if len(tokens) < len(directive.params):
            self.refuse_incomplete(statement, token, len(tokens))
            return
        following = self.scanner.peek()
        found = self.evaluate(statement, directive.params, tokens)
        if found and following is not None and not self.is_stop(following):
            count = len(tokens) + self.skip()
            self.refuse_count(statement, token, count, tokens[0])
            return
        self.note_all(statement, found)

    def choose_variant(self, statement: Statement, token: Token) -> bool:
        kind = self.scanner.peek()
        variants = tuple(grammar.VARIANTS)
        expected = f"expected {one_of(variants)} after {statement.directive.word}"
        if kind is None or self.is_stop(kind):
            self.refuse(statement, token.offset, f"{expected}, {self.got(kind)}")
            return False
        if kind.text not in grammar.VARIANTS:
            near = self.speller.nearest(kind.text.upper(), variants)
            remedy = f"; did you mean {near}?" if near else ""
            got = f"got {quote(kind.text)}"
            self.refuse(statement, kind.offset, f"{expected}, {got}{remedy}")
            self.skip()
            return False
        statement.directive = grammar.VARIANTS[kind.text]
        self.scanner.take()
        return True

    def read_line(self, statement: Statement, token: Token) -> None:
        """Read a directive whose last parameter is the rest of the line."""
        *words, last = statement.directive.params
        tokens = self.collect(words)
        if len(tokens) < len(words):
            self.refuse_incomplete(statement, token, len(tokens))
            return
        found = self.evaluate(statement, words, tokens)
        line = self.scanner.take_line()
        place = self.scanner.place(line.offset)
        try:
            text = self.reader.read(last.kind, line.text)
        except ValueProblem as problem:
            offset = line.offset + (problem.offset if line.is_whole else 0)
            found.append((offset, f"<{last.name}>: {problem.text}"))
        except BrokenNameError:
            statement.is_ok = False
        else:
            statement.values[last.name] = Given(text=text, place=place)
        self.note_all(statement, found)

    def read_head(self, statement: Statement, token: Token) -> bool:
        """Read what stands before a plan; False if the rest makes no sense."""
        params = statement.directive.params
        tokens = self.collect(params)
        extra = self.collect(None)
        if extra or len(tokens) < len(params):
            following = self.scanner.peek()
            is_cut = following is None or following.text not in grammar.PLANS
            if is_cut and not extra:
                self.refuse_incomplete(statement, token, len(tokens))
            else:
                count = len(tokens) + len(extra)
                self.refuse_count(statement, token, count, (*tokens, token)[0])
            return False
        self.note_all(statement, self.evaluate(statement, params, tokens))
        return True

    def read_plan(self, statement: Statement, token: Token) -> bool:
        directive = statement.directive
        word = self.scanner.peek()
        expected = f"expected {one_of(directive.plans)} in {directive.word}"
        if word is None or word.text not in grammar.PLANS:
            self.refuse(statement, token.offset, f"{expected}, {self.got(word)}")
            return False
        if word.text not in directive.plans:
            self.refuse(statement, word.offset, f"{expected}, got {word.text}")
            return False
        self.scanner.take()
        place = self.scanner.place(word.offset)
        statement.plan = PlanWords(word=word.text, place=place)
        tokens = self.collect(None)
        params = list(grammar.PLANS[word.text])
        if word.text == "POLY" and tokens:
            params = self.poly_params(statement, tokens[0])
        if not params:
            return False
        if len(tokens) != len(params):
            names = " ".join(f"<{param.name}>" for param in params[:6])
            dots = " ..." if len(params) > 6 else ""
            self.refuse(
                statement,
                word.offset,
                f"expected {len(params)} parameters of {word.text} ({names}{dots}), "
                f"got {len(tokens)}",
            )
            return False
        found = []
        for index, (param, one) in enumerate(zip(params, tokens, strict=True)):
            value = self.evaluate_one(statement, param, one, found)
            if word.text == "POLY" and index % 2 == 0 and index > 0:
                statement.plan.points.append((statement.plan.values["x"], value))
            else:
                statement.plan.values[param.name] = value
        self.note_all(statement, found)
        return True

    def poly_params(self, statement: Statement, count: Token) -> list[Param]:
        """Return what a POLY consists of; nothing if its count is no good."""
        (param,) = grammar.PLANS["POLY"]
        found: list[tuple[int, str]] = []
        corners = self.evaluate_one(statement, param, count, found)
        self.note_all(statement, found)
        return [] if corners is None else [param, *(grammar.POINT * corners)]

    def read_end(self, statement: Statement, token: Token) -> None:
        directive = statement.directive
        word = self.scanner.peek()
        expected = f"expected {one_of(directive.ends)}"
        if word is None or (self.is_stop(word) and not self.is_end(word)):
            self.refuse(
                statement,
                token.offset,
                f"{expected} at the end of {directive.word}, {self.got(word)}",
            )
        elif word.text not in directive.ends:
            self.refuse(
                statement,
                word.offset,
                f"{expected} at the end of {directive.word}, got {quote(word.text)}",
            )
            self.skip_to_end()
        else:
            self.scanner.take()

    # Words and their values.

    def collect(self, params: Sequence[Param] | None) -> list[Token]:
        """Take the words of the given parameters, or all up to the next keyword."""
        tokens: list[Token] = []
        while params is None or len(tokens) < len(params):
            token = self.scanner.peek()
            if token is None:
                break
            # A text may look like a keyword, unless it begins a line as keywords do.
            is_text = params is not None and params[len(tokens)].kind.form == "word"
            if self.is_stop(token) and (token.is_first or not is_text):
                break
            if params is None and self.is_end(token):
                break
            tokens.append(token)
            self.scanner.take()
        return tokens

    def evaluate(
        self, statement: Statement, params: Sequence[Param], tokens: Sequence[Token]
    ) -> list[tuple[int, str]]:
        """Fill in the values of a statement and return what is wrong with them."""
        found: list[tuple[int, str]] = []
        for param, token in zip(params, tokens, strict=True):
            value = self.evaluate_one(statement, param, token, found)
            statement.values[param.name] = value
            if param.kind.form == "class" and value is not None:
                place = self.scanner.place(token.offset)
                statement.values[param.name] = Given(text=value, place=place)
        return found

    def evaluate_one(
        self,
        statement: Statement,
        param: Param,
        token: Token,
        found: list[tuple[int, str]],
    ) -> Any:
        try:
            return self.reader.read(param.kind, token.text)
        except ValueProblem as problem:
            offset = token.offset + problem.offset
            found.append((offset, f"<{param.name}>: {problem.text}"))
        except BrokenNameError:
            statement.is_ok = False
        return None

    def define(self, statement: Statement) -> None:
        """Note the name that a NUMBER or STRING defines, if only to know it."""
        word, name = statement.directive.word, statement.values.get("name")
        if word not in ("NUMBER", "STRING") or name is None:
            return
        if name in self.definitions:
            first = self.definitions[name]
            self.refuse(
                statement,
                None,
                f"expected a new name, got {quote(name)}, which line {first.line} "
                "defines; choose another",
            )
            return
        self.definitions[name] = statement.place
        value = statement.values.get("string" if word == "STRING" else "value")
        self.reader.variables[name] = value.text if isinstance(value, Given) else value

    # Where things end, and what is said about it.

    def is_stop(self, token: Token) -> bool:
        """Return whether a word is a keyword, or seems to be meant as one."""
        if token.text in grammar.KEYWORDS or token.text in grammar.PLANS:
            return True
        if token.text in self.reader.variables:
            return False
        if token.text in grammar.ENDS:
            return True
        return token.is_first and (
            _is_like_end(token) or is_like_keyword(token.text, self.speller)
        )

    def is_end(self, token: Token) -> bool:
        """Return whether a word closes a plan, or seems to be meant to."""
        return _is_like_end(token) and token.text not in self.reader.variables

    def skip(self) -> int:
        """Move to the next directive and return how many words were left out."""
        count = 0
        while (token := self.scanner.peek()) is not None:
            is_inner = token.text in grammar.PLANS or self.is_end(token)
            if self.is_stop(token) and not is_inner:
                break
            self.scanner.take()
            count += 1
        return count

    def skip_to_end(self) -> None:
        """Move behind the keyword that closes a plan, or to the next directive."""
        while (token := self.scanner.peek()) is not None:
            is_plan = token.text in grammar.PLANS
            if self.is_stop(token) and not is_plan and not self.is_end(token):
                return
            self.scanner.take()
            if self.is_end(token):
                return

    def got(self, token: Token | None) -> str:
        if token is None:
            return "got the end of the file"
        return (
            f"got {quote(token.text)} in line {self.scanner.place(token.offset).line}"
        )

    def refuse_incomplete(self, statement: Statement, token: Token, count: int) -> None:
        directive = statement.directive
        missing = directive.params[count]
        self.refuse(
            statement,
            token.offset,
            f"{directive.title} is incomplete: expected {len(directive.params)} "
            f"parameters, got {count} before {self.before()}; <{missing.name}> is "
            f"missing or one before it: {directive.usage}",
        )

    def before(self) -> str:
        token = self.scanner.peek()
        if token is None:
            return "the end of the file"
        return f"{quote(token.text)} in line {self.scanner.place(token.offset).line}"

    def refuse_count(
        self, statement: Statement, token: Token, count: int, first: Token
    ) -> None:
        directive = statement.directive
        remedy = directive.usage
        if directive.is_numbered and first.text.isdecimal():
            remedy = (
                f"a robot's number is glued to the keyword, as in {directive.word}1"
            )
        self.refuse(
            statement,
            token.offset,
            f"expected {len(directive.params)} parameters of {directive.title}, got "
            f"{count}; {remedy}",
        )

    def refuse(self, statement: Statement, offset: int | None, text: str) -> None:
        statement.is_ok = False
        if offset is None:
            if not self.is_quiet:
                self.problems.add(statement.place, text)
        else:
            self.note(offset, text)

    def note_all(self, statement: Statement, found: list[tuple[int, str]]) -> None:
        for offset, text in found:
            self.refuse(statement, offset, f"{statement.directive.title} {text}")

    def note(self, offset: int, text: str) -> None:
        # Behind an open comment everything is missing; that is one mistake.
        if not self.is_quiet and self.scanner.open_comment is None:
            self.problems.add(self.scanner.place(offset), text)


def _is_like_end(token: Token) -> bool:
    return token.text.upper().startswith("END")
