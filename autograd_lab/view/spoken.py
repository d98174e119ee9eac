"""The drawing in words: titles, the description, and what a pointer or a screen reader gets for each mark.

No values stand here, since a step may hide them. The legend explains only what is in the drawing.
"""

from __future__ import annotations

from autograd_lab.view.parts import LEAF_KINDS, Cluster, Picture, PictureEdge, PictureNode, SavedLink
from autograd_lab.view.texts import fit, shape_text


def title_of(picture: Picture) -> str:
    names = [called(picture, picture.by_key[key]) for key in picture.roots]
    return f"Graph of {fit(', '.join(names), 80)}"


def description(picture: Picture) -> str:
    """How many operations and leaves there are, and which: what a screen reader says first."""
    operations = sum(node.kind == "op" for node in picture.nodes)
    leaves = [node for node in picture.nodes if node.kind in LEAF_KINDS]
    names = ", ".join(fit(leaf.name or leaf.key, 40) for leaf in leaves[:8])
    more = ", ..." if len(leaves) > 8 else ""
    count = f"{counted(operations, 'operation')}, {counted(len(leaves), 'leaf', 'leaves')}"
    which = f" ({names}{more})" if names else ""
    forward, backward = "Solid arrows: forward.", "Dashed arrows: the way of the gradients."
    arrows = {"both": f"{forward} {backward}", "forward": forward, "backward": backward}[picture.view]
    frames = [f"Frame: {fit(cluster.title, 60)}." for cluster in picture.clusters[:8]]
    return " ".join([f"{count}{which}. {arrows}", *frames, *picture.notes])


def legend_of(picture: Picture) -> dict[str, str]:
    """Each mark that the drawing uses, and what it means."""
    found: dict[str, str] = {}
    tags = {tag for node in picture.nodes if node.kind not in ("saved", "untracked") for tag in node.tags}
    kinds = {node.kind for node in picture.nodes}
    for kind, (mark, meaning) in KINDS.items():
        if kind in kinds:
            found[mark] = meaning
    if picture.roots:
        found["double border"] = "what was drawn: the result"
    uses = [edge for edge in picture.edges if edge.kind == "use"]
    if any(edge.backward for edge in uses) and picture.view != "backward":
        found["solid arrow"] = "a use of a value, forward"
    if any(edge.backward for edge in uses) and picture.view != "forward":
        found["dashed arrow"] = "the way of the gradient, backward"
    if any(not edge.backward for edge in uses):
        found["grey arrow"] = "a use that no gradient goes back along"
    if any(edge.ordered for edge in uses):
        found["self, other, ..."] = "which argument of the operation it is, where they may not change places"
    if any(edge.local for edge in uses):
        found["local"] = "the local derivative: the gradient that comes back is multiplied by it"
    if any(edge.rule for edge in uses):
        found["grad ..."] = "what goes back along this edge, as a formula"
    if any(edge.summed for edge in uses):
        found["sum over ..."] = "broadcasting is undone: the gradient is summed to the shape of the input"
    if any(edge.kind == "cut" for edge in picture.edges):
        found["dotted arrow with //"] = "a cut: no gradient passes"
    if any(edge.kind == "view" for edge in picture.edges):
        found["dotted curve"] = "a view: it shares the memory of the other tensor"
    if picture.links:
        found["purple dotted link"] = "the operation keeps this tensor for backward, at the version it had then"
    for cluster in picture.clusters:
        found[FRAMES[cluster.kind][0]] = FRAMES[cluster.kind][1]
    for tag, meaning in TAGS.items():
        if tag in tags:
            found[tag] = meaning
    if any(tag[:1] == "v" and tag[1:].isdigit() for tag in tags):
        found["v1, v2, ..."] = "how often the tensor was changed in place"
    if any(tag.startswith("broadcast ") for tag in tags):
        found["broadcast"] = "an input was stretched to the shape of the result"
    for change, meaning in CHANGES.items():
        if any(node.change == change for node in picture.nodes):
            found[change] = meaning
    if any(node.heat is not None for node in picture.nodes):
        found["colour and width"] = "the norm of the gradient, from pale and thin (small) to dark and wide (large)"
    if any(node.failed for node in picture.nodes):
        found["thick red border"] = "the error was raised here"
    return found


