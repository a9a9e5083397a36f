#include "core/start/redundant_rows.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/not_finite.hpp"
#include "core/start/dependent_rows.hpp"
#include "core/start/problem_start.hpp"
#include "core/start/redundant_poses.hpp"

namespace daewave {
namespace {

/// How far around one looks, in parts of the state's size: rows that are dependent in one state
/// alone have this much left there. Off the constraints by its square redundant ones have that.
constexpr double around = 1e-3, rank_tolerance = 1e-5;
/// Constraints that imply others to rounding are off by more than rounding there: rows that are
/// kept may be nearly dependent. Of the state's size, or 1.
constexpr double off_around = 1e-10;
constexpr int states_around = 6;

class Rows {
 public:
  explicit Rows(const DaeProblem& problem)
      : problem_(problem), evaluation_(problem.evaluation()), n_(problem.sizes().nq) {}

  MatX jacobian(const VecX& state, double t) {
    const Points at{1,      1, &t, state.data(), state.data() + (problem_.has_velocity() ? n_ : 0),
                    nullptr};
    const Terms& terms = evaluation_->evaluate(Ask::G, at);
    return Eigen::Map<const MatX>(terms.G, problem_.sizes().nl(), n_);
  }

 private:
  const DaeProblem& problem_;
  std::unique_ptr<Evaluation> evaluation_;
  int n_;
};

}  // namespace

RedundantRows redundant_rows(const DaeProblem& problem, const VecX& state, double t) {
  const int n = problem.sizes().nq;
  if (problem.structure().constraints != Structure::Constraints::dense ||
      problem.sizes().nl() == 0) {
    throw InvalidProblem("redundant_rows: the problem must have constraints, without a structure");
  }
  Rows rows(problem);
  const MatX G = rows.jacobian(state, t);
  RedundantRows found;
  if (!G.allFinite()) return found;
  found.here = dependent_rows(G);
  if (found.here.empty()) return found;

  const Eigen::CompleteOrthogonalDecomposition<MatX> normal(G);
  const double size = std::max(largest_size(state.head(n)), 1e-3);
  const double span = problem.interval() ? problem.interval()->length() : 1;
  bool now = false, then = false;
  std::vector<int> least = found.here;
  for (int k = 1; k <= states_around; ++k) {
    VecX direction(n);
    for (int i = 0; i < n; ++i) direction[i] = std::sin(1.0 + k * (2.3 * i + 0.7));
    direction -= normal.solve(G * direction).eval();
    const double length = direction.norm();
    VecX away = state;
    // Where nothing is free it moves with t, or not at all.
    if (length > 1e-12) away.head(n) += around * size / length * direction;
    const double when = k % 2 == 0 ? t : t + around * span;
    if (!repair_start(problem, away, when, off_around * std::max(1.0, size), rank_tolerance).ok) {
      continue;
    }
    (k % 2 == 0 ? now : then) = true;
    std::vector<int> there = dependent_rows(rows.jacobian(away, when));
    if (there.size() < least.size()) least = std::move(there);
  }
  // Rows that contradict each other later are satisfied nowhere then.
  if (now && then) {
    found.everywhere = redundant_in_poses(problem, state.head(n), t, least, &dependent_rows);
  }
  return found;
}

}  // namespace daewave
