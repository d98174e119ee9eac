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
    "power.base-lost": "Is the slope of a power the same everywhere? Where is it steep?",
    "power.exponent-kept": "If you lower an exponent by 1, how often may you still write the old one?",
    "power.rest-not-raised": "How many factors {leaf} has the power, and how many are left in its slope?",
    "constant.answer": "Draw the curve of {result}. Is it equally steep at every {leaf}?",
    "returned.swapped": "Whose gradient is this? Follow the way from {result} to each input once more.",
    "graph.other-order": "What stands beside the first arrow of your diagram, and what does your first line do?",
    "graph.other-op": "Go through diagram and program with two fingers. At which arrow do they part?",
    "graph.op-missing": "Count the arrows of your diagram, and the lines that compute. Which arrow has no line?",
    "graph.op-extra": "Which of your lines has no arrow in the diagram?",
    "graph.drawn-part": "From which tensor would a drawing show the whole way back to {leaf}?",
    "leaf.tracked-is-no-leaf": "requires_grad says that a tensor tracks. Does it say how the tensor was made?",
    "leaf.computed-is-leaf": "Was this tensor made, or computed from one that tracks?",
    "none.zero": "What is in a box in which nobody put anything: a 0?",
    "retain.too-late": "A gradient passes only once. When must one know that somebody wants to keep it?",
    "retain.graph-not-grad": "Which of the two shall stay: the graph, or one gradient that passes through it?",
    "retain.made-leaf": "Where does the way back end now? Does it still reach {leaf}?",
    "sign.meaning": "If {leaf} goes up by a little, does {result} go up or down? Which do you want?",
    "update.wrong-way": "Which way does a gradient point: up the hill or down?",
    "update.rate-forgotten": "How large is one step? Which number of your exercise makes it smaller?",
    "numeric.finite-difference": "Can you get this number from formulas alone, without two close points?",
}


def ladder(question: Question, case: Case, sibling: Case, belief: str) -> tuple[str, str, str]:
    """The three hints of a question, for a learner whose last answer showed `belief` ("" for none)."""
    reference = case.reference
    result, leaf = question.between(reference)
    first = NUDGES.get(belief, question.nudge).format(result=result, leaf=leaf)
    return first, question.part(reference), question.worked(sibling.reference)