KINDS = {
    "leaf": ("thick border, leaf", "a tensor of yours with requires_grad=True"),
    "param": ("thick border, param", "a parameter of a module"),
    "accumulate": ("AccumulateGrad", "adds what arrives to the .grad of the leaf it stands on"),
    "op": ("round box", "an operation: its symbol and its grad_fn"),
    "result": ("white box", "the tensor that the operation made"),
    "number": ("small grey box", "a number"),
    "frozen": ("dashed grey box", "a tensor without gradient"),
    "ref": ("small tinted box", "another use of a tensor that is drawn elsewhere"),
    "fold": ("folder", "operations that are not drawn one by one"),
    "saved": ("purple strip", "what the operation keeps for backward, with its version"),
    "untracked": ("dashed round box", "an operation that is not in the graph"),
}
FRAMES = {
    "module": ("dashed frame", "a call of a module"),
    "no_grad": ("hatched frame", "a no_grad block: computed, but not recorded in the graph"),
    "order": ("frame order 2", "operations made while a gradient was computed (create_graph=True)"),
}
TAGS = {
    "retain_grad": "its .grad is kept although it is no leaf",
    "in-place": "made by changing a tensor in place",
    "view": "shares the memory of another tensor",
    "hook": "a hook is called with its gradient",
    "no grad": "no gradient goes here",
    "detached": "cut from the graph by detach()",
    "freed": "what it saved was freed by backward",
    "overwritten": "what it saved was changed in place since",
}
CHANGES = {
    "added": "only in the new graph",
    "removed": "only in the old graph",
    "changed": "in both graphs, but not the same",
}


def cluster_title(cluster: Cluster) -> str:
    """What a frame is called."""
    return f"module {cluster.title}" if cluster.kind == "module" else cluster.title


def counted(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def called(picture: Picture, node: PictureNode) -> str:
    """What to call a box in a sentence."""
    if node.kind == "accumulate":
        return f"AccumulateGrad of {called(picture, picture.by_key[node.of])}"
    if node.kind in ("op", "untracked"):
        return f"{node.name} ({node.title})"
    if node.kind == "saved":
        return f"saved by {called(picture, picture.by_key[node.of])}"
    if node.kind == "number":
        return "a number"
    return fit(node.name or node.symbol or node.kind, 200)


def node_title(picture: Picture, node: PictureNode) -> str:
    """What the pointer and the screen reader get: no values, since a step may hide them."""
    words = {"result": "result of an operation", "frozen": "tensor without gradient", "ref": "another use of"}
    if node.kind == "fold":
        return ", ".join(text for text in (called(picture, node), node.title, *node.tags, node.why) if text)
    if node.kind in ("op", "accumulate", "number", "saved", "untracked"):
        return ", ".join([called(picture, node), *node.tags])
    kind = words.get(node.kind, "parameter" if node.kind == "param" else node.kind)
    facts = [f"{kind} {called(picture, node)}" if node.kind == "ref" else f"{called(picture, node)}: {kind}"]
    facts.append(f"shape {shape_text(node.shape)}")
    if node.dtype:
        facts.append(node.dtype)
    facts += node.tags
    return ", ".join(facts)


def link_title(picture: Picture, link: SavedLink) -> str:
    """What a link to a saved tensor says."""
    op, tensor = (called(picture, picture.by_key[key]) for key in (link.op, link.tensor))
    as_what = "its result" if link.argument == "result" else f"{tensor} as {link.argument}"
    return f"{op} keeps {as_what} for backward: {link.text}"


def edge_title(picture: Picture, edge: PictureEdge, back: bool = False) -> str:
    source, target = (called(picture, picture.by_key[key]) for key in (edge.source, edge.target))
    if edge.kind == "view":
        return f"{target} is a view of {source}"
    if edge.kind == "cut":
        return f"{source} → {target}, no gradient comes back here"
    if back:
        source, target = target, source
    return f"{source} → {target}" + (f" as {edge.argument}" if edge.argument else "")
