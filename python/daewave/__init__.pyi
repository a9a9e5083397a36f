import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__: list[str]
__version__: str

Array = NDArray[np.float64]
Event = Callable[[float, Array], float]

class Error(ValueError): ...
class InvalidOption(Error): ...
class InvalidProblem(Error): ...
class FileError(Error): ...

class Interrupted(KeyboardInterrupt):
    result: Result | None
    def __init__(self, result: Result | None = None) -> None: ...

class Report:
    @property
    def termination(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def advice(self) -> str: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def error_estimate(self) -> float | None: ...
    @property
    def evaluations(self) -> int: ...
    @property
    def factorizations(self) -> int: ...
    @property
    def steps(self) -> int: ...
    @property
    def drift(self) -> float: ...
    def usable(self) -> bool: ...
    def json(self) -> str: ...
    def brief(self) -> str: ...
    def full(self) -> str: ...
    def explain(self) -> str: ...

class Result(dict[str, Any]):
    def __getattr__(self, name: str) -> Any: ...
    def _repr_html_(self) -> str: ...
    def plot(self, names: Sequence[str] | None = None, *, ax: Any = None,
             points: int = 1000) -> Any: ...
    def animate(self, *, ax: Any = None, seconds: float | None = None, fps: float = 25) -> Any: ...
    def to_frame(self) -> Any: ...
    def report_page(self, path: str | os.PathLike[str], *, title: str | None = None) -> str: ...

class Branch(Result):
    def plot(self, names: Sequence[str] | None = None, *, ax: Any = None) -> Any: ...
    def to_frame(self) -> Any: ...
    def animate(self, **options: Any) -> Any: ...
    def report_page(self, path: str | os.PathLike[str], *, title: str | None = None) -> Any: ...
    def _repr_html_(self) -> str: ...

class Model:
    name: str
    title: str
    parameters: Mapping[str, float]
    state_names: list[str]
    state_units: list[str]
    start: Array
    start_moved: float
    t_span: tuple[float, float]
    is_boundary: bool
    drawing: dict[str, Any] | None
    def __init__(self, text: str | Mapping[str, Any] | None = None, *,
                 path: str | os.PathLike[str] | None = None, name: str = "model",
                 **parameters: float) -> None: ...
    def with_parameters(self, **parameters: float) -> Model: ...
    def energy(self, y: ArrayLike) -> float | Array | None: ...
    def solve(self, t_span: tuple[float, float] | None = None, y0: ArrayLike | None = None, *,
              method: str = "auto", t_eval: ArrayLike | None = None,
              dense_output: bool | None = None,
              events: Event | Sequence[Event] | None = None, rtol: float | None = None,
              atol: ArrayLike | None = None, **options: Any) -> Result: ...
    def follow(self, parameter: str, to: float, *, arclength: bool = False,
               geometric: bool | None = None, first_step: float | None = None, tol: float = 1e-6,
               tol_on_way: float | None = None, max_nodes: int = 10_000, most_steps: int = 500,
               observer: Callable[[float, bool, Result], Any] | None = None,
               **options: Any) -> Branch: ...
    def _repr_html_(self) -> str: ...

def load(path: str | os.PathLike[str], **parameters: float) -> Model: ...
def method_names() -> list[str]: ...

def from_sympy(method: Any = None, *, constants: Mapping[Any, float] | None = None,
               start: Mapping[Any, float] | None = None, coordinates: Sequence[Any] | None = None,
               mass_matrix: Any = None, forcing: Any = None,
               configuration_constraints: Sequence[Any] = (),
               velocity_constraints: Sequence[Any] = (), name: str = "sympy") -> Model: ...

def solve_bvp(fun: Callable[..., ArrayLike], bc: Callable[..., ArrayLike], x: ArrayLike,
              y: ArrayLike, p: ArrayLike | None = None, S: ArrayLike | None = None,
              fun_jac: Callable[..., Any] | None = None, bc_jac: Callable[..., Any] | None = None,
              tol: float = 1e-3, max_nodes: int = 1000, verbose: int = 0,
              bc_tol: float | None = None, *,
              constraint: Callable[[Array, Array], ArrayLike] | None = None,
              B: Callable[[Array, Array], ArrayLike] | ArrayLike | None = None,
              constraint_jac: Callable[[Array, Array], ArrayLike] | None = None, index: int = 2,
              variant: str | None = None, epsilon: float | None = None,
              stages: int | None = None, iterates: int | None = None,
              alpha1: float | None = None, alpha2: float | None = None,
              scheme: str | None = None) -> Result: ...

def follow_bvp(fun: Callable[..., ArrayLike], bc: Callable[..., ArrayLike], x: ArrayLike,
               y: ArrayLike, p: ArrayLike, to: float, *, parameter: int | str | None = None,
               unknown: Sequence[int | str] = (), names: Sequence[str] | None = None,
               arclength: bool = False, geometric: bool | None = None,
               first_step: float | None = None, tol: float = 1e-6,
               tol_on_way: float | None = None, max_nodes: int = 10_000, most_steps: int = 500,
               observer: Callable[[float, bool, Result], Any] | None = None,
               S: ArrayLike | None = None, fun_jac: Callable[..., Any] | None = None,
               bc_jac: Callable[..., Any] | None = None,
               constraint: Callable[[Array, Array, Array], ArrayLike] | None = None,
               B: Callable[[Array, Array, Array], ArrayLike] | ArrayLike | None = None,
               constraint_jac: Callable[[Array, Array, Array], ArrayLike] | None = None,
               index: int = 2, variant: str | None = None, epsilon: float | None = None,
               stages: int | None = None, iterates: int | None = None,
               alpha1: float | None = None, alpha2: float | None = None,
               scheme: str | None = None) -> Branch: ...

def solve_dae(fun: Callable[..., ArrayLike], t_span: tuple[float, float], y0: ArrayLike, *,
              constraint: Callable[..., ArrayLike],
              mass: Callable[[Array, Array], ArrayLike] | ArrayLike | None = None,
              B: Callable[[Array, Array], ArrayLike] | ArrayLike | None = None,
              constraint_jac: Callable[..., ArrayLike] | ArrayLike | None = None, index: int = 3,
              z0: ArrayLike | None = None,
              invariant: Callable[[Array, Array], ArrayLike] | None = None, method: str = "auto",
              t_eval: ArrayLike | None = None, dense_output: bool = False,
              events: Event | Sequence[Event] | None = None, rtol: float = 1e-6,
              atol: ArrayLike | None = None, vectorized: bool = True,
              args: tuple[Any, ...] | None = None, **options: Any) -> Result: ...
