# SPDX-License-Identifier: Apache-2.0
"""How each planner looks in every picture: a colour per family, a shape and a dash within it."""

# Okabe and Ito's colours, which people with colour blindness tell apart, darkened where they are thin on white.
FAMILIES = [
    ("#0072b2", ["auto", "search", "moccasin"]),
    ("#7a4fa3", ["hiremate", "rockmate", "checkmate", "checkmate-lp", "rk-rotor", "rk-checkmate"]),
    ("#00866a", ["rotor", "revolve", "pofo", "treewidth", "multistage-revolve", "rotor-disk"]),
    ("#d55e00", ["chen-sqrt", "chen-greedy", "chen-recursive", "kusumoto-exact", "kusumoto-approx"]),
    ("#b8458a", ["dtr", "coop", "xla-greedy"]),
    ("#8a6d00", ["torch-mincut"]),
    ("#2f9fd0", ["poet", "offload-greedy", "offload-greedy-star", "offload-chain", "offmate"]),
    ("#8a949e", ["keep-all", "recompute-all", "last-node"]),
]
SHAPES = ["circle", "square", "diamond", "up", "down", "cross", "plus"]
DASHES = ["", "6 3", "2 3", "8 3 2 3", "4 2", "1 3", "10 4"]
OTHER = "#444f59"

ORDER = [name for _, names in FAMILIES for name in names]


def style(planner: str) -> tuple[str, str, str]:
    """Colour, shape, dash. Planners that nobody listed are told apart by their shape."""
    for colour, names in FAMILIES:
        if planner in names:
            i = names.index(planner)
            return colour, SHAPES[i % len(SHAPES)], DASHES[i % len(DASHES)]
    i = sum(map(ord, planner))
    return OTHER, SHAPES[i % len(SHAPES)], DASHES[i % len(DASHES)]


def in_order(planners) -> list[str]:
    known = [name for name in ORDER if name in planners]
    return known + sorted(set(planners) - set(known))
