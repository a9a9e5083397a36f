#include "large/flow/operators.hpp"

namespace daewave::flow {
namespace {

using Side = StaggeredGrid::Side;
using Triplet = Eigen::Triplet<double>;

/// Numbers of u and of v of a grid, or of the same one with its axes exchanged: what holds for u
/// along x holds for v along y.
class Direction {
 public:
  Direction(const StaggeredGrid& grid, bool along_x) : grid_(grid), along_x_(along_x) {}

  int faces() const { return along_x_ ? grid_.columns() : grid_.rows(); }
  int across() const { return along_x_ ? grid_.rows() : grid_.columns(); }
  double step() const { return along_x_ ? grid_.dx() : grid_.dy(); }
  double step_across() const { return along_x_ ? grid_.dy() : grid_.dx(); }
  /// The velocity through a face.
  int through(int face, int j) const { return along_x_ ? grid_.u(face, j) : grid_.v(j, face); }
  /// The other one.
  int other(int face, int j) const { return along_x_ ? grid_.v(face, j) : grid_.u(j, face); }
  int along_wall(int face, Side side) const {
    return along_x_ ? grid_.u_along(face, side) : grid_.v_along(face, side);
  }

 private:
  const StaggeredGrid& grid_;
  bool along_x_;
};

void add_laplacian(const Direction& way, std::vector<Triplet>& entries) {
  const double h2 = way.step() * way.step(), k2 = way.step_across() * way.step_across();
  const auto add = [&](int row, int to, double weight) {
    entries.emplace_back(row, to, weight);
    entries.emplace_back(row, row, -weight);
  };
  for (int j = 0; j < way.across(); ++j) {
    for (int i = 1; i < way.faces(); ++i) {
      const int row = way.through(i, j);
      add(row, way.through(i - 1, j), 1 / h2);
      add(row, way.through(i + 1, j), 1 / h2);
      if (j > 0) {
        add(row, way.through(i, j - 1), 1 / k2);
      } else {
        add(row, way.along_wall(i, Side::low), 2 / k2);
      }
      if (j + 1 < way.across()) {
        add(row, way.through(i, j + 1), 1 / k2);
      } else {
        add(row, way.along_wall(i, Side::high), 2 / k2);
      }
    }
  }
}

void add_fluxes(const Direction& way, std::vector<Flux>& fluxes) {
  const double along = 0.25 / way.step(), across = 0.25 / way.step_across();
  for (int j = 0; j < way.across(); ++j) {
    for (int i = 1; i < way.faces(); ++i) {
      const int row = way.through(i, j);
      for (const int k : {i, i + 1}) {  // Centres of cells.
        const std::array<int, 2> mean{way.through(k - 1, j), way.through(k, j)};
        fluxes.push_back({row, k == i ? -along : along, mean, mean});
      }
      for (const int k : {j, j + 1}) {  // Corners.
        const std::array<int, 2> carries{way.other(i - 1, k), way.other(i, k)};
        std::array<int, 2> mean;
        if (k == 0 || k == way.across()) {
          mean.fill(way.along_wall(i, k == 0 ? Side::low : Side::high));
        } else {
          mean = {way.through(i, k - 1), way.through(i, k)};
        }
        fluxes.push_back({row, k == j ? -across : across, mean, carries});
      }
    }
  }
}

void add_divergence(const StaggeredGrid& grid, std::vector<Triplet>& entries) {
  for (int j = 0; j < grid.rows(); ++j) {
    for (int i = 0; i < grid.columns(); ++i) {
      const int row = grid.cell(i, j);
      entries.emplace_back(row, grid.u(i, j), -1 / grid.dx());
      entries.emplace_back(row, grid.u(i + 1, j), 1 / grid.dx());
      entries.emplace_back(row, grid.v(i, j), -1 / grid.dy());
      entries.emplace_back(row, grid.v(i, j + 1), 1 / grid.dy());
    }
  }
}

}  // namespace

Operators operators_of(const StaggeredGrid& grid) {
  Operators made;
  std::vector<Triplet> laplacian, divergence;
  for (const bool along_x : {true, false}) {
    add_laplacian({grid, along_x}, laplacian);
    add_fluxes({grid, along_x}, made.fluxes);
  }
  add_divergence(grid, divergence);
  made.laplacian.resize(grid.unknowns(), grid.velocities());
  made.laplacian.setFromTriplets(laplacian.begin(), laplacian.end());
  made.divergence.resize(grid.cells(), grid.velocities());
  made.divergence.setFromTriplets(divergence.begin(), divergence.end());
  return made;
}

void convection(const std::vector<Flux>& fluxes, const VecX& z, int unknowns, VecX& out) {
  out.setZero(unknowns);
  for (const Flux& flux : fluxes) {
    out[flux.row] += flux.factor * (z[flux.a[0]] + z[flux.a[1]]) * (z[flux.b[0]] + z[flux.b[1]]);
  }
}

}  // namespace daewave::flow
