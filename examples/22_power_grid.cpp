// A grid of 361 buses and 684 lines, 1045 unknowns, with generators and a loop of closed switches:
// of index 2, as each source sets a voltage that a capacitor has too. What the sources give is the
// multiplier. Nothing is dense: the steps take one sparse matrix, factorized once where loads are
// linear, and for each step where they are not (large/network/power_grid.hpp).
//
// The currents in the loop of switches are not unique: rows of G depend on each other, which
// sequential regularization with E = I passes without a word. Voltages and what flows through a
// generator are unique.
//
// Output, numbers within 1e-5 or 1e-5:
//   linear loads: converged: 240 steps to t = 0.6; error in time below 1e-3: yes
//   voltage in the middle 0.365547, at the corner 0.159159; first generator gives 18.252256
//   cubic loads: converged: 240 steps to t = 0.6; error in time below 1e-3: yes
//   voltage in the middle 0.356351, at the corner 0.157660; first generator gives 19.216865
#include <cstdio>

#include <daewave/sparse.hpp>

using namespace daewave;

int main() {
  for (const double cubic : {0.0, 1.0}) {
    const network::PowerGrid grid({.cubic_load = cubic, .coupler_loop = true});
    const auto solution = sparse::solve(grid, grid.start(), {0, 0.6},
                                        {.h = 0.0025, .epsilon = 1e-6, .estimate_error = true});
    const Report& report = solution.report;
    std::printf("%s loads: %s; error in time below 1e-3: %s\n", cubic > 0 ? "cubic" : "linear",
                report.brief().c_str(), report.error.x < 1e-3 ? "yes" : "no");
    if (!report.usable()) return 1;
    const int buses = grid.buses();
    std::printf("voltage in the middle %.6f, at the corner %.6f; first generator gives %.6f\n",
                solution.x[buses / 2], solution.x[buses - 1], -solution.y[0]);
  }
}
