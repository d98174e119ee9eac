"""What learners give in exercise 4: see `listing.py` for how to read this."""

NUMBERS = {"x": 2, "w": 3, "b": 1, "target": 10, "loss": "square", "rate": 0.1}

STEPS = """
error = n.w * n.x + n.b - n.target
outer = 2 * error if n.loss == "square" else (1 if error > 0 else -1)
value = error ** 2 if n.loss == "square" else abs(error)
gw, gb = outer * n.x, outer
"""


def pair(first, second):
    return f"dloss_dw, dloss_db = {first}, {second}"


def new(first, second):
    return f"new_w, new_b = {first}, {second}"


WRONG = {
    "q1": [
        (pair("2 * gw", "2 * gb"), "accumulate.not-zeroed", "R6", "2 backward passes"),
        (pair("3 * gw", "3 * gb"), "accumulate.not-zeroed", "R6", "3 backward passes"),
        (pair("gb", "gw"), "returned.swapped", "R12", "swapped"),
        (pair("value", "value"), "returned.value-not-gradient", "R1", "value of loss"),
        (pair("-6", "-3"), "power.factor-lost", "R2", "In both, the factor 2", "module only"),
        (pair("2", "1"), "chain.factor-missing", "R3", "In both: one factor", "module only"),
        (pair("28", "14"), "chain.wrong-place", "R4", "prediction = 7", "module only"),
        (pair("4", "2"), "power.base-lost", "R3", "exponent 2 alone", "module only"),
        (pair("outer * n.w", "gb"), "product.own-factor", "R9", "the other factor", "partly"),
        (pair("gb", "gb"), "chain.factor-missing", "R3", "dscaled/dw", "partly"),
        (pair("gw", "0"), "chain.added-constant", "R3", "b is added", "partly"),
        (pair("gw", "gw"), "returned.swapped", "R12", "dloss/dw again", "partly"),
        (pair("None", "gb"), "none.no-backward", "R10", "None is no number", "partly"),
        (pair("77.5", "77.5"), "unknown", "R16", 'ex.factors("q1"', "module only"),
        (
            "exec(program.replace('scaled + b', 'scaled - b')); loss.backward(); dloss_dw, dloss_db = w.grad, b.grad",
            "graph.other-numbers",
            "R16",
            "prediction is 5, but with your numbers it is 7",
            "module only",
        ),
        (pair("1.00002 * gw", "1.00002 * gb"), "numeric.finite-difference", "R13", "near"),
    ],
    "q2": [
        ("w_should = b_should = 'shrink'", "sign.meaning", "R7", "dloss/dw is negative", "module only"),
        (
            "w_should, b_should = 'grow', 'shrink'",
            "sign.meaning",
            "R7",
            "dloss/db is negative",
            "partly",
            "module only",
        ),
        ("w_should, b_should = -12, -6", "none.wrong-type", "", "in quotes"),
        ("w_should, b_should = 'sideways', 'stay'", "none.wrong-type", "", "in quotes"),
        ("w_should = b_should = True", "none.wrong-type", "", "in quotes"),
    ],
    "q3": [
        (new("n.w + n.rate * gw", "n.b + n.rate * gb"), "update.wrong-way", "R7", "uphill"),
        (new("n.w - gw", "n.b - gb"), "update.rate-forgotten", "", "whole gradient"),
        (new("n.rate * gw", "n.rate * gb"), "update.step-only", "", "the step alone"),
        (new("-n.rate * gw", "-n.rate * gb"), "update.step-only", "", "new values"),
        (new("n.w", "n.b"), "update.not-made", "", "old value"),
        (new("gw", "gb"), "update.gradient-only", "", "the gradients"),
        (new("n.w - n.rate * gb", "n.b - n.rate * gw"), "returned.swapped", "R12", "step of the other"),
        (new("n.w - n.rate", "n.b - n.rate"), "update.no-gradient", "", "the learning rate", "module only"),
        (new("n.w - n.rate * gw", "n.b"), "update.not-made", "", "For b: ", "partly"),
        (new("77.5", "99.5"), "unknown", "R16", "three numbers"),
    ],
}

NEGATED = {
    "q1": pair("-gw", "-gb"),
    "q2": "w_should = 'shrink' if gw < 0 else 'grow'; b_should = 'shrink' if gb < 0 else 'grow'",
    "q3": new("-(n.w - n.rate * gw)", "-(n.b - n.rate * gb)"),
}

RIGHT = {
    "on paper": """
dloss_dw, dloss_db = gw, gb
w_should = "shrink" if gw > 0 else "grow"
b_should = "shrink" if gb > 0 else "grow"
new_w, new_b = n.w - n.rate * gw, n.b - n.rate * gb
""",
    "by autograd": """
x = torch.tensor(float(n.x))
w = torch.tensor(float(n.w), requires_grad=True)
b = torch.tensor(float(n.b), requires_grad=True)
prediction = w * x + b
loss = (prediction - n.target) ** 2 if n.loss == "square" else torch.abs(prediction - n.target)
loss.backward()
dloss_dw, dloss_db = w.grad, b.grad
w_should = "up" if w.grad < 0 else "down"
b_should = " Grow " if b.grad < 0 else "SHRINK"
with torch.no_grad():
    new_w, new_b = w - n.rate * w.grad, b - n.rate * b.grad
""",
    "by an optimizer": """
w = torch.nn.Parameter(torch.tensor([float(n.w)], dtype=torch.float64))
b = torch.nn.Parameter(torch.tensor([float(n.b)], dtype=torch.float64))
difference = n.target - (n.x * w + b)
loss = (difference.pow(2) if n.loss == "square" else difference.abs()).sum()
dloss_dw, dloss_db = torch.autograd.grad(loss, (w, b), retain_graph=True)
torch.optim.SGD([w, b], lr=n.rate).zero_grad()
loss.backward()
torch.optim.SGD([w, b], lr=n.rate).step()
w_should = "larger" if w.item() > n.w else "smaller"
b_should = "increase" if b.item() > n.b else "decrease"
new_w, new_b = w, b
""",
}
