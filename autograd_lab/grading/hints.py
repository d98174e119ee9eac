"""Three hints for a question, never the answer: a question back, a part of the graph, the same step worked
elsewhere.

The first follows what was diagnosed in the last wrong answer. The second and third are computed from the
exercise's own graph and from a sibling with other numbers. Read next: `show.py`.
"""

from .questions import Case, Question

LEVELS = 3

NUDGES = {
    "returned.value-not-gradient": "Is that {result} itself, or how fast {result} moves when {leaf} moves?",
    "returned.input-value": "Your number is {leaf}. What happens to {result} when {leaf} grows?",
    "returned.grad-fn": "A node is a worker. What did the worker leave in {leaf}.grad?",
    "power.factor-lost": "What does the exponent do when you take the slope of a power?",
    "chain.factor-missing": "How many lines lie between {leaf} and {result}? How many factors have you?",
    "chain.added-constant": "If every {result} were 5 larger, would it be steeper?",
    "chain.wrong-place": "Which number went into that line: {leaf}, or one computed from it?",
    "chain.sum-not-product": "Two gears in a row: are their ratios added or multiplied?",
    "chain.wrong-pair": "Your slope starts or ends in the middle. From where to where is asked?",
    "chain.only-the-start": "Backward starts with 1 at {result}. What happens to it at the first node?",
    "product.own-factor": "In a product, what stays when you take the slope with respect to one operand?",
    "sign.flipped": "Does {result} grow or fall when {leaf} grows?",
    "accumulate.not-zeroed": "How many times did backward() add into {leaf}.grad since {leaf} was made?",
    "none.no-backward": "Who fills {leaf}.grad, and did it run?",
    "none.no-requires-grad": "How does {leaf} know that somebody will ask for its gradient?",
    "none.non-leaf": "Was {leaf} made, or computed?",
    "graph.leaf-replaced": "Is the {leaf} you look at the one that {result} was computed from?",
    "graph.python-floats": "Which line of yours turns a tensor into a plain number?",
    "graph.other-numbers": "Which line differs from the exercise's program? Compare value by value.",
    "name.incomplete": "What does print(...) of that grad_fn show, letter by letter?",
    "name.other-node": "Which line made the tensor the question asks about?",
    "name.operation": "An op leaves a node behind. What is that node for, and where does its name say so?",
    "name.leaf": "Which tensors have no grad_fn: those you made, or those you computed?",
    "name.accumulate-grad": "Where does a gradient end up after its last node?",
    "numeric.finite-difference": "Can you get this number from formulas alone, without two close points?",
}


def ladder(question: Question, case: Case, sibling: Case, belief: str) -> tuple[str, str, str]:
    """The three hints of a question, for a learner whose last answer showed `belief` ("" for none)."""
    reference = case.reference
    result, leaf = question.between(reference)
    first = NUDGES.get(belief, question.nudge).format(result=result, leaf=leaf)
    return first, question.part(reference), question.worked(sibling.reference)
