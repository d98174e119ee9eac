"""Close a frame of a picture: everything in it becomes one box. Plain data to plain data.

So a page can hold every state of a drawing's frames and switch between them without a kernel (`explore.py`).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from autograd_lab.view.parts import Picture, PictureEdge, PictureNode


def collapsed(picture: Picture, closed: Collection[str]) -> Picture:
    """The picture with these clusters (by key) drawn as one box each.

    >>> from autograd_lab.view.parts import Cluster
    >>> nodes = (PictureNode("n0", "op", cluster="m0"), PictureNode("n1", "op"))
    >>> one = Picture(nodes, (PictureEdge("n0", "n1", 0),), ("n1",), clusters=(Cluster("m0", "module", "fc : Linear"),))
    >>> [(node.kind, node.name) for node in collapsed(one, {"m0"}).nodes]
    [('fold', 'fc : Linear'), ('op', '')]
    """
    outer = {cluster.key: outermost(picture, cluster.key, closed) for cluster in picture.clusters}
    place = {node.key: outer.get(node.cluster, "") for node in picture.nodes}
    titles = {cluster.key: cluster for cluster in picture.clusters}
    last = max(int(node.key[1:]) for node in picture.nodes)
    fold_key: dict[str, str] = {}
    nodes: list[PictureNode] = []
    for node in picture.nodes:
        cluster = place[node.key]
        if not cluster:
            nodes.append(node)
        elif cluster not in fold_key:
            fold_key[cluster] = f"n{last + 1 + len(fold_key)}"
            inside = [n for n in picture.nodes if place[n.key] == cluster]
            count = sum(n.kind == "op" for n in inside)
            about = f"{count} operation{'s' * (count != 1)}"
            nodes.append(
                PictureNode(
                    fold_key[cluster],
                    "fold",
                    name=titles[cluster].title,
                    title=about,
                    cluster=titles[cluster].parent,
                    of=cluster,
                )
            )

    def end(key: str) -> str:
        return fold_key[place[key]] if place[key] else key

    edges: list[PictureEdge] = []
    met: set[tuple[str, str]] = set()
    for edge in picture.edges:
        source, target = end(edge.source), end(edge.target)
        if (source, target) == (edge.source, edge.target):
            edges.append(edge)
        elif source != target and (source, target) not in met and edge.kind != "view":
            met.add((source, target))
            number = sum(t == target for _, t in met) + 99 if target != edge.target else edge.number
            backward = any(e.backward for e in picture.edges if (end(e.source), end(e.target)) == (source, target))
            edges.append(PictureEdge(source, target, number, backward=backward, kind=edge.kind))
    links = []
    for link in picture.links:
        op, tensor = end(link.op), end(link.tensor)
        if op != tensor and (op, tensor) not in {(one.op, one.tensor) for one in links if one.text == link.text}:
            links.append(replace(link, op=op, tensor=tensor))
    roots = tuple(dict.fromkeys(end(key) for key in picture.roots))
    open_clusters = tuple(cluster for cluster in picture.clusters if not outer[cluster.key])
    return replace(
        picture, nodes=tuple(nodes), edges=tuple(edges), roots=roots, clusters=open_clusters, links=tuple(links)
    )


def outermost(picture: Picture, key: str, closed: Collection[str]) -> str:
    """The outermost closed cluster around this one (or itself); empty if all are open."""
    parents = {cluster.key: cluster.parent for cluster in picture.clusters}
    found = ""
    while key:
        if key in closed:
            found = key
        key = parents[key]
    return found
