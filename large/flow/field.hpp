#pragma once
// What is looked at of a flow: vorticity and stream function in the corners of cells, profiles on
// the centre lines, a table of all cells.

#include <string>
#include <vector>

#include "core/report/table.hpp"
#include "large/flow/cavity_literature.hpp"
#include "large/flow/flow_problem.hpp"

namespace daewave::flow {

/// Values in the corners of cells: at (i dx, j dy) values[i + (columns + 1) j].
struct CornerField {
  int columns = 0, rows = 0;
  double dx = 0, dy = 0;
  std::vector<double> values;
  double at(int i, int j) const {
    return values[static_cast<std::size_t>(i) +
                  static_cast<std::size_t>(columns + 1) * static_cast<std::size_t>(j)];
  }
};

/// v_x - u_y; on walls by differences to one side.
CornerField vorticity(const FlowProblem& problem, const VecX& x, double t);
/// u = psi_y, v = -psi_x, 0 in the corner (0, 0).
CornerField stream_function(const FlowProblem& problem, const VecX& x, double t);

/// A velocity along a line, walls included.
struct Profile {
  std::vector<double> at, value;
  /// By the cubic through four neighbours.
  double operator()(double place) const;
};
/// u on x = width / 2 over y, v on y = height / 2 over x.
Profile u_profile(const FlowProblem& problem, const VecX& x, double t);
Profile v_profile(const FlowProblem& problem, const VecX& x, double t);

/// Largest difference to the points that are no misprints.
double deviation(const Profile& profile, const std::vector<GhiaPoint>& of);

/// Of both profiles, by parabolas through the extreme values and their neighbours.
Extremes extremes(const Profile& u, const Profile& v);

/// Rows are cells: x, y, u, v, p (mean zero), vorticity, psi in the centre.
Table field_table(const FlowProblem& problem, const VecX& x, const VecX& y, double t);

}  // namespace daewave::flow
