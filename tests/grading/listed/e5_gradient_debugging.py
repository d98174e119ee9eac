"""What learners give in exercise 5: see `listing.py` for how to read this."""

NUMBERS = {"x": 2, "before": 0, "sign": "*", "number": 5, "after": 0}

STEPS = """
i = n.x * (n.before or 1)
dy_dx = {"*": n.number, "/": 1 / n.number, "+": 1, "-": 1}[n.sign] * (n.before or 1)
y_value = {"*": i * n.number, "/": i / n.number, "+": i + n.number, "-": i - n.number}[n.sign]
dloss_dy = 2 * (y_value + n.after)
name = {"*": "MulBackward0", "/": "DivBackward0", "+": "AddBackward0", "-": "SubBackward0"}[n.sign]
y_line = next(line for line in program.splitlines() if line.startswith("y = "))
kept = program.replace(y_line, y_line + "\\ny.retain_grad()")
"""

WRONG = {
    "q1": [
        ("x_is_leaf = False", "leaf.tracked-is-no-leaf", "", "made directly"),
        ("x_is_leaf = 'True'", "none.wrong-type", "", "leave out the quotes"),
        ("x_is_leaf = 1", "none.wrong-type", "", "True or False is asked for"),
        ("x_is_leaf = None", "none.wrong-type", "", "True or False is asked for"),
    ],
    "q2": [
        ("y_is_leaf = True", "leaf.computed-is-leaf", "", "was computed, by the line y = x * 5"),
        ("y_is_leaf = 'False'", "none.wrong-type", "", "leave out the quotes"),
        ("exec(program); y_is_leaf = y", "none.wrong-type", "", "is a tensor"),
    ],
    "q3": [
        ("name_of_y = 'AccumulateGrad'", "name.accumulate-grad", "R11", "y is no leaf"),
        ("name_of_y = 'PowBackward0'", "name.other-node", "R11", "loss = y ** 2"),
        ("name_of_y = name[:-1]", "name.incomplete", "R13", "whole name", "partly"),
        ("name_of_y = None", "name.leaf", "R11", "Only a leaf"),
        ("name_of_y = n.sign", "name.operation", "", "named after the op"),
        ("name_of_y = y_value", "returned.value-not-gradient", "R1", "10 is a value"),
        ("name_of_y = '__mul__'", "name.operation", "", "named after the op"),
    ],
    "q4": [
        ("y_grad = dy_dx", "chain.wrong-pair", "R11", "dy/dx"),
        ("y_grad = dloss_dy", "none.non-leaf", "R10", "dloss/dy"),
        ("y_grad = dloss_dy * dy_dx", "returned.swapped", "R12", "x.grad"),
        ("y_grad = y_value", "returned.value-not-gradient", "R1", "value of y"),
        ("y_grad = 0", "none.zero", "R10", "word for nothing"),
        ("y_grad = 1", "chain.only-the-start", "R15", "where backward starts", "module only"),
        ("y_grad = 77.5", "unknown", "R16", "keeps its .grad"),
        ("y_grad = 'nothing'", "none.wrong-type", "", "is text"),
        ("exec(program); y_grad = y.grad_fn", "returned.grad-fn", "R1", "is a node"),
    ],
    "q5": [
        ("exec(program); loss.backward()", "none.non-leaf", "R10", "was not asked"),
        ("exec(program); loss.backward(retain_graph=True)", "retain.graph-not-grad", "R10", "retain_graph"),
        ("exec(program); loss.backward(); y.retain_grad()", "retain.too-late", "R10", "only after backward()"),
        ("exec(program); y.requires_grad_(); loss.backward()", "none.non-leaf", "R10", "requires_grad does not"),
        (
            "exec(program.replace(y_line, y_line + '\\ny = y.detach().requires_grad_()')); loss.backward()",
            "retain.made-leaf",
            "R10",
            "leaf of its own",
        ),
        (
            "exec(program.replace(y_line, 'y = torch.tensor(float(y_value), requires_grad=True)')); loss.backward()",
            "retain.made-leaf",
            "R10",
            "leaf of its own",
        ),
        ("exec(kept)", "none.no-backward", "R10", "Call loss.backward()"),
        (
            "exec(kept); loss.backward(retain_graph=True); loss.backward()",
            "accumulate.not-zeroed",
            "R6",
            "2 backward passes",
        ),
        (
            "exec(kept.replace(', requires_grad=True', '').replace('y.retain_grad()', ''))",
            "none.no-requires-grad",
            "R10",
            "x does not track",
        ),
        ("exec(kept); loss = loss.item()", "graph.python-floats", "R10", "plain number"),
        ("exec(program); y = loss.backward()", "none.returned-backward", "R10", "returns nothing", "partly"),
        ("exec(kept.replace('** 2', '** 3')); loss.backward()", "graph.other-numbers", "R16", "loss is 1000"),
    ],
}

NEGATED = {
    "q1": "x_is_leaf = not True",
    "q2": "y_is_leaf = not False",
    "q3": "name_of_y = 'not ' + name",
    "q4": "y_grad = 'not None'",
    "q5": "exec(kept); loss.backward(); y.grad = -y.grad; x.grad = -x.grad",
}

RIGHT = {
    "as in the lesson": """
x_is_leaf, y_is_leaf, name_of_y, y_grad = True, False, name, None
exec(kept)
loss.backward()
""",
    "read from the tensors": """
exec(program)
x_is_leaf, y_is_leaf, name_of_y = x.is_leaf, y.is_leaf, y.grad_fn
loss.backward(retain_graph=True)
y_grad = None
x.grad = None
y.retain_grad()
loss.backward()
""",
    "with a hook": """
import numpy as np
x_is_leaf, y_is_leaf, name_of_y, y_grad = np.True_, np.False_, f"<{name} object at 0x7f00>", "None"
exec(program)
y.register_hook(lambda grad: setattr(y, "grad", grad))
torch.autograd.backward(loss)
""",
}
