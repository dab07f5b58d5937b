"""Completions of a Dukes Up! view: a hidden card can be wherever its opponent's knowledge allows (D25)."""

import networkx as nx
import pytest

from engines import contract
from engines.cards import cards_in
from engines.contract import HIDDEN
from engines.dukes import GAME
from engines.dukes.check import rooms
from engines.dukes.rules import FIEF, HAND, HEAP, PILE
from engines.random import stream

RULES = GAME.rules()
FILLS = 1_500


def fits(s, foe: int, card: int, place: int) -> bool:
    """Say, by a flow of cards to places, whether a hidden card can be in a place and all others somewhere."""
    graph = nx.DiGraph()
    for number, room in enumerate(rooms(s, foe)):
        graph.add_edge(f"place {number}", "sink", capacity=room)
    for other in cards_in(int(s.unseen[foe])):
        graph.add_edge("source", other, capacity=1)
        for number in range(4):
            allowed = number == place if other == card else int(s.may[foe, number]) >> other & 1
            if allowed:
                graph.add_edge(other, f"place {number}", capacity=1)
    return nx.maximum_flow_value(graph, "source", "sink") == int(s.unseen[foe]).bit_count()


def where(s, foe: int, hidden: list[int]) -> set[tuple[int, int]]:
    """Return the places of the cards that the view hid."""
    cards = {(card, PILE) for card in cards_in(int(s.unseen[foe]))}
    cards |= {(card, HAND) for card in cards_in(int(s.hand[foe]))}
    cards |= {(int(s.heap[foe, place]), HEAP) for place in range(int(s.height[foe]))}
    cards.add((int(s.fief[foe]), FIEF))
    return {(card, place) for card, place in cards if card in hidden}


@pytest.mark.parametrize(("seed", "decisions"), [(1, 12), (2, 30), (3, 55), (4, 80), (5, 40), (7, 20)])
def test_a_hidden_card_can_be_wherever_it_may_d25(seed, decisions):
    """D25: among many completions each hidden card is in every place that it can be in, and in no other."""
    state = GAME.random_position(RULES, stream(seed), decisions)
    seat = int(contract.mover(RULES, state[0]))
    foe = 1 - seat
    view = GAME.view(RULES, state, seat)
    s = view[0]
    assert s.fief[foe] == HIDDEN or s.held[foe] or s.height[foe]
    hidden = list(cards_in(int(s.unseen[foe])))
    found: set[tuple[int, int]] = set()
    rng = stream(seed)
    for _ in range(FILLS):
        world = view.copy()
        contract.fill(RULES, world[0], rng)
        found |= where(world[0], foe, hidden)
    allowed = {
        (card, place)
        for card in hidden
        for place in range(4)
        if int(s.may[foe, place]) >> card & 1 and rooms(s, foe)[place] and fits(s, foe, card, place)
    }
    assert found == allowed
