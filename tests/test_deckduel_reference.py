"""Deck Duel against a second implementation, written straight from the rulings as one plain generator.

It yields every question it has (who decides what, or whose card can be what) and is sent the answer. The
engine must have the same question at the same moment, with the same counters on the table.
"""

from collections.abc import Generator
from dataclasses import dataclass, field

import pytest

from engines import contract
from engines import deckduel as core
from engines.cards import RANKS
from engines.contract import CHANCE, NONE, OVER
from engines.random import below, stream


@dataclass
class Player:
    health: int
    energy: int
    attack: int = 0
    defense: int = 0
    focus: bool = False
    deck: set[str] = field(default_factory=lambda: set(RANKS))
    known: list[str] = field(default_factory=list)

    def power(self, card: str) -> int:
        return 14 if card == "A" and self.focus else 1 + RANKS.index(card)

    def next_cards(self) -> set[str]:
        return {self.known[0]} if self.known else set(self.deck)

    def remove(self, card: str) -> None:
        self.deck.remove(card)
        self.known = self.known[1:]


Question = tuple[int, set[str]]  # a seat and its moves; CHANCE and cards or seats; OVER and the winner


def reference(rules, players: list[Player]) -> Generator[Question, str, None]:
    """Play a game; the last item is the winner, or NONE."""
    first = int((yield CHANCE, {"0", "1"}))
    for _ in range(rules.max_turns):
        for seat in (first, 1 - first):
            me = players[seat]
            options = {"pass"} | {
                points for points in ("attack", "defense") if getattr(me, points) < rules.max_points
            }
            if me.energy and len(options) > 1:
                bought = yield seat, options
                if bought != "pass":
                    me.energy -= 1
                    setattr(me, bought, getattr(me, bought) + 1)
        cards = []
        for me in players:
            cards.append((yield CHANCE, me.next_cards()))
            me.remove(cards[-1])
        plain = [card == "A" and not me.focus for me, card in zip(players, cards, strict=True)]
        for seat in range(2):
            if plain[seat]:
                players[seat].attack = players[seat].defense = 0
        powers = [me.power(card) for me, card in zip(players, cards, strict=True)]
        if powers[0] == powers[1]:
            for me in players:
                me.attack = min(me.attack + 1, rules.max_points)
        else:
            first = 0 if powers[0] > powers[1] else 1
            yield from act(rules, first, cards[first], players[first], players[1 - first])
            if players[1 - first].health < 1:
                yield OVER, {str(first)}
        for seat, me in enumerate(players):
            if cards[seat] == "A" or not me.deck:
                me.deck, me.known, me.focus, me.energy = set(RANKS), [], False, rules.start_energy
            if plain[seat]:
                me.attack = me.defense = 0
    yield OVER, {str(NONE)}


def act(rules, seat: int, card: str, me: Player, foe: Player) -> Generator[Question, str, None]:
    """The winner's action and what follows from it."""
    options = {f"strike {points}" for points in range(me.attack + 1)}
    if me.energy < rules.start_energy:
        options.add("energy")
    if card == "K" and not me.focus:
        options.add("focus")
    if card == "Q":
        if me.health + 1 <= rules.max_health:
            options.add("heal 1")
        if me.health + 2 <= rules.max_health and me.energy >= 1:
            options.add("heal 2")
    if card == "J" and me.deck:
        options.add("look")
    choice = yield seat, options
    match choice.split():
        case ["energy"]:
            me.energy += 1
        case ["focus"]:
            me.focus = True
        case ["heal", health]:
            me.health += int(health)
            me.energy -= int(health) - 1
        case ["look"]:
            me.known = [(yield CHANCE, set(me.deck))]
            options = {"keep", f"discard {me.known[0]}"}
            paying = {"look on"} if me.energy and len(me.deck) > 1 else set()
            answer = yield seat, options | paying
            if answer == "look on":
                me.energy -= 1
                me.known.append((yield CHANCE, me.deck - set(me.known)))
                answer = yield seat, options
            if answer != "keep":
                me.remove(me.known[0])
        case ["strike", points]:
            me.attack -= int(points)
            damage = int(points) + (rules.ace_damage if card == "A" else 1)
            if foe.defense:
                most = min(foe.defense, damage)
                answer = yield 1 - seat, {f"defend {spent}" for spent in range(most + 1)}
                foe.defense -= int(answer.split()[1])
                damage -= int(answer.split()[1])
            foe.health -= damage
            if damage:
                foe.attack = 0


def counters(s) -> list[tuple]:
    """What the engine has on the table."""
    return [
        tuple(int(s[name][seat]) for name in ("health", "energy", "attack", "defense", "focus", "deck"))
        for seat in range(2)
    ]


def expected(players: list[Player]) -> list[tuple]:
    """What the reference has on the table."""
    return [
        (
            me.health,
            me.energy,
            me.attack,
            me.defense,
            me.focus,
            sum(1 << RANKS.index(card) for card in me.deck),
        )
        for me in players
    ]


def engine_options(game, rules, state) -> dict[str, int]:
    """The engine's options by their texts."""
    if contract.mover(rules, state[0]) == CHANCE:
        tossing = state[0].initiative == NONE
        return {str(code) if tossing else RANKS[code]: code for code in game.outcomes(rules, state)}
    return {game.notation.move_text(rules, state[0], move): move for move in game.legal(rules, state)}


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"start_health": 3, "max_health": 5, "max_points": 1},
        {"start_energy": 1, "ace_damage": 4, "start_health": 12},
        {"start_energy": 0},
        {"max_points": 0, "max_turns": 6},
        {"start_energy": 6, "max_points": 5, "start_health": 40, "max_health": 50},
    ],
)
def test_engine_and_reference_play_the_same_games(changes):
    game = core.GAME
    rules = game.rules(**changes)
    for number in range(20):
        rng = stream(11, number)
        state = game.new(rules)
        s = state[0]
        players = [Player(rules.start_health, rules.start_energy) for _ in range(2)]
        play = reference(rules, players)
        seat, options = next(play)
        while seat != OVER:
            assert contract.mover(rules, s) == seat
            if s.card[0] == NONE or s.card[1] != NONE:  # not between two cards turned at the same time
                assert counters(s) == expected(players)
            codes = engine_options(game, rules, state)
            assert set(codes) == options
            choice = sorted(options)[below(rng, len(options))]
            contract.play(rules, s, codes[choice])
            seat, options = play.send(choice)
        assert contract.mover(rules, s) == OVER
        assert {str(s.winner)} == options
        assert counters(s) == expected(players)
