#include "bvp/nonlinear/resolving_guess.hpp"

#include <functional>
#include <utility>

#include "bvp/mesh/fixed_nodes.hpp"
#include "bvp/newton/collocation_newton.hpp"
#include "bvp/nonlinear/curve_residual.hpp"

namespace daewave::bvp {

Mesh resolving_guess(const NonlinearProblem& problem, IterateSystem& system, const Mesh& mesh,
                     const std::vector<double>& fixed, int samples) {
  constexpr double roughly = 0.2;
  constexpr int most_nodes = 300, most_passes = 3;
  Mesh resolving = mesh;
  for (int pass = 0; pass < most_passes; ++pass) {
    const CollocationNewton newton(system, *problem.conditions, resolving, problem.scheme, "auto");
    CollocationValues values = newton.guess(problem.guess);
    if (problem.guess_algebraic) newton.guess_carried(problem.guess_algebraic, values);
    const CollocationCurve curve(resolving, problem.scheme, std::move(values));
    CurveResidual residual(system, curve, CarriedRows::none, {});
    const Unresolved seen =
        unresolved(resolving, problem.scheme, curve.polynomials(), std::ref(residual),
                   residual.limits(roughly), samples, most_nodes, LookFor::everything);
    if (seen.nodes.empty()) break;
    resolving = with_nodes(resolving, seen.nodes, fixed);
  }
  return resolving;
}

}  // namespace daewave::bvp
