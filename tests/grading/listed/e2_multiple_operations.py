"""What learners give in exercise 2: see `listing.py` for how to read this."""

NUMBERS = {"x": 3, "factor": 4, "shift": 5, "power": 2}

Z = "(n.x * n.factor + n.shift)"
RIGHT_SLOPE = f"n.power * {Z} ** (n.power - 1) * n.factor"

WRONG = {
    "q1": [
        ('name_of_y = "PowBackward0"', "name.other-node", "R11", "loss = z ** 2"),
        ('name_of_y = "AccumulateGrad"', "name.accumulate-grad", "R11", "leaf"),
        ("name_of_y = None", "name.leaf", "R11", "Only a leaf"),
        ('name_of_y = "*"', "name.operation", "", "named after the op"),
        ("name_of_y = n.x * n.factor", "returned.value-not-gradient", "R1", "12 is a value"),
        ('name_of_y = "MulBackward"', "name.incomplete", "R13", "whole name", "partly"),
    ],
    "q2": [
        ('name_of_z = "MulBackward0"', "name.other-node", "R11", "y = x * 4"),
        ('name_of_z = "plus"', "name.operation", "", "named after the op"),
    ],
    "q3": [
        ('name_of_loss = "AddBackward0"', "name.other-node", "R11", "z = y + 5"),
        ('name_of_loss = "SquareBackward0"', "name.operation", "", "named after the op"),
    ],
    "q4": [
        (f"slope = {Z} ** n.power", "returned.value-not-gradient", "R1", "value of loss"),
        (f"slope = n.power * {Z} ** (n.power - 1)", "chain.factor-missing", "R3", "dy/dx"),
        (f"slope = {Z} ** (n.power - 1) * n.factor", "power.factor-lost", "R2", "factor 2 is missing"),
        ("slope = n.power * n.x ** (n.power - 1) * n.factor", "chain.wrong-place", "R4", "x = 3"),
        ("slope = n.power * (n.x * n.factor) ** (n.power - 1) * n.factor", "chain.wrong-place", "R4", "y = 12"),
        (f"slope = n.power * {Z} ** (n.power - 1) + 1 + n.factor", "chain.sum-not-product", "R5", "multipl"),
        (f"slope = 2 * {RIGHT_SLOPE}", "accumulate.not-zeroed", "R6", "2 backward passes"),
        ("slope = 102", "product.own-factor", "R9", "other operand", "module only"),
        ("slope = 0", "chain.added-constant", "R3", "factor of 1, not 0"),
        ("slope = 77", "unknown", "R16", 'ex.factors("q4"', "module only"),
        (f"slope = 1.00001 * {RIGHT_SLOPE}", "numeric.finite-difference", "R13", "near", "partly"),
    ],
    "q5": [
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
        ("exec(program); loss = loss.backward()", "none.returned-backward", "R10", "returns nothing", "partly"),
    ],
}

NEGATED = {
    "q1": 'name_of_y = "-MulBackward0"',
    "q2": 'name_of_z = "not AddBackward0"',
    "q3": 'name_of_loss = "-PowBackward0"',
    "q4": f"slope = -{RIGHT_SLOPE}",
    "q5": "exec(program); loss.backward(); x.grad = -x.grad",
}

RIGHT = {
    "operators": f"""
exec(program)
name_of_y, name_of_z, name_of_loss = "MulBackward0", "AddBackward0", "PowBackward0"
slope = {RIGHT_SLOPE}
loss.backward()
""",
    "functions and nodes": """
x = torch.tensor(n.x, dtype=torch.float64).requires_grad_()
y = torch.mul(x, n.factor)
z = torch.add(y, n.shift)
loss = torch.pow(z, n.power)
name_of_y, name_of_z, name_of_loss = y.grad_fn, z.grad_fn.name(), str(loss.grad_fn)
torch.autograd.backward(loss)
slope = x.grad
""",
    "other spellings": """
x = torch.tensor([float(n.x)], requires_grad=True)
y = n.factor * x
z = n.shift + y
loss = (z * z if n.power == 2 else z * z * z).sum()
name_of_y, name_of_z, name_of_loss = type(y.grad_fn).__name__, "AddBackward0", "PowBackward0"
loss.backward()
slope = x.grad.item()
""",
}
