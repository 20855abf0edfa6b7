"""The order of blocks: topological, every loop in one piece, otherwise as in the text.

Divergent lanes run in this order (ptx/c/ptx_lanes.c), so lanes that are ahead wait for the others
at the point of reconvergence.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence

Edges = Sequence[Sequence[int]]


def block_order(successors: Sequence[Sequence[int]]) -> list[int]:
    """Return the nodes 0 .. n-1 of a flow graph, entered at 0, in that order."""
    predecessors: list[list[int]] = [[] for _ in successors]
    for node, following in enumerate(successors):
        for successor in following:
            predecessors[successor].append(node)
    return _order(set(range(len(successors))), successors, predecessors)


def _order(nodes: set[int], edges: Edges, back: Edges) -> list[int]:
    """Order a subgraph: its strongly connected parts topologically, each one inside."""
    inside = {n: [s for s in edges[n] if s in nodes] for n in nodes}
    parts = _strong_parts(nodes, inside)
    part_of = {n: i for i, part in enumerate(parts) for n in part}
    below: list[set[int]] = [set() for _ in parts]
    waits = [0] * len(parts)
    for n in nodes:
        for s in inside[n]:
            if part_of[s] != part_of[n] and part_of[s] not in below[part_of[n]]:
                below[part_of[n]].add(part_of[s])
                waits[part_of[s]] += 1
    ready = [(min(part), i) for i, part in enumerate(parts) if not waits[i]]
    heapq.heapify(ready)
    result: list[int] = []
    while ready:
        _, i = heapq.heappop(ready)
        result += _inside(parts[i], edges, back)
        for s in below[i]:
            waits[s] -= 1
            if not waits[s]:
                heapq.heappush(ready, (min(parts[s]), s))
    return result


def _inside(part: list[int], edges: Edges, back: Edges) -> list[int]:
    """Order a loop: the block where it is entered, then the rest without the edges back to it."""
    if len(part) == 1:
        return part
    nodes = set(part)
    entered = [n for n in part if any(p not in nodes for p in back[n])]
    header = min(entered or part)
    return [header, *_order(nodes - {header}, edges, back)]


def _strong_parts(nodes: set[int], edges: Mapping[int, Sequence[int]]) -> list[list[int]]:
    """Tarjan's strongly connected components, without recursion."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    parts: list[list[int]] = []
    for root in sorted(nodes):
        if root in index:
            continue
        work = [(root, 0)]
        while work:
            node, position = work.pop()
            if position == 0:
                index[node] = low[node] = len(index)
                stack.append(node)
                on_stack.add(node)
            descended = False
            for i in range(position, len(edges[node])):
                following = edges[node][i]
                if following not in index:
                    work += [(node, i + 1), (following, 0)]
                    descended = True
                    break
                if following in on_stack:
                    low[node] = min(low[node], index[following])
            if descended:
                continue
            if low[node] == index[node]:
                part = []
                while True:
                    member = stack.pop()
                    on_stack.discard(member)
                    part.append(member)
                    if member == node:
                        break
                parts.append(part)
            if work:
                parent = work[-1][0]
                low[parent] = min(low[parent], low[node])
    return parts
