"""The meld solver: which cards can lie together, how, and what to move.

``dukes_*`` answers for Dukes Up!, ``river_*`` for Up and Down the River; ``verify`` checks every answer
without using any of them. Modules named ``*_kernel`` are compiled; all others start without Numba.
"""
