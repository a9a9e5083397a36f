"""Boundary value and long-horizon differential-algebraic equations (DAEs).

solve_bvp    boundary value problems in SciPy's manner, with constraints up to index 3
solve_dae    initial values of constrained problems: index 2 and 3, mechanisms
load, Model  mechanisms and DAEs from a text file or a text
from_sympy   equations of motion that SymPy derived, with their constraints

Results carry SciPy's names (t or x, y, sol, status, message, success) and `report`, which tells what
was asked, what was chosen and why.
"""

from ._daewave import Error, FileError, InvalidOption, InvalidProblem, Report, method_names
from .boundary import solve_bvp
from .initial import solve_dae
from .model import Model, load
from .result import Result
from .symbolic import from_sympy

__all__ = ["Error", "FileError", "InvalidOption", "InvalidProblem", "Model", "Report", "Result",
           "from_sympy", "load", "method_names", "solve_bvp", "solve_dae"]
__version__ = "0.1.0"
