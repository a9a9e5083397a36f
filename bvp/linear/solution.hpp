#pragma once
// The result of a boundary value solve: values, dense output, and the report of how they were got.

#include <memory>
#include <optional>
#include <vector>

#include "bvp/linear/discretization.hpp"
#include "core/problem/linear_dae.hpp"
#include "core/report/report.hpp"
#include "core/report/table.hpp"
#include "core/time/waveform.hpp"

namespace daewave::bvp {

/// Numbers of a solve on one mesh.
struct SolutionData {
  std::shared_ptr<const LinearDae> problem;
  Mesh mesh;
  Collocation scheme;
  MatX x;         ///< nx x (N + 1), at nodes.
  MatX stage_By;  ///< nx x (k N), at stages, by interval.
  Regularization regularization;
  int iterates = 0;
  ConstraintReference reference;
};

class Solution {
 public:
  Solution() = default;
  Solution(std::shared_ptr<const SolutionData> data, Report report_)
      : report(std::move(report_)), data_(std::move(data)) {}

  Report report;

  /// False when the solve ended before there was a solution.
  bool has_values() const { return data_ != nullptr; }

  const Mesh& mesh() const { return data().mesh; }
  const Collocation& scheme() const { return data().scheme; }
  const Regularization& regularization() const { return data().regularization; }
  int iterates() const { return data().iterates; }
  int nx() const { return static_cast<int>(data().x.rows()); }

  /// x at node i; nx.
  VecX x_at_node(int i) const { return data().x.col(i); }
  /// B y at stage j of interval i; nx.
  VecX By_at_stage(int i, int j) const { return data().stage_By.col(i * scheme().stages + j); }
  /// t of stage j of interval i; exactly the node where the stage lies on one.
  double stage_time(int i, int j) const {
    const double c = scheme().c[j];
    return c == 1 ? mesh().node(i + 1) : mesh().node(i) + c * mesh().step(i);
  }

  /// The collocation polynomial at t; nx. Of the order of the nodes minus at most k - 1.
  /// Costs one evaluation of the coefficients at the stages of the interval.
  /// @throws InvalidOption when t is outside the mesh.
  VecX x(double t) const;

  /// B y at t from the polynomial through the stage values of the interval; nx. With one stage per
  /// interval, from the line through the stages of two neighbouring intervals.
  VecX By(double t) const;

  /// y at t, ny; nothing where B(t) has no full rank.
  std::optional<VecX> y(double t) const;

  /// C x + r at t; ny.
  VecX constraint_residual(double t) const;

  /// B y as an initial iterate for another solve.
  Waveform waveform() const;

  /// Everything above as it is stored. @throws Error when there are no values.
  const SolutionData& data() const;

  /// Columns t, x1.., By1.., y1.., drift at `points` equidistant points, or at the nodes for 0.
  /// y is NaN where it does not exist.
  Table table(int points = 0) const;

 private:
  VecX local_x(int interval, double t) const;

  std::shared_ptr<const SolutionData> data_;
};

}  // namespace daewave::bvp
