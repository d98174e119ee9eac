"""A stepper in a plain page, without Jupyter: script and style as they are, and a kernel that is this process.

`mount` puts walks on a page; the model's `send` asks the walk's own widget here, so a changed input is computed by the
engine. `field` and `screen` read what is on the page.
"""

import autograd_lab
from autograd_lab import step_through
from autograd_lab.view.script import script, style
from autograd_lab.view.tape import record

MOUNT = """async ({ script, style, walks, dark, asks }) => {
  document.documentElement.lang = 'en';
  document.title = 'walk';
  document.head.insertAdjacentHTML('beforeend', '<meta name="viewport" content="width=device-width">');
  if (dark !== null) document.body.dataset.jpThemeLight = dark ? 'false' : 'true';
  const night = '--jp-layout-color0:#111;--jp-content-font-color1:#fff;background:#111';
  if (dark) document.body.style.cssText = night;
  const sheet = document.createElement('style');
  sheet.textContent = style;
  document.head.append(sheet);
  const file = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  window.stepper = await import(file);
  window.models = walks.map((walk, number) => {
    const listeners = [];
    const tell = (name, told) => listeners.filter((one) => one.name === name).forEach((one) => one.listener(told));
    const model = {
      values: { ...walk },
      saved: 0,
      sent: [],
      get: (name) => model.values[name],
      set: (name, value) => { model.values[name] = value; },
      save_changes: () => { model.saved += 1; },
      on: (name, listener) => listeners.push({ name, listener }),
      off: (name, listener) => listeners.splice(listeners.findIndex((one) => one.listener === listener), 1),
      told: (name, value) => { model.values[name] = value; tell(`change:${name}`); },
      send: async (question) => {
        model.sent.push(question);
        if (!asks) return;
        const { reply, frames, inputs } = await window.kernel(number, question);
        if (frames) model.told('frames', frames);
        if (inputs) model.told('inputs', inputs);
        tell('msg:custom', reply);
      },
      listeners,
    };
    const el = document.createElement('main');
    document.body.append(el);
    model.cleanup = window.stepper.default.render({ model, el });
    model.el = el;
    return model;
  });
}"""


def chain(predict="none"):
    x = autograd_lab.tensor(2.0, requires_grad=True)
    with record():
        y = x * 3
        z = y + 4
        loss = z**2
    return step_through(loss, predict=predict)


def fan_out(predict="none"):
    x = autograd_lab.tensor(4.0, requires_grad=True)
    with record():
        square = x**2
        loss = square + 3 * x
    return step_through(loss, predict=predict)


def matmul(predict="none"):
    X = autograd_lab.tensor([[1.0, -2.0, 0.5], [0.0, 3.0, 1.0]])
    W = autograd_lab.tensor([[1.0, 2.0], [0.0, 1.0], [-1.0, 4.0]], requires_grad=True)
    b = autograd_lab.tensor([0.5, -0.5], requires_grad=True)
    with record():
        h = X @ W + b
        loss = h.mean()
    return step_through(loss, predict=predict)


def dead_relu(predict="none"):
    x = autograd_lab.tensor(-2.0, requires_grad=True)
    with record():
        r = autograd_lab.relu(x * 3)
        loss = r * 5 + x
    return step_through(loss, predict=predict)


WALKS = [chain, fan_out, matmul, dead_relu]


def mount(page, *walks, dark=None, kernel=True, **values):
    """Put walks on an empty page; with `kernel`, what they ask is answered by their widgets in this process."""
    widgets = [walk.widget for walk in walks] if kernel else []
    traits = [{**walk.traits(), "step": 0, "answers": {}, **values} for walk in walks]
    page.goto("about:blank")
    if kernel:
        page.expose_function("kernel", lambda number, question: answer(widgets[number], question))
    shown = {"script": script(), "style": style(), "walks": traits, "dark": dark, "asks": kernel}
    page.evaluate(MOUNT, shown)
    return page.get_by_role("group", name="Step through").first


def answer(widget, question):
    """What the kernel's widget does with a message, and what of it reaches the page."""
    told = {}
    before = widget.frames
    widget.send = lambda reply: told.update(reply=reply)
    widget._asked(widget, question, [])
    if widget.frames is not before:
        told |= {"frames": widget.frames, "inputs": widget.inputs}
    return told


def at(root):
    return int(root.get_attribute("data-step"))


def walk_to(page, root, step):
    """Press the right arrow until the step is there."""
    root.focus()
    while at(root) < step:
        page.keyboard.press("ArrowRight")


def keys_of(walk):
    """The box of each name in the drawing."""
    return {node.name: node.key for node in walk.drawing.picture.nodes if node.name}


def field(root, key):
    """The text of one field of the drawing, such as "n3.value"."""
    box, name = key.split(".")
    return root.locator(f'svg g[id$="-{box}"] [data-field="{name}"]').text_content()


def screen(root):
    """Everything one reads: texts of the drawing, the sentence, the formulas, and what is marked."""
    return root.evaluate("""root => [
      [...root.querySelectorAll('.al-drawing [data-field]')].map((part) => part.textContent),
      root.querySelector('.al-say').textContent,
      root.querySelector('.al-lines').innerHTML,
      [...root.querySelectorAll('.al-drawing svg g[id]')].map((group) => group.getAttribute('class')),
    ]""")
