"""Exercise 1 of the module, "Basic Gradient". `tools/build_exercises.py` makes the notebooks."""

# %% [markdown]
# # E1 Basic gradient
#
# One op, one gradient, found in three ways: say what `x.grad` will be, let `backward()` compute it, and prove
# it with a formula. 6 points, about 10 minutes. It follows the lesson [What is
# autodiff](../../notebooks/02_what_is_autodiff.ipynb).
#
# Every check answers at once and says why an answer is wrong. Check as often as you like; the best one
# counts.

# %%
import autograd_lab as torch
from autograd_lab import draw_graph, exercise, step_through

ex = exercise("e1_basic_gradient")
ex

# %% [markdown]
# ## 1. Say it first
#
# Do not run your program yet. After `y.backward()`, which number will `print(x.grad)` show? It is the slope
# of `y` at your `x`: when `x` grows by a little, how many times that does `y` grow?

# %% answer id=q1 points=2 tags=seed:B31.1.2
slope = ...
ex.check("q1")

# %% solution id=q1
n = ex.numbers["power"]
slope = n * ex.numbers["x"] ** (n - 1)
ex.check("q1")

# %% [markdown]
# ## 2. Let backward() compute it
#
# Write the two lines of your program here.

# %% id=program tags=seed:B31.1
x = ...
y = ...

# %% solution id=program
x = torch.tensor(float(ex.numbers["x"]), requires_grad=True)
y = x ** ex.numbers["power"]

# %% [markdown]
# Now send the gradient back: call `backward()` on `y`, once, in the first line of the next cell. Then remove
# the `#` in front of `print(x.grad)`, to see what arrived.

# %% answer id=q2 points=2 tags=seed:B31.1.1
# your line here
# print(x.grad)
ex.check("q2")

# %% solution id=q2
y.backward()
print(x.grad)
ex.check("q2")

# %% [markdown]
# ## 3. Prove it
#
# One number can be right by luck. Write the slope as a formula: a function that takes any number `x` and
# returns the slope of your `y` there, without `backward()`. The check calls it with five numbers.


# %% answer id=q3 points=2 tags=seed:B31.1.3
def slope_at(x):
    return ...


ex.check("q3")


# %% solution id=q3
def slope_at(x):
    return ex.numbers["power"] * x ** (ex.numbers["power"] - 1)


ex.check("q3")

# %% [markdown]
# Give your formula the number `x` of your program: is it the same number as in parts 1 and 2?
#
# ## 4. Your results
#
# When you are done, save the notebook, remove the `#` in the last cell and run it.

# %%
ex.progress()

# %%
# ex.hand_in()
