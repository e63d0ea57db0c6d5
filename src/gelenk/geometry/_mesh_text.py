"""Kernels that read the numbers of mesh files.

Text is an array of bytes. Numbers are read as the language does where they have at most
15 digits and a power of ten within 22, else to the last bit or two.
"""

from __future__ import annotations

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.typing import ByteArray, FloatArray, IntArray

_POWERS = 10.0 ** np.arange(23)
_ZERO, _NINE = ord("0"), ord("9")
_PLUS, _MINUS, _DOT, _COMMA, _SLASH = (ord(c) for c in "+-.,/")
_SMALL_E, _LARGE_E = ord("e"), ord("E")
_BREAK, _RETURN = ord("\n"), ord("\r")
_V, _T, _N, _F, _HASH = (ord(c) for c in "vtnf#")
_MOST_DIGITS = 18
_VERTEX = np.frombuffer(b"vertex", dtype=np.uint8).copy()


@kernel
def read_number(data: ByteArray, at: int, end: int) -> tuple[float, int]:
    """Return the number at a place and where it ends; that is `at` if there is none.

    Args:
        data: Text (n,).
        at: First byte.
        end: Byte after the last that may be read.
    """
    i = at
    sign = 1.0
    if i < end and (data[i] == _PLUS or data[i] == _MINUS):
        sign = -1.0 if data[i] == _MINUS else 1.0
        i += 1
    mantissa, digits, scale, has_digit = 0, 0, 0, False
    while i < end and _ZERO <= data[i] <= _NINE:
        has_digit = True
        if digits < _MOST_DIGITS:
            mantissa = 10 * mantissa + (int(data[i]) - _ZERO)
            digits += mantissa > 0
        else:
            scale += 1
        i += 1
    if i < end and data[i] == _DOT:
        i += 1
        while i < end and _ZERO <= data[i] <= _NINE:
            has_digit = True
            if digits < _MOST_DIGITS:
                mantissa = 10 * mantissa + (int(data[i]) - _ZERO)
                digits += mantissa > 0
                scale -= 1
            i += 1
    if not has_digit:
        return 0.0, at
    if i < end and (data[i] == _SMALL_E or data[i] == _LARGE_E):
        k, down, power, has_power = i + 1, False, 0, False
        if k < end and (data[k] == _PLUS or data[k] == _MINUS):
            down = data[k] == _MINUS
            k += 1
        while k < end and _ZERO <= data[k] <= _NINE:
            power = min(10 * power + (int(data[k]) - _ZERO), 100_000)
            has_power = True
            k += 1
        if has_power:
            scale += -power if down else power
            i = k
    value = float(mantissa)
    if value != 0.0 and scale != 0:
        if -22 <= scale < 0:
            value = value / _POWERS[-scale]
        elif 0 < scale <= 22:
            value = value * _POWERS[scale]
        elif scale < 0:
            value = value * 10.0 ** max(scale + 20, -330) / 1e20
        else:
            value = value * 10.0 ** min(scale, 400)
    return sign * value, i


@kernel
def count_words(data: ByteArray) -> int:
    """Return the number of words, separated by white space or commas."""
    count, is_inside = 0, False
    for i in range(data.shape[0]):
        is_gap = data[i] <= 32 or data[i] == _COMMA
        count += (not is_gap) and (not is_inside)
        is_inside = not is_gap
    return count


@kernel
def read_numbers(data: ByteArray, out: FloatArray) -> int:
    """Read numbers separated by white space or commas.

    Args:
        data: Text (n,).
        out: Numbers, changed (k,).

    Returns:
        How many numbers were read, at most k; -1 - i if at byte i there is none.
    """
    i, count, end = 0, 0, data.shape[0]
    while count < out.shape[0]:
        while i < end and (data[i] <= 32 or data[i] == _COMMA):
            i += 1
        if i >= end:
            break
        value, after = read_number(data, i, end)
        if after == i or (after < end and data[after] > 32 and data[after] != _COMMA):
            return -1 - i
        out[count] = value
        count += 1
        i = after
    return count


@kernel
def _skip_blank(data: ByteArray, at: int, end: int) -> int:
    while at < end and (data[at] == 32 or data[at] == 9):
        at += 1
    return at


