# SPDX-License-Identifier: Apache-2.0
"""Charts as SVG, with nothing but the standard library: panels with axes, lines, markers and areas."""

import math
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

FONT = "Inter, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif"
INK, FAINT, GRID, PAPER = "#1f2933", "#5d6b7a", "#e4e8ec", "#ffffff"


def text(x: float, y: float, content: str, size: float = 11, anchor: str = "start", colour: str = INK,
         weight: int = 400, turn: float = 0) -> str:
    turned = f' transform="rotate({turn} {x:.1f} {y:.1f})"' if turn else ""
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}" '
            f'font-weight="{weight}"{turned}>{escape(content)}</text>')


def marker(shape: str, x: float, y: float, colour: str, radius: float = 3.6, hollow: bool = False) -> str:
    """Shapes: circle, square, diamond, up, down, cross, plus."""
    paint = f'fill="{PAPER}" stroke="{colour}" stroke-width="1.5"' if hollow else f'fill="{colour}"'
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" {paint}/>'
    if shape in ("cross", "plus"):
        a, b = (radius * 0.8, radius * 0.8) if shape == "cross" else (radius * 1.1, 0)
        lines = [(x - a, y - b, x + a, y + b), (x - b, y + a, x + b, y - a)]
        return "".join(f'<line x1="{p:.1f}" y1="{q:.1f}" x2="{r:.1f}" y2="{s:.1f}" stroke="{colour}" '
                       f'stroke-width="1.8"/>' for p, q, r, s in lines)
    corners = {"square": [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
               "diamond": [(0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)],
               "up": [(0, -1.2), (1.1, 0.8), (-1.1, 0.8)],
               "down": [(0, 1.2), (1.1, -0.8), (-1.1, -0.8)]}[shape]
    points = " ".join(f"{x + a * radius:.1f},{y + b * radius:.1f}" for a, b in corners)
    return f'<polygon points="{points}" {paint}/>'


@dataclass
class Axis:
    """From `low` to `high`, linear or logarithmic; `ticks` are (value, label)."""
    low: float
    high: float
    title: str = ""
    log: bool = False
    ticks: list[tuple[float, str]] | None = None
    unit: str = ""

    def share(self, value: float) -> float:
        if self.log:
            return math.log(max(value, 1e-300) / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def all_ticks(self) -> list[tuple[float, str]]:
        if self.ticks is not None:
            return self.ticks
        if self.log:
            first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
            return [(10.0 ** e, self.label(10.0 ** e)) for e in range(first, last + 1)]
        raw = (self.high - self.low) / 5
        unit = 10 ** math.floor(math.log10(raw))
        step = next(unit * m for m in (1, 2, 2.5, 5, 10) if unit * m >= raw * 0.999)
        count = int((self.high - math.ceil(self.low / step) * step) / step + 1e-6)
        return [(v, self.label(v)) for v in (math.ceil(self.low / step) * step + i * step for i in range(count + 1))]

    def label(self, value: float) -> str:
        if self.unit == "s":
            for size, name in ((1, "s"), (1e-3, "ms"), (1e-6, "µs")):
                if value >= size * 0.999:
                    return f"{value / size:g} {name}"
        shown = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:g}"
        return shown + (f" {self.unit}" if self.unit else "")


@dataclass
class Panel:
    """One set of axes; lines are cut off at its borders."""
    title: str
    x: Axis
    y: Axis
    width: float = 300
    height: float = 220
    subtitle: str = ""
    _marks: list[str] = field(default_factory=list)
    _labels: list[str] = field(default_factory=list)

    def at(self, x: float, y: float) -> tuple[float, float]:
        return self.width * self.x.share(x), self.height * (1 - self.y.share(y))

    def line(self, points: list[tuple[float, float]], colour: str, width: float = 1.8, dash: str = "",
             opacity: float = 1) -> None:
        placed = [self.at(*p) for p in points]
        path, pen = "", None
        for start, end in zip(placed, placed[1:]):
            part = self.clipped(start, end)
            if part is None:
                continue
            path += f"M{part[0]:.1f} {part[1]:.1f}" if pen != part[:2] else ""
            path += f"L{part[2]:.1f} {part[3]:.1f}"
            pen = part[2:]
        if path:
            dashed = f' stroke-dasharray="{dash}"' if dash else ""
            self._marks.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}" '
                               f'stroke-linejoin="round" stroke-opacity="{opacity}"{dashed}/>')

    def clipped(self, start: tuple[float, float], end: tuple[float, float]) -> tuple | None:
        """The part of a segment inside the axes (Liang and Barsky), since not every viewer knows clip paths."""
        (x, y), (dx, dy) = start, (end[0] - start[0], end[1] - start[1])
        enter, leave = 0.0, 1.0
        for step, room in ((-dx, x), (dx, self.width - x), (-dy, y), (dy, self.height - y)):
            if abs(step) < 1e-9:
                if room < 0:
                    return None
            elif step < 0:
                enter = max(enter, room / step)
            else:
                leave = min(leave, room / step)
        return (x + enter * dx, y + enter * dy, x + leave * dx, y + leave * dy) if enter <= leave else None

    def area_below(self, points: list[tuple[float, float]], colour: str) -> None:
        if len(points) < 2:
            return
        line = [(a, min(max(b, 0), self.height)) for a, b in (self.at(*p) for p in points)]
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in
                        [(line[0][0], self.height), *line, (line[-1][0], self.height)])
        self._marks.append(f'<polygon points="{path}" fill="{colour}"/>')

    def column(self, low: float, high: float, colour: str) -> None:
        a, b = self.at(low, self.y.low)[0], self.at(high, self.y.low)[0]
        self._marks.append(f'<rect x="{a:.1f}" y="0" width="{b - a:.1f}" height="{self.height}" fill="{colour}"/>')

    def points(self, points: list[tuple[float, float]], shape: str, colour: str, radius: float = 3.6,
               hollow: bool = False) -> None:
        for point in points:
            if -1e-6 <= self.x.share(point[0]) <= 1 + 1e-6 and -1e-6 <= self.y.share(point[1]) <= 1 + 1e-6:
                self._labels.append(marker(shape, *self.at(*point), colour, radius, hollow))

    def label(self, x: float, y: float, content: str, colour: str = FAINT, dx: float = 0, dy: float = 0,
              anchor: str = "start", size: float = 10) -> None:
        a, b = self.at(x, y)
        self._labels.append(text(a + dx, b + dy, content, size, anchor, colour))

    def draw(self, left: float, top: float) -> str:
        out = [f'<g transform="translate({left:.1f} {top:.1f})">']
        out.append(text(0, -24 if self.subtitle else -10, self.title, 13, weight=600))
        if self.subtitle:
            out.append(text(0, -9, self.subtitle, 10.5, colour=FAINT))
        for value, shown in self.y.all_ticks():
            y = self.at(self.x.low, value)[1]
            out.append(f'<line x1="0" x2="{self.width}" y1="{y:.1f}" y2="{y:.1f}" stroke="{GRID}"/>')
            out.append(text(-6, y + 3.5, shown, 10, "end", FAINT))
        for value, shown in self.x.all_ticks():
            x = self.at(value, self.y.low)[0]
            out.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{self.height}" y2="{self.height + 4}" stroke="{FAINT}"/>')
            out.append(text(x, self.height + 16, shown, 10, "middle", FAINT))
        out += self._marks
        out.append(f'<line x1="0" x2="{self.width}" y1="{self.height}" y2="{self.height}" stroke="{FAINT}"/>')
        out += self._labels
        out.append(text(self.width / 2, self.height + 32, self.x.title, 10.5, "middle", FAINT))
        if self.y.title:
            out.append(text(-50, self.height / 2, self.y.title, 10.5, "middle", FAINT, turn=-90))
        return "".join(out) + "</g>"


def legend(entries: list[tuple[str, str, str, str]], left: float, top: float, column_width: float, rows: int) -> str:
    """Entries are (name, colour, shape, dash), column by column."""
    out = []
    for i, (name, colour, shape, dash) in enumerate(entries):
        x, y = left + i // rows * column_width, top + i % rows * 17
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        out.append(f'<line x1="{x:.1f}" x2="{x + 22:.1f}" y1="{y:.1f}" y2="{y:.1f}" stroke="{colour}" '
                   f'stroke-width="1.8"{dashed}/>')
        if shape:
            out.append(marker(shape, x + 11, y, colour))
        out.append(text(x + 28, y + 3.8, name, 11))
    return "".join(out)


def page(width: float, height: float, title: str, note: str, body: str) -> str:
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
            f'height="{height:.0f}" font-family="{FONT}" role="img">\n<title>{escape(title)}</title>\n'
            f'<rect width="100%" height="100%" fill="{PAPER}"/>\n'
            + text(24, 32, title, 17, weight=600) + text(24, 51, note, 11.5, colour=FAINT) + "\n" + body + "\n</svg>\n")
