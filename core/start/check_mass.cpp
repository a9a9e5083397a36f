#include "core/start/check_mass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/kernels/multibody_kernel.hpp"

namespace daewave {
namespace {

/// Each coordinate elsewhere, by another amount.
VecX moved_from(const VecX& q) {
  VecX moved = q;
  for (int i = 0; i < moved.size(); ++i) {
    moved[i] += (0.1 + 0.01 * std::sin(i + 1.0)) * std::max(1.0, std::abs(q[i]));
  }
  return moved;
}

AnyMass mass_at(Evaluation& evaluation, const DaeProblem& problem, const VecX& q, const VecX& v,
                double t) {
  AnyMass M;
  const Points at{1, 1, &t, q.data(), v.data(), nullptr};
  detail::take_mass(evaluation.evaluate(Ask::M, at), problem, M);
  return M;
}

/// @param first  of its rows in M. @param largest  entry of M.
void check_symmetric(const MatX& M, int first, double largest, double t) {
  constexpr double of_differences = 1e-8;
  for (int j = 0; j < M.cols(); ++j) {
    for (int i = j + 1; i < M.rows(); ++i) {
      if (!(std::abs(M(i, j) - M(j, i)) > of_differences * largest)) continue;
      throw InvalidProblem(fmt::format(
          "M row {0}, column {1} at t = {2:.10g}: {3:.10g}, and {4:.10g} in row {1}, column {0}; "
          "M must be symmetric, as that of Lagrange's equations is; correct the entry that is "
          "wrong",
          first + i + 1, first + j + 1, t, M(i, j), M(j, i)));
    }
  }
}

void check_symmetric(const AnyMass& M, double t) {
  if (const auto* dense = M.as<MatX>()) {
    check_symmetric(*dense, 0, dense->cwiseAbs().maxCoeff(), t);
  } else if (const auto* bodies = M.as<BodyMass<3>>()) {
    for (int i = 0; i < bodies->bodies(); ++i) {
      const Mat<3, 3>& block = bodies->blocks[static_cast<std::size_t>(i)];
      check_symmetric(block, 3 * i, block.cwiseAbs().maxCoeff(), t);
    }
  }
}

void check_constant(const DaeProblem& problem, const AnyMass& M, const AnyMass& elsewhere) {
  // Along one vector: a dense M is no more than multiplied.
  const VecX along = VecX::LinSpaced(problem.sizes().nq, 1, 2);
  const VecX here = M * along, there = elsewhere * along;
  if (!here.allFinite() || !there.allFinite()) return;
  int row = 0;
  const double gap = (there - here).cwiseAbs().maxCoeff(&row);
  if (gap <= 1e-12 * here.cwiseAbs().maxCoeff()) return;
  throw InvalidProblem(fmt::format(
      "mass_constant = true, but row {} of M differs by {:.3g} between the start and a state where "
      "each coordinate is moved by a tenth; M must be the same at all q; leave mass_constant out",
      row + 1, gap));
}

}  // namespace

void check_mass(const DaeProblem& problem, const VecX& state, double t) {
  const int nq = problem.sizes().nq;
  if (problem.kind() != Kind::multibody || nq == 0 || !state.allFinite()) return;
  const VecX q = state.head(nq), v = VecX::Zero(nq);
  const auto evaluation = problem.evaluation();
  const AnyMass M = mass_at(*evaluation, problem, q, v, t);
  check_symmetric(M, t);
  if (problem.structure().mass_constant) {
    check_constant(problem, M, mass_at(*evaluation, problem, moved_from(q), v, t));
  }
}

}  // namespace daewave
