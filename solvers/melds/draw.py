"""Draw a judged table: every meld a row of cards, what moved outlined; and the graph of open runs.

SVG is written here and needs nothing. PNG is made from it by the optional package resvg-py.
"""

from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from engines.cards import RANKS, card_symbol, mask_of, suit_of
from engines.errors import InputError
from solvers.melds.dukes_arrange import arrange
from solvers.melds.dukes_check import Judgement, moved_cards, name, ordered
from solvers.melds.dukes_graph import Place, graph

WIDTH, HEIGHT, GAP, TOP = 46, 64, 8, 40
INK = ("#1d3b2a", "#b5302a", "#b5302a", "#1d3b2a")  # by suit: clubs, diamonds, hearts, spades


def save(found: Judgement, path: str) -> None:
    """Write the drawing of a judgement to a ``.svg`` or ``.png`` file."""
    ending = Path(path).suffix.lower()
    if ending not in (".svg", ".png"):
        raise InputError(f"cannot draw to {path!r}: expected a name that ends in .svg or .png")
    text = svg(found)
    if ending == ".png":
        try:
            import resvg_py
        except ImportError:
            raise InputError(
                "PNG needs the package resvg-py: pip install 'kibitz[draw]', or draw to .svg"
            ) from None
        data = bytes(resvg_py.svg_to_bytes(svg_string=text, zoom=2))
    else:
        data = text.encode()
    try:
        Path(path).write_bytes(data)
    except OSError as error:
        raise InputError(f"cannot write {path!r}: {error.strerror}") from None


def svg(found: Judgement) -> str:
    """Return the drawing of a judgement as SVG."""
    moved = set(moved_cards(found))
    titles = {
        "valid": "A valid table",
        "regroup": f"{len(moved)} card{'s' * (len(moved) != 1)} to move",
        "impossible": "Not possible",
    }
    rows: list[tuple[str, Sequence[int]]]
    if found.arrangement:
        rows = [(name(meld), ordered(meld)) for meld in found.arrangement.melds]
    elif found.verdict == "impossible":
        kept = arrange(mask_of(found.part))
        rows = [(name(meld), ordered(meld)) for meld in kept.melds] if kept else []
        rows.append(("in the way", found.left_out))
        moved = set(found.left_out)
    else:
        rows = [(name(group), ordered(group)) for group in found.groups]
    source = {card: group for group in found.groups for card in group}
    height = TOP + len(rows) * (HEIGHT + 3 * GAP) + 16 * len(found.steps) + GAP
    width = 160 + (WIDTH + GAP) * max([8, *(len(cards) for _, cards in rows)])
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" '
        'font-family="DejaVu Sans, Arial, sans-serif">',
        f'<rect width="{width}" height="{height}" fill="#f4f1e8"/>',
        f'<text x="16" y="26" font-size="16" fill="#333">{titles[found.verdict]}</text>',
    ]
    for row, (title, cards) in enumerate(rows):
        y = TOP + row * (HEIGHT + 3 * GAP)
        parts.append(f'<text x="16" y="{y + 36}" font-size="12" fill="#555">{escape(title)}</text>')
        for place, card in enumerate(cards):
            x = 150 + place * (WIDTH + GAP)
            line = 'stroke="#d98200" stroke-width="4"' if card in moved else 'stroke="#999"'
            origin = f"from {name(source[card])}" if card in source else "added"
            parts.append(
                f"<g><title>{escape(origin if card in moved else 'stays')}</title>"
                f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="6" fill="#fff" {line}/>'
                f'<text x="{x + WIDTH // 2}" y="{y + 40}" font-size="18" text-anchor="middle" '
                f'fill="{INK[suit_of(card)]}">{card_symbol(card)}</text></g>'
            )
    y = TOP + len(rows) * (HEIGHT + 3 * GAP)
    for number, words in enumerate(found.steps, start=1):
        line = f"{number}. {escape(words)}"
        parts.append(f'<text x="16" y="{y + 16 * number - 4}" font-size="12" fill="#333">{line}</text>')
    return "\n".join([*parts, "</svg>", ""])


def graph_svg(table: int) -> str:
    """Return the graph of a table's open runs as SVG: a column a rank; dark is what leads to the end."""
    import networkx as nx

    whole = graph(table)
    good = nx.ancestors(whole, "end") | {"end"}
    columns: dict[int, list] = {}
    for node in whole:
        column = -1 if node == "start" else 14 if node == "end" else node[0]
        columns.setdefault(column, []).append(node)
    place = {
        node: (60 + 90 * (column + 1), 60 + 44 * row)
        for column, nodes in columns.items()
        for row, node in enumerate(sorted(nodes, key=lambda node: (node not in good, str(node))))
    }
    height = 40 + max(y for _, y in place.values())
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="1460" height="{height}" '
        'font-family="DejaVu Sans, Arial, sans-serif" font-size="11" text-anchor="middle">',
        f'<rect width="1460" height="{height}" fill="#f4f1e8"/>',
    ]
    for rank, letter in enumerate(RANKS + "A"):
        parts.append(f'<text x="{150 + 90 * rank}" y="24" font-size="14" fill="#333">{letter}</text>')
    for a, b in whole.edges:
        (x1, y1), (x2, y2) = place[a], place[b]
        ink = "#1d3b2a" if b in good else "#ccc"
        parts.append(f'<path d="M{x1 + 32} {y1}L{x2 - 32} {y2}" stroke="{ink}"/>')
    for node, (x, y) in place.items():
        ink = "#1d3b2a" if node in good else "#bbb"
        title = node if isinstance(node, str) else _place_text(node[1])
        parts.append(
            f'<rect x="{x - 32}" y="{y - 14}" width="64" height="28" rx="8" fill="#fff" stroke="{ink}"/>'
            f'<text x="{x}" y="{y + 4}" fill="{ink}">{title}</text>'
        )
    return "\n".join([*parts, "</svg>", ""])


def _place_text(place: Place) -> str:
    """Return open runs by length: flowers | thorns, and the aces that wait for the far end."""
    runs = (" ".join(str(abs(run)) for run in runs) or "–" for runs in place.node)
    return " | ".join(runs) + f" +{sum(place.high)}A" * (sum(place.high) > 0)
