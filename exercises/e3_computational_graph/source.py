"""Exercise 3 of the module, "Computational Graph". `tools/build_exercises.py` makes the notebooks."""

# %% [markdown]
# # E3 Computational graph
#
# The other way round: you get a diagram, and you write the program that records it. Then you draw it, work out
# its slope, and compute the gradient. 10 points, about 20 minutes. It follows the lesson [The chain
# rule](../../notebooks/04_chain_rule.ipynb).
#
# Every check answers at once and says why an answer is wrong. Check as often as you like; the best one
# counts.

# %%
import autograd_lab as torch
from autograd_lab import draw_graph, exercise, step_through

ex = exercise("e3_computational_graph")
ex

# %% [markdown]
# ## 1. From the diagram to a program
#
# Write one line for each part of your diagram, from top to bottom. Use its names: `x`, `a`, `b` and `loss`. The
# gradient of `x` is wanted later, so `x` has to track.

# %% answer id=q1 points=4 tags=seed:B31.3
x = ...
a = ...
b = ...
loss = ...
ex.check("q1")

# %% solution id=q1
x = torch.tensor(float(ex.numbers["x"]), requires_grad=True)
_, factor, shift, order = ex.numbers.values()
ops = {"multiply": lambda t: t * factor, "add": lambda t: t + shift, "square": lambda t: t**2}
a = ops[order[0]](x)
b = ops[order[1]](a)
loss = ops[order[2]](b)
ex.check("q1")

# %% [markdown]
# ## 2. From the program to a drawing
#
# Let `draw_graph` draw what you recorded, and keep the drawing in the variable. Is every arrow of your diagram
# there? Which arrows does it have that your diagram has not, and which way do they point?

# %% answer id=q2 points=2
drawing = ...
ex.check("q2")

# %% solution id=q2
drawing = draw_graph(loss)
ex.check("q2")

# %% [markdown]
# To see it, remove the `#` and run the cell.

# %%
# drawing

# %% [markdown]
# ## 3. The slope, on paper
#
# Start at `loss`, go back along the arrows to `x`, and write one local derivative beside each. What is the slope
# of `loss` with respect to `x`?

# %% answer id=q3 points=2
slope = ...
ex.check("q3")

# %% solution id=q3
local = {"multiply": lambda t: factor, "add": lambda t: 1, "square": lambda t: 2 * t}
slope = local[order[2]](b.item()) * local[order[1]](a.item()) * local[order[0]](x.item())
ex.check("q3")

# %% [markdown]
# ## 4. The gradient, by autograd
#
# Call `backward()` on `loss`, once, in the first line of the next cell. Then remove the `#` in front of
# `print(x.grad)`: is it your number from part 3?

# %% answer id=q4 points=2 tags=seed:B31.3.1
# your line here
# print(x.grad)
ex.check("q4")

# %% solution id=q4
loss.backward()
print(x.grad)
ex.check("q4")

# %% [markdown]
# Run the cell of part 1 again if you want to walk through it: then remove the `#` below. The steps go forward and
# backward, and ask for each gradient before they show it.

# %%
# step_through(loss, predict="gradients")

# %% [markdown]
# ## 5. Your results
#
# When you are done, save the notebook, remove the `#` in the last cell and run it.

# %%
ex.progress()

# %%
# ex.hand_in()
