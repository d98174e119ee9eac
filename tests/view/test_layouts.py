"""Our own layouts: frames keep apart, and a long chain stands in one line."""

from __future__ import annotations

from itertools import combinations

import pytest

import autograd_lab
from autograd_lab import draw_graph, record
from autograd_lab.view.chain import chain_in
from autograd_lab.view.layered import layered
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
def test_a_long_chain_is_one_straight_line_without_overlaps(rankdir):
    picture = draw_graph(chain(20), rankdir=rankdir).picture
    layout = lay_out(picture)
    assert layout.engine == "layered"
    line = [picture.by_key[key] for key in chain_in(picture).line]
    assert len({layout.centres[node.key][rankdir == "LR"] for node in line}) == 1
    assert not any(overlap(a, b) for a, b in combinations(areas_of(picture, layout).values(), 2))
    head = heads(picture)
    assert set(layout.routes) == {e.forward_id for e in picture.edges if head[e.source] != head[e.target]}


def test_what_branches_is_no_chain():
    y = chain(20)
    assert chain_in(read_graph(y)) is not None
    assert chain_in(read_graph(autograd_lab.tanh(y) + autograd_lab.exp(y))) is None


def test_a_finished_loss_of_ours_knows_its_modules():
    net = Residual()
    with record():
        loss = (net(autograd_lab.ones(1, 2)) - 1) ** 2
    titles = [cluster.title for cluster in draw_graph(loss).picture.clusters]
    assert titles[:4] == ["Residual", "0 : Sequential", "0 : Linear", "1 : Tanh"]
    assert draw_graph(loss, modules=False).picture.clusters == ()
    assert draw_graph(loss, collapse=("Sequential",)).picture.notes[0].startswith("Modules are collapsed")
