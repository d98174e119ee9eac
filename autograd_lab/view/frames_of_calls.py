"""Frames around boxes: one for each call of a module, for operations under no_grad, and for those of second order."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from autograd_lab.view.folding import Fold
from autograd_lab.view.modules import Call
from autograd_lab.view.parts import LEAF_KINDS, Cluster, PictureEdge, PictureNode
from autograd_lab.view.texts import clean

NO_GRAD, ORDER = "no_grad", "order"


class Frames:
    """Which frame each box stands in, and from that the clusters."""

    def __init__(self, calls: dict[int, Call]) -> None:
        self.calls = calls
        self.of: dict[str, Call | None] = {}
        self.second: set[str] = set()
        self.no_grad: set[str] = set()

    def stands_in(self, key: str, call: Call | None, in_backward: bool = False) -> None:
        self.of[key] = call
        if in_backward:
            self.second.add(key)

    def put_around(self, nodes: list[PictureNode], edges: list[PictureEdge]) -> tuple[list[PictureNode], list[Cluster]]:
        """The boxes, each with the key of its frame, and the frames."""
        if not self.calls and not self.second and not self.no_grad:
            return nodes, []
        users: dict[str, list[str]] = {}
        for edge in edges:
            users.setdefault(edge.source, []).append(edge.target)
        clusters: dict[Any, Cluster] = {}
        framed: dict[str, str] = {}
        used = {id(call): call for node in nodes if (call := self.of.get(node.key)) is not None}
        for call in sorted(used.values(), key=lambda call: call.start):
            self.cluster(clusters, call)
        for node in nodes:
            if node.key in self.no_grad:
                framed[node.key] = self.cluster(clusters, NO_GRAD).key
                continue
            if node.key in self.second:
                framed[node.key] = self.cluster(clusters, ORDER).key
                continue
            call = self.of.get(node.key)
            if node.kind in (*LEAF_KINDS, "frozen"):
                call = common([self.of.get(key) for key in users.get(node.key, ()) if key in self.of])
            if call is not None:
                framed[node.key] = self.cluster(clusters, call).key
        for node in nodes:
            if node.kind == "accumulate" and node.of in framed:
                framed[node.key] = framed[node.of]
        ordered = sorted(clusters.values(), key=lambda cluster: int(cluster.key[1:]))
        return [replace(node, cluster=framed.get(node.key, "")) for node in nodes], ordered

    def cluster(self, clusters: dict[Any, Cluster], what: Any) -> Cluster:
        """The cluster of a call (or of a kind), made with those around it when first met."""
        identity = what if isinstance(what, str) else id(what)
        if identity in clusters:
            return clusters[identity]
        if what == NO_GRAD:
            made = Cluster(f"m{len(clusters)}", NO_GRAD, "no_grad: nothing here is recorded in the graph")
        elif what == ORDER:
            made = Cluster(f"m{len(clusters)}", ORDER, "order 2: made while a gradient was computed")
        else:
            parent = self.cluster(clusters, what.parent).key if what.parent is not None else ""
            made = Cluster(f"m{len(clusters)}", "module", clean(what.title, 60), parent, what.path)
        clusters[identity] = made
        return made


def common(calls: list[Call | None]) -> Call | None:
    """The innermost call around all of these."""
    if not calls or any(call is None for call in calls):
        return None
    chains = [call.around() for call in calls if call is not None]
    together = [level[0] for level in zip(*chains, strict=False) if all(c is level[0] for c in level)]
    return together[-1] if together else None


def frame_of_fold(call: Call, fold: Fold) -> Call | None:
    """The call around a fold: outside the module that was folded."""
    if fold.kind != "module":
        return call
    inside: Call | None = call
    while inside is not None and inside.path != fold.path:
        inside = inside.parent
    return inside.parent if inside is not None else None
