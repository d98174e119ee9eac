"""What learners give in exercise 3: see `listing.py` for how to read this."""

NUMBERS = {"x": 3, "factor": 5, "shift": 10, "order": ["multiply", "add", "square"]}

# The three steps in the learner's order, their local derivatives, and the values in between, as plain numbers.
STEPS = """
f = {"multiply": lambda v: v * n.factor, "add": lambda v: v + n.shift, "square": lambda v: v ** 2}
d = {"multiply": lambda v: n.factor, "add": lambda v: 1, "square": lambda v: 2 * v}
s = [f[name] for name in n.order]
at = [n.x, s[0](n.x), s[1](s[0](n.x))]
l = [d[name](v) for name, v in zip(n.order, at)]
k = n.order.index("square")
end = s[2](at[2])
right = l[0] * l[1] * l[2]
"""
BUILD = "x = torch.tensor(float(n.x), requires_grad=True); a = s[0](x); b = s[1](a); loss = s[2](b)"

WRONG = {
    "q1": [
        (
            "exec(program.replace(', requires_grad=True', ''))",
            "none.no-requires-grad",
            "R10",
            "does not track",
            "partly",
        ),
        (
            "x = torch.tensor(float(n.x), requires_grad=True); a = s[1](x); b = s[0](a); loss = s[2](b)",
            "graph.other-order",
            "R16",
            "in another order",
            "partly",
        ),
        (
            "exec(program.replace('** 2', '* 2'))",
            "graph.other-op",
            "R16",
            "differs at step 3",
            "partly",
        ),
        ("exec(program); loss = b", "graph.op-missing", "R16", "2 of the 3 ops", "partly"),
        ("exec(program); loss = loss * 1", "graph.op-extra", "R16", "Too many: MulBackward0", "partly"),
        (
            "exec(program.replace(f'* {n.factor}', f'* {n.factor + 1}'))",
            "graph.other-numbers",
            "R16",
            "a is 18, but in your diagram it is 15",
            "partly",
        ),
        (
            "exec(program); a = s[0](x.detach()); loss = s[2](s[1](a))",
            "graph.detached",
            "R10",
            "cut by detach()",
            "partly",
        ),
        ("x = float(n.x); loss = s[2](s[1](s[0](x)))", "graph.python-floats", "R10", "plain number"),
        ("exec(program); loss = loss.backward()", "none.returned-backward", "R10", "returns nothing"),
        ("exec(program); loss = loss.grad_fn", "returned.grad-fn", "R1", "is a node"),
        (
            "exec(program); x = torch.tensor(x.item(), requires_grad=True)",
            "graph.leaf-replaced",
            "R10",
            "earlier x",
            "partly",
        ),
    ],
    "q2": [
        (f"{BUILD}; drawing = draw_graph(a)", "graph.drawn-part", "R16", "stops at a", "partly"),
        (f"{BUILD}; drawing = draw_graph(b)", "graph.drawn-part", "R16", "stops at b", "partly"),
        (f"{BUILD}; drawing = loss", "none.wrong-type", "", "is a tensor"),
        (f"{BUILD}; drawing = None", "none.wrong-type", "", "is None"),
        (f"{BUILD}; drawing = 'x -> a -> b -> loss'", "none.wrong-type", "", "you gave a str"),
        (f"{BUILD}; drawing = draw_graph(loss + a)", "graph.op-extra", "R16", "Too many: AddBackward0", "partly"),
        (
            "x = torch.tensor(2.0, requires_grad=True); drawing = draw_graph(x.exp())",
            "graph.other-op",
            "R16",
            "ExpBackward0",
        ),
    ],
    "q3": [
        ("slope = end", "returned.value-not-gradient", "R1", "value of loss"),
        ("slope = right / n.factor", "chain.factor-missing", "R3", "da/dx = 5"),
        ("slope = right / l[k]", "chain.factor-missing", "R3", "dloss/db", "module only"),
        ("slope = right / 2", "power.factor-lost", "R2", "factor 2 is missing"),
        ("slope = 30", "chain.wrong-place", "R4", "x = 3", "module only"),
        ("slope = 150", "chain.wrong-place", "R4", "a = 15", "module only"),
        ("slope = sum(l)", "chain.sum-not-product", "R5", "multipl"),
        ("slope = 2 * right", "accumulate.not-zeroed", "R6", "2 backward passes"),
        ("slope = 0", "chain.added-constant", "R3", "factor of 1, not 0"),
        ("slope = 1.00001 * right", "numeric.finite-difference", "R13", "near", "partly"),
        ("slope = 77", "unknown", "R16", 'ex.factors("q3"', "module only"),
        ("slope = None", "none.no-backward", "R10", "until backward() has run"),
    ],
    "q4": [
        ("exec(program)", "none.no-backward", "R10", "Call loss.backward()", "partly"),
        (
            "exec(program); loss.backward(retain_graph=True); loss.backward()",
            "accumulate.not-zeroed",
            "R6",
            "2 backward passes",
            "partly",
        ),
        (
            "exec(program.replace(', requires_grad=True', ''))",
            "none.no-requires-grad",
            "R10",
            "does not track",
            "partly",
        ),
        (
            f"{BUILD}; b.backward(); x.grad = torch.tensor(5.0)",
            "chain.factor-missing",
            "R3",
            "That is db/dx",
            "partly",
            "module only",
        ),
        ("exec(program); loss.backward(); x.grad.zero_()", "update.zeroed-too-early", "R10", "cleared", "partly"),
    ],
}

NEGATED = {
    "q1": "exec(program); loss = -loss",
    "q2": f"{BUILD}; drawing = draw_graph(-loss)",
    "q3": "slope = -right",
    "q4": "exec(program); loss.backward(); x.grad = -x.grad",
}

RIGHT = {
    "line by line": "exec(program); drawing = draw_graph(loss); slope = right; loss.backward()",
    "one line, functions": """
import functools
def square(t):
    return torch.square(t)
ops = {
    "multiply": lambda t: torch.mul(torch.tensor(float(n.factor)), t),
    "add": lambda t: n.shift + t,
    "square": square,
}
x = torch.tensor(float(n.x), dtype=torch.float64).requires_grad_()
loss = functools.reduce(lambda t, name: ops[name](t), n.order, x)
drawing = draw_graph([loss], view="forward", rankdir="TB")
loss.backward()
slope = x.grad
""",
    "the square as a product": """
def step(name, t):
    if name == "square":
        return t * t
    if name == "add":
        t = t + n.shift
        return t
    return n.factor * t
x = torch.tensor([float(n.x)], requires_grad=True)
a = step(n.order[0], x)
b = step(n.order[1], a)
loss = step(n.order[2], b)
drawing = draw_graph(loss, show_saved=True)
loss.backward()
slope = x.grad.item()
""",
}
