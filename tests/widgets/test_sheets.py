"""Tables to fill in: right answers are PyTorch's or arithmetic, each wrong answer has its reason.

Where the same program can run in both libraries, it does, and both sheets ask the same.
"""

import re
import warnings

import pytest

import autograd_lab
from autograd_lab.widgets import inspector, leaf_sorter, ledger, path_check, timeline, version_tags
from autograd_lab.widgets.answers import Wrong, kept, same
from autograd_lab.widgets.sheet import Cell

RULE = re.compile(r"M\d+|R\d+|device|timeline|[a-z]+\.[a-z-]+")
PAGES = ("data", "device", "dtype", "requires_grad", "grad", "grad_fn", "is_leaf")


@pytest.fixture(params=["autograd_lab", "torch"])
def torch(request):
    """Our package and, where it is installed, PyTorch."""
    return pytest.importorskip(request.param, reason="torch is not installed")


def rights(sheet):
    return {cell.id: cell.right for cell in sheet.cells}


def reason(sheet, cell_id, answer):
    """What whoever gives this answer is told."""
    (found,) = (cell for cell in sheet.cells if cell.id == cell_id)
    return next(wrong.reason for wrong in found.wrong if same(wrong.answer, answer))


def rule(sheet, cell_id, answer):
    (found,) = (cell for cell in sheet.cells if cell.id == cell_id)
    return next(wrong.rule for wrong in found.wrong if same(wrong.answer, answer))


def square(torch):
    x = torch.tensor(4.0, requires_grad=True)
    return x, x**2


STEP = """
w = torch.tensor(2.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
loss = (w * 3 - 1) ** 2
loss.backward()
opt.step()
loss = (w * 3 - 1) ** 2
loss.backward()
opt.zero_grad()
"""
FORWARD = """
w = torch.tensor(3.0, requires_grad=True)
a = w * 2
b = torch.exp(a)
loss = b + a ** 2
"""
CARDS = """
x = torch.tensor(2.0, requires_grad=True)
c = torch.tensor(3.0)
w = torch.nn.Parameter(torch.tensor([1.0]))
y = x * c
d = y.detach()
r = y * 2
r.retain_grad()
k = c + 1
u = torch.tensor(1.0, requires_grad=True)
loss = (r * w + d).sum()
"""


def many_sheets(torch):
    """One sheet of each kind, for what must hold for all."""
    x, z = square(torch)
    loss = x * x + 3 * x
    return [
        inspector(x, z, draw=True),
        ledger(loss, wrt=x),
        ledger(lambda x: (x * x).sum(), wrt="x", x=[1.0, 2.0]),
        leaf_sorter(CARDS),
        timeline(STEP, ["w", "w.grad", "saved(loss)", "nodes(loss)"], errors=True),
        version_tags(FORWARD, ["a.add_(1)", "b.mul_(2)", "w.add_(1)", (2, "a.add_(1)"), "a = a + 1", "a.data.mul_(2)"]),
        path_check(loss, {"x": x, "z": z, "u": torch.tensor(1.0, requires_grad=True), "c": torch.tensor(1.0)}),
    ]


# What holds for every sheet --------------------------------------------------------------------------


def test_every_wrong_answer_has_a_reason_and_none_is_right(torch):
    for sheet in many_sheets(torch):
        assert len({cell.id for cell in sheet.cells}) == len(sheet.cells)
        for cell in sheet.cells:
            answers = [wrong.answer for wrong in cell.wrong]
            assert not any(same(answer, cell.right) for answer in answers), cell
            assert not any(same(a, b) for i, a in enumerate(answers) for b in answers[:i]), cell
            assert all(len(wrong.reason) > 20 and RULE.fullmatch(wrong.rule) for wrong in cell.wrong), cell
            assert cell.because, cell
            if cell.options:
                assert cell.right in cell.options
                assert set(cell.options) - {cell.right} <= set(answers), cell
            else:
                assert cell.wrong or cell.otherwise, cell


def test_nothing_is_answered_at_first_and_the_text_says_all_that_the_page_says(torch):
    for sheet in many_sheets(torch):
        text, html = sheet.text(), sheet.html()
        open_cells = sum(isinstance(c, Cell) for row in sheet.open_rows() for c in row.cells)
        assert text.count("not answered") == html.count("not answered") == open_cells > 0
        for row in sheet.open_rows():
            assert row.head.replace("`", "") in text
            for entry in row.cells:
                for told in entry.options if isinstance(entry, Cell) else [entry]:
                    assert told.replace("`", "") in text


