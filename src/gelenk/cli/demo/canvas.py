"""Lines and dots on a terminal, with Braille characters as eight pixels each."""

from __future__ import annotations

_BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # [row][column]
_BLANK = 0x2800  # the Braille character without dots; the bits add to it


class Canvas:
    """A picture of `2 * columns` by `4 * rows` pixels, origin top left, y down.

    Every character has one colour: that of the layer drawn last into it.
    """

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self._cells = [[0] * columns for _ in range(rows)]
        self._styles = [[""] * columns for _ in range(rows)]

    @property
    def width(self) -> int:
        return 2 * self.columns

    @property
    def height(self) -> int:
        return 4 * self.rows

    def dot(self, x: float, y: float, style: str = "") -> None:
        """Set the pixel at (x, y); outside the picture nothing happens.

        Args:
            x: Pixels to the right.
            y: Pixels down.
            style: ANSI style of the character around it, such as "36".
        """
        i, j = round(x), round(y)
        if 0 <= i < self.width and 0 <= j < self.height:
            row, column = j // 4, i // 2
            self._cells[row][column] |= _BITS[j % 4][i % 2]
            self._styles[row][column] = style

    def line(
        self, start: tuple[float, float], end: tuple[float, float], style: str = ""
    ) -> None:
        """Draw a straight line, both ends included."""
        (x0, y0), (x1, y1) = start, end
        steps = max(round(max(abs(x1 - x0), abs(y1 - y0))), 1)
        for k in range(steps + 1):
            s = k / steps
            self.dot(x0 + s * (x1 - x0), y0 + s * (y1 - y0), style)

    def disc(self, x: float, y: float, radius: float, style: str = "") -> None:
        """Fill a disc with the given radius in pixels."""
        reach = int(radius) + 1
        for i in range(-reach, reach + 1):
            for j in range(-reach, reach + 1):
                if i * i + j * j <= radius * radius:
                    self.dot(x + i, y + j, style)

    def lines(self, *, color: bool = False) -> list[str]:
        """Return the picture, one string per row.

        Example:
            >>> canvas = Canvas(2, 1)
            >>> canvas.line((0, 0), (3, 3))
            >>> canvas.lines()
            ['⠑⢄']
        """
        return [self._row(row, color=color) for row in range(self.rows)]

    def _row(self, row: int, *, color: bool) -> str:
        parts: list[str] = []
        current = ""
        for bits, style in zip(self._cells[row], self._styles[row], strict=True):
            style = style if bits else ""
            if color and style != current:
                parts.append(f"\x1b[{style or '0'}m" if not current else "\x1b[0m")
                if current and style:
                    parts.append(f"\x1b[{style}m")
                current = style
            parts.append(chr(_BLANK + bits) if bits else " ")
        if color and current:
            parts.append("\x1b[0m")
        return "".join(parts)