@kernel
def count_obj(data: ByteArray) -> tuple[int, int, int, int, int]:
    """Return the numbers of what an OBJ file holds.

    Args:
        data: Text (n,).

    Returns:
        Corners, places in the texture, normals, triangles, other lines.
    """
    corners, places, normals, triangles, others = 0, 0, 0, 0, 0
    i, end = 0, data.shape[0]
    while i < end:
        i = _skip_blank(data, i, end)
        first = data[i] if i < end else _BREAK
        second = data[i + 1] if i + 1 < end else _BREAK
        if first == _V and second <= 32:
            corners += 1
        elif first == _V and second == _T:
            places += 1
        elif first == _V and second == _N:
            normals += 1
        elif first == _F and second <= 32:
            words, is_inside, i = 0, False, i + 1
            while i < end and data[i] != _BREAK and data[i] != _HASH:
                words += data[i] > 32 and not is_inside
                is_inside = data[i] > 32
                i += 1
            triangles += max(words - 2, 0)
        elif first > 32 and first != _HASH:
            others += 1
        while i < end and data[i] != _BREAK:
            i += 1
        i += 1
    return corners, places, normals, triangles, others


@kernel
def _read_row(data: ByteArray, at: int, end: int, row: FloatArray, least: int) -> int:
    """Read the numbers of a line into a row; return where they end, -1 if too few."""
    for k in range(row.shape[0]):
        at = _skip_blank(data, at, end)
        value, after = read_number(data, at, end)
        if after == at:
            return -1 if k < least else at
        row[k] = value
        at = after
    return at


@kernel
def _read_corner(
    data: ByteArray, at: int, end: int, seen: IntArray, corner: IntArray
) -> int:
    """Read `1/2/3` of a face, indices from 0; return where it ends, -1 if wrong.

    Args:
        data: Text (n,).
        at: First byte.
        end: Byte after the last.
        seen: Counts of the corners, places and normals before (3,).
        corner: Their indices, -1 for none, changed (3,).
    """
    corner[:] = -1
    for k in range(3):
        value, after = read_number(data, at, end)
        if after > at:
            if not abs(value) < 2e9:
                return -1
            index = int(value)
            index = index - 1 if index > 0 else seen[k] + index
            if value == 0.0 or index < 0:
                return -1
            corner[k] = index
        elif k == 0:
            return -1
        at = after
        if at >= end or data[at] != _SLASH:
            break
        at += 1
    return at if at >= end or data[at] <= 32 or data[at] == _HASH else -1


@kernel
def read_obj(
    data: ByteArray,
    corners: FloatArray,
    places: FloatArray,
    normals: FloatArray,
    triangles: IntArray,
    others: IntArray,
) -> int:
    """Read an OBJ file; polygons become fans of triangles.

    Args:
        data: Text (n,).
        corners: Corners, changed (k, 3).
        places: Places in the texture, changed (k, 2).
        normals: Normals, changed (k, 3).
        triangles: Indices of corner, place and normal, -1 for none, changed (m, 3, 3).
        others: First byte of each other line and the number of triangles before it,
            changed (k, 2).

    Returns:
        -1, or a byte of the first line that is wrong.
    """
    seen = np.zeros(3, dtype=np.int64)
    one = np.empty((3, 3), dtype=np.int64)
    t, o, i, end = 0, 0, 0, data.shape[0]
    while i < end:
        i = start = _skip_blank(data, i, end)
        stop = i
        while stop < end and data[stop] != _BREAK:
            stop += 1
        first = data[i] if i < stop else _BREAK
        second = data[i + 1] if i + 1 < stop else _BREAK
        after = 0
        if first == _V and second <= 32:
            after = _read_row(data, i + 1, stop, corners[seen[0]], 3)
            seen[0] += 1
        elif first == _V and second == _T:
            after = _read_row(data, i + 2, stop, places[seen[1]], 1)
            seen[1] += 1
        elif first == _V and second == _N:
            after = _read_row(data, i + 2, stop, normals[seen[2]], 3)
            seen[2] += 1
        elif first == _F and second <= 32:
            i, count = i + 1, 0
            while True:
                while i < stop and data[i] <= 32:
                    i += 1
                if i >= stop or data[i] == _HASH:
                    break
                i = after = _read_corner(data, i, stop, seen, one[min(count, 2)])
                if after < 0:
                    break
                count += 1
                if count >= 3:
                    triangles[t] = one
                    one[1] = one[2]
                    t += 1
        elif first > 32 and first != _HASH:
            others[o, 0], others[o, 1] = start, t
            o += 1
        if after < 0:
            return start
        i = stop + 1
    return -1


