"""`python -m autograd_lab` is the same as the command `autograd-lab`."""

import sys

from autograd_lab.cli import main

sys.exit(main())
