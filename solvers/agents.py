"""Agents: what plays.

An agent is described by a text such as ``ismcts:sims=1000`` and, to compiled code, by a row of numbers. As
the row is a run-time value, a match is compiled once per game and not once per pair of agents.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from engines.clock import seconds
from engines.compiled import helper
from engines.contract import legal, most_moves, suggest
from engines.errors import InputError
from engines.game import Game
from engines.random import below
from solvers.desk import Desk, new_desk
from solvers.expectimax import expectimax
from solvers.mcts import root_of, search
from solvers.tree import SIZE, Forest, most_visited, new_forest, tally

RANDOM, GREEDY, TREES, EXPECTIMAX = range(4)
NODES_A_SIMULATION = 12  # more is never needed in practice, and a full tree still learns
TIMED_NODES, TIMED_RESULTS = 1 << 20, 1 << 16  # of a search by the clock
ENTRIES = 1 << 16  # states in the table of expectimax
DEEPEST = 32
NO_LIMIT = 1 << 40


class Agent(NamedTuple):
    """An agent in numbers; ``AGENT`` is the same for compiled code."""

    kind: int
    sims: int = 0  # of all trees together
    seconds: float = 0.0  # the budget instead of sims, if not 0
    explore: float = 0.0
    greed: float = 0.0
    limit: int = 0
    reach: int = 0
    trees: int = 1  # independent ones, whose moves are counted together
    open: int = 0  # 1 if each tree is one world with open cards
    depth: int = 0  # of expectimax,
    nodes: int = 0  # and how many states it may look at, if not 0


AGENT = np.dtype(
    (np.record, [(name, "f8" if kind is float else "i8") for name, kind in Agent.__annotations__.items()])
)


@dataclass(frozen=True)
class Option:
    """A number that an agent's text can set."""

    name: str
    default: float
    low: float
    high: float
    meaning: str
    whole: bool = False

    def read(self, text: str) -> float:
        """Return the value that a user gave."""
        try:
            value = int(text) if self.whole else float(text)
        except ValueError:
            value = float("nan")
        if not self.low <= value <= self.high:
            kind = "whole number" if self.whole else "number"
            raise InputError(f"{self.name}={text[:40]}: expected a {kind} from {self.low:g} to {self.high:g}")
        return value


@dataclass(frozen=True)
class Kind:
    """A kind of agent, and what can be set."""

    meaning: str
    options: tuple[Option, ...] = ()


_SIMS = Option("sims", 1000, 1, 10_000_000, "simulations a move", whole=True)
_TIME = Option("time", 0, 0, 86_400, "seconds a move, instead of sims; 0: no limit")
_SEARCH = (
    Option("reach", 0, 0, 1000, "decisions inside the tree, the policy plays on; 0: no bound", whole=True),
    Option("c", 0.2, 0, 100, "exploration: how much little-tried moves are favoured"),
    Option("greed", 1.0, 0, 1, "chance that a playout follows the greedy policy, not a random move"),
    Option(
        "cut", 1, 0, 1_000_000, "decisions until a playout is cut off (0 to 3 more); 0: never", whole=True
    ),
)
KINDS = {
    "random": Kind("any legal move"),
    "greedy": Kind("the game's hand-written quick policy"),
    "ismcts": Kind(
        "Monte Carlo tree search over what each player knows, a new world each simulation",
        (
            _SIMS,
            _TIME,
            *_SEARCH,
            Option("trees", 1, 1, 1000, "independent trees that share the budget", True),
        ),
    ),
    "pimc": Kind(
        "Monte Carlo tree search with open cards in sampled worlds, which vote",
        (_SIMS, _TIME, *_SEARCH, Option("worlds", 20, 1, 10_000, "worlds that share the budget", True)),
    ),
    "expectimax": Kind(
        "every move and chance outcome to a depth, with an estimate behind it",
        (
            Option("depth", 2, 1, DEEPEST, "decisions to look ahead", True),
            Option("worlds", 10, 1, 10_000, "sampled worlds, where something is hidden", True),
            Option("nodes", 100_000, 0, 10**12, "states to look at; 0: no limit", True),
            _TIME,
        ),
    ),
}


def settings(text: str, game: Game) -> tuple[str, dict[str, float]]:
    """Read an agent's description: a kind, then options, as in ``ismcts:sims=500,c=0.9``.

    Returns the kind and the value of all its options. What the text does not say is the default, which a
    game may set for itself.
    """
    name, _, rest = text.partition(":")
    if name not in KINDS:
        raise InputError(f"unknown agent {name[:40]!r}: expected one of {', '.join(KINDS)}")
    known = {option.name: option for option in KINDS[name].options}
    values = {option.name: option.default for option in known.values()} | game.search.get(name, {})
    for part in filter(None, rest.split(",")):
        key, _, value = part.partition("=")
        if key not in known:
            raise InputError(f"{name} has no option {key[:40]!r}: expected {', '.join(known) or 'none'}")
        values[key] = known[key].read(value)
    return name, values


