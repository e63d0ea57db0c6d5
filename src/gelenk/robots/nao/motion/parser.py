"""Reads a motion file by recursive descent: one method for each rule of the grammar.

One mistake gives one message: after it, reading goes on at the next line or definition.
"""

from __future__ import annotations

import re
from typing import NoReturn

from gelenk.robots.nao.joints import BODY_JOINTS
from gelenk.robots.nao.motion import tokens
from gelenk.robots.nao.motion.motions import (
    Hardness,
    Label,
    Line,
    Mirrored,
    Motion,
    MotionFile,
    Move,
    Special,
    Transition,
    Value,
)
from gelenk.robots.nao.motion.tokens import Place, ProblemList, Token, cut, quote

_COUNT = re.compile(r"\+?[0-9]+")
_LINE_STARTS = "`label`, `transition`, `hardness`, `(`, `{` or `}`"


class _MistakeError(Exception):
    """Reading cannot go on here; the problem is noted already."""


def parse(text: str, problems: ProblemList) -> MotionFile:
    """Return the definitions of a text; what is wrong with them goes to `problems`.

    The result is of use only if there are no problems.
    """
    return _Parser(cut(text), problems).file()


class _Parser:
    def __init__(self, tokens: list[Token], problems: ProblemList) -> None:
        self.tokens, self.problems, self.at = tokens, problems, 0
        self.is_in_braces = False  # of a relative line

    # -- the file and its definitions ----------------------------------------------

    def file(self) -> MotionFile:
        definitions: list[Motion | Mirrored] = []
        if self.peek().kind == "end":
            self.note(self.peek(), f"the motion `{tokens.ENTRY}`")
        while self.peek().kind != "end":
            before = self.at
            try:
                definitions.append(self.definition(is_entry=before == 0))
            except _MistakeError:
                if self.at == before:
                    self.take()
                while not (self.is_header() or self.peek().kind == "end"):
                    self.take()
        return MotionFile(definitions=tuple(definitions))

    def definition(self, *, is_entry: bool) -> Motion | Mirrored:
        head = self.peek()
        if is_entry and head.text != tokens.ENTRY and head.kind == "word":
            self.note(head, f"`{tokens.ENTRY}` as the first motion")
        name = self.name("the name of a motion")
        source = ""
        if self.peek().text == "|":
            self.take()
            source = self.name("the name of the motion to mirror")
        self.sign("{", f"after the name of motion {quote(name)}")
        lines, is_sound = self.body(name, head.place, is_mirrored=bool(source))
        end = self.tokens[self.at - 1].place
        if source:
            kept = tuple(x for x in lines if isinstance(x, Label | Transition))
            return Mirrored(
                name=name, source=source, lines=kept, place=head.place, end=end
            )
        motion = Motion(name=name, lines=tuple(lines), place=head.place, end=end)
        if is_sound:
            self.check_ends(motion, is_entry=is_entry)
        return motion

    def body(
        self, name: str, opened: Place, *, is_mirrored: bool
    ) -> tuple[list[Line], bool]:
        lines: list[Line] = []
        is_sound = True
        while self.peek().text != "}":
            if self.peek().kind == "end" or self.is_header():
                closing = f"`}}` that closes motion {quote(name)} of line {opened.line}"
                self.fail(self.peek(), closing)
            before = self.at
            try:
                lines.append(self.line(is_mirrored=is_mirrored))
            except _MistakeError:
                is_sound = False
                self.skip_line(before)
        self.take()
        return lines, is_sound

    def check_ends(self, motion: Motion, *, is_entry: bool) -> None:
        first = motion.lines[0] if motion.lines else None
        last = motion.lines[-1] if motion.lines else None
        if not isinstance(first, Label):
            place = motion.end if first is None else first.place
            self.problems.add(
                place,
                f"expected a label as the first line of motion {quote(motion.name)}; "
                "transitions lead to labels, write `label start`",
            )
        elif is_entry and first.name != tokens.ENTRY_LABEL:
            self.problems.add(
                first.place,
                f"expected `label {tokens.ENTRY_LABEL}` as the first line of "
                f"`{tokens.ENTRY}`, got label {quote(first.name)}",
            )
        goal = f"{tokens.ENTRY} {tokens.ENTRY_LABEL}"
        if not isinstance(last, Transition) or last.request is not None:
            self.problems.add(
                motion.end,
                f"expected a transition without a condition at the end of motion "
                f"{quote(motion.name)}; write `transition {goal}` before this brace",
            )
        elif is_entry and f"{last.motion} {last.label}" != goal:
            self.problems.add(
                last.place,
                f"expected `transition {goal}` as the last line of `{tokens.ENTRY}`, "
                f"got a transition to {quote(f'{last.motion} {last.label}')}",
            )

    # -- lines ---------------------------------------------------------------------

    def line(self, *, is_mirrored: bool) -> Line:
        token = self.peek()
        self.is_in_braces = False
        if token.text == "label":
            self.take()
            return Label(name=self.name("the name of a label"), place=token.place)
        if token.text == "transition":
            return self.transition()
        if is_mirrored:
            self.fail(
                token,
                "`label`, `transition` or `}` in a mirrored motion",
                "its other lines are copied",
            )
        if token.text == "hardness":
            return self.hardness()
        if token.text == "(":
            self.take()
            is_named = self.peek().kind == "word"
            return self.named(token) if is_named else self.complete(token)
        if token.text == "{":
            self.take()
            self.is_in_braces = True
            return self.named(token)
        return self.fail(token, _LINE_STARTS, near=tokens.LINE_WORDS)

    def transition(self) -> Transition:
        place = self.take().place
        names = [self.name("the name of a motion"), self.name("a motion or a label")]
        if self.is_name() and not self.is_header() and not self.is_misspelt_line():
            names.append(self.name("the name of a label"))
        request = names[0] if len(names) == 3 else None
        return Transition(
            motion=names[-2], label=names[-1], request=request, place=place
        )

    def hardness(self) -> Hardness:
        place = self.take().place
        self.sign("(", "after `hardness`")
        values: list[int] = []
        while self.has_item(bool(values)):
            values.append(self.count("a stiffness [%]", 100))
        self.check_number(len(values), "numbers")
        self.take()
        duration = 0
        if self.peek().kind == "number":
            duration = self.count("a time [ms]", tokens.MAX_DURATION_MS)
        return Hardness(values=tuple(values), duration_ms=duration, place=place)

    def complete(self, opening: Token) -> Move:
        values: list[Value] = []
        while self.has_item(bool(values)):
            token = self.peek()
            if token.text in tuple(Special):
                values.append(Special(self.take().text))
            else:
                values.append(self.angle("an angle [deg], `*` or `#`"))
        self.check_number(len(values), "angles")
        self.take()
        pairs = tuple(zip(BODY_JOINTS, values, strict=False))
        return self.with_trailer("complete", pairs, opening, is_required=True)

    def named(self, opening: Token) -> Move:
        closing = "}" if opening.text == "{" else ")"
        pairs: dict[str, Value] = {}
        while self.has_item(bool(pairs), closing):
            token = self.peek()
            if token.text not in tokens.JOINTS:
                self.fail(token, "the name of a joint", near=BODY_JOINTS)
            self.take()
            value = self.angle(f"an angle [deg] for {token.text}")
            if token.text in pairs:
                self.problems.add(
                    token.place,
                    f"expected each joint once in a line, got {token.text} again; "
                    "remove one of them",
                )
            pairs[token.text] = value
        if not pairs:
            self.fail(self.peek(), "at least one joint and its angle")
        self.take()
        form = "relative" if closing == "}" else "absolute"
        self.is_in_braces = False
        return self.with_trailer(
            form, tuple(pairs.items()), opening, is_required=form == "relative"
        )

    def with_trailer(
        self, form: str, pairs: tuple[tuple[str, Value], ...], opening: Token, *,
        is_required: bool,
    ) -> Move:  # fmt: skip
        duration = speed = 0
        token = ""
        is_milestone = False
        if self.peek().kind == "number" or is_required:
            duration = self.count("a duration [ms]", tokens.MAX_DURATION_MS)
            speed = self.count("a largest speed [deg/s]", tokens.MAX_SPEED)
            if self.peek().text == "milestone":
                self.take()
                is_milestone = True
            if self.is_name() and not self.is_header() and not self.is_misspelt_line():
                token = self.name("a token")
        elif self.peek().text == "milestone":
            self.fail(
                self.peek(),
                "duration and speed before `milestone`",
                "write `0 0 milestone`",
            )
        return Move(
            form=form,  # type: ignore[arg-type]
            values=pairs,
            duration_ms=duration,
            max_speed=speed,
            is_milestone=is_milestone,
            token=token,
            place=opening.place,
        )

    # -- items ---------------------------------------------------------------------

    def has_item(self, is_later: bool, closing: str = ")") -> bool:
        """Return whether a list goes on, and take the comma between two items."""
        if self.peek().text == "," and is_later:
            self.take()
            if self.peek().text in (",", closing):
                self.fail(self.peek(), "another value after the comma")
        return self.peek().text != closing

    def check_number(self, got: int, noun: str) -> None:
        if got != tokens.NUM_JOINTS:
            self.problems.add(
                self.peek().place,
                f"expected {tokens.NUM_JOINTS} {noun}, one for each joint from "
                f"{BODY_JOINTS[0]} to {BODY_JOINTS[-1]}, got {got}",
            )

    def angle(self, expected: str) -> float:
        token = self.peek()
        if token.kind != "number":
            self.fail(token, expected)
        self.take()
        value = float(token.text)
        if abs(value) > tokens.MAX_ANGLE:
            limit = f"{tokens.MAX_ANGLE:g}"
            self.note(token, f"an angle between -{limit} and {limit} degrees")
        return value

    def count(self, expected: str, largest: int) -> int:
        token = self.peek()
        if token.kind != "number":
            self.fail(token, expected)
        self.take()
        if not _COUNT.fullmatch(token.text):
            self.note(token, f"{expected}, a whole number of at least 0")
            return 0
        digits = token.text.lstrip("+0")
        if len(digits) > len(str(largest)) or int(digits or "0") > largest:
            self.note(token, f"{expected}, at most {largest}")
            return 0
        return int(digits or "0")

    def name(self, expected: str) -> str:
        token = self.peek()
        if not self.is_name():
            remedy = ""
            if token.text in tokens.KEYWORDS:
                remedy = "keywords and joints cannot be names"
            self.fail(token, expected, remedy)
        return self.take().text

    def sign(self, sign: str, where: str) -> None:
        if self.peek().text != sign:
            self.fail(self.peek(), f"`{sign}` {where}")
        self.take()

    # -- tokens --------------------------------------------------------------------

    def peek(self) -> Token:
        return self.tokens[self.at]

    def take(self) -> Token:
        token = self.tokens[self.at]
        self.at = min(self.at + 1, len(self.tokens) - 1)  # the end stays
        return token

    def is_name(self) -> bool:
        token = self.peek()
        return token.kind == "word" and token.text not in tokens.KEYWORDS

    def is_header(self) -> bool:
        """Whether a definition begins here: a name at the start of a line, then `{`."""
        following = self.tokens[min(self.at + 1, len(self.tokens) - 1)].text
        return self.is_name() and self.peek().is_first and following in ("{", "|")

    def is_misspelt_line(self) -> bool:
        """Whether a name at the start of a line is rather a keyword with a slip."""
        token = self.peek()
        return token.is_first and bool(
            self.problems.did_you_mean(token.text, tokens.LINE_WORDS)
        )

    def skip_line(self, before: int) -> None:
        """Move on to where the next line may begin."""
        if self.at == before and self.peek().text != "}":
            self.take()
        while (token := self.peek()).kind != "end" and not self.is_header():
            if token.text in tokens.LINE_WORDS or (
                token.is_first and token.text in ("(", "{")
            ):
                return
            if token.text == "}":
                if not self.is_in_braces or token.is_first:
                    return
                self.is_in_braces = False
            self.take()

    def note(self, token: Token, expected: str, remedy: str = "") -> None:
        got = "the end of the file" if token.kind == "end" else quote(token.text)
        text = f"expected {expected}, got {got}"
        self.problems.add(token.place, f"{text}; {remedy}" if remedy else text)

    def fail(
        self,
        token: Token,
        expected: str,
        remedy: str = "",
        *,
        near: tuple[str, ...] = (),
    ) -> NoReturn:
        if token.kind == "odd" and not remedy:
            remedy = _odd_remedy(token.text)
        elif near and token.kind == "word" and not remedy:
            remedy = self.problems.did_you_mean(token.text, near).removeprefix("; ")
        self.note(token, expected, remedy)
        raise _MistakeError


def _odd_remedy(text: str) -> str:
    if text[0].isdigit() or text[0] in "+-":
        return "a number has digits and at most one point, and a blank after it"
    if text.isprintable() and text[0].isalpha():
        return "names have letters and digits only, and no accents"
    if text == "/":
        return "comments begin with `//`"
    return ""
