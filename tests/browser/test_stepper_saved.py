"""`walk.save("walk.html")`: one file that steps in a browser without a kernel and without a network."""

import pytest
from stepper_page import at, chain, field, keys_of, screen

pytestmark = pytest.mark.browser


@pytest.fixture
def saved(page, tmp_path):
    """A saved walk, opened from the disk with every request over a network refused."""

    def open_saved(walk):
        walk.save(tmp_path / "walk.html")
        requests = []
        page.on("request", lambda request: requests.append(request.url))
        page.context.set_offline(True)
        page.goto((tmp_path / "walk.html").as_uri())
        root = page.get_by_role("group", name="Step through loss")
        root.wait_for()
        assert [url for url in requests if not url.startswith("file:")] == []
        return root

    return open_saved


def test_it_steps_by_keyboard_and_by_mouse(page, saved):
    walk = chain()
    root = saved(walk)
    root.focus()
    seen = [screen(root)]
    for number in range(1, len(walk.frames)):
        page.keyboard.press("ArrowRight")
        assert at(root) == number
        assert root.locator(".al-say").inner_text() == walk.frames[number]["say"]
        seen.append(screen(root))
    root.get_by_role("button", name="Back").click()
    assert screen(root) == seen[-2]
    assert field(root, f"{keys_of(walk)['loss']}.value") == "100"


def test_it_asks_and_judges(page, saved):
    root = saved(chain("all"))
    root.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    assert "That is 2 + 3. The op here is *." in root.locator(".al-verdict").inner_text()


def test_it_says_that_inputs_need_the_notebook(page, saved):
    root = saved(chain())
    root.get_by_text("Change the inputs").click()
    assert "this page has no kernel" in root.locator(".al-change").inner_text()
    assert root.locator(".al-change input").count() == 0


def test_the_table_is_there_and_names_are_safe(page, saved, tmp_path):
    saved(chain())
    page.get_by_text("As a table").click()
    assert "x.grad = 60" in page.locator("pre").inner_text()
    text = (tmp_path / "walk.html").read_text("utf-8")
    assert text.count("</script>") == 2
    assert "http://" not in text.replace("http://www.w3.org/", "")


def test_without_scripts_it_is_the_last_step_and_the_table(chromium, tmp_path):
    chain().save(tmp_path / "walk.html")
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((tmp_path / "walk.html").as_uri())
    assert page.locator("svg").is_visible()
    assert page.locator("summary").inner_text() == "As a table"
    context.close()


def test_another_ending_is_a_sentence(tmp_path):
    with pytest.raises(ValueError) as caught:
        chain().save(tmp_path / "walk.png")
    assert str(caught.value).startswith("Cannot save a walk as 'walk.png': the name must end in one of .html, .svg")