def test_what_is_stored_is_text_and_simple_html_and_the_same_each_time(torch, monkeypatch):
    monkeypatch.setenv("AUTOGRAD_LAB_OUTPUT", "stored")
    first, second = ([sheet._repr_mimebundle_() for sheet in many_sheets(torch)] for _ in range(2))
    assert first == second
    for bundle in first:
        assert set(bundle) == {"text/plain", "text/html"}
        assert "0x" not in bundle["text/plain"] and "<script" not in bundle["text/html"]


def test_the_widget_stands_beside_the_text_when_live(monkeypatch):
    monkeypatch.delenv("AUTOGRAD_LAB_OUTPUT", raising=False)
    data, _ = inspector(*square(autograd_lab))._repr_mimebundle_()
    assert set(data) == {"text/plain", "text/html", "application/vnd.jupyter.widget-view+json"}


def test_looking_leaves_no_trace(torch):
    x, z = square(torch)
    loss = z * x
    versions = x._version, z._version
    inspector(x, z, loss)
    ledger(loss, wrt=x)
    ledger(loss, wrt=z)
    leaf_sorter(x=x, z=z, loss=loss)
    path_check(loss, [x])
    assert x.grad is None and (x._version, z._version) == versions and not z.retains_grad
    loss.backward()
    assert x.grad.item() == 3 * 4.0**2


def test_the_answers_are_told_to_who_listens():
    heard = []
    sheet = inspector(x=square(autograd_lab)[0])
    sheet.listeners.append(lambda key, state: heard.append((key, state["state"])))
    sheet.widget.states = {"x.data": {"state": "right", "typed": "4", "tries": 1, "rule": ""}}
    assert heard == [("x.data", "right")]
    assert "4 (right)" in sheet.text()


def test_equal_wrong_answers_are_joined_and_a_wrong_answer_that_is_right_goes():
    told = [Wrong("8", "A.", "M1"), Wrong("16", "B.", "M2"), Wrong("16.0", "C.", "M3"), Wrong("none", "D.", "M4")]
    assert [(w.answer, w.reason) for w in kept("8.0", told)] == [("16", "B. Or: C."), ("none", "D.")]


# inspector -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("after", [False, True], ids=["before backward", "after backward"])
def test_the_inspector_agrees_with_the_attributes_themselves(torch, after):
    x, z = square(torch)
    if after:
        z.backward()
    asked = rights(inspector(x, z))
    assert asked == {
        "x.data": "4", "z.data": "16", "x.device": "cpu", "z.device": "cpu",
        "x.dtype": "torch.float32", "z.dtype": "torch.float32", "x.requires_grad": "True", "z.requires_grad": "True",
        "x.grad": "8" if after else "None", "z.grad": "None", "x.grad_fn": "None", "z.grad_fn": "PowBackward0",
        "x.is_leaf": "True", "z.is_leaf": "False",
    }  # fmt: skip


def test_the_inspector_names_beliefs(torch):
    x, z = square(torch)
    sheet = inspector(x, z)
    assert rule(sheet, "x.grad", "0") == "M7" and "None" in reason(sheet, "x.grad", "0")
    assert "not kept" in reason(sheet, "z.grad", "0") or "non-leaf" in reason(sheet, "z.grad", "0")
    assert rule(sheet, "z.is_leaf", "True") == "M2"
    z.backward()
    sheet = inspector(x, z)
    assert "value of" in reason(sheet, "x.grad", "4")
    assert "x.grad" in reason(sheet, "x.data", "8")


def test_the_inspector_shows_what_is_too_much_to_type(torch):
    big = torch.zeros(3, 4)
    row = inspector(big=big).rows[0]
    assert row.head == "`data`" and row.cells == ("all 0",)


def test_only_tensors_can_be_inspected():
    with pytest.raises(TypeError, match="inspector needs tensors, but argument 1 is of type float"):
        inspector(4.0)
    with pytest.raises(TypeError, match="at least one tensor"):
        inspector()


# ledger ----------------------------------------------------------------------------------------------


