#pragma once
// The result of a boundary value solve: values, dense output, and the report of how they were got.

#include <memory>
#include <optional>
#include <vector>

#include "bvp/curve/collocation_curve.hpp"
#include "core/ranks/mesh_share.hpp"
#include "core/regularize/regularization.hpp"
#include "core/report/report.hpp"
#include "core/report/table.hpp"
#include "core/time/waveform.hpp"

namespace daewave::bvp {

/// What a solve found, on its mesh, and what lies between: linear and nonlinear problems have each
/// their own.
class SolutionValues {
 public:
  virtual ~SolutionValues();

  /// What is carried is B y of linear problems. Slopes are left out where a linear problem was
  /// solved on a mesh that was given.
  virtual const CollocationCurve& curve() const = 0;
  /// With whom the mesh is shared, of which the curve is what is here.
  virtual const MeshShare& share() const = 0;
  virtual bool carries_By() const = 0;
  virtual Regularization regularization() const = 0;
  virtual int iterates() const = 0;

  // Of interval i at t in it.
  virtual VecX x(int i, double t) const = 0;
  virtual VecX slope(int i, double t) const = 0;
  virtual VecX carried(int i, double t) const = 0;
  virtual VecX By(int i, double t) const = 0;
  virtual std::optional<VecX> y(int i, double t) const = 0;
  // At many times of the mesh, a column for each.
  virtual MatX x_at(const VecX& times) const;
  virtual MatX slope_at(const VecX& times) const;
  virtual VecX constraint_residual(int i, double t) const = 0;

  virtual Table table(const std::vector<double>& times) const = 0;
};

/// Of an infinite interval, where it was cut. Beyond, x is as at the cut, or goes on along a line
/// in components that grow like one.
struct Truncation {
  bool at_begin = false, at_end = false;
  double error = 0;  ///< What that may change of x, in the unit of the estimate of its error.
  VecX growth_at_begin{}, growth_at_end{};  ///< x' beyond.
};

/// Everything but has_values() throws InvalidOption where there are no values, and for a t outside
/// of the mesh, unless an infinite interval was cut there.
class Solution {
 public:
  Solution() = default;
  Solution(std::shared_ptr<const SolutionValues> values, Report report_)
      : report(std::move(report_)), values_(std::move(values)) {}

  Report report;
  VecX parameters{};  ///< p of a family, unknown ones as they were found; else empty.
  /// Of the mesh, those nodes that stayed whatever mesh was chosen: fixed by the options, at which
  /// conditions see x, and where the right side was found to jump. Increasing.
  std::vector<double> fixed_nodes{};
  std::optional<Truncation> truncation{};  ///< Of an infinite interval.

  /// False when the solve ended before there was a solution.
  bool has_values() const { return values_ != nullptr; }

  const Mesh& mesh() const { return values().curve().mesh(); }
  /// With whom it is shared, if with anyone: what else is told of it here is told of a part.
  const MeshShare& share() const { return values().share(); }
  /// The whole mesh, where ranks share one that was chosen; that of this rank where it was given.
  const Mesh& mesh_of_all() const { return share().mesh ? *share().mesh : mesh(); }
  const Collocation& scheme() const { return values().curve().scheme(); }
  /// Numbers of the form that was solved; of no meaning without constraints.
  Regularization regularization() const { return values().regularization(); }
  int iterates() const { return values().iterates(); }
  int nx() const { return static_cast<int>(x_at_nodes().rows()); }

  const MatX& x_at_nodes() const { return values().curve().values().x; }
  /// x, or (q, v), at node i; nx.
  VecX x_at_node(int i) const { return x_at_nodes().col(i); }
  /// What is carried, by interval; one column for each stage.
  const MatX& carried_at_stages() const { return values().curve().values().carried; }
  /// B y at stage j of interval i.
  VecX By_at_stage(int i, int j) const;
  /// t of stage j of interval i; exactly the node where the stage lies on one.
  double stage_time(int i, int j) const { return values().curve().stage_time(i, j); }

  /// The collocation polynomial at t; nx. Of the order of the nodes minus at most k - 1. Of a
  /// linear problem it costs one evaluation of the coefficients at the stages of the interval.
  VecX x(double t) const;
  /// Its derivative.
  VecX slope(double t) const;
  /// Both at many times, a column for each: less for each of them.
  MatX x(const VecX& times) const;
  MatX slope(const VecX& times) const;

  /// What is carried at t, from the polynomial through the stage values of the interval; with one
  /// stage per interval, from the line through the stages of two neighbouring intervals. y, or B y,
  /// or w of index 1, or zeta of invariant_reduced; empty for ordinary equations.
  VecX multiplier(double t) const { return values().carried(locate(t), within(t)); }
  bool carries_By() const { return values().carries_By(); }

  /// B y at t: as many entries as x, or as v. Empty where there are no multipliers.
  VecX By(double t) const { return values().By(locate(t), within(t)); }
  /// y at t; nothing where B y is carried and B has no full rank, and of invariant_reduced. Of
  /// index 1, w.
  std::optional<VecX> y(double t) const { return values().y(locate(t), within(t)); }

  /// C x + r, or g, or g and G v + g_t below it, or r of index 1, at t.
  VecX constraint_residual(double t) const {
    return values().constraint_residual(locate(t), within(t));
  }

  /// What is carried; of a linear problem an initial iterate By_0 for another solve.
  Waveform waveform() const;

  /// At `points` equidistant points, or at the nodes for 0: columns t, x1.. or q1.., v1..; of a
  /// linear problem By1.., y1.., drift, y being NaN where it does not exist; of a nonlinear one
  /// what is carried, y1.., lambda1.. or By1..
  Table table(int points = 0) const;

  const SolutionValues& values() const;

 private:
  /// t, or the cut that it is beyond.
  double within(double t) const;
  int locate(double t) const { return mesh().locate(within(t)); }

  std::shared_ptr<const SolutionValues> values_;
};

}  // namespace daewave::bvp
