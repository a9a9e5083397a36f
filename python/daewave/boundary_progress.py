"""What a boundary value solve prints on its way."""

import time

from .boundary_result import largest


class Table:
    """A line for each mesh that was solved on, as scipy.integrate.solve_bvp prints it."""

    def __init__(self, residuals):
        """residuals: of a solution, the largest one of bc and those of the equations."""
        self._residuals = residuals
        self._meshes = self._nodes_before = 0

    def __call__(self, found):
        if self._meshes == 0:
            print(f"{'Iteration':^15}{'Max residual':^15}{'Max BC residual':^15}"
                  f"{'Total nodes':^15}{'Nodes added':^15}")
        of_bc, of_equations = self._residuals(found)
        self._meshes += 1
        nodes = found.nodes.size
        added = nodes - self._nodes_before if self._nodes_before else 0
        self._nodes_before = nodes
        print(f"{self._meshes:^15}{largest(of_equations):^15.2e}{of_bc:^15.2e}"
              f"{nodes:^15}{added:^15}")


def print_summary(result, started):
    """started: what time.perf_counter() was."""
    seconds = time.perf_counter() - started
    if not result.success:
        print(f"Not solved in {seconds:.2f} s: {result.message}")
        return
    print(f"Solved in {result.niter} matrices, {seconds:.2f} s, {result.x.size} nodes: "
          f"{result.message}")
    print(f"Maximum relative residual: {largest(result.rms_residuals):.2e}")
    print(f"Maximum boundary residual: {result.bc_residual:.2e}")
