#include "sparse/consistent_start.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/not_finite.hpp"
#include "sparse/checked_solve.hpp"

namespace daewave::sparse {
namespace {

/// Below that of what G multiplies a drift is rounding.
double rounding_of(const SparseMatrix& G, const VecX& x) {
  return 1e-12 * (1 + larger(largest_size(G.coeffs()), 0) * largest_size(x));
}

}  // namespace

ConsistentStart consistent_start(const SparseDae& problem, const VecX& x, double t) {
  if (x.size() != problem.nx()) {
    throw InvalidProblem(
        fmt::format("start: has {} entries; must have nx = {}", x.size(), problem.nx()));
  }
  if (!x.allFinite()) throw InvalidProblem("start: an entry is not finite");
  ConsistentStart start{.x = x};
  VecX g;
  SparseMatrix G;
  problem.g(x, t, g);
  problem.G(x, t, G);
  start.drift_before = start.drift = largest_size(g);
  const double rounding = rounding_of(G, x);
  if (start.drift <= rounding) return start;
  CheckedSolve linear(problem.symmetric() ? cholesky() : lu());
  const std::optional<SparseMatrix> given = problem.B();
  const double sizes = G.coeffs().abs().maxCoeff();
  VecX multiplier = VecX::Zero(problem.ny()), change;
  for (int k = 0; k < 12 && start.drift > rounding; ++k) {
    const SparseMatrix B = given ? *given : SparseMatrix(G.transpose());
    // So far above M that each pass leaves little, and so far below rounding that solves are exact.
    const double kappa = 1e8 * problem.M().coeffs().abs().maxCoeff() / (sizes * sizes);
    if (k == 0 || !problem.linear()) {
      if (const std::string failure = linear.factorize(problem.M() + kappa * SparseMatrix(B * G));
          !failure.empty()) {
        throw InvalidProblem("start: cannot be moved onto the constraint; " + failure);
      }
    }
    multiplier += kappa * g;
    linear.solve(B * multiplier + problem.M() * (start.x - x), change);
    start.x -= change;
    multiplier -= kappa * (G * change);
    problem.g(start.x, t, g);
    problem.G(start.x, t, G);
    start.drift = largest_size(g);
  }
  start.moved = largest_size(start.x - x);
  if (!(start.drift <= 1e3 * rounding)) {
    throw InvalidProblem(fmt::format(
        "start: the constraint is off by {:.1e} and cannot be met; what was given contradicts it "
        "(a flow that enters more than leaves), or is too far from where it holds",
        start.drift));
  }
  return start;
}

}  // namespace daewave::sparse