def full_text(text: str, game: Game) -> str:
    """Return an agent's description with the value of every option: equal texts, equal agents."""
    name, values = settings(text, game)
    return ":".join(filter(None, [name, ",".join(f"{key}={value:.15g}" for key, value in values.items())]))


def parse_agent(text: str, game: Game) -> Agent:
    """Return the agent of a description."""
    name, values = settings(text, game)
    if name in ("random", "greedy"):
        return Agent(RANDOM if name == "random" else GREEDY)
    if name == "expectimax":
        return Agent(
            EXPECTIMAX,
            seconds=float(values["time"]),
            trees=int(values["worlds"]),
            depth=int(values["depth"]),
            nodes=int(values["nodes"]),
        )
    return Agent(
        TREES,
        sims=int(values["sims"]),
        seconds=float(values["time"]),
        explore=float(values["c"]),
        greed=float(values["greed"]),
        limit=int(values["cut"]) or NO_LIMIT,
        reach=int(values["reach"]) or NO_LIMIT,
        trees=int(values["worlds" if name == "pimc" else "trees"]),
        open=int(name == "pimc"),
    )


def agent_rows(agents: Sequence[Agent]) -> np.ndarray:
    """Return agents for compiled code."""
    return np.array([tuple(agent) for agent in agents], AGENT)


class Workspace(NamedTuple):
    """Room in which agents think; nothing in it outlives a decision."""

    moves: np.ndarray
    world: np.ndarray
    forest: Forest
    visits: np.ndarray
    totals: np.ndarray
    desk: Desk


def workspace(game: Game, rules: Any, agents: Sequence[Agent]) -> Workspace:
    """Make room for any of some agents."""
    n = most_moves(rules)
    deep = any(agent.kind == EXPECTIMAX for agent in agents)
    return Workspace(
        moves=np.zeros(n, np.int64),
        world=np.zeros(2, game.state_type),
        forest=new_forest(n + max(tree_room(agent) for agent in agents), most_results(agents)),
        visits=np.zeros(n, np.int64),
        totals=np.zeros(n, np.float64),
        desk=new_desk(game, rules, max(1, *(agent.depth for agent in agents)), ENTRIES if deep else 0),
    )


def tree_room(agent: Agent) -> int:
    """Return how many nodes one tree of an agent should have room for."""
    if agent.kind != TREES:
        return 1
    return TIMED_NODES if agent.seconds else 64 + NODES_A_SIMULATION * -(-agent.sims // agent.trees)


@helper
def thinks(agent: Any) -> bool:
    """Return whether an agent searches."""
    return agent.kind != RANDOM and agent.kind != GREEDY


@helper
def choose_quickly(rules: Any, view: np.ndarray, agent: Any, moves: np.ndarray, rng: np.ndarray) -> int:
    """Return the move of an agent that does not search, which needs no work space.

    To hand one over takes longer than a quick move: every array in it is counted in and out.
    """
    n = legal(rules, view[0], moves)
    if n == 1:
        return moves[0]
    if agent.kind == RANDOM:
        return moves[below(rng, n)]
    return suggest(rules, view[0], moves, n, rng)


def most_results(agents: Sequence[Agent]) -> int:
    """Return how many results of one move a tree should remember."""
    return max(TIMED_RESULTS if agent.seconds else agent.sims for agent in agents)


@helper
def choose(rules: Any, view: np.ndarray, seat: int, agent: Any, work: Workspace, rng: np.ndarray) -> int:
    """Return an agent's move, given the view of the seat to move."""
    if not thinks(agent):
        return choose_quickly(rules, view, agent, work.moves, rng)
    n = legal(rules, view[0], work.moves)
    if n == 1:
        return work.moves[0]
    if agent.kind == EXPECTIMAX:
        place = expectimax(
            rules, view, work.desk, agent.trees, agent.depth, agent.nodes, agent.seconds, rng, work.totals
        )
        return work.moves[place]
    return work.moves[grow_trees(rules, view, seat, n, agent, work, rng)]


@helper
def grow_trees(
    rules: Any, view: np.ndarray, seat: int, n: int, agent: Any, work: Workspace, rng: np.ndarray
) -> int:
    """Search in all trees of an agent and return the place of the move they like best."""
    for i in range(n):
        work.visits[i] = 0
        work.totals[i] = 0.0
    began = seconds() if agent.seconds > 0.0 else 0.0
    for tree in range(agent.trees):
        work.forest.counts[SIZE] = 0
        sims = agent.sims // agent.trees + int(tree < agent.sims % agent.trees)
        deadline = 0.0
        if agent.seconds > 0.0:
            sims = NO_LIMIT
            deadline = began + agent.seconds * (tree + 1) / agent.trees
        search(rules, view, agent, work.world, work.forest, sims, deadline, rng)
        tally(work.forest, root_of(rules, agent, seat), n, work.visits, work.totals)
    return most_visited(n, work.visits, work.totals)
