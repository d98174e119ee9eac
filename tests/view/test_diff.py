"""Two pictures compared: exactly what differs is marked, and one library against the other differs in nothing."""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree

import pytest

import autograd_lab
from autograd_lab.view.diff import compared
from autograd_lab.view.drawing import drawing_of
from autograd_lab.view.names import Names
from autograd_lab.view.picture import read_graph

from .test_picture import PROGRAMS, no_background_recorder, pictured  # noqa: F401

NONE = "Compared: no difference."


def read(outputs, **names):
    return read_graph(outputs, Names(names.items()))


def leaf(number=2.0):
    return autograd_lab.tensor(number, requires_grad=True)


def marks(picture, change):
    return [node.name or node.value for node in picture.nodes if node.change == change and node.kind in ("op", "leaf")]


def two_steps(x, middle=lambda h: h):
    return (middle(x * 3) + 1).exp()


@pytest.mark.parametrize("make", PROGRAMS, ids=lambda make: make.__name__)
def test_a_picture_does_not_differ_from_itself(make):
    picture = pictured(make, autograd_lab)
    same = compared(picture, pictured(make, autograd_lab))
    assert same.notes[-1] == NONE
    assert same.nodes == picture.nodes and same.edges == picture.edges


@pytest.mark.parametrize("make", PROGRAMS, ids=lambda make: make.__name__)
def test_our_graph_does_not_differ_from_pytorchs(make):
    torch = pytest.importorskip("torch")
    assert compared(pictured(make, torch), pictured(make, autograd_lab)).notes[-1] == NONE


def test_an_operation_in_between_is_the_only_one_added():
    x = leaf()
    old, new = read(two_steps(x), x=x), read(two_steps(x, autograd_lab.tanh), x=x)
    picture = compared(old, new)
    assert marks(picture, "added") == ["tanh"] and marks(picture, "removed") == []
    assert "1 operation added, 0 removed" in picture.notes[-1]
    (tanh,) = (node for node in picture.nodes if node.name == "tanh")
    assert tanh.tags[-1] == "+ added"


def test_the_other_way_round_it_is_removed_and_still_drawn():
    x = leaf()
    old, new = read(two_steps(x, autograd_lab.tanh), x=x), read(two_steps(x), x=x)
    picture = compared(old, new)
    assert marks(picture, "removed") == ["tanh"] and marks(picture, "added") == []
    removed = {node.key for node in picture.nodes if node.change == "removed"}
    assert removed.isdisjoint(node.key for node in new.nodes)
    gone = [edge for edge in picture.edges if edge.change == "removed"]
    assert {e.source for e in gone} | {e.target for e in gone} > removed


def test_changed_values_say_what_they_were():
    x, z = leaf(2.0), leaf(5.0)
    picture = compared(read(x * 3, x=x), read(z * 3, x=z))
    told = {node.kind: node.tags[-1] for node in picture.nodes if node.change == "changed"}
    assert told == {"leaf": "~ value was 2", "result": "~ value was 6"}


def test_a_result_goes_with_its_operation():
    x = leaf()
    picture = compared(read((x * 3 + 1).exp(), x=x), read((x * 4).tanh() + 1, x=x))
    for node in picture.nodes:
        if node.kind == "result":
            made_by = picture.by_key[node.of]
            assert (node.change == "added") == (made_by.change == "added")
            assert (node.change == "removed") == (made_by.change == "removed")


def test_a_changed_constant():
    x = leaf()
    picture = compared(read(x**2, x=x), read(x**3, x=x))
    told = [(node.kind, node.tags[-1]) for node in picture.nodes if node.change]
    assert ("number", "~ value was 2") in told


def test_a_gradient_that_arrived():
    x = leaf()
    y = x * 3
    old = read(y, x=x)
    y.backward()
    (changed,) = (
        node for node in compared(old, read(y, x=x)).nodes if node.change == "changed" and node.kind == "leaf"
    )
    assert changed.tags[-1] == "~ grad was None"


def test_a_changed_shape():
    x, z = autograd_lab.ones(2, requires_grad=True), autograd_lab.ones(3, requires_grad=True)
    picture = compared(read(x.sum(), x=x), read(z.sum(), x=z))
    assert [n.tags[-1] for n in picture.nodes if n.kind == "leaf"] == ["~ shape was (2,)"]


def test_another_leaf_is_added_and_the_old_one_removed():
    x, w = leaf(), leaf()
    picture = compared(read(x * 3, x=x), read(w * 3, w=w))
    assert marks(picture, "added") == ["w"] and marks(picture, "removed") == ["x"]


def test_every_key_and_edge_id_stays_unique_and_the_drawing_parses():
    x = leaf()
    old = read((x * x + x.exp()).sin() * x, x=x)
    new = read(((x * x).tanh() + x * 2) / x, x=x)
    picture = compared(old, new)
    assert max(Counter(node.key for node in picture.nodes).values()) == 1
    assert max(Counter(edge.forward_id for edge in picture.edges).values()) == 1
    svg = ElementTree.fromstring(drawing_of(picture).svg)
    ids = Counter(element.get("id") for element in svg.iter() if element.get("id"))
    assert max(ids.values()) == 1


def test_a_long_chain_is_compared_in_no_time():
    x = leaf()

    def chain(at):
        y = x
        for i in range(3000):
            y = autograd_lab.tanh(y) if i == at else y * 2
        return read_graph(y, Names([("x", x)]), max_nodes=10**6)

    picture = compared(chain(1000), chain(2000))
    counts = Counter(node.change for node in picture.nodes if node.kind == "op")
    assert counts["added"] == counts["removed"] == 1
