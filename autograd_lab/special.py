"""`torch.special`: error functions, gamma and Bessel functions, under SciPy's names."""

from __future__ import annotations

from .menu.front import front
from .menu.methods import log_softmax, softmax  # noqa: F401
from .ops import activation, angles, elementwise, gamma_ops, norms, rounding, special_ops

erf, erfc, erfinv, erfcx = map(front, (special_ops.erf, special_ops.erfc, special_ops.erfinv, special_ops.erfcx))
ndtr, ndtri, log_ndtr = map(front, (special_ops.ndtr, special_ops.ndtri, special_ops.log_ndtr))
entr, xlogy, xlog1py = map(front, (special_ops.entr, special_ops.xlogy, special_ops.xlog1py))
gammaln, digamma = front(gamma_ops.lgamma, "special_gammaln"), front(gamma_ops.digamma)
psi, polygamma = front(gamma_ops.digamma, "special_psi"), front(gamma_ops.polygamma)
multigammaln = front(gamma_ops.mvlgamma, "special_multigammaln")
i0, i0e, i1, i1e = map(front, (gamma_ops.i0, gamma_ops.i0e, gamma_ops.i1, gamma_ops.i1e))
expit, logit = front(activation.sigmoid, "special_expit"), front(special_ops.logit)
exp2, expm1, log1p = map(front, (elementwise.exp2, elementwise.expm1, elementwise.log1p))
sinc, round = front(angles.sinc), front(rounding.round)
logsumexp = front(norms.logsumexp)
