"""Exercise 5 of the module, "Gradient Debugging". `tools/build_exercises.py` makes the notebooks."""

# %% [markdown]
# # E5 Gradient debugging
#
# When a gradient is missing, four questions find the cause: is it a leaf, which node made it, what does its
# `.grad` hold, and was it asked to keep it? Answer them for a tensor in the middle, then make it keep its
# gradient. 10 points, about 15 minutes. It follows the lesson [Leaf, non-leaf and
# grad_fn](../../notebooks/07_leaf_nonleaf_grad_fn.ipynb).
#
# Every check answers at once and says why an answer is wrong. Check as often as you like; the best one
# counts.

# %%
import autograd_lab as torch
from autograd_lab import draw_graph, exercise, step_through

ex = exercise("e5_gradient_debugging")
ex

# %% [markdown]
# ## 1. Leaf or not?
#
# Do not run your program yet. Read it and say for each of the two tensors whether it is a leaf: `True` or
# `False`, without quotes.

# %% answer id=q1 points=2 tags=seed:B31.5.1
x_is_leaf = ...
ex.check("q1")

# %% solution id=q1
x_is_leaf = True
ex.check("q1")

# %% answer id=q2 points=2 tags=seed:B31.5.2
y_is_leaf = ...
ex.check("q2")

# %% solution id=q2
y_is_leaf = False
ex.check("q2")

# %% [markdown]
# ## 2. Which node?
#
# What is `y.grad_fn`? Write the name of the node as text, in quotes, as `print(y.grad_fn.name())` would show it.

# %% answer id=q3 points=2 tags=seed:B31.5.3
name_of_y = ...
ex.check("q3")

# %% solution id=q3
nodes = {"*": "MulBackward0", "+": "AddBackward0", "-": "SubBackward0", "/": "DivBackward0"}
name_of_y = nodes[ex.numbers["sign"]]
ex.check("q3")

# %% [markdown]
# ## 3. What happens to y.grad?
#
# Your program runs, then `loss.backward()`. What does `y.grad` hold afterwards? Think of the gradient on its way
# from `loss` back to `x`: it passes `y`.

# %% answer id=q4 points=2 tags=seed:B31.5.4
y_grad = ...
ex.check("q4")

# %% solution id=q4
y_grad = None
ex.check("q4")

# %% [markdown]
# ## 4. Make y keep it
#
# How can `y` keep its gradient? Write all lines of your program here, then `loss.backward()`, and add the one line
# that lets `y.grad` be filled afterwards. `x.grad` must still arrive.

# %% answer id=q5 points=2 tags=seed:B31.5,seed:B31.5.5
x = ...
y = ...
loss = ...
ex.check("q5")

# %% solution id=q5
n = ex.numbers
x = torch.tensor(float(n["x"]), requires_grad=True)
a = x * n["before"] if n["before"] else x
y = {"*": torch.mul, "+": torch.add, "-": torch.sub, "/": torch.div}[n["sign"]](a, n["number"])
y.retain_grad()
b = y + n["after"] if n["after"] else y
loss = b**2
loss.backward()
ex.check("q5")

# %% [markdown]
# Look at both gradients: remove the `#` and run the cell. The drawing says at each tensor whether it keeps its
# `.grad`.

# %%
# print(x.grad, y.grad)
# draw_graph(loss)

# %% [markdown]
# ## 5. Your results
#
# When you are done, save the notebook, remove the `#` in the last cell and run it.

# %%
ex.progress()

# %%
# ex.hand_in()
