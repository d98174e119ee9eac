"""Every `grad_fn` name of PyTorch's tables is a card, or is listed with the reason why not."""

import pytest

import autograd_lab.ops.every  # noqa: F401
from autograd_lab.op import CARDS
from autograd_lab.ops.not_supported import NOT_SUPPORTED

# the nodes as PyTorch 2.13 prints them for the functions of its public API, without the word Backward
ARITHMETIC = """
Add0 Sub0 Rsub1 Mul0 Div0 Div2 Pow0 Pow1 Pow2 Neg0 Remainder0 Remainder1 Fmod0 Fmod1 Reciprocal0 Abs0 Addcmul0
Addcdiv0 Lerp0 Lerp1 Atan20 Hypot0 Clone0 ToCopy0 Xlogy0 Logaddexp0 Logaddexp20 Copysign0 Ldexp0
"""
ELEMENTWISE = """
Exp0 Exp20 Expm10 Sqrt0 Rsqrt0 Tan0 Tanh0 Sigmoid0 Relu0 Log0 Log20 Log100 Log1P0 Sin0 Cos0 Asin0 Acos0 Atan0 Sinh0
Cosh0 Asinh0 Atanh0 Erf0 Erfc0 Erfinv0 Lgamma0 Digamma0 Polygamma0 NanToNum0 Sinc0 I00 Acosh0 Sign0 Floor0 Ceil0
Round0 Round1 Trunc0 Frac0 Deg2Rad0 Rad2Deg0 Logit0 Sgn0 Mvlgamma0 SpecialI0E0 SpecialI10 SpecialI1E0 SpecialNdtri0
SpecialLogNdtr0 SpecialEntr0 SpecialErfcx0 SpecialXlog1Py0
"""
CHOICE = """
Clamp0 Clamp1 ClampMin0 ClampMin1 ClampMax0 ClampMax1 Maximum0 Minimum0 Fmax0 Fmin0 Where0 MaskedFill0 MaskedFill1
MaskedSelect0 MaskedScatter0
"""
REDUCTIONS = """
Sum0 Sum1 Mean0 Mean1 Max0 Max1 Min0 Min1 Amax0 Amin0 Aminmax0 Median0 Median1 Nanmedian0 Nanmedian1 Mode0 Prod0 Prod1
Var0 Std0 VarMean0 StdMean0 LinalgVectorNorm0 Dist0 Logsumexp0 Cumsum0 Cumprod0 Cummax0 Cummin0 Logcumsumexp0 Trace0
Nansum0 Sort0 Topk0 Kthvalue0 Renorm0
"""
SHAPE = """
View0 UnsafeView0 ReshapeAlias0 T0 Permute0 Transpose0 Unsqueeze0 Squeeze0 Squeeze1 Squeeze2 Squeeze4 Expand0 Repeat0
Cat0 Stack0
Split0 SplitWithSizes0 Slice0 Unbind0 Select0 Flip0 Roll0 Rot900 Tril0 Triu0 Diagonal0 DiagEmbed0 Unfold0 AsStrided0
Alias0 ConstantPadNd0 ReflectionPad2D0 BlockDiag0 DiagonalScatter0
"""
INDEXING = """
Index0 Gather0 Take0 IndexSelect0 Scatter0 Scatter1 ScatterAdd0 ScatterReduce0 IndexAdd0 IndexCopy0 IndexFill0
IndexFill1 IndexPut0
"""
PRODUCTS = """
Mm0 Mv0 Dot0 Vdot0 Bmm0 Addmm0 Addmv0 Addr0 Addbmm0 Baddbmm0 LinalgCross0 LinalgDet0 LinalgSlogdet0 LinalgInvEx0
LinalgSolveEx0 LinalgSolveTriangular0 LinalgCholeskyEx0 Cholesky0 LinalgEigh0 LinalgSvd0 LinalgQr0 LinalgPinv0
LinalgMatrixExp0 LinalgLstsq0 Cdist0
"""
IN_PLACE = """
Zero0 Fill0 Fill1 Fill2 Fill3 Squeeze3 T1 Unsqueeze1 Transpose1 Normal0 Uniform0 Exponential0 Bernoulli0 Bernoulli2
"""

NAMES = [
    f"{name[:-1]}Backward{name[-1]}"
    for table in (ARITHMETIC, ELEMENTWISE, CHOICE, REDUCTIONS, SHAPE, INDEXING, PRODUCTS, IN_PLACE)
    for name in table.split()
] + ["NotImplemented", "CopyBackwards", "DiagonalBackward0_copy"]


@pytest.mark.parametrize("name", NAMES)
def test_a_card_records_the_node(name):
    assert name in {card.node_name for card in CARDS.values()}


def test_what_is_not_supported_has_a_reason_and_no_card():
    recorded = {card.node_name for card in CARDS.values()}
    for name, reason in NOT_SUPPORTED.items():
        assert reason
        assert name not in recorded, f"{name} has a card: take it from the list"
