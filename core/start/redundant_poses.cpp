#include "core/start/redundant_poses.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <memory>

namespace daewave {
namespace {

constexpr double step = 0.12;
constexpr int steps = 130, most_directions = 3, steps_in_time = 200;
/// Rows below this part of the largest tell no direction.
constexpr double rank_tolerance = 1e-6;
/// What constraints that are implied are off by where they are met by others.
constexpr double is_met = 1e-8;

std::vector<int> all_but(const std::vector<int>& out, int rows) {
  std::vector<int> kept;
  for (int i = 0; i < rows; ++i) {
    if (!std::binary_search(out.begin(), out.end(), i)) kept.push_back(i);
  }
  return kept;
}

MatX rows_of(const MatX& G, const std::vector<int>& kept) {
  MatX some(kept.size(), G.cols());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    some.row(static_cast<Eigen::Index>(i)) = G.row(kept[i]);
  }
  return some;
}

/// How far rows are from dependent: the least that is left of one of them, of its size.
double independence(const MatX& G, const std::vector<int>& kept) {
  MatX rows = rows_of(G, kept);
  for (auto row : rows.rowwise()) {
    const double size = row.norm();
    if (!(size > 0)) return 0;
    row /= size;
  }
  const Eigen::ColPivHouseholderQR<MatX> qr(rows.transpose());
  return qr.matrixQR().diagonal().cwiseAbs().minCoeff();
}

class Poses {
 public:
  Poses(const DaeProblem& problem, double t)
      : problem_(problem), evaluation_(problem.evaluation()), t_(t), v_(VecX::Zero(size())) {}

  /// Of all rows, one for each pose.
  std::vector<MatX> jacobians(const VecX& q) {
    std::vector<MatX> all;
    evaluate(q, t_);
    all.push_back(G_);
    const Eigen::ColPivHouseholderQR<MatX> qr(G_.transpose());
    const Eigen::Index rank = qr.rank();
    const MatX Q = qr.householderQ();
    const Eigen::Index free = std::min<Eigen::Index>(size() - rank, most_directions);
    for (Eigen::Index k = 0; k < free; ++k) {
      for (const double way : {1.0, -1.0}) follow(q, way * Q.col(rank + k), all);
    }
    return all;
  }

  /// Whether the rows that are left out hold later, where those that are kept do.
  bool hold_later(VecX q, const std::vector<int>& kept) {
    const auto interval = problem_.interval();
    if (!interval) return true;
    const double length = interval->end - t_;
    evaluate(q, t_);
    const VecX before = g_;
    for (const double part : {0.37, 1.0}) {
      evaluate(q, t_ + part * length);
      if (g_ != before) break;
      if (part == 1.0) return true;  // Nothing depends on t.
    }
    for (int k = 1; k <= steps_in_time; ++k) {
      const double t = t_ + length * k / steps_in_time;
      if (!correct(q, t, kept)) return true;  // As far as is known.
      if (!(g_.lpNorm<Eigen::Infinity>() <= is_met * scale(q))) return false;
    }
    return true;
  }

 private:
  int size() const { return problem_.sizes().nq; }
  static double scale(const VecX& q) { return 1 + q.lpNorm<Eigen::Infinity>(); }

  void evaluate(const VecX& q, double t) {
    const Points at{1, 1, &t, q.data(), v_.data(), nullptr};
    const Terms& terms = evaluation_->evaluate(Ask::G | Ask::g, at);
    const Sizes& sizes = problem_.sizes();
    G_ = Eigen::Map<const MatX>(terms.G, sizes.nl(), sizes.nq);
    g_ = Eigen::Map<const VecX>(terms.g, sizes.nl());
    g_.tail(sizes.nk).setZero();
  }

  /// By Newton's method; G_ and g_ are those at q then.
  bool correct(VecX& q, double t, const std::vector<int>& rows) {
    for (int k = 0; k < 15; ++k) {
      evaluate(q, t);
      if (!g_.allFinite() || !G_.allFinite()) return false;
      const VecX g = g_(rows);
      if (g.lpNorm<Eigen::Infinity>() < 1e-12 * scale(q)) return true;
      Eigen::CompleteOrthogonalDecomposition<MatX> decomposition;
      decomposition.setThreshold(rank_tolerance);
      decomposition.compute(rows_of(G_, rows));
      const VecX d = decomposition.solve(g);
      if (d.norm() > 4 * step * scale(q)) return false;
      q -= d;
    }
    return g_(rows).lpNorm<Eigen::Infinity>() < 0.1 * is_met;
  }

  void follow(VecX q, VecX direction, std::vector<MatX>& all) {
    const std::vector<int> rows = all_but({}, problem_.sizes().nl());
    for (int k = 0; k < steps; ++k) {
      if (k == 0) evaluate(q, t_);
      Eigen::CompleteOrthogonalDecomposition<MatX> normal;
      normal.setThreshold(rank_tolerance);
      normal.compute(G_);
      direction -= normal.solve(G_ * direction).eval();
      if (!(direction.norm() > 1e-3)) return;
      direction.normalize();
      q += step * direction;
      if (!correct(q, t_, rows)) return;
      all.push_back(G_);
    }
  }

  const DaeProblem& problem_;
  std::unique_ptr<Evaluation> evaluation_;
  double t_;
  VecX v_, g_;
  MatX G_;
};

Eigen::Index rank_of(const MatX& G) {
  Eigen::ColPivHouseholderQR<MatX> qr;
  qr.setThreshold(rank_tolerance);
  return qr.compute(G).rank();
}

/// The same rows, the last first.
std::vector<int> dependent_from_last(const MatX& G, DependentRows dependent) {
  std::vector<int> found = dependent(G.colwise().reverse());
  for (int& row : found) row = static_cast<int>(G.rows()) - 1 - row;
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

std::vector<int> redundant_in_poses(const DaeProblem& problem, const VecX& q, double t,
                                    const std::vector<int>& redundant, DependentRows dependent) {
  constexpr int most_coordinates = 100;
  if (redundant.empty() || !problem.has_velocity() || problem.sizes().nq > most_coordinates) {
    return redundant;
  }
  const int rows = problem.sizes().nl();
  Poses poses(problem, t);
  const std::vector<MatX> jacobians = poses.jacobians(q);
  for (const MatX& G : jacobians) {
    if (rank_of(G) > rows - static_cast<Eigen::Index>(redundant.size())) return {};
  }
  const auto least = [&](const std::vector<int>& out) {
    const std::vector<int> kept = all_but(out, rows);
    double smallest = 1;
    for (const MatX& G : jacobians) smallest = std::min(smallest, independence(G, kept));
    return smallest;
  };
  // Rows that come later are left out, unless others are much better for it.
  constexpr double much = 3, least_gain = 0.01, well = 0.3;
  constexpr std::size_t looks = 8;
  std::vector<int> best = redundant;
  double best_least = much * least(redundant);
  const std::size_t each = std::max<std::size_t>(1, jacobians.size() / looks);
  for (std::size_t k = 0; k < jacobians.size() && best_least < well * much; k += each) {
    for (std::vector<int> other :
         {dependent(jacobians[k]), dependent_from_last(jacobians[k], dependent)}) {
      if (other.size() != redundant.size()) continue;
      std::sort(other.begin(), other.end());
      const double here = least(other);
      if (here <= std::max(best_least, least_gain)) continue;
      best_least = here;
      best = std::move(other);
    }
  }
  return poses.hold_later(q, all_but(best, rows)) ? best : std::vector<int>{};
}

}  // namespace daewave
