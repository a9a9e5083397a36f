#include "bvp/nonlinear/redundant_constraints.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <utility>
#include <vector>

#include "bvp/nonlinear/beside_guess.hpp"
#include "bvp/statement/constraint_values.hpp"
#include "core/error.hpp"
#include "core/start/dependent_rows.hpp"

namespace daewave::bvp {
namespace {

/// In units of their own for constraints and for what they are of, whatever those they came in.
MatX equilibrated(MatX G) {
  constexpr int rounds = 3;
  const auto unit = [](double size) { return size > 0 ? 1 / size : 1; };
  for (int round = 0; round < rounds; ++round) {
    const VecX of_columns = G.colwise().lpNorm<Eigen::Infinity>().transpose().unaryExpr(unit);
    G *= of_columns.asDiagonal();
    const VecX of_rows = G.rowwise().norm().unaryExpr(unit);
    G = of_rows.asDiagonal() * G;
  }
  return G;
}

}  // namespace

void refuse_redundant_constraints(const DaeProblem& problem, const Interval& interval,
                                  const std::function<VecX(double t)>& guess) {
  const bool has_constraints =
      problem.kind() != Kind::ordinary && problem.kind() != Kind::invariants;
  if (!has_constraints || problem.sizes().ny == 0) return;
  constexpr int times = 13;
  constexpr double golden = 0.6180339887498949;
  ConstraintValues constraints(problem);
  std::vector<int> follow;
  // Not in equal steps: a symmetric problem may be singular at all of those.
  for (int i = 1; i <= times; ++i) {
    const double t = interval.begin + interval.length() * std::fmod(i * golden, 1.0);
    const VecX along = guess(t);
    for (const VecX& state : {beside(along), along}) {
      if (!state.allFinite()) return;
      const MatX G = constraints.G(state, t);
      if (!G.allFinite()) return;
      std::vector<int> here = dependent_rows(equilibrated(G));
      if (here.empty()) return;
      if (follow.empty() || here.size() < follow.size()) follow = std::move(here);
    }
  }
  for (int& row : follow) ++row;  // As they are counted in words.
  const bool is_one = follow.size() == 1;
  const int conditions = problem.has_velocity() ? 2 : 1;
  throw InvalidProblem(fmt::format(
      "constraint{} {} of {} follow{} from those before, or contradict{} them: rows of G depend on "
      "each other at all {} states looked at, along the guess and beside it, so that no multiplier "
      "is determined; leave {} out, and give {} condition(s) more",
      is_one ? "" : "s", fmt::join(follow, ", "), problem.sizes().ny, is_one ? "s" : "",
      is_one ? "s" : "", 2 * times, is_one ? "it" : "them",
      conditions * static_cast<int>(follow.size())));
}

}  // namespace daewave::bvp
