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

}  // namespace

void check_constant_mass(const DaeProblem& problem, const VecX& state, double t) {
  if (!problem.structure().mass_constant) return;
  const int nq = problem.sizes().nq;
  const VecX q = state.head(nq), v = VecX::Zero(nq), elsewhere = moved_from(q);
  const auto evaluation = problem.evaluation();
  // Along one vector: a dense M is no more than multiplied.
  const VecX along = VecX::LinSpaced(nq, 1, 2);
  const VecX here = mass_at(*evaluation, problem, q, v, t) * along;
  const VecX there = mass_at(*evaluation, problem, elsewhere, v, t) * along;
  if (!here.allFinite() || !there.allFinite()) return;
  int row = 0;
  const double gap = (there - here).cwiseAbs().maxCoeff(&row);
  if (gap <= 1e-12 * here.cwiseAbs().maxCoeff()) return;
  throw InvalidProblem(fmt::format(
      "mass_constant = true, but row {} of M differs by {:.3g} between the start and a state where "
      "each coordinate is moved by a tenth; M must be the same at all q; leave mass_constant out",
      row + 1, gap));
}

}  // namespace daewave
