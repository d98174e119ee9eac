"""Lesson 03, recording the graph: its questions in words."""

from autograd_lab.course.entry import Entry

ENTRIES = (
    Entry(
        "03/what-is-recorded",
        "`loss = z ** 2` has run, and z requires grad. What is there now, besides the number?",
        "A node, PowBackward0, that knows where z came from and keeps what backward needs",
        "Each op records one node while it runs. Backward later walks over these nodes.",
        {
            "Nothing: the graph is made when backward() is called": (
                "The graph is recorded during the forward pass, op by op. Backward only walks it.",
                "M14",
            ),
            "A formula for the derivative of the whole loss": (
                "No formula of the whole is ever made. Each node knows its own small rule, and numbers flow.",
                "M11",
            ),
            "A note inside the model that this is its loss": (
                "No model is needed. The graph hangs on the result: loss.grad_fn.",
                "M6",
            ),
        },
    ),
    Entry(
        "03/what-an-arrow-means",
        "In the drawing of `y = x * 3`, what does the solid arrow from x to the × mean?",
        "The number in x went into the multiplication",
        "Solid arrows show the forward pass. Along the dashed arrows gradients flow back.",
        {
            "x calls the function backward()": ("Arrows show where numbers go, not which function calls which.", "M23"),
            "The gradient flows from x to the multiplication": (
                "Gradients flow the other way, from the result back to x: the dashed arrow.",
                "M23",
            ),
            "y is stored inside x": ("y is a new tensor. x stays as it was.", "M1"),
        },
    ),
    Entry(
        "03/constants-and-nodes",
        "`b = a + 5`, and a requires grad. What does the node AddBackward0 know about the 5?",
        "Nothing that leads anywhere: a plain number has no node, and no gradient goes to it",
        "Edges lead only to inputs that require grad. next_functions has one entry here.",
        {
            "It has an edge to the 5, like the edge to a": (
                "A plain number has no grad_fn and no `.grad`. Nothing could be sent there.",
                "M1",
            ),
            "The 5 becomes a leaf tensor with requires_grad=True": (
                "Nothing turns into a leaf by being used. Tracking must be asked for.",
                "M1",
            ),
            "The 5 is drawn, so it gets a gradient": (
                "The drawing shows what was used. Gradients follow the dashed arrows only.",
                "M23",
            ),
        },
    ),
)

# Wrong answers of the predictions and checks that are computed from the variables of their cells.
WRONG = {
    "How many nodes are there, AccumulateGrad included?": lambda nodes, ops: {
        len(ops): "Those are the ops. x has a node too, where its gradient arrives.",
        len(nodes) + 2: ("The plain numbers 3 and 4 have no nodes: no gradient goes to them.", "M23"),
        0: ("They are recorded while the lines run, not when backward() is called.", "M14"),
        1: ("There is no graph as one object. Each op left its own node.", "M6"),
    },
    "Which node does loss.grad_fn show?": lambda: {
        "MulBackward0": "That made y. loss was made by the last line.",
        "AddBackward0": "That made z. loss was made from z by one more op.",
        "PowBackward0": "The last line squares z: a power.",
        "AccumulateGrad": ("That is where a leaf's gradient arrives. loss was made by an op.", "M3"),
    },
    "How many edges of the addition's node lead to another node?": lambda edges: {
        len(edges) + 1: ("One input is y. The 4 is a plain number: nothing leads to it.", "M1"),
        len(edges) - 1: "y requires grad, so a way back to its node is kept.",
    },
    "How many edges lead from node to node, from loss to x?": lambda count: {
        count + 1: "Nodes are one more than edges in a chain.",
        count + 3: ("Arrows to plain numbers are not edges.", "M23"),
    },
    "How many nodes are behind your c, AccumulateGrad included?": lambda count: {
        count - 1: "One node more: AccumulateGrad of x counts.",
        count + 1: "x is one leaf, however often it is used.",
    },
    "A formula with five nodes": lambda: {4: "One op more.", 6: "One op less, or one leaf less."},
}
