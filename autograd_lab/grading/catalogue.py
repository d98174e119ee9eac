"""Every belief that feedback can name: one id each, with what it means, and the feedback rules R1 to R16
that find them.

An id is what progress keeps and what a class map counts, so it never changes its meaning. Reasons with an
id that is not listed here are a fault (`tests/grading/test_rules.py`).
"""

BELIEFS = {
    "accumulate.not-zeroed": "several backward passes without clearing",
    "accumulate.from-last-step": "this gradient and the one before, added",
    "accumulate.overwritten": "of several ways, only one was counted",
    "accumulate.multiplied": "what comes along several ways was multiplied",
    "none.non-leaf": ".grad of a tensor in the middle, which does not keep it",
    "none.no-backward": "backward() did not run",
    "none.no-requires-grad": "the leaf does not track",
    "none.returned-backward": "what backward() returns was taken for the gradient",
    "none.not-attempted": "no answer yet",
    "none.raised": "the learner's code raised",
    "none.wrong-type": "an answer of another kind than the question asks for",
    "returned.grad-fn": "the node, not the gradient",
    "returned.value-not-gradient": "the value of the function, not its slope",
    "returned.input-value": "the value of the input",
    "returned.swapped": "the gradient of another input",
    "graph.python-floats": "plain numbers broke the graph",
    "graph.numpy-detour": "the computation went through NumPy and back",
    "graph.detached": "a branch was treated as constant",
    "graph.no-grad-left-on": "the forward pass was not recorded",
    "graph.leaf-replaced": "the leaf was made again after the loss was computed",
    "graph.other-numbers": "the program computes something else than the exercise asks",
    "inplace.leaf": "a leaf that needs gradients was changed in place",
    "inplace.saved-value": "a value that backward needs was changed in place",
    "backward.non-scalar": "backward() of several elements without a gradient to start from",
    "backward.twice": "the graph was freed by an earlier backward()",
    "chain.inner-derivative": "the inner factor is lost",
    "chain.cotangent-dropped": "a local derivative without the gradient that arrives",
    "chain.factor-missing": "one factor of the product is missing",
    "chain.wrong-place": "a local derivative at the value of another node",
    "chain.input-for-output": "a local derivative from the input that needs the output",
    "chain.sum-not-product": "local derivatives along a way were added",
    "chain.added-constant": "an added number was taken to stop the gradient",
    "chain.wrong-pair": "the slope of another pair of tensors",
    "chain.only-the-start": "the gradient that starts backward",
    "product.own-factor": "d(ab)/da = a",
    "power.factor-lost": "d(x^2) = x",
    "sign.flipped": "minus the right answer",
    "sub.sign": "the sign of one operand of minus",
    "matmul.transposed": "a transpose is missing or too many",
    "loss.sum-for-mean": "N times too large",
    "loss.mean-for-sum": "N times too small",
    "broadcast.not-reduced": "the shape of the output, not of the input",
    "broadcast.mean-not-sum": "averaged where broadcasting is undone by a sum",
    "softmax.target-missing": "the target was not subtracted",
    "update.wrong-way": "stepped uphill",
    "update.zeroed-too-early": "cleared between backward and step",
    "update.tracked": "the step was recorded in the graph",
    "numeric.finite-difference": "near, as an estimate or a rounded number is",
    "constant.answer": "the same answer for different inputs",
    "value.power-as-product": "a power taken as a product",
    "value.too-early": "a value from before the last op",
    "value.other-op": "another op on the same numbers",
    "name.other-node": "the name of another tensor's node",
    "name.incomplete": "the right op, but not the node's whole name",
    "name.operation": "the op as it is written, not the node that was recorded",
    "name.accumulate-grad": "the end of the way, for a tensor that was computed",
    "name.leaf": "a computed tensor taken for one without grad_fn",
    "unknown": "none of the known ones",
}

RULES = {
    "R1": ("returned.value-not-gradient", "returned.input-value", "returned.grad-fn"),
    "R2": ("power.factor-lost",),
    "R3": ("chain.factor-missing", "chain.inner-derivative", "chain.added-constant"),
    "R4": ("chain.wrong-place", "chain.input-for-output"),
    "R5": ("chain.sum-not-product",),
    "R6": ("accumulate.not-zeroed", "accumulate.from-last-step"),
    "R7": ("sign.flipped", "sub.sign"),
    "R8": ("accumulate.overwritten",),
    "R9": ("product.own-factor", "accumulate.multiplied"),
    "R10": (
        "none.non-leaf",
        "none.no-backward",
        "none.no-requires-grad",
        "none.returned-backward",
        "graph.python-floats",
        "graph.detached",
        "graph.no-grad-left-on",
        "graph.leaf-replaced",
        "update.zeroed-too-early",
    ),
    "R11": ("chain.wrong-pair", "name.other-node", "name.accumulate-grad", "name.leaf"),
    "R12": ("returned.swapped",),
    "R13": ("numeric.finite-difference", "name.incomplete"),
    "R14": ("loss.sum-for-mean", "loss.mean-for-sum"),
    "R15": ("chain.cotangent-dropped", "chain.only-the-start"),
    "R16": ("unknown", "graph.other-numbers"),
}


def rule_of(belief: str) -> str:
    """The feedback rule that finds a belief, or "" if no rule of R1 to R16 does.

    >>> rule_of("accumulate.not-zeroed")
    'R6'
    """
    return next((rule for rule, ids in RULES.items() if belief in ids), "")
