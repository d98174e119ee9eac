"""`walked_programs.py` is a helper that the tests of this folder import, not a module for doctest."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
collect_ignore = ["walked_programs.py"]
