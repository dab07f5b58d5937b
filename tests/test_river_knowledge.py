"""What each seat of Up and Down the River knows (V15), and completions of its view."""

from collections import Counter

import pytest
from river_states import KINDS, Table, cards, roll_on

from engines import contract
from engines.contract import CHANCE, OVER
from engines.random import below, stream, uniform
from engines.river import GAME

FEWEST, MOST = 150, 2_000  # completions looked at


def position(rules, seed: int, decisions: int):
    """A random position in which somebody decides."""
    state = GAME.random_position(rules, stream(seed, 4), decisions)
    assert contract.mover(rules, state[0]) >= 0
    return state


def hidden_slots(s, rules, seat: int) -> dict[int, int]:
    """How many unknown cards each other hand has."""
    return {
        other: int(s.held[other]) - len(cards(s.known[other]))
        for other in range(rules.players)
        if other != seat
    }


def allowed_places(s, rules, seat: int) -> set[tuple[str, int]]:
    """Where each unseen card can be: a hand, or the draw pile (-1), if it was shuffled into that."""
    unseen, shuffled = Counter(cards(s.unseen)), Counter(cards(s.shuffled))
    sure, loose = unseen - shuffled, unseen & shuffled
    slots = hidden_slots(s, rules, seat)
    spare = sum(slots.values()) > sure.total()
    found = {(card, -1) for card in loose if s.pile}
    for other, number in slots.items():
        if number:
            found |= {(card, other) for card in (set(unseen) if spare else set(sure))}
    return found


@pytest.mark.parametrize(
    ("changes", "decisions"),
    [
        ({"players": 3}, 0),
        ({"players": 2}, 60),
        ({"players": 4}, 90),
        ({"players": 6, "deal": 17, "first_round": 6}, 55),
        ({"players": 6, "deal": 16, "first_round": 6}, 120),
        ({"players": 5, "deal": 17, "first_round": 7}, 150),
    ],
)
def test_an_unseen_card_can_be_wherever_it_may_v15(changes, decisions):
    """V15: among many completions every unseen card is in every place that it can be in, and in no other."""
    rules = GAME.rules(**changes)
    state = position(rules, 1, decisions)
    seat = int(contract.mover(rules, state[0]))
    view = GAME.view(rules, state, seat)
    allowed = allowed_places(view[0], rules, seat)
    found: set[tuple[str, int]] = set()
    rng = stream(6)
    for number in range(MOST):
        if number >= FEWEST and len(found) == len(allowed):
            break
        world = view.copy()
        contract.fill(rules, world[0], rng)
        s = world[0]
        found |= {(card, -1) for card in cards(s.unseen)}
        assert len(cards(s.unseen)) == s.pile
        for other in hidden_slots(s, rules, seat):
            hand = Counter(cards(s.hand[other]))
            assert hand.total() == s.held[other]
            assert not Counter(cards(s.known[other])) - hand  # what was taken openly is there
            found |= {(card, other) for card in hand - Counter(cards(s.known[other]))}
    assert found == allowed
    if decisions >= 120:
        assert len(cards(view[0].shuffled)) < 108


def test_completions_are_equally_likely():
    """Each unseen card is as likely in each unknown place as in any other."""
    table = Table("3C 4C", "3D 4D * 8S 9S", "5H 7H", top="7C", known={1: "4D"})
    view = table.view(0)
    unseen = Counter(cards(view[0].unseen))
    counts: Counter[tuple[str, int]] = Counter()
    rng, fills = stream(8), 2_000
    for _ in range(fills):
        world = view.copy()
        contract.fill(table.rules, world[0], rng)
        for other, known in ((1, ["4D"]), (2, [])):
            counts.update((card, other) for card in cards(world[0].hand[other]))
            counts.subtract((card, other) for card in known)
    for other, slots in ((1, 4), (2, 2)):
        for card, copies in unseen.items():
            expected = fills * slots * copies / unseen.total()
            assert abs(counts[card, other] - expected) < 5 * expected**0.5


def test_completions_after_a_reshuffle():
    """What was not shuffled into the pile is in a hand; right after the reshuffle the pile is known."""
    table = Table("3C 8C AC", "3D", top="7C", below="KD", buried="QH QH *", pile=1).say("draw")
    roll_on(table, stream(1))
    pile = cards(table.s.unseen)
    for rng in (stream(1), stream(2)):
        world = table.view(0)
        contract.fill(table.rules, world[0], rng)
        assert cards(world[0].unseen) == pile
        assert cards(world[0].hand[1]) == cards(table.s.hand[1])
    table.say("discard 3C", "draw", "pass")
    roll_on(table, stream(2))
    piles = set()
    for number in range(200):
        world = table.view(0)
        contract.fill(table.rules, world[0], stream(3, number))
        piles.add(tuple(cards(world[0].unseen)))
    assert piles == {tuple(sorted(set_without(pile, card))) for card in pile}


def set_without(pile: list[str], card: str) -> list[str]:
    left = list(pile)
    left.remove(card)
    return left


def test_what_is_known_of_a_hand_is_in_it_v15():
    """V15: through whole games, openly taken cards are in the hands that took them, and views agree."""
    rules = GAME.rules(players=4, max_turns=60)
    state, rng = GAME.new(rules), stream(15)
    known = 0
    while (seat := contract.mover(rules, state[0])) != OVER:
        s = state[0]
        if seat == CHANCE:
            contract.play(rules, s, contract.roll(rules, s, uniform(rng)))
            continue
        for owner in range(4):
            assert not Counter(cards(s.known[owner])) - Counter(cards(s.hand[owner]))
            known += len(cards(s.known[owner]))
        views = [GAME.view(rules, state, viewer)[0] for viewer in range(4)]
        for name in ("known", "held", "top", "second", "buried", "laid", "melds", "down", "pile", "shuffled"):
            assert all((view[name] == s[name]).all() for view in views), name
        moves = GAME.legal(rules, state)
        contract.play(rules, s, moves[below(rng, len(moves))])
    assert known > 1_000


def test_a_view_does_not_depend_on_what_it_hides():
    one = Table("3C 4C", "3D 4D", "5H", top="7C")
    two = Table("3C 4C", "KD *", "5S", top="7C")
    assert one.view(0) == two.view(0)
    assert one.view(1) != two.view(1)
    assert KINDS[int(one.view(1)[0].top)] == "7C"
