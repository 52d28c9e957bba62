"""Contours: lines of equal height through a relief (marching squares), thinned to the points that matter."""

from itertools import pairwise

from .relief import MARGIN, Relief

Point = tuple[float, float]
Line = list[Point]

# Which edges of a cell a line joins, by the corners that lie above the level: 1 top left, 2 top right,
# 4 bottom right, 8 bottom left. Edges: 0 top, 1 right, 2 bottom, 3 left. Higher ground stays on the right hand.
_JOINS: dict[int, list[tuple[int, int]]] = {
    1: [(3, 0)], 2: [(0, 1)], 3: [(3, 1)], 4: [(1, 2)], 5: [(3, 0), (1, 2)], 6: [(0, 2)], 7: [(3, 2)],
    8: [(2, 3)], 9: [(2, 0)], 10: [(0, 1), (2, 3)], 11: [(2, 1)], 12: [(1, 3)], 13: [(1, 0)], 14: [(0, 3)],
}  # fmt: skip


def trace(relief: Relief, level: float, tolerance: float = 0.6, shortest: float = 14, whole: bool = True) -> list[Line]:
    """Contour lines at ``level``. A closed line ends on its first point. Lines shorter than ``shortest`` are left out.

    Return contour lines. ``whole`` ones are closed around the image, to be filled. Others end at its edge.
    """
    following = _segments(relief, level)
    starts = set(following) - {end for end, _ in following.values()}
    lines: list[Line] = []
    for start in [*sorted(starts), *sorted(following)]:
        line: Line = []
        edge = start
        while edge in following:
            edge, point = following.pop(edge)
            line.append(point)
        if line:
            first = _crossing(relief, level, start)
            line.insert(0, first)
            if edge == start:
                line[-1] = first
            pieces = [line] if whole else _cut(relief, line)
            lines += [simplify(piece, tolerance) for piece in pieces if _length(piece) >= shortest]
    return lines


def simplify(line: Line, tolerance: float) -> Line:
    """Douglas and Peucker: drop points that lie within ``tolerance`` of the line without them."""
    if len(line) < 3:
        return line
    keep = {0, len(line) - 1}
    if line[0] == line[-1]:
        keep.add(max(range(len(line)), key=lambda i: _apart(line[0], line[i])))
    marks = sorted(keep)
    spans = list(pairwise(marks))
    while spans:
        first, last = spans.pop()
        if last - first < 2:
            continue
        (ax, ay), (bx, by) = line[first], line[last]
        dx, dy = bx - ax, by - ay
        norm = (dx * dx + dy * dy) ** 0.5 or 1.0
        far, at = max((abs(dx * (line[i][1] - ay) - dy * (line[i][0] - ax)) / norm, i) for i in range(first + 1, last))
        if far > tolerance:
            keep.add(at)
            spans += [(first, at), (at, last)]
    return [line[i] for i in sorted(keep)]


def _cut(relief: Relief, line: Line) -> list[Line]:
    """The parts of a line that can be seen, each with the first point that cannot."""
    edge = relief.step
    seen = [-edge < x < relief.width + edge and -edge < y < relief.height + edge for x, y in line]
    if all(seen):
        return [line]
    if line[0] == line[-1]:  # begin a ring out of sight, so that no part of it is cut in two
        start = seen.index(False)
        line, seen = [*line[start:-1], *line[: start + 1]], [*seen[start:-1], *seen[: start + 1]]
    pieces: list[Line] = [[]]
    for index, point in enumerate(line):
        if seen[index] or any(seen[max(0, index - 1) : index + 2]):
            pieces[-1].append(point)
        elif pieces[-1]:
            pieces.append([])
    return [piece for piece in pieces if len(piece) > 1]


def _segments(relief: Relief, level: float) -> dict[tuple[int, int], tuple[tuple[int, int], Point]]:
    """Per edge of the grid on which a line enters a cell: the edge on which it leaves, and the point there."""
    columns, values = relief.columns, relief.values
    above = [value > level for value in values]
    found: dict[tuple[int, int], tuple[tuple[int, int], Point]] = {}
    for row in range(relief.rows - 1):
        start = row * columns
        for at in range(start, start + columns - 1):
            case = above[at] + 2 * above[at + 1] + 4 * above[at + columns + 1] + 8 * above[at + columns]
            if case in (0, 15):
                continue
            edges = ((at, 0), (at + 1, 1), (at + columns, 0), (at, 1))  # grid point, and 0 for along x, 1 for along y
            for enter, leave in _JOINS[case]:
                found[edges[enter]] = (edges[leave], _crossing(relief, level, edges[leave]))
    return found


def _crossing(relief: Relief, level: float, edge: tuple[int, int]) -> Point:
    at, vertical = edge
    row, column = divmod(at, relief.columns)
    a = relief.values[at]
    b = relief.values[at + (relief.columns if vertical else 1)]
    part = (level - a) / (b - a) if a != b else 0.5
    x, y = column + (0 if vertical else part), row + (part if vertical else 0)
    return (x - MARGIN) * relief.step, (y - MARGIN) * relief.step


def _apart(a: Point, b: Point) -> float:
    return ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5


def _length(line: Line) -> float:
    return sum(_apart(a, b) for a, b in pairwise(line))
