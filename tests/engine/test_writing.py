"""In-place writes, views, and what a later backward says: PyTorch's errors, asked of PyTorch 2.13."""

import pytest

import autograd_lab as torch


def leaf(value):
    return torch.tensor(value, requires_grad=True)


def error_of(action):
    with pytest.raises(RuntimeError) as caught:
        action()
    return str(caught.value)


def test_a_result_that_was_saved_into_a_view_is_named_after_the_view():
    base = leaf([0.5, -1.0, 2.0]).sin()
    view = base[1:]
    view.relu_()
    base.fill_(0.3)
    assert "which is output 0 of AsStrided, is at version 2; expected version 1" in error_of(base.sum().backward)


def test_a_view_that_got_a_new_history_no_longer_names_the_old_one():
    base = leaf([0.5, -1.0, 2.0]).sin()
    view = base[1:]
    view.relu_()
    base.fill_(0.3)
    assert view.grad_fn.name() == "AsStridedBackward0"
    assert "which is output 0 of Relu, is at version 2" in error_of(base.sum().backward)


def test_a_saved_output_of_unbind_is_asked_for_its_history_first():
    base = leaf([[0.5, -1.0], [2.0, 1.0]]).sin()
    product = base.unbind(0)[0].cos()
    base += 0.5
    assert error_of(product.sum().backward).startswith("Output 0 of Unbind is a view and its base or another view of")


def test_of_two_overwritten_values_the_first_by_name_is_in_the_error():
    matrix, vector = leaf([[1.0, 2.0], [3.0, 4.0]]), leaf([1.0, 2.0]).exp()
    part = vector[:1]
    total = torch.addr(leaf([[0.0, 0.0]]), part, vector).sum() + matrix.sum()
    part[0] = 0.7
    assert "[torch.FloatTensor [1]], which is output 0 of AsStrided" in error_of(total.backward)


def test_an_error_in_mid_backward_stays_the_same_error():
    x = leaf([[1.0, 2.0], [3.0, 4.0]])
    y = x.amin(1)
    y.neg_()
    for _ in range(2):
        assert "which is output 0 of Amin, is at version 1; expected version 0" in error_of(y.sum().backward)


def test_a_write_into_a_view_is_freed_though_its_op_saves_nothing():
    base = leaf([1.0, 2.0]).sign()
    base.unsqueeze(0).add_(1.5)
    base.sum().backward()
    assert error_of(base.sum().backward).startswith("Trying to backward through the graph a second time")


def test_a_view_of_what_became_tracked_is_a_leaf_until_somebody_asks():
    base = torch.ones(2, 3)
    asked, unasked = base[1:], base[:1]
    base.fill_(leaf(0.5))
    assert unasked.requires_grad
    assert error_of(lambda: unasked.mul_(2)) == (
        "a leaf Variable that requires grad is being used in an in-place operation."
    )
    assert asked.grad_fn.name() == "AsStridedBackward0"
    asked.mul_(2)
    assert base.grad_fn.name() == "torch::autograd::CopySlices"


def test_a_tracked_value_may_not_come_into_a_view_that_forbids_it():
    first = torch.ones(2, 3).unbind(0)[0]
    start = "A view was created in no_grad mode and is being modified inplace with grad mode enabled."
    assert error_of(lambda: first.mul_(leaf(2.0))).startswith(start + " This view is the output of a function that")
    assert first.tolist() == [1.0, 1.0, 1.0]


def test_a_view_made_in_no_grad_mode_says_it_requires_grad_and_has_no_history():
    w = leaf([1.0, 2.0])
    with torch.no_grad():
        view, copy = w.view(-1), w * 1
    assert (view.requires_grad, view.is_leaf, view.grad_fn, copy.requires_grad) == (True, True, None, False)
    assert repr(view) == "tensor([1., 2.], requires_grad=True)"
    product = view * 3
    assert [n for n, _ in product.grad_fn.next_functions] == [None, None]
    product.sum().backward()
    assert (view.grad, w.grad) == (None, None)
    with torch.no_grad():
        view.zero_()
    assert repr(view) == "tensor([0., 0.], grad_fn=<Invalid>)"
    assert error_of(lambda: view * 2).startswith("A view was created in no_grad mode and its base or another view of")


def test_an_index_out_of_bounds_is_noticed_before_the_history():
    base = leaf([[1.0, 2.0]]).exp()
    first = base.unbind(0)[0]
    base.relu_()
    with pytest.raises(IndexError, match="index 9 is out of bounds for dimension 0 with size 2"):
        first[9]


def test_numpy_asks_for_detach_in_grad_mode_only():
    w = leaf([1.0, 2.0])
    assert error_of(w.numpy).startswith("Can't call numpy() on Tensor that requires grad.")
    with torch.no_grad():
        assert w.numpy().tolist() == [1.0, 2.0]


def test_as_strided_stays_within_the_memory():
    base = torch.arange(4.0)
    shown = base[1:].as_strided((2, 2), (1, 1), 0)
    assert shown.tolist() == [[0.0, 1.0], [1.0, 2.0]]
    assert error_of(lambda: base.as_strided((2, 2), (2, 1), 1)) == (
        "setStorage: sizes [2, 2], strides [2, 1], storage offset 1, and itemsize 4 requiring a storage size of 20 are "
        "out of bounds for storage of size 16"
    )


def test_as_strided_of_every_second_element_sends_gradients_to_those_only():
    x = leaf([1.0, 2.0, 3.0, 4.0])
    shown = x[::2].as_strided((3,), (1,))
    assert shown.tolist() == [1.0, 2.0, 3.0]
    shown.sum().backward()
    assert x.grad.tolist() == [1.0, 0.0, 1.0, 0.0]


@pytest.mark.parametrize(
    "write",
    [
        lambda x: x.sub_(x[0]),
        lambda x: x.add_(x.t()),
        lambda x: x.view(-1)[1:].mul_(x.view(-1)[:-1]),
        lambda x: x[0].mul_(x[0, 0]),
        lambda x: x.view(-1).__setitem__(slice(1, None), x.view(-1)[:-1]),
        lambda x: x.__setitem__([0, 1], x),
        lambda x: x.index_add_(0, torch.tensor([0]), x[:1]),
    ],
)
def test_an_op_may_not_read_what_it_writes_in_another_order(write):
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert error_of(lambda: write(x)) == (
        "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory "
        "location. Please clone() the tensor before performing the operation."
    )
    assert x.tolist() == [[1.0, 2.0], [3.0, 4.0]]


@pytest.mark.parametrize(
    ("write", "expected"),
    [
        (lambda x: x.add_(x), [[2.0, 4.0], [6.0, 8.0]]),
        (lambda x: x.mul_(x.view(2, 2)), [[1.0, 4.0], [9.0, 16.0]]),
        (lambda x: x[:, 0].add_(x[:, 1]), [[3.0, 2.0], [7.0, 4.0]]),
        (lambda x: x.fill_(x[1, 1]), [[4.0, 4.0], [4.0, 4.0]]),
        (lambda x: x.__setitem__(0, x[1, 1]), [[4.0, 4.0], [3.0, 4.0]]),
        (lambda x: x.copy_(x[1]), [[3.0, 4.0], [3.0, 4.0]]),
    ],
)
def test_an_op_may_read_the_very_memory_it_writes_or_what_has_gaps(write, expected):
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    write(x)
    assert x.tolist() == expected
