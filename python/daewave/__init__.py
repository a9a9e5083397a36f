"""Boundary value and long-horizon differential-algebraic equations (DAEs).

solve_bvp    boundary value problems in SciPy's manner, with constraints up to index 3
follow_bvp   their solutions over a parameter: to where no guess leads, around folds
solve_dae    initial values of constrained problems: index 1, 2 and 3, mechanisms
load, Model  mechanisms and DAEs from a text file, a text or dictionaries
from_sympy   equations of motion that SymPy derived, with their constraints

Results carry SciPy's names (t or x, y, sol, status, message, success) and `report`, which tells what
was asked, what was chosen and why; they plot, animate, become a pandas.DataFrame and a page for a
browser.
"""

from ._daewave import (Error, FileError, InvalidOption, InvalidProblem, Report, __version__,
                       method_names)
from .boundary import solve_bvp
from .branch import Branch, follow_bvp
from .initial import Interrupted, solve_dae
from .model import Model, load
from .result import Result
from .symbolic import from_sympy

__all__ = ["Branch", "Error", "FileError", "Interrupted", "InvalidOption", "InvalidProblem", "Model",
           "Report", "Result", "follow_bvp", "from_sympy", "load", "method_names", "solve_bvp",
           "solve_dae"]
