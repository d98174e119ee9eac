"""What learners give in exercise 1: see `listing.py` for how to read this."""

NUMBERS = {"x": 10, "power": 2}

RIGHT_SLOPE = "n.power * n.x ** (n.power - 1)"

WRONG = {
    "q1": [
        ("slope = n.x ** n.power", "returned.value-not-gradient", "R1", "value of y"),
        ("slope = n.x ** (n.power - 1)", "power.factor-lost", "R2", "factor 2 is missing"),
        ("slope = n.power", "power.base-lost", "R3", "exponent alone"),
        (f"slope = 2 * {RIGHT_SLOPE}", "accumulate.not-zeroed", "R6", "2 backward passes"),
        (f"slope = 3 * {RIGHT_SLOPE}", "accumulate.not-zeroed", "R6", "3 backward passes"),
        ("slope = None", "none.no-backward", "R10", "until backward() has run"),
        (f"slope = 1.000015 * {RIGHT_SLOPE}", "numeric.finite-difference", "R13", "near", "partly"),
        ("slope = n.power * n.x ** n.power", "power.exponent-kept", "R2", "left it on top", "module only"),
        ("slope = 1", "chain.only-the-start", "R15", "only the start", "module only"),
        ("slope = 77", "unknown", "R16", "only one line to pass", "module only"),
        ("slope = '20'", "none.wrong-type", "", "leave out the quotes"),
        ("exec(program); slope = y.grad_fn", "returned.grad-fn", "R1", "is a node"),
    ],
    "q2": [
        ("exec(program)", "none.no-backward", "R10", "Call y.backward()", "partly"),
        (
            "exec(program); y.backward(retain_graph=True); y.backward()",
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
        ("exec(program); y = y.backward()", "none.returned-backward", "R10", "returns nothing", "partly"),
        ("exec(program); y.backward(); y = y.grad_fn", "returned.grad-fn", "R1", "is a node"),
        ("exec(program); y.backward(); exec(program)", "none.no-backward", "R10", "has not run on this y", "partly"),
        (
            "exec(program); y.backward(); x = torch.tensor(x.item(), requires_grad=True)",
            "graph.leaf-replaced",
            "R10",
            "earlier x",
            "partly",
        ),
        ("exec(program); y.backward(); x.grad = None", "none.no-backward", "R10", "x.grad is None", "partly"),
        ("exec(program); y.backward(); x.grad.zero_()", "update.zeroed-too-early", "R10", "cleared", "partly"),
        ("exec(program); y = y.item()", "graph.python-floats", "R10", "plain number"),
        ("exec(program); y = x ** (n.power + 1); y.backward()", "graph.other-numbers", "R16", "y is 1000"),
    ],
    "q3": [
        ("slope_at = lambda x: x ** n.power", "returned.value-not-gradient", "R1", "value of y"),
        ("slope_at = lambda x: x ** (n.power - 1)", "power.factor-lost", "R2", "is missing"),
        ("slope_at = lambda x: n.power * x ** n.power", "power.exponent-kept", "R2", "left it on top"),
        ("slope_at = lambda x: n.power", "constant.answer", "", "2 for every input"),
        (f"slope_at = lambda x: {RIGHT_SLOPE}", "constant.answer", "", "20 for every input"),
        ("slope_at = lambda x: 2 * n.power * x ** (n.power - 1)", "accumulate.not-zeroed", "R6", "2 backward passes"),
        ("slope_at = lambda x: n.power * x ** (n.power - 1) + 0.25", "unknown", "R16", "by hand"),
        ("slope_at = lambda x: None", "none.no-return", "", "return"),
        ("slope_at = 20", "none.wrong-type", "", "A function is asked for"),
        ("slope_at = lambda: 20", "none.raised", "", "TypeError"),
    ],
}

NEGATED = {
    "q1": f"slope = -{RIGHT_SLOPE}",
    "q2": "exec(program); y.backward(); x.grad = -x.grad",
    "q3": "slope_at = lambda x: -n.power * x ** (n.power - 1)",
}

RIGHT = {
    "operators": """
slope = n.power * n.x ** (n.power - 1)
x = torch.tensor(float(n.x), requires_grad=True)
y = x ** n.power
y.backward()
def slope_at(x):
    return n.power * x ** (n.power - 1)
""",
    "functions": """
x = torch.tensor(n.x, dtype=torch.float64).requires_grad_()
y = torch.pow(x, n.power)
torch.autograd.backward(y)
slope = x.grad
def slope_at(at):
    result = at / at
    for _ in range(n.power - 1):
        result = result * at
    return n.power * result
""",
    "repeated products": """
x = torch.tensor([float(n.x)], requires_grad=True)
y = x
for _ in range(n.power - 1):
    y = y * x
y = y.sum()
y.backward()
slope = x.grad.item()
slope_at = lambda x: round(((x + 1e-4) ** n.power - (x - 1e-4) ** n.power) / 2e-4, 4)
""",
}
