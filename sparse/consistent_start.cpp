#include "sparse/consistent_start.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/not_finite.hpp"
#include "sparse/checked_solve.hpp"
#include "sparse/sizes_seen.hpp"

namespace daewave::sparse {
namespace {

/// What a drift is beside what g adds up, row by row: |G| |x| and what g has without x. Below 1e-12
/// it is rounding.
double beside_terms(const VecX& g, const SparseMatrix& G, const VecX& x, const SizesSeen& seen) {
  const VecX terms = G.cwiseAbs() * seen.sizes() + (g - G * x).cwiseAbs();
  // A row of which everything is zero has no drift.
  return largest_size((terms.array() > 0).select(g.cwiseQuotient(terms), 0.0));
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
  constexpr double rounding = 1e-12;
  SizesSeen seen(problem.M());
  seen.see(x);
  double off = beside_terms(g, G, x, seen);
  if (off <= rounding) return start;
  CheckedSolve linear(problem.symmetric() ? cholesky() : lu());
  const std::optional<SparseMatrix> given = problem.B();
  const double sizes = G.coeffs().abs().maxCoeff();
  VecX multiplier = VecX::Zero(problem.ny()), change;
  for (int k = 0; k < 12 && off > rounding; ++k) {
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
    seen.see(start.x);
    off = beside_terms(g, G, start.x, seen);
  }
  start.moved = largest_size(start.x - x);
  if (!(off <= 1e3 * rounding)) {
    throw InvalidProblem(fmt::format(
        "start: the constraint is off by {:.1e} and cannot be met; what was given contradicts it "
        "(a flow that enters more than leaves), or is too far from where it holds",
        start.drift));
  }
  return start;
}

}  // namespace daewave::sparse
