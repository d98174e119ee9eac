"""How long a step takes in the browser: script time at 1,000 nodes, drawn one by one and folded."""

import pytest
from stepper_page import at, mount

import autograd_lab
from autograd_lab import step_through
from autograd_lab.view.drawing import drawing_of
from autograd_lab.view.frames import frames_of
from autograd_lab.view.picture import read_graph
from autograd_lab.view.stepper import Walk, widest_texts
from autograd_lab.view.tape import record, tape_of

pytestmark = pytest.mark.browser
BAR = 5  # milliseconds of script for one step
TIMES = """root => {
  const press = (name) => {
    const button = [...root.querySelectorAll('.al-button')].find((one) => one.textContent.includes(name));
    const from = performance.now();
    button.click();
    return performance.now() - from;
  };
  const steps = Number(root.dataset.steps);
  const on = Array.from({ length: steps }, () => press('Next'));
  const back = Array.from({ length: steps }, () => press('Back'));
  return { steps: [...on, ...back].sort((a, b) => a - b), jump: press('End') };
}"""


def long_chain(ops):
    x = autograd_lab.tensor(1.0, requires_grad=True)
    with record():
        y = x
        for _ in range(ops):
            y = y * x
    return y


def drawn_one_by_one(ops):
    """A walk whose drawing folds nothing."""
    loss = long_chain(ops)
    tape, picture = tape_of(loss), read_graph(loss, max_nodes=10 * ops)
    frames = frames_of(tape, picture)
    return Walk(tape, frames, drawing_of(picture, widest_texts(frames), engine="layered"))


@pytest.mark.parametrize(
    ("what", "make"),
    [("folded", lambda: step_through(long_chain(1000))), ("one by one", lambda: drawn_one_by_one(500))],
)
def test_a_step_takes_few_milliseconds_at_a_thousand_nodes(page, what, make):
    walk = make()
    root = mount(page, walk, kernel=False)
    times = root.evaluate(TIMES)
    assert at(root) == len(walk.frames) - 1
    steps, boxes = times["steps"], root.locator("svg g.node").count()
    median, most = steps[len(steps) // 2], steps[int(0.95 * len(steps))]
    print(
        f"\nstep of {len(walk.tape.names)} nodes ({what}, {boxes} boxes): median {median:.2f} ms, 95 of 100 within "
        f"{most:.2f} ms (bar {BAR}); jump to the end {times['jump']:.1f} ms"
    )
    assert median < BAR
    assert most < 5 * BAR