@kernel
def read_stl_text(data: ByteArray, out: FloatArray) -> int:
    """Read the corners of a text STL file.

    Args:
        data: Text (n,).
        out: Corners, changed (k, 3).

    Returns:
        The number of corners; -1 - i if at byte i one is incomplete.
    """
    count, i, end = 0, 0, data.shape[0]
    while i < end:
        while i < end and data[i] <= 32:
            i += 1
        start = i
        while i < end and data[i] > 32:
            i += 1
        if i - start != 6:
            continue
        is_vertex = True
        for k in range(6):
            is_vertex = is_vertex and (data[start + k] | 32) == _VERTEX[k]
        if not is_vertex:
            continue
        if count >= out.shape[0]:
            return -1 - start
        for k in range(3):
            while i < end and data[i] <= 32:
                i += 1
            value, after = read_number(data, i, end)
            if after == i or (after < end and data[after] > 32):
                return -1 - start
            out[count, k] = value
            i = after
        count += 1
    return count


@kernel
def _plain_value(data: ByteArray, at: int, code: int, is_swapped: bool) -> float:
    """Return a binary number; codes 0 to 7: i1 u1 i2 u2 i4 u4 f4 f8."""
    size = 1 << (code // 2) if code < 6 else 4 * (code - 5)
    bits = np.uint64(0)
    for k in range(size):
        byte = data[at + (k if is_swapped else size - 1 - k)]
        bits = (bits << np.uint64(8)) | np.uint64(byte)
    if code == 7:
        word = np.empty(1, dtype=np.uint64)
        word[0] = bits
        return word.view(np.float64)[0]
    if code == 6:
        half = np.empty(1, dtype=np.uint32)
        half[0] = np.uint32(bits)
        return float(half.view(np.float32)[0])
    value = np.int64(bits)
    if code % 2 == 0 and value >= 1 << (8 * size - 1):
        value -= 1 << (8 * size)
    return float(value)


@kernel
def read_ply_lists(
    data: ByteArray,
    at: int,
    count: int,
    fields: IntArray,
    is_swapped: bool,
    triangles: IntArray,
    owners: IntArray,
    plain: FloatArray,
) -> tuple[int, int]:
    """Read rows with lists; the chosen list becomes a fan of triangles.

    Args:
        data: Bytes (n,).
        at: First byte of the rows.
        count: Number of rows.
        fields: Codes of each column: type of its length (-1: no list), its type, and
            1 if it holds the corners (k, 3).
        is_swapped: Whether the most significant byte comes first.
        triangles: Corners of the triangles, changed (m, 3).
        owners: Row of each triangle, changed (m,).
        plain: Values of the columns that are no lists, changed (count, k).

    Returns:
        Number of triangles, or -1 if the rows are not whole, and where the rows end.
    """
    end, t = data.shape[0], 0
    for row in range(count):
        for f in range(fields.shape[0]):
            head, code = fields[f, 0], fields[f, 1]
            size = 1 << (code // 2) if code < 6 else 4 * (code - 5)
            length = 1
            if head >= 0:
                wide = 1 << (head // 2) if head < 6 else 4 * (head - 5)
                if at + wide > end:
                    return -1, at
                told = _plain_value(data, at, head, is_swapped)
                if not 0.0 <= told <= 1e9:
                    return -1, at
                length = int(told)
                at += wide
            if length * size > end - at:
                return -1, at
            if head < 0:
                plain[row, f] = _plain_value(data, at, code, is_swapped)
            elif fields[f, 2] == 1:
                first, last = 0, 0
                for k in range(length):
                    told = _plain_value(data, at + k * size, code, is_swapped)
                    if not 0.0 <= told <= 4e9:
                        return -1, at
                    if k >= 2:
                        if t >= triangles.shape[0]:
                            return t, at
                        triangles[t, 0], triangles[t, 1] = first, last
                        triangles[t, 2] = int(told)
                        owners[t] = row
                        t += 1
                    if k == 0:
                        first = int(told)
                    last = int(told)
            at += length * size
    return t, at
