"""Exercise 4 of the module, "Trainable Parameters". `tools/build_exercises.py` makes the notebooks."""

# %% [markdown]
# # E4 Trainable parameters
#
# A model with two parameters, one example and a target of your own: find both gradients, say what their signs
# mean, and make one step. 12 points, about 20 minutes. It follows the lesson [The training
# loop](../../notebooks/12_training_loop.ipynb).
#
# Every check answers at once and says why an answer is wrong. Check as often as you like; the best one
# counts.

# %%
import autograd_lab as torch
from autograd_lab import draw_graph, exercise, step_through

ex = exercise("e4_trainable_parameters")
ex

# %% [markdown]
# ## 1. Two gradients, on paper
#
# The model is `prediction = w * x + b`, written in two lines. `x` and `target` are data: nobody changes them, so
# they do not track. `w` and `b` are the parameters. How fast does `loss` change when `w` grows, and how fast when
# `b` grows?
#
# Work out both numbers, then check them together.

# %% answer id=q1 points=8 tags=seed:B31.4.1,seed:B31.4.2
dloss_dw = ...
dloss_db = ...
ex.check("q1")

# %% solution id=q1
n = ex.numbers
error = n["w"] * n["x"] + n["b"] - n["target"]
outer = 2 * error if n["loss"] == "square" else (1 if error > 0 else -1)
dloss_dw = outer * n["x"]
dloss_db = outer
ex.check("q1")

# %% [markdown]
# ## 2. Let autograd confirm it
#
# Write your program here, line by line as it is shown above.

# %% id=program tags=seed:B31.4
x = ...
w = ...
b = ...
target = ...
scaled = ...
prediction = ...
error = ...
loss = ...

# %% solution id=program
x = torch.tensor(float(n["x"]))
w = torch.tensor(float(n["w"]), requires_grad=True)
b = torch.tensor(float(n["b"]), requires_grad=True)
target = torch.tensor(float(n["target"]))
scaled = w * x
prediction = scaled + b
error = prediction - target
loss = error**2 if n["loss"] == "square" else error.abs()

# %% [markdown]
# Remove the `#` in front of these lines and run them: are they your two numbers? If not, trust neither side, and
# look for the line where they differ: `step_through(loss)`, before `backward()`, shows every one.

# %% id=confirm
# loss.backward()
# print(w.grad, b.grad)

# %% solution id=confirm
loss.backward()
print(w.grad, b.grad)

# %% [markdown]
# ## 3. What the signs mean
#
# Training makes `loss` smaller. Which way should each parameter go for that: "grow" or "shrink"? Write the word as
# text, in quotes.

# %% answer id=q2 points=2
w_should = ...
b_should = ...
ex.check("q2")

# %% solution id=q2
w_should = "shrink" if w.grad > 0 else "grow"
b_should = "shrink" if b.grad > 0 else "grow"
ex.check("q2")

# %% [markdown]
# ## 4. One step
#
# Now make one step of gradient descent, with the learning rate that stands under your program. What are `w` and
# `b` afterwards?

# %% answer id=q3 points=2
new_w = ...
new_b = ...
ex.check("q3")

# %% solution id=q3
new_w = n["w"] - n["rate"] * dloss_dw
new_b = n["b"] - n["rate"] * dloss_db
ex.check("q3")

# %% [markdown]
# Put the new numbers into your program and run part 2 again: is `loss` smaller now?
#
# ## 5. Your results
#
# When you are done, save the notebook, remove the `#` in the last cell and run it.

# %%
ex.progress()

# %%
# ex.hand_in()
