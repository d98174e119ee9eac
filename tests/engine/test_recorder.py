"""Watchers are told of every op with the arguments the learner wrote."""

import autograd_lab as torch
from autograd_lab.recorder import watch, watchers


class Notes:
    def __init__(self):
        self.told = []

    def recorded(self, card, arguments, result, in_place=False):
        self.told.append((card.name, arguments, result, in_place))


def test_a_number_is_told_as_a_number_and_untracked_ops_are_told_too():
    x = torch.tensor(2.0, requires_grad=True)
    with watch(Notes()) as notes:
        y = x * 3
        with torch.no_grad():
            x * 4
    assert [(n, a["other"]) for n, a, _, _ in notes.told] == [("mul", 3), ("mul", 4)]
    assert notes.told[0][2] is y and notes.told[0][1]["self"] is x
    assert watchers == []


def test_a_cast_operand_is_told_as_it_was():
    x, d = torch.tensor([1.0], requires_grad=True), torch.tensor([2.0], dtype=torch.float64)
    with watch(Notes()) as notes:
        x * d
    assert notes.told[0][1]["self"] is x and notes.told[0][1]["other"] is d


def test_an_in_place_op_is_told_once_with_the_value_before():
    y = torch.tensor([1.0, 2.0], requires_grad=True) * 2
    with watch(Notes()) as notes:
        y += 1
    ((name, arguments, result, in_place),) = notes.told
    assert (name, in_place, arguments["other"]) == ("add", True, 1)
    assert result is y and arguments["self"].tolist() == [2.0, 4.0] and y.tolist() == [3.0, 5.0]
