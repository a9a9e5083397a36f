#include "core/start/algebraic_rank.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "core/problem/by_differences.hpp"

namespace daewave {
namespace {

/// Of a matrix whose rows, and then columns, are divided by their largest entries.
bool is_regular(MatX J, double tolerance) {
  for (Eigen::Index i = 0; i < J.rows(); ++i) {
    const double most = J.row(i).cwiseAbs().maxCoeff();
    if (!(most > 0)) return false;
    J.row(i) /= most;
  }
  for (Eigen::Index j = 0; j < J.cols(); ++j) {
    const double most = J.col(j).cwiseAbs().maxCoeff();
    if (!(most > 0)) return false;
    J.col(j) /= most;
  }
  Eigen::ColPivHouseholderQR<MatX> factors(J.rows(), J.cols());
  factors.setThreshold(tolerance);
  return factors.compute(J).rank() == J.cols();
}

}  // namespace

int rank_of_algebraic(const DaeProblem& problem, const VecX& z, const VecX& near, double t,
                      double tolerance) {
  constexpr int most_iterations = 30;
  constexpr double solved = 1e-12;
  const int nw = problem.sizes().nw;
  if (nw == 0) return 0;
  const auto evaluation = problem.evaluation();
  VecX w = near, r(nw);
  MatX r_w(nw, nw);
  Eigen::ColPivHouseholderQR<MatX> factors(nw, nw);
  factors.setThreshold(tolerance);
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    const Terms& terms =
        evaluation->evaluate(Ask::r | Ask::r_w, {.t = &t, .q = z.data(), .w = w.data()});
    const auto at = [&](const double* of, int k) {
      return of[static_cast<long>(k) * terms.stride];
    };
    for (int i = 0; i < nw; ++i) r[i] = at(terms.r, i);
    for (int k = 0; k < nw * nw; ++k) r_w.data()[k] = at(terms.r_w, k);
    if (!r.allFinite() || !r_w.allFinite()) return 0;
    factors.compute(r_w);
    if (factors.rank() < nw || r.cwiseAbs().maxCoeff() <= solved) break;
    const VecX change = factors.solve(r);
    w -= change;
    if (change.norm() <= solved * (1 + w.norm())) break;
  }
  return static_cast<int>(factors.rank());
}

bool determines_algebraic(const DaeProblem& problem, const VecX& z, const VecX& w, double t) {
  // Of differences half of the digits are right.
  const double tolerance = is_by_differences(problem, Ask::r_w) ? 1e-7 : 1e-13;
  const int nw = problem.sizes().nw;
  const auto evaluation = problem.evaluation();
  const auto is_determined_at = [&](const VecX& there) {
    const Terms& terms =
        evaluation->evaluate(Ask::r_w, {.t = &t, .q = z.data(), .w = there.data()});
    MatX J(nw, nw);
    for (int k = 0; k < nw * nw; ++k) J.data()[k] = terms.r_w[static_cast<long>(k) * terms.stride];
    // Of what is not finite nothing is known.
    return !J.allFinite() || is_regular(std::move(J), tolerance);
  };
  if (nw == 0 || is_determined_at(w)) return true;
  constexpr double golden = 0.6180339887498949;
  const double largest = w.cwiseAbs().maxCoeff();
  for (const double part : {1e-6, 1e-3, 0.1}) {
    VecX beside = w;
    for (int i = 0; i < nw; ++i) {
      // No two entries are moved alike: what depends on their differences moves too.
      const double move = 0.5 + (i + 1) * golden - std::floor((i + 1) * golden);
      beside[i] += part * move * (largest > 0 ? std::max(std::abs(w[i]), 1e-3 * largest) : 1.0);
    }
    if (is_determined_at(beside)) return true;
  }
  return false;
}

}  // namespace daewave
