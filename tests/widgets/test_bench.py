"""The bench itself: what is stored, what reads as text, what the browser and the kernel tell each other."""

import json
import re
from html import unescape
from xml.etree import ElementTree

import pytest

from autograd_lab.course.prompt import Choice, Question
from autograd_lab.widgets import bench_widget
from autograd_lab.widgets.bench import Bench, key
from autograd_lab.widgets.bench_parts import Field, Figure, Output, Table, Text
from autograd_lab.widgets.digit_monitor import digit_monitor
from autograd_lab.widgets.flow_bars import flow_bars
from autograd_lab.widgets.loop_lab import loop_lab
from autograd_lab.widgets.mode_meter import mode_meter
from autograd_lab.widgets.nudge_lens import nudge_lens
from autograd_lab.widgets.plot import Axis, Bar, Line, bar_plot, line_plot
from autograd_lab.widgets.vjp_bench import vjp_bench

MAKERS = {
    "nudge_lens": lambda: nudge_lens(lambda x: x**2, 5.0),
    "vjp_bench": lambda: vjp_bench(lambda x: x**2, [1.0, 2.0], [3.0, -1.0]),
    "loop_lab": lambda: loop_lab(["zero", "forward", "loss", "backward", "step"]),
    "flow_bars": lambda: flow_bars(5),
    "mode_meter": lambda: mode_meter(3, 2),
    "digit_monitor": digit_monitor,
}
every_bench = pytest.mark.parametrize("made", MAKERS.values(), ids=MAKERS)
QUESTION = Question(
    "double", "Double", "What is twice n?", choices=(Choice("6", True), Choice("9", reason="A square."))
)


def doubled(values, action):
    if values["n"] > 100:
        raise ValueError("n is too large")
    text = Text(f"`2 n` = {2 * values['n']} {action}".strip(), hides=("double",), tone="good")
    return Output((text,), (QUESTION,), "computed")


@pytest.fixture
def bench():
    return Bench("Doubling", [Field("n", "n", "number")], {"n": 3}, doubled, ready=[{"n": 4}])


@every_bench
def test_the_stored_output_has_no_widget_and_is_the_same_each_time(made, monkeypatch):
    monkeypatch.setenv("AUTOGRAD_LAB_OUTPUT", "stored")
    one, other = made()._repr_mimebundle_(), made()._repr_mimebundle_()
    assert one == other
    assert set(one) == {"text/plain", "text/html"}
    assert " at 0x" not in one["text/plain"]


@every_bench
def test_text_and_html_tell_the_same(made):
    bench = made()
    alts = " ".join(re.findall(r'alt="([^"]*)"', bench.html()))
    html = unescape(f"{alts} {re.sub(r'<[^>]+>', ' ', bench.html())}")
    assert [word for word in bench.text().replace("( )", "").split() if word.strip(":();,.") not in html] == []


@every_bench
def test_every_question_is_open_has_one_right_answer_and_reasons(made):
    bench = made()
    assert bench.questions
    for question in bench.questions:
        assert f"{question.label}: " in bench.text()
        assert "not answered" in bench.text()
        assert question.shown and question.because
        if question.choices:
            right = [choice for choice in question.choices if choice.right]
            wrong = [choice for choice in question.choices if not choice.right]
            assert len(right) == 1 and len(wrong) >= 2
            assert all(choice.reason for choice in wrong)
            assert len({choice.text for choice in question.choices}) == len(question.choices)
            assert len({choice.reason for choice in wrong}) >= 2
        else:
            assert len({wrong.reason for wrong in question.wrong}) >= 2
            assert question.otherwise


@every_bench
def test_a_block_waits_only_for_questions_that_are_asked(made):
    output = made().output
    ids = {question.id for question in output.questions}
    assert len(ids) == len(output.questions)
    for block in output.blocks:
        assert set(block.hides) <= ids


