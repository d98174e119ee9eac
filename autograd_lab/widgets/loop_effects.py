"""What an order of the lines does, in words: told from what was seen in the run.

An effect is "falls" (as it should), "late", "memory", "stale", "sum", "still" or "error". Several can be true at once;
the gravest one is the answer to the question.
"""

from __future__ import annotations

from collections.abc import Iterator

from autograd_lab.course.prompt import Choice, Question
from autograd_lab.course.wrong_answers import WrongAnswer, kept
from autograd_lab.view.texts import number_text
from autograd_lab.widgets.loop_run import LINES, RIGHT, Run, Start, run

# the gravest first: what it is called as an answer, and the belief that overlooks it
EFFECTS = {
    "error": ("An error is raised", "M14"),
    "still": ("The weights never move", "M7"),
    "sum": ("Gradients of several rounds add up in .grad", "M7"),
    "stale": ("Each step uses a stale gradient, from before the last step", "M21"),
    "memory": ("The loss falls, but every round keeps more memory", "M22"),
    "late": ("Nothing moves in round 1; then the loss falls", "M7"),
    "falls": ("The loss falls, as it should", "M14"),
}


def effects_of(done: Run) -> tuple[str, ...]:
    """Every effect that was seen, the gravest first.

    >>> effects_of(run(("forward", "loss", "backward", "zero", "step"), Start(), 5))
    ('still',)
    """
    return tuple(_seen(done))


def _seen(done: Run) -> Iterator[str]:
    if done.raised:
        yield "error"
        return
    moved = [update for update in done.updates if update.ages]
    if not moved:
        yield "still"
    if any(len(update.ages) > 1 for update in moved):
        yield "sum"
    elif any(age > 0 for update in moved for age in update.ages):
        yield "stale"
    grows = len(done.rounds) > 2 and done.rounds[-1].nodes > done.rounds[1].nodes
    if grows:
        yield "memory"
    sound = moved and all(update.ages == (0,) for update in moved)
    if sound and not done.updates[0].ages:
        yield "late"
    elif sound and not grows:
        yield "falls"


def told(effect: str, done: Run) -> str:
    """The reason, with the lines and the numbers of this run."""
    zero, backward, step = (f"`{LINES[key]}`" for key in ("zero", "backward", "step"))
    if effect == "error" and done.raised:
        place = f"Round {done.raised.round}, `{LINES[done.raised.line]}`"
        return f"{place}: {done.raised.name}: {done.raised.message}. {why(done)}"
    if effect == "still" and "step" not in done.order:
        return f"The weights did not move: {step} is missing, and no other line changes them."
    if effect == "still" and "backward" not in done.order:
        return f"The weights did not move because `.grad` was empty: {backward} is missing, and nothing else fills it."
    if effect == "still":
        return (
            f"The weights did not move because `.grad` was empty when {step} ran: {zero} comes between {backward} "
            f"and the next {step}, so it throws away what backward has just computed."
        )
    if effect == "sum":
        most = max(len(update.ages) for update in done.updates)
        return (
            f"`.grad` was not cleared between two backward passes. {backward} adds to `.grad`, so in the last round "
            f"{step} used the sum of {most} gradients. {ending(done)}"
        )
    if effect == "stale":
        return (
            f"{step} used a stale gradient. It belongs to an `output` that was computed with the weights from before "
            f"the last step: {step} stands between `{LINES['forward']}` and {backward}. {ending(done)}"
        )
    if effect == "memory":
        first, last = done.rounds[0], done.rounds[-1]
        return (
            f"`{LINES['total']}` adds tensors, so `total` remembers how every loss was computed: {first.nodes} nodes "
            f"are alive after round 1, {last.nodes} after round {last.number}. `{LINES['item']}` adds plain numbers."
        )
    if effect == "late":
        count = sum(bool(update.ages) for update in done.updates)
        return (
            f"{step} stands before {backward}: in round 1 `.grad` is None, nothing moves. Later it uses the gradient "
            f"of the round before, for weights that have not changed: {count} updates in {len(done.rounds)} rounds."
        )
    return f"Each step uses one gradient, taken at the weights as they are. {ending(done)}"


def why(done: Run) -> str:
    """Why this error."""
    assert done.raised
    if done.raised.name == "NameError":
        return "This line needs something that a line further down makes, or that no line makes."
    if "does not require grad" in done.raised.message:
        return f"`{LINES['detach']}` cut the graph: what it returns does not know how it was computed."
    if "second time" in done.raised.message:
        return "The graph was freed by the backward before, and no line recorded a new one."
    return "The lines do not fit together in this order."