def test_the_ledger_of_a_tensor_that_is_used_three_times(torch):
    """x*x + 3*x at 4: 3 from the product with 3, 4 and 4 from the square, 11 in all."""
    x = torch.tensor(4.0, requires_grad=True)
    asked = rights(ledger(x * x + 3 * x, wrt=x))
    assert (asked["count"], asked["sum"], asked["grad"]) == ("3", "11", "11")
    assert sorted(asked[f"entry.{i}"] for i in (1, 2, 3)) == ["3", "4", "4"]


def test_the_ledger_of_a_diamond_and_of_a_tensor_in_the_middle(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    loss = y * y + y
    asked = rights(ledger(loss, wrt=y))
    assert (asked["count"], asked["sum"], asked["grad"]) == ("3", "13", "None")
    assert rights(ledger(loss, wrt=x)) == {"count": "1", "entry.1": "39", "grad": "39"}


def test_the_ledger_says_that_grad_is_added_to(torch):
    x = torch.tensor(4.0, requires_grad=True)
    (x * 2).backward()
    sheet = ledger(x * x, wrt=x)
    assert rights(sheet)["grad"] == "10"
    assert rule(sheet, "grad", "8") == "M7" and "not overwritten" in reason(sheet, "grad", "8")


def test_the_ledger_names_beliefs(torch):
    x = torch.tensor(4.0, requires_grad=True)
    a, b = x * 2, x * 5
    sheet = ledger(a + b, wrt=x)
    assert rule(sheet, "sum", "10") == "M9" and "multiplied" in reason(sheet, "sum", "10")
    assert "as if it replaced" in reason(sheet, "sum", rights(sheet)["entry.2"])
    assert rule(sheet, "count", "1") == "M8"


def test_the_sums_of_a_vector_ledger_are_pytorchs():
    real = pytest.importorskip("torch")
    x = autograd_lab.tensor([1.0, 2.0], requires_grad=True)
    w = real.tensor([1.0, 2.0], requires_grad=True)
    ours, theirs = (x * x.exp() + x.sum() * x).sum(), (w * w.exp() + w.sum() * w).sum()
    (grad,) = real.autograd.grad(theirs, w)
    assert same(rights(ledger(ours, wrt=x))["sum"], str(grad.tolist()))


def test_a_ledger_of_a_function_follows_its_inputs():
    sheet = ledger(lambda x: x * x + 3 * x, wrt="x", x=4.0)
    assert rights(sheet)["sum"] == "11"
    sheet.wished({"x": " 5 "})
    assert (rights(sheet)["sum"], sheet.edit.fields) == ("13", (("x", "5"),))
    with pytest.raises(ValueError, match="x = 'five' is no number"):
        sheet.wished({"x": "five"})


def test_the_rows_of_a_ledger_hide_until_the_number_is_known():
    x = autograd_lab.tensor(4.0, requires_grad=True)
    sheet = ledger(x * x, wrt=x)
    assert "entry 1" not in sheet.text()
    sheet.states = {"count": {"state": "right", "typed": "2", "tries": 1}}
    assert "entry 1" in sheet.text()


def test_a_ledger_of_what_is_not_in_the_graph_says_so(torch):
    x, u = torch.tensor(1.0, requires_grad=True), torch.tensor(1.0, requires_grad=True)
    with pytest.raises(ValueError, match="not in the graph of this loss"):
        ledger(x * 2, wrt=u)


# leaf_sorter -----------------------------------------------------------------------------------------


def test_the_leaf_sorter_agrees_with_what_backward_really_leaves(torch):
    sheet = leaf_sorter(CARDS)
    space = {"torch": torch}
    exec(CARDS, space)
    space["loss"].backward()
    tensors = {name: thing for name, thing in space.items() if hasattr(thing, "is_leaf")}
    expected = {}
    for name, tensor in tensors.items():
        leaf = "leaf" if tensor.is_leaf else "not a leaf"
        expected[f"{name}.place"] = f"{leaf}, {'tracked' if tensor.requires_grad else 'not tracked'}"
        with warnings.catch_warnings(action="ignore"):  # .grad of a non-leaf
            expected[f"{name}.grad"] = "None" if tensor.grad is None else "a tensor"
    assert rights(sheet) == expected
    assert rule(sheet, "d.place", "not a leaf, not tracked") == "M2"


def test_the_leaf_sorter_takes_tensors_and_a_dict(torch):
    x, z = square(torch)
    assert rights(leaf_sorter(x=x, z=z)) == rights(leaf_sorter({"x": x, "z": z}))
    assert [row.head for row in leaf_sorter(x=x).rows] == ["`x`"]


# timeline --------------------------------------------------------------------------------------------


def test_the_timeline_of_a_training_step(torch):
    """(3w - 1)^2 at w = 2: slope 2 * 5 * 3 = 30; w = 2 - 0.1 * 30 = -1; there 2 * -4 * 3 = -24, and 30 - 24 = 6."""
    asked = rights(timeline(STEP, ["w", "w.grad", "saved(loss)"]))
    assert [asked[f"{i}.w"] for i in range(1, 9)] == ["2", "2", "2", "2", "-1", "-1", "-1", "-1"]
    assert [asked[f"{i}.w.grad"] for i in range(1, 9)] == ["None", "None", "None", "30", "30", "30", "6", "None"]
    assert [asked[f"{i}.saved(loss)"] for i in range(3, 9)] == ["kept", "freed", "freed", "kept", "freed", "freed"]


def test_the_timeline_names_beliefs(torch):
    sheet = timeline(STEP, ["w", "w.grad"])
    assert rule(sheet, "7.w.grad", "-24") == "M7" and "does not overwrite" in reason(sheet, "7.w.grad", "-24")
    assert "mean" in reason(sheet, "7.w.grad", "3")
    assert "learning rate is missing" in reason(sheet, "5.w", "-28")
    assert "against the gradient" in reason(sheet, "5.w", "5")
    assert "step does" in reason(sheet, "4.w", "-1")
    assert rule(sheet, "8.w.grad", "0") == "M7"


def test_a_timeline_asks_which_line_raises(torch):
    code = "x = torch.tensor(2.0, requires_grad=True)\ny = x ** 2\ny.backward()\ny.backward()\nz = y"
    sheet = timeline(code, ["x.grad"], errors=True)
    asked = rights(sheet)
    assert [asked[f"{i}.error"] for i in range(1, 5)] == ["runs"] * 3 + ["raises an error"]
    assert "5." not in sheet.text() and "freed" in reason(sheet, "4.error", "runs")


def test_nothing_is_saved_by_a_sum_so_a_second_backward_runs(torch):
    code = "x = torch.tensor(2.0, requires_grad=True)\ny = x + 3\ny.backward()\ny.backward()"
    asked = rights(timeline(code, ["x.grad", "saved(y)"], errors=True))
    assert asked["4.error"] == "runs" and asked["4.x.grad"] == "2" and asked["4.saved(y)"] == "nothing saved"


def test_a_timeline_takes_a_function_and_variables(torch):
    start = torch.tensor(1.0, requires_grad=True)

    def step():
        y = start * 2
        y.backward()

    asked = rights(timeline(step, {"gradient": "start.grad"}, start=start))
    assert asked == {"1.gradient": "None", "2.gradient": "2"}


# version_tags ----------------------------------------------------------------------------------------

EDITS = {
    "a.add_(1)": ("1", "backward raises at PowBackward0"),
    "b.mul_(2)": ("1", "backward raises at ExpBackward0 of b"),
    "loss.add_(1)": ("1", "backward runs"),
    "with torch.no_grad(): w.add_(1)": ("1", "backward runs"),
    "w.add_(1)": (None, "the edit itself raises"),
    "a = a + 1": ("0", "backward runs"),
    "a.data.add_(1)": ("0", "backward runs"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_each_edit_does_what_it_does_in_pytorch(torch, edit):
    """exp saves its result b, ** saves its input a, * saves the number 2, + saves nothing."""
    asked = rights(version_tags(FORWARD, [edit]))
    version, verdict = EDITS[edit]
    assert (asked.get("1.version"), asked["1.verdict"]) == (version, verdict)


@pytest.mark.parametrize("edit", EDITS)
def test_pytorch_itself_raises_or_runs(edit):
    real = pytest.importorskip("torch")
    space = {"torch": real}
    exec(FORWARD, space)
    verdict = EDITS[edit][1]
    if "itself" in verdict:
        with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
            exec(edit, space)
        return
    exec(edit, space)
    if "raises" in verdict:
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            space["loss"].backward()
    else:
        space["loss"].backward()


def test_an_edit_between_lines_is_harmless_if_nobody_saved_it_yet(torch):
    assert rights(version_tags(FORWARD, [(2, "a.add_(1)")]))["1.verdict"] == "backward runs"


def test_a_change_through_data_is_told_to_be_silent(torch):
    sheet = version_tags(FORWARD, ["a.data.add_(1)"])
    assert "gradient is wrong" in reason(sheet, "1.verdict", "backward raises at PowBackward0")
    assert "gradient is wrong" in sheet.cells[-1].because


def test_the_learner_adds_an_edit_and_keeps_the_other_answers():
    sheet = version_tags(FORWARD, ["a.add_(1)"])
    answered = {"1.version": {"state": "right", "typed": "1", "tries": 1}}
    sheet.states = answered
    sheet.wished({"edit": "b.mul_(2)", "after line": "4"})
    assert rights(sheet)["2.verdict"] == "backward raises at ExpBackward0 of b"
    assert sheet.surviving() == answered
    with pytest.raises(ValueError, match="no Python code"):
        sheet.wished({"edit": "b.mul_(", "after line": "4"})
    with pytest.raises(ValueError, match="from 1 to 4"):
        sheet.wished({"edit": "b.mul_(2)", "after line": "9"})


# path_check ------------------------------------------------------------------------------------------


def test_the_path_check_finds_reached_cut_frozen_and_unused():
    torch = autograd_lab
    w, b, u = (torch.tensor(1.0, requires_grad=True) for _ in range(3))
    c = torch.tensor(1.0)
    with torch.record():
        h = (b * 2).detach()
        loss = w * h * c
    sheet = path_check(loss, {"w": w, "b": b, "c": c, "u": u})
    asked = rights(sheet)
    assert asked["w.reached"] == "reached: it gets a gradient"
    assert asked["b.reached"] == "cut at detach, `h = (b * 2).detach()`"
    assert asked["c.reached"] == "frozen: requires_grad=False"
    assert asked["u.reached"] == "not reached: the loss does not use it"
    assert rule(sheet, "b.reached", "reached: it gets a gradient") == "M15"
    assert rule(sheet, "u.reached", "reached: it gets a gradient") == "M6"
    loss.backward()
    assert [t.grad is not None for t in (w, b, c, u)] == [True, False, False, False]


def test_the_path_check_takes_a_module(torch):
    model = torch.nn.Linear(2, 1)
    model.bias.requires_grad_(False)
    asked = rights(path_check(model(torch.ones(3, 2)).sum(), model))
    assert asked == {"weight.reached": "reached: it gets a gradient", "bias.reached": "frozen: requires_grad=False"}


def test_a_step_by_hand_is_shown_with_its_block(torch):
    code = """
    w = torch.tensor(2.0, requires_grad=True)
    (w * 3).backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
        w.grad.zero_()
    """
    sheet = timeline(code, ["w", "w.grad"])
    assert sheet.rows[2].head == "3. `with torch.no_grad(): w -= 0.1 * w.grad; w.grad.zero_()`"
    assert rights(sheet)["3.w"] == "1.7" and rights(sheet)["3.w.grad"] == "0"
    assert rule(sheet, "3.w.grad", "None") and "zeros" in reason(sheet, "3.w.grad", "None")


def test_everything_asked_can_be_listed():
    sheet = inspector(x=square(autograd_lab)[0])
    assert sheet.asked()[0] == ("x.data", "`x.data` is") and len(sheet.asked()) == len(PAGES)
    assert sheet.widget.data["scope"] == ""


def test_a_settled_edit_shows_the_versions_in_the_drawing(torch):
    sheet = version_tags(FORWARD, ["a.add_(1)", "w.add_(1)"])
    assert [cell.scene for cell in sheet.cells if cell.id.endswith("verdict")] == ["1", "2"]
    assert set(sheet.scenes) == {"1"}  # an edit that raises changes nothing
    assert "saved v0, now v1" in sheet.scenes["1"].drawing.svg
    assert "now v1" not in sheet.drawing.svg


def test_a_card_shows_what_is_called_on_its_tensor():
    heads = [row.head for row in leaf_sorter(CARDS).rows]
    assert "`r = y * 2; r.retain_grad()`" in heads


def test_what_can_be_chosen_is_said_once_by_row_or_by_column():
    x, z = square(autograd_lab)
    assert "requires_grad, is_leaf: choose from True | False" in inspector(x, z).text()
    assert "place: choose from leaf, tracked | leaf, not tracked" in leaf_sorter(CARDS).text()