@every_bench
def test_figures_are_valid_svg_with_a_name_a_sentence_and_a_table(made):
    figures = [block for block in made().output.blocks if isinstance(block, Figure)]
    for figure in figures:
        root = ElementTree.fromstring(figure.svg)
        assert root.attrib["role"] == "img"
        assert root.find("{http://www.w3.org/2000/svg}title").text
        assert figure.alt.endswith(".")
        assert figure.table.rows
        assert "nan" not in figure.svg


@every_bench
def test_what_travels_to_the_browser_is_json_and_complete(made):
    bench = made()
    widget = bench.widget
    names = ("heading", "fields", "buttons", "values", "output", "parts", "ready", "states")
    carried = json.loads(json.dumps({name: getattr(widget, name) for name in names}, allow_nan=False))
    for output in carried["ready"].values():
        assert all(place < len(carried["parts"]) for place in (*output["blocks"], *output["questions"]))


def test_a_request_is_answered_and_an_error_is_shown(bench):
    widget = bench.widget
    widget.request = {"values": {"n": 7}, "action": "", "serial": 1}
    assert widget.output["blocks"][0]["text"] == "✓ `2 n` = 14"
    assert widget.output["serial"] == 1
    widget.request = {"values": {"n": 7}, "action": "run", "serial": 2}
    assert widget.output["blocks"][0]["text"] == "✓ `2 n` = 14 run"
    widget.request = {"values": {"n": 1000}, "action": "", "serial": 3}
    assert widget.output["blocks"][0]["text"] == "✗ `ValueError`: n is too large"
    widget.request = {"values": {"n": "x"}, "action": "", "serial": 4}
    assert "n must be a number" in widget.output["blocks"][0]["text"]
    widget.request = {"values": {"n": 4}, "action": "quiet", "serial": 5}
    assert widget.output["serial"] == 4  # the browser shows what came along
    assert bench.values == {"n": 4}


def test_what_was_answered_is_told_to_the_listeners(bench):
    heard = []
    bench.listeners.append(lambda name, state: heard.append((name, state["state"])))
    bench.widget.states = {"double": {"state": "wrong", "typed": "9", "tries": 1}}
    bench.widget.states = {"double": {"state": "right", "typed": "6", "tries": 2}}
    assert heard == [("double", "wrong"), ("double", "right")]
    assert "(right at try 2)" in bench.text()


def test_an_unknown_input_is_named(bench):
    with pytest.raises(ValueError) as caught:
        bench.set(m=3)
    assert str(caught.value) == "This bench has no input 'm'. It has n."


def test_keys_are_as_the_browser_writes_them():
    fields = [Field("v", "v", "numbers"), Field("p", "p", "choice"), Field("o", "o", "order")]
    assert key(fields, {"v": [1.0, -0.25], "p": "ü", "o": ("a", "b")}) == '[[1,-0.25],"ü",["a","b"]]'


def test_a_table_reads_in_columns():
    assert Table(("", ""), (("a", "1"), ("bb", "2")), "named").as_text() == "named\na   1\nbb  2"


def test_the_scripts_join_into_one_module():
    script = bench_widget.script()
    assert script.count("export default") == 1
    assert "http" not in re.sub(r"http://www\.w3\.org/\S+", "", script)


def test_a_line_that_leaves_the_frame_breaks():
    axis = Axis("x", 0, 4)
    points = [(0, 1), (1, 9), (2, 1), (3, float("nan")), (4, 2)]
    assert line_plot("t", axis, Axis("y", 0, 2), [Line("", points)]).count("<polyline") == 3


def test_bars_on_a_log_axis_are_as_long_as_their_powers():
    bars = [Bar("a", 1e-2, "0.01"), Bar("b", 1.0, "1"), Bar("c", 1e-9, "tiny")]
    found = re.findall(r'<rect [^>]*width="([\d.]+)" height="17', bar_plot("t", Axis("n", 1e-4, 1, log=True), bars))
    half, full, none = map(float, found)
    assert half == pytest.approx(full / 2, abs=0.1)
    assert none == 0
