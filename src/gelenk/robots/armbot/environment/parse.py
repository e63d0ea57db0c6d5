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
    counted,
    one_of,
    quote,
)
from gelenk.robots.armbot.environment.tokens import (
    PlanWords,
    Scanner,
    Statement,
    Token,
    Words,
    guess_directive,
)
from gelenk.robots.armbot.environment.values import NO_BLANKS, Reader, ValueProblem


def read_statements(text: str, file: str, problems: ProblemList) -> list[Statement]:
    """Return the directives of a text; what is wrong with them goes to `problems`."""
    return _Parser(text, file, problems).run()


class _Parser:
    def __init__(self, text: str, file: str, problems: ProblemList) -> None:
        self.problems = problems
        self.speller = Speller()
        self.reader = Reader(self.speller)
        self.words = Words(Scanner(text, file), self.reader.variables, self.speller)
        self.definitions: dict[str, Place] = {}
        self.last: Statement | None = None
        self.is_quiet = False  # while reading something that is only guessed

    def run(self) -> list[Statement]:
        statements = []
        while (token := self.words.scanner.take()) is not None:
            self.is_quiet = False
            guess = guess_directive(token, self.last, self.speller)
            if guess.directive is None:
                skipped = self.words.skip(to_new_line=True)
                nests = any(word.text.startswith("*/") for word in skipped)
                remedy = "; comments do not nest" if nests else ""
                self.note(token.offset, guess.problem + remedy)
                if statements:
                    self.excuse(statements[-1])
                continue
            if guess.problem:
                self.note(token.offset, guess.problem)
                self.is_quiet = True
            place = self.words.scanner.place(token.offset)
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
        if self.words.scanner.open_comment is not None:
            self.problems.add(
                self.words.scanner.place(self.words.scanner.open_comment),
                "expected a `*/` that closes this comment, got the end of the file",
            )
        return statements

    def excuse(self, label: Statement) -> None:
        """Forgive a label that belongs to nothing: the nonsense may be its owner."""
        if label.directive.word in ("DEBUGNAME", "MASS"):
            label.is_ok = False

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
                self.words.skip_to_end()
            return
        tokens = self.words.collect(directive.params)
        if len(tokens) < len(directive.params):
            self.evaluate(statement, directive.params[: len(tokens)], tokens)
            self.refuse_incomplete(statement, token, len(tokens))
            return
        following = self.words.scanner.peek()
        found = self.evaluate(statement, directive.params, tokens)
        if found and following is not None and not self.words.is_stop(following):
            self.refuse_count(statement, token, [*tokens, *self.words.skip()])
            return
        self.note_all(statement, found)

    def choose_variant(self, statement: Statement, token: Token) -> bool:
        kind = self.words.scanner.peek()
        variants = tuple(grammar.VARIANTS)
        expected = f"expected {one_of(variants)} after {statement.directive.word}"
        if kind is None or self.words.is_stop(kind):
            self.refuse(statement, token.offset, f"{expected}, got {self.found(kind)}")
            return False
        if kind.text not in grammar.VARIANTS:
            near = self.speller.nearest(kind.text.upper(), variants)
            remedy = f"; did you mean {near}?" if near else ""
            got = f"got {quote(kind.text)}"
            self.refuse(statement, kind.offset, f"{expected}, {got}{remedy}")
            self.words.skip()
            return False
        statement.directive = grammar.VARIANTS[kind.text]
        self.words.scanner.take()
        return True

    def read_line(self, statement: Statement, token: Token) -> None:
        """Read a directive whose last parameter is the rest of the line."""
        *words, last = statement.directive.params
        tokens = self.words.collect(words)
        if len(tokens) < len(words):
            self.refuse_incomplete(statement, token, len(tokens))
            return
        found = self.evaluate(statement, words, tokens)
        line = self.words.scanner.take_line()
        place = self.words.scanner.place(line.offset)
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
        tokens = self.words.collect(params)
        extra = self.words.collect(None)
        if len(tokens) < len(params):
            following = self.words.scanner.peek()
            if following is None or following.text not in grammar.PLANS:
                self.refuse_incomplete(statement, token, len(tokens))
            else:
                self.refuse_count(statement, token, tokens)
            return False
        found = self.evaluate(statement, params, tokens)
        if extra and found:
            self.refuse_count(statement, token, [*tokens, *extra])
            return False
        self.note_all(statement, found)
        if extra:
            self.refuse_plan(statement, extra[0])
        return not extra

    def refuse_plan(self, statement: Statement, word: Token) -> None:
        plans = statement.directive.plans
        near = self.speller.nearest(word.text.upper(), plans)
        remedy = f"; did you mean {near}?" if near else ""
        self.refuse(
            statement,
            word.offset,
            f"expected {one_of(plans)} in {statement.directive.word}, got "
            f"{quote(word.text)}{remedy}",
        )

    def read_plan(self, statement: Statement, token: Token) -> bool:
        directive = statement.directive
        word = self.words.scanner.peek()
        expected = f"expected {one_of(directive.plans)} in {directive.word}"
        if word is None or word.text not in grammar.PLANS:
            self.refuse(statement, token.offset, f"{expected}, got {self.found(word)}")
            return False
        if word.text not in directive.plans:
            self.refuse(statement, word.offset, f"{expected}, got {word.text}")
            return False
        self.words.scanner.take()
        place = self.words.scanner.place(word.offset)
        statement.plan = PlanWords(word=word.text, place=place)
        tokens = self.words.collect(None)
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
                f"expected {counted(len(params), 'parameter')} of {word.text} "
                f"({names}{dots}), got {len(tokens)}",
            )
            return False
        found = []
        for index, (param, one) in enumerate(zip(params, tokens, strict=True)):
            value = self.evaluate_one(statement, param, one, found)
            if word.text == "POLY" and index % 2 == 0 and index > 0:
                statement.plan.points.append((statement.plan.values["x"], value))
            else:
                statement.plan.values[param.name] = value
        self.note_all(statement, found, word.text)
        return True

    def poly_params(self, statement: Statement, count: Token) -> list[Param]:
        """Return what a POLY consists of; nothing if its count is no good."""
        (param,) = grammar.PLANS["POLY"]
        found: list[tuple[int, str]] = []
        corners = self.evaluate_one(statement, param, count, found)
        self.note_all(statement, found, "POLY")
        return [] if corners is None else [param, *(grammar.POINT * corners)]

    def read_end(self, statement: Statement, token: Token) -> None:
        directive = statement.directive
        word = self.words.scanner.peek()
        expected = f"expected {one_of(directive.ends)}"
        is_inner = word is not None and (
            word.text in grammar.PLANS or self.words.is_end(word)
        )
        if word is None or (self.words.is_stop(word) and not is_inner):
            self.refuse(
                statement,
                token.offset,
                f"{expected} at the end of {directive.word}, got {self.found(word)}",
            )
        elif word.text not in directive.ends:
            self.refuse(
                statement,
                word.offset,
                f"{expected} at the end of {directive.word}, got {quote(word.text)}",
            )
            self.words.skip_to_end()
        else:
            self.words.scanner.take()

    # Words and their values.

    def evaluate(
        self, statement: Statement, params: Sequence[Param], tokens: Sequence[Token]
    ) -> list[tuple[int, str]]:
        """Fill in the values of a statement and return what is wrong with them."""
        found: list[tuple[int, str]] = []
        for param, token in zip(params, tokens, strict=True):
            value = self.evaluate_one(statement, param, token, found)
            statement.values[param.name] = value
            if param.kind.form == "class" and value is not None:
                place = self.words.scanner.place(token.offset)
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

    # What is said about it.

    def found(self, token: Token | None) -> str:
        if token is None:
            return "the end of the file"
        line = self.words.scanner.place(token.offset).line
        return f"{quote(token.text)} in line {line}"

    def refuse_incomplete(self, statement: Statement, token: Token, count: int) -> None:
        directive = statement.directive
        missing = directive.params[count]
        following = self.found(self.words.scanner.peek())
        self.refuse(
            statement,
            token.offset,
            f"{directive.title} is incomplete: expected "
            f"{counted(len(directive.params), 'parameter')}, got {count} before "
            f"{following}; <{missing.name}> is missing, or one before it: "
            f"{directive.usage}",
        )

    def refuse_count(
        self, statement: Statement, token: Token, tokens: Sequence[Token]
    ) -> None:
        directive = statement.directive
        remedy = f"; {directive.usage}"
        if any(_is_fragment(one.text) for one in tokens):
            remedy = NO_BLANKS
        elif directive.is_numbered and tokens and tokens[0].text.isdecimal():
            remedy = f"; a robot's number is glued to the keyword: {directive.word}1"
        self.refuse(
            statement,
            token.offset,
            f"expected {counted(len(directive.params), 'parameter')} of "
            f"{directive.title}, got {len(tokens)}{remedy}",
        )

    def refuse(self, statement: Statement, offset: int | None, text: str) -> None:
        statement.is_ok = False
        if offset is None:
            if not self.is_quiet:
                self.problems.add(statement.place, text)
        else:
            self.note(offset, text)

    def note_all(
        self, statement: Statement, found: list[tuple[int, str]], title: str = ""
    ) -> None:
        for offset, text in found:
            title = title or statement.directive.title
            self.refuse(statement, offset, f"{title} {text}")

    def note(self, offset: int, text: str) -> None:
        # Behind an open comment everything is missing; that is one mistake.
        if not self.is_quiet and self.words.scanner.open_comment is None:
            self.problems.add(self.words.scanner.place(offset), text)


def _is_fragment(text: str) -> bool:
    """Return whether a word looks like a piece of an expression with blanks."""
    return text[0] in "+/~" or text[-1] in "+-/~" or (text != "*" and text[0] == "*")
