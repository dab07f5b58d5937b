"""x"""
from engines import contract
from engines.dukes.rules import DukesRules
from engines.random import below
@contract.suggest.register
def dukes_suggest(rules: DukesRules, s, moves, n: int, rng) -> int:
    """x"""
    return moves[below(rng, n)]
@contract.evaluate.register
def dukes_evaluate(rules: DukesRules, s, seat: int) -> float:
    """x"""
    return 0.5
