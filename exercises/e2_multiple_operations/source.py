"""Exercise 2 of the module, "Multiple Operations". `tools/build_exercises.py` makes the notebooks."""

# %% [markdown]
# # E2 Multiple operations
#
# Three ops in a row: name the node that each leaves behind, work out the slope on paper, then let
# `backward()` confirm it. 10 points, about 15 minutes. It follows the lesson [The chain
# rule](../../notebooks/04_chain_rule.ipynb).
#
# Every check answers at once and says why an answer is wrong. Check as often as you like; the best one
# counts.

# %%
import autograd_lab as torch
from autograd_lab import draw_graph, exercise, step_through

ex = exercise("e2_multiple_operations")
ex

# %% [markdown]
# ## 1. Three nodes
#
# Do not run your program yet. Read it: which name will `print(y.grad_fn.name())` show, and which the other
# two? Write each name as text, in quotes.

# %% answer id=q1 points=2 tags=seed:B31.2.1
name_of_y = ...
ex.check("q1")

# %% solution id=q1
name_of_y = "MulBackward0"
ex.check("q1")

# %% answer id=q2 points=2 tags=seed:B31.2.2
name_of_z = ...
ex.check("q2")

# %% solution id=q2
name_of_z = "AddBackward0"
ex.check("q2")

# %% answer id=q3 points=2 tags=seed:B31.2.3
name_of_loss = ...
ex.check("q3")

# %% solution id=q3
name_of_loss = "PowBackward0"
ex.check("q3")

# %% [markdown]
# ## 2. The slope, on paper
#
# When `x` grows by a little, how many times that does `loss` grow? Start at `loss`, go back line by line to
# `x`, and write down one local derivative for each line. What do you do with the three numbers? The result is
# the number that `print(x.grad)` will show after part 3.

# %% answer id=q4 points=2 tags=seed:B31.2.5
slope = ...
ex.check("q4")

# %% solution id=q4
x, factor, shift, power = ex.numbers.values()
slope = power * (x * factor + shift) ** (power - 1) * 1 * factor
ex.check("q4")

# %% [markdown]
# ## 3. Your program
#
# Write the four lines of your program here.

# %% id=program tags=seed:B31.2
x = ...
y = ...
z = ...
loss = ...

# %% solution id=program
x = torch.tensor(float(ex.numbers["x"]), requires_grad=True)
y = x * ex.numbers["factor"]
z = y + ex.numbers["shift"]
loss = z ** ex.numbers["power"]

# %% [markdown]
# Look at what you recorded: remove the `#` in front of a line and run it. The drawing shows the three
# nodes; the steps walk forward and backward, and ask for each gradient before they show it.

# %%
# draw_graph(loss)

# %%
# step_through(loss, predict="gradients")

# %% [markdown]
# Now send the gradient back: call `backward()` on `loss`, once, in the first line of the next cell.

# %% answer id=q5 points=2 tags=seed:B31.2.4
# your line here
ex.check("q5")

# %% solution id=q5
loss.backward()
ex.check("q5")

# %% [markdown]
# ## 4. Your results
#
# When you are done, save the notebook, remove the `#` in the last cell and run it.

# %%
ex.progress()

# %%
# ex.hand_in()
