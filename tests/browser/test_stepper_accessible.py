"""For everybody: axe-core finds nothing, names and roles, contrast, a phone, reduced motion; light and dark."""

from pathlib import Path

import pytest
from stepper_page import chain, fan_out, matmul, mount, walk_to

from autograd_lab import step_through, tensor
from autograd_lab.view.tape import record

pytestmark = pytest.mark.browser
AXE = Path(__file__).parent.parent / "node_modules" / "axe-core" / "axe.min.js"
INSTALL = "npm install --prefix tests --no-package-lock"
FOUND = """async () => {
  const found = await axe.run('.al-stepper', { resultTypes: ['violations'] });
  return found.violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 120)}`));
}"""


def violations(page):
    """What axe-core finds in the stepper, one line each."""
    if not AXE.exists():
        pytest.skip(f"axe-core is not installed: {INSTALL}")
    page.add_script_tag(path=AXE)
    return page.evaluate(FOUND)


def everything_open(page, root):
    """A state with as much on the page as there can be: a miss, an opened formula, a table, the inputs, a plot."""
    walk_to(page, root, 3)
    root.locator("g.node").first.click()
    root.get_by_text("Change the inputs").click()
    if root.get_by_role("button", name="Plot").count() and page.evaluate("'kernel' in window"):
        root.get_by_role("button", name="Plot").first.click()
        root.locator(".al-plot").wait_for()
    if root.locator(".al-ask input").count():
        for typed in ("7.77", "8.88"):
            root.locator(".al-ask input").first.fill(typed)
            page.keyboard.press("Enter")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("make", [chain, matmul, fan_out])
def test_axe_finds_no_violation(page, make, dark):
    root = mount(page, make("all"), dark=dark)
    assert violations(page) == []
    everything_open(page, root)
    assert violations(page) == []
    root.get_by_role("button", name="End").click()
    assert violations(page) == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_no_violation_on_a_phone_and_in_a_long_walk(page, dark):
    page.set_viewport_size({"width": 390, "height": 800})
    x = tensor(1.5, requires_grad=True)
    with record():
        y = x
        for _ in range(40):
            y = y * x
    for walk in (step_through(y), matmul("all")):
        root = mount(page, walk, dark=dark, kernel=False)
        everything_open(page, root)
        root.get_by_role("button", name="End").click()
        page.wait_for_timeout(100)
        assert violations(page) == []


def test_a_screen_reader_finds_names_roles_and_the_sentence(page):
    root = mount(page, chain())
    walk_to(page, root, 1)
    tree = root.aria_snapshot()
    assert 'group "Step through loss"' in tree or root.get_attribute("aria-label") == "Step through loss"
    assert 'toolbar "Walk through the steps"' in tree
    for name in ("« Start", "‹ Back", "Next ›", "End »"):
        assert f'button "{name}"' in tree
    assert 'combobox "Look at"' in tree
    assert "y becomes 6, and MulBackward0 joins the graph." in tree
    assert root.locator(".al-say").get_attribute("aria-live") == "polite"
    assert root.get_by_role("button", name="Back").get_attribute("aria-disabled") == "false"


CONTRAST = """([selector, all]) => {
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => {
    const linear = (v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    const [x, y, z] = [r, g, b].map((v) => linear(v / 255));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  return [...document.querySelectorAll(selector)].filter((part) => part.textContent.trim()).map((part) => {
    let behind = part;
    while (behind && ['rgba(0, 0, 0, 0)', 'transparent'].includes(getComputedStyle(behind).backgroundColor)) {
      behind = behind.parentElement;
    }
    const back = behind ? parse(getComputedStyle(behind).backgroundColor) : [255, 255, 255];
    const [a, b] = [light(parse(getComputedStyle(part).color)), light(back)].sort((p, q) => q - p);
    return (a + 0.05) / (b + 0.05);
  });
}"""
TEXTS = (
    ".al-button, .al-count, .al-phase, .al-cell, .al-title, .al-say, .al-label, .al-math, .al-prompt, .al-verdict, "
    ".al-score, .al-keys, .al-hint, .al-name, .al-facts dt, .al-facts dd, .al-matrix td, .al-matrix th, .al-caption"
)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_text_has_enough_contrast(page, dark):
    root = mount(page, matmul("all"), dark=dark)
    everything_open(page, root)
    for _ in range(6):
        root.focus()
        page.keyboard.press("ArrowRight")
        ratios = page.evaluate(CONTRAST, [TEXTS, True])
        assert len(ratios) > 10
        assert min(ratios) >= 4.5


def test_it_fits_a_phone(page):
    page.set_viewport_size({"width": 390, "height": 800})
    root = mount(page, matmul("all"))
    everything_open(page, root)
    root.get_by_role("button", name="Start").click()
    root.focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        active = root.locator("svg .node.is-active").first.bounding_box()
        assert 0 <= active["x"] + active["width"] / 2 <= 390, "the active box is in view"


def test_reduced_motion_stops_transitions(page):
    page.emulate_media(reduced_motion="reduce")
    root = mount(page, chain())
    durations = root.evaluate(
        """root => [...root.querySelectorAll('.node, .edge')]
          .map((part) => getComputedStyle(part).transitionDuration)"""
    )
    assert set(durations) == {"0s"}
