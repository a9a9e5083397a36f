#include "large/flow/field.hpp"

#include <algorithm>
#include <cmath>

#include "core/not_finite.hpp"

namespace daewave::flow {
namespace {

using Side = StaggeredGrid::Side;

CornerField corners_of(const StaggeredGrid& grid) {
  CornerField field{grid.columns(), grid.rows(), grid.dx(), grid.dy(), {}};
  field.values.resize(static_cast<std::size_t>((grid.columns() + 1) * (grid.rows() + 1)));
  return field;
}

double& value(CornerField& field, int i, int j) {
  return field.values[static_cast<std::size_t>(i + (field.columns + 1) * j)];
}

/// Difference across a line of a velocity with what is given on walls half a cell away.
double across(int k, int cells, double h, double below, double above) {
  return k == 0 || k == cells ? (above - below) / (0.5 * h) : (above - below) / h;
}

double mean_of_four(const CornerField& field, int i, int j) {
  return 0.25 * (field.at(i, j) + field.at(i + 1, j) + field.at(i, j + 1) + field.at(i + 1, j + 1));
}

/// On the line in the middle, between two columns where there is none.
double in_middle(const VecX& z, int cells, const auto& velocity) {
  return 0.5 * (z[velocity(cells / 2)] + z[velocity((cells + 1) / 2)]);
}

}  // namespace

CornerField vorticity(const FlowProblem& problem, const VecX& x, double t) {
  const StaggeredGrid& grid = problem.grid();
  VecX z;
  problem.complete(x, t, z);
  CornerField field = corners_of(grid);
  for (int j = 0; j <= grid.rows(); ++j) {
    for (int i = 0; i <= grid.columns(); ++i) {
      const int low_u = j == 0 ? grid.u_along(i, Side::low) : grid.u(i, j - 1);
      const int high_u = j == grid.rows() ? grid.u_along(i, Side::high) : grid.u(i, j);
      const int low_v = i == 0 ? grid.v_along(j, Side::low) : grid.v(i - 1, j);
      const int high_v = i == grid.columns() ? grid.v_along(j, Side::high) : grid.v(i, j);
      value(field, i, j) = across(i, grid.columns(), grid.dx(), z[low_v], z[high_v]) -
                           across(j, grid.rows(), grid.dy(), z[low_u], z[high_u]);
    }
  }
  return field;
}

CornerField stream_function(const FlowProblem& problem, const VecX& x, double t) {
  const StaggeredGrid& grid = problem.grid();
  VecX z;
  problem.complete(x, t, z);
  CornerField field = corners_of(grid);
  for (int i = 0; i <= grid.columns(); ++i) {
    value(field, i, 0) = i == 0 ? 0 : field.at(i - 1, 0) - grid.dx() * z[grid.v(i - 1, 0)];
    for (int j = 1; j <= grid.rows(); ++j) {
      value(field, i, j) = field.at(i, j - 1) + grid.dy() * z[grid.u(i, j - 1)];
    }
  }
  return field;
}

double Profile::operator()(double place) const {
  const auto after = std::upper_bound(at.begin(), at.end(), place) - at.begin();
  const auto last = static_cast<std::ptrdiff_t>(at.size()) - 4;
  const auto first = static_cast<std::size_t>(
      std::clamp<std::ptrdiff_t>(after - 2, 0, std::max<std::ptrdiff_t>(last, 0)));
  const std::size_t end = std::min(at.size(), first + 4);
  double sum = 0;
  for (std::size_t i = first; i < end; ++i) {
    double weight = 1;
    for (std::size_t k = first; k < end; ++k) {
      if (k != i) weight *= (place - at[k]) / (at[i] - at[k]);
    }
    sum += weight * value[i];
  }
  return sum;
}

Profile u_profile(const FlowProblem& problem, const VecX& x, double t) {
  const StaggeredGrid& grid = problem.grid();
  VecX z;
  problem.complete(x, t, z);
  Profile line;
  const auto add = [&](double at, const auto& velocity) {
    line.at.push_back(at);
    line.value.push_back(in_middle(z, grid.columns(), velocity));
  };
  add(0, [&](int i) { return grid.u_along(i, Side::low); });
  for (int j = 0; j < grid.rows(); ++j) {
    add((j + 0.5) * grid.dy(), [&](int i) { return grid.u(i, j); });
  }
  add(grid.height(), [&](int i) { return grid.u_along(i, Side::high); });
  return line;
}

Profile v_profile(const FlowProblem& problem, const VecX& x, double t) {
  const StaggeredGrid& grid = problem.grid();
  VecX z;
  problem.complete(x, t, z);
  Profile line;
  const auto add = [&](double at, const auto& velocity) {
    line.at.push_back(at);
    line.value.push_back(in_middle(z, grid.rows(), velocity));
  };
  add(0, [&](int j) { return grid.v_along(j, Side::low); });
  for (int i = 0; i < grid.columns(); ++i) {
    add((i + 0.5) * grid.dx(), [&](int j) { return grid.v(i, j); });
  }
  add(grid.width(), [&](int j) { return grid.v_along(j, Side::high); });
  return line;
}

double deviation(const Profile& profile, const std::vector<GhiaPoint>& of) {
  double most = 0;
  for (const GhiaPoint& point : of) {
    if (!point.misprint) most = larger(most, std::abs(profile(point.at) - point.value));
  }
  return most;
}

namespace {

/// Of values in the profile's order, times `sign`: the largest, between its neighbours.
double largest_between(const Profile& profile, double sign) {
  std::size_t k = 1;
  for (std::size_t i = 1; i + 1 < profile.at.size(); ++i) {
    if (sign * profile.value[i] > sign * profile.value[k]) k = i;
  }
  const double left = profile.at[k] - profile.at[k - 1], right = profile.at[k + 1] - profile.at[k];
  const double fall = (profile.value[k] - profile.value[k - 1]) / left;
  const double rise = (profile.value[k + 1] - profile.value[k]) / right;
  const double bend = (rise - fall) / (left + right);
  const double slope = fall + bend * left;
  return bend == 0 ? profile.value[k] : profile.value[k] - slope * slope / (4 * bend);
}

}  // namespace

Extremes extremes(const Profile& u, const Profile& v) {
  return {largest_between(u, -1), largest_between(v, 1), largest_between(v, -1)};
}

Table field_table(const FlowProblem& problem, const VecX& x, const VecX& y, double t) {
  const StaggeredGrid& grid = problem.grid();
  VecX z;
  problem.complete(x, t, z);
  const CornerField psi = stream_function(problem, x, t), turning = vorticity(problem, x, t);
  const auto cells = static_cast<std::size_t>(grid.cells());
  std::vector<double> columns[7];
  for (auto& column : columns) column.reserve(cells);
  const double mean = y.mean();
  for (int j = 0; j < grid.rows(); ++j) {
    for (int i = 0; i < grid.columns(); ++i) {
      const double row[7] = {(i + 0.5) * grid.dx(),
                             (j + 0.5) * grid.dy(),
                             0.5 * (z[grid.u(i, j)] + z[grid.u(i + 1, j)]),
                             0.5 * (z[grid.v(i, j)] + z[grid.v(i, j + 1)]),
                             y[grid.cell(i, j)] - mean,
                             mean_of_four(turning, i, j),
                             mean_of_four(psi, i, j)};
      for (int k = 0; k < 7; ++k) columns[k].push_back(row[k]);
    }
  }
  Table table;
  const char* const names[7] = {"x", "y", "u", "v", "p", "vorticity", "psi"};
  for (int k = 0; k < 7; ++k) table.add(names[k], std::move(columns[k]));
  return table;
}

}  // namespace daewave::flow