def ending(done: Run) -> str:
    first, last = done.rounds[0], done.rounds[-1]
    if first.loss is None or last.loss is None:
        return ""
    return f"Loss in round 1: {number_text(first.loss)}; in round {last.number}: {number_text(last.loss)}."


# Questions -------------------------------------------------------------------------------------------


def effect_question(done: Run) -> Question:
    """What does this order do? Only what is not true is offered as a wrong answer."""
    true = effects_of(done)
    right = true[0]
    fact = told(right, done)
    choices = []
    for effect, (text, belief) in EFFECTS.items():
        if effect == right:
            choices.append(Choice(text, right=True))
        elif effect not in true:
            choices.append(Choice(text, reason=f"{against(effect, done)} {fact}".strip(), rule=belief))
    return Question(
        id=f"loop-lab/effect/{'-'.join(done.order)}",
        label="Effect",
        text="What will these lines do, in this order?",
        shown=EFFECTS[right][0],
        because="What happened, and why, stands below.",
        choices=tuple(choices),
    )


def against(effect: str, done: Run) -> str:
    """What speaks against a wrong choice, before the fact itself."""
    if done.raised and effect != "error":
        return {
            "falls": "It does not come that far.",
            "still": "Nothing gets the time to stand still.",
            "late": "Round 1 is not late, it ends in an error.",
        }.get(effect, f"The lines stop in round {done.raised.round}, before anything can pile up or grow old.")
    last = done.rounds[-1]
    return {
        "error": "Nothing raises here: a wrong order is often silent.",
        "still": f"The weights do move: w is {number_text(last.w)} in the end.",
        "sum": "No step used more than one gradient.",
        "stale": "No step used a gradient from before the last step.",
        "memory": f"No variable keeps old graphs: {last.nodes} nodes are alive in the end.",
        "late": "Look at round 1 and at the rounds after it.",
        "falls": f"In round {last.number} the loss is {number_text(last.loss)}." if last.loss is not None else "",
    }[effect]


def step_question(start: Start) -> Question:
    """The loss after one right step. Wrong answers are steps that went wrong in a known way."""
    rounds = run(RIGHT, start, 2).rounds
    before, after = rounds[0].loss, rounds[1].loss
    assert before is not None and after is not None
    x, lr = start.x, start.lr
    output = start.w * x + start.b
    slope = 2 * (output - start.target)

    def loss(dw: float, db: float) -> float:
        return ((start.w + dw) * x + start.b + db - start.target) ** 2

    wrong = [
        WrongAnswer(before, "That is the loss before the step. The step moves w and b.", "value.too-early"),
        WrongAnswer(
            loss(lr * slope * x, lr * slope),
            "You moved along the gradient. A step goes against it: w - lr · w.grad.",
            "sign.flipped",
        ),
        WrongAnswer(
            loss(-lr * slope / 2 * x, -lr * slope / 2),
            "The exponent 2 is a factor of the gradient.",
            "power.factor-lost",
        ),
        WrongAnswer(
            loss(-lr * slope * x, 0.0), "You moved w only. b has a gradient too: the optimizer holds both.", "M21"
        ),
        WrongAnswer(
            loss(-lr * slope, -lr * slope),
            "The local derivative of w * x for w is x: w.grad is x times b.grad.",
            "chain",
        ),
        WrongAnswer(loss(-slope * x, -slope), "The learning rate is missing: a step is lr times the gradient.", "lr"),
        WrongAnswer(
            output - lr * slope * (x * x + 1),
            "That is the output after the step. The loss is the squared distance.",
            "value",
        ),
    ]
    return Question(
        id=f"loop-lab/step/{start.w:g}/{start.b:g}/{x:g}/{start.target:g}/{lr:g}",
        label="One step",
        text=f"w = {start.w:g}, b = {start.b:g}, x = {x:g}, target = {start.target:g}, lr = {lr:g}: the loss is "
        f"{number_text(before)}. What is it after one right step?",
        answer=after,
        shown=number_text(after),
        because=f"w.grad = {number_text(slope * x)} and b.grad = {number_text(slope)}, w = {number_text(rounds[0].w)} "
        f"and b = {number_text(rounds[0].b)}; then the loss is {number_text(after)}.",
        wrong=kept(after, wrong),
        otherwise="Not this number. Find both gradients, move w and b by lr times them, and compute the loss again.",
        nudge=f"dloss/doutput = 2 · ({number_text(output)} - {start.target:g}) = {number_text(slope)}. Go on to w, b.",
    )
