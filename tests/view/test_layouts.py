"""Our own layouts: frames keep apart, and a long chain stands in one line."""

from __future__ import annotations

from itertools import combinations

import pytest

import autograd_lab
from autograd_lab import draw_graph, record
from autograd_lab.view.boxes import MONO, SANS, box_of
from autograd_lab.view.chain import chain_in
from autograd_lab.view.layered import layered
from autograd_lab.view.parts import SHOWN, PictureNode
from autograd_lab.view.picture import read_graph
from autograd_lab.view.render import lay_out
from autograd_lab.view.units import boxes_of, heads, units_of

nn = autograd_lab.nn


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Sequential(nn.Linear(2, 2), nn.Tanh()) for _ in range(3)])

    def forward(self, x):
        for block in self.blocks:
            x = block(x) + x
        return x.sum()


def chain(steps):
    y = autograd_lab.ones(2, 2, requires_grad=True)
    for _ in range(steps):
        y = autograd_lab.tanh(y @ autograd_lab.ones(2, 2, requires_grad=True)) * 0.5
    return y


def residual(layers):
    """A connection around each layer, and one around both halves of every other."""
    y = autograd_lab.ones(2, 2, requires_grad=True)
    for i in range(layers):
        z = autograd_lab.tanh(y) * 0.5
        y = (autograd_lab.sigmoid(z) + z if i % 2 else z) * 2 + y
    return y


def linear_layers(layers):
    """Each weight is transposed on the way to its layer."""
    net = nn.Sequential(*(part for _ in range(layers) for part in (nn.Linear(2, 2), nn.ReLU())))
    return net(autograd_lab.ones(3, 2)).sum()


def recurrent(steps):
    """Two leaves feed every step: small references hang at all but the first."""
    x = h = autograd_lab.ones(2, 2, requires_grad=True)
    w = autograd_lab.ones(2, 2, requires_grad=True)
    for _ in range(steps):
        h = autograd_lab.tanh(h @ w + x)
    return h


def along(route):
    """Points on a chain of cubic curves."""
    for at in range(0, len(route) - 1, 3):
        p0, p1, p2, p3 = route[at : at + 4]
        for t in (i / 16 for i in range(17)):
            a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
            yield tuple(a * w + b * x + c * y + d * z for w, x, y, z in zip(p0, p1, p2, p3, strict=True))


def areas_of(picture, layout):
    """Left, top, right and bottom of each unit."""
    areas = {}
    for key, unit in units_of(picture, boxes_of(picture)).items():
        x, y = layout.centres[key]
        areas[key] = (x - unit.width / 2, y - unit.height / 2, x + unit.width / 2, y + unit.height / 2)
    return areas


def overlap(a, b):
    return a[0] < b[2] - 0.1 and b[0] < a[2] - 0.1 and a[1] < b[3] - 0.1 and b[1] < a[3] - 0.1


@pytest.mark.parametrize("rankdir", ["LR", "TB"])
def test_a_frame_holds_its_boxes_and_no_others(rankdir):
    picture = draw_graph(Residual(), autograd_lab.ones(1, 2), rankdir=rankdir).picture
    layout = layered(picture)
    parents = {cluster.key: cluster.parent for cluster in picture.clusters}
    for key, area in areas_of(picture, layout).items():
        around, frame = set(), picture.by_key[key].cluster
        while frame:
            around.add(frame)
            frame = parents[frame]
        for name, (left, top, width, height) in layout.frames.items():
            frame_area = (left, top, left + width, top + height)
            assert overlap(area, frame_area) == (name in around), (key, name)
    assert set(layout.frames) == set(parents)


@pytest.mark.parametrize("rankdir", ["LR", "TB"])
@pytest.mark.parametrize(("make", "size"), [(chain, 20), (residual, 7), (linear_layers, 8), (recurrent, 15)])
def test_a_long_chain_is_one_straight_line_without_overlaps(make, size, rankdir):
    picture = draw_graph(make(size), rankdir=rankdir).picture
    layout = lay_out(picture)
    assert layout.engine == "layered"
    found = chain_in(picture)
    assert len({layout.centres[key][rankdir == "LR"] for key in found.line}) == 1
    areas = areas_of(picture, layout)
    assert not any(overlap(a, b) for a, b in combinations(areas.values(), 2))
    for left, top, right, bottom in areas.values():
        assert left > -0.1 and top > -0.1 and right < layout.width + 0.1 and bottom < layout.height + 0.1
    head = heads(picture)
    ends = {e.forward_id: {head[e.source], head[e.target]} for e in picture.edges if head[e.source] != head[e.target]}
    assert set(layout.routes) == set(ends)
    for name, route in layout.routes.items():
        for x, y in along(route):  # with room for the forward and the backward line
            passed = {k for k, area in areas.items() if overlap((x - 4, y - 4, x + 4, y + 4), area)}
            assert passed <= ends[name], (name, picture.by_key[min(passed - ends[name])], x, y)


def test_connections_around_layers_go_over_the_line_in_lanes():
    picture = draw_graph(residual(7)).picture
    skips = chain_in(picture).skips
    assert {lane for *_, lane in skips} == {0, 1}
    layout = lay_out(picture)
    highest = {name: min(y for _, y in layout.routes[name]) for name, *_ in skips}
    roof = min(top for _, top, _, _ in areas_of(picture, layout).values())
    assert any(y < roof for y in highest.values())
    assert all(y >= 0 for y in highest.values())


def test_what_branches_is_no_chain():
    y = chain(20)
    assert chain_in(read_graph(y)) is not None
    assert chain_in(read_graph(autograd_lab.tanh(y) + autograd_lab.exp(y))) is None
    a = autograd_lab.tanh(y)
    b = autograd_lab.exp(a)
    c = b * a  # over b
    crossing = autograd_lab.tanh(c) + b  # from b to after c: the two would cross
    assert chain_in(read_graph(crossing)) is None
    twice = autograd_lab.ones(2, 2, requires_grad=True)
    assert chain_in(read_graph(autograd_lab.tanh(y * twice) * twice)) is None


def test_a_finished_loss_of_ours_knows_its_modules():
    net = Residual()
    with record():
        loss = (net(autograd_lab.ones(1, 2)) - 1) ** 2
    titles = [cluster.title for cluster in draw_graph(loss).picture.clusters]
    assert titles[:4] == ["Residual", "0 : Sequential", "0 : Linear", "1 : Tanh"]
    assert draw_graph(loss, modules=False).picture.clusters == ()
    assert draw_graph(loss, collapse=("Sequential",)).picture.notes[0].startswith("Modules are collapsed")


def test_the_words_of_an_ellipse_stand_inside_it():
    for symbol, title in (("transpose", "TBackward0"), ("max_pool2d", "MaxPool2DWithIndicesBackward0"), ("+", "Add")):
        node = PictureNode("n0", "op", name=symbol, title=title)
        box = box_of(node, {}, SHOWN)
        assert box.outline == "ellipse"
        for row, size, font in zip(box.rows, (15, 9), (MONO, SANS), strict=True):
            for y in (row.y - size * 0.7, row.y):  # the letters reach from here to here
                reach = box.width / 2 * (1 - ((y - box.height / 2) / (box.height / 2)) ** 2) ** 0.5
                assert len(row.text) * size * font / 2 < reach, (symbol, row.text)
