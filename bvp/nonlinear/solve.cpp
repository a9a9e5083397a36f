#include "bvp/nonlinear/solve.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "bvp/nonlinear/choose.hpp"
#include "bvp/nonlinear/iterate_systems.hpp"
#include "bvp/nonlinear/problem_conditions.hpp"
#include "bvp/nonlinear/refined_solve.hpp"
#include "core/error.hpp"
#include "core/problem/time_reversed.hpp"

namespace daewave::bvp {

const char* index_of(Kind kind) {
  switch (kind) {
    case Kind::ordinary:
      return "ordinary";
    case Kind::invariants:
      return "index 1";
    case Kind::index_2:
      return "index 2";
    default:
      return "index 3";
  }
}

namespace {

void check(const BoundaryProblem& problem) {
  if (!problem.equations) throw InvalidProblem("equations: there are none");
  if (!problem.conditions) throw InvalidProblem("conditions: there are none");
  const Sizes& sizes = problem.equations->sizes();
  if (sizes.nk > 0) {
    throw InvalidProblem(fmt::format(
        "nk = {}: constraints on velocities are not solved as boundary value problems", sizes.nk));
  }
  if (sizes.nh > 0) {
    throw InvalidProblem(
        fmt::format("nh = {}: invariants are not solved for in boundary value problems, where they "
                    "follow from the conditions; leave h out",
                    sizes.nh));
  }
  const Interval& interval = problem.interval;
  if (!(std::isfinite(interval.begin) && std::isfinite(interval.end) &&
        interval.begin < interval.end)) {
    throw InvalidProblem(
        fmt::format("interval = [{:g}, {:g}]: must be increasing, both ends finite", interval.begin,
                    interval.end));
  }
}

MakeSystem maker(DaeProblemPtr problem, const Regularization& form) {
  return [problem = std::move(problem), form](double epsilon) {
    Regularization of_epsilon = form;
    of_epsilon.epsilon = epsilon;
    return iterate_system(*problem, of_epsilon);
  };
}

/// A problem and its options turned into what collocation sees, and the memory of that.
class Posed {
 public:
  /// Both are kept by reference.
  Posed(const BoundaryProblem& problem, const Options& options) : of_(problem), options_(options) {
    const DaeProblem& equations = *of_.equations;
    posed_.name = of_.name.empty() ? equations.name() : of_.name;
    posed_.equations = of_.equations;
    posed_.interval = of_.interval;
    take_guess(equations.state_size());
    const VecX state = posed_.guess(of_.interval.begin);
    conditions_.emplace(of_, state, options.constraint_end == ConstraintEnd::end);
    posed_.conditions = &*conditions_;
    posed_.constraints = conditions_->count() - conditions_->own();
    switch (equations.kind()) {
      case Kind::ordinary:
        choose_ordinary(options, posed_);
        posed_.system = [&equations](double) { return ordinary_system(equations); };
        break;
      case Kind::invariants:
        choose_ordinary(options, posed_);
        take_guess_algebraic(equations.sizes().nw);
        posed_.system = [&equations](double) { return implicit_system(equations); };
        break;
      default:
        regularize_constraints(state);
    }
  }

  const NonlinearProblem& problem() const { return posed_; }

 private:
  void take_guess(int nx) {
    posed_.guess = options_.guess ? options_.guess : of_.guess;
    if (!posed_.guess) posed_.guess = [nx](double) -> VecX { return VecX::Zero(nx); };
    const auto given = static_cast<int>(posed_.guess(of_.interval.begin).size());
    if (given == nx) return;
    throw InvalidOption(fmt::format("guess: has {} entries, x has {}", given, nx));
  }

  void take_guess_algebraic(int nw) {
    posed_.guess_algebraic = of_.guess_algebraic;
    if (!posed_.guess_algebraic) return;
    const auto given = static_cast<int>(posed_.guess_algebraic(of_.interval.begin).size());
    if (given == nw) return;
    throw InvalidProblem(fmt::format("guess_algebraic: has {} entries, w has {}", given, nw));
  }

  void regularize_constraints(const VecX& state) {
    const bool index_2 = !of_.equations->has_velocity();
    const bool reducible = index_2 || of_.equations->structure().has_curvature;
    const Regularization form = choose_regularized(options_, {index_2 ? 2 : 3, reducible}, posed_);
    posed_.system = maker(of_.equations, form);
    if (form.alpha1 != 0) return;
    if (reducible) {
      Regularization easier = form;
      easier.variant = index_2 ? Variant::direct : Variant::baumgarte_form;
      easier.alpha1 = 1;
      // Where GB is singular at a point, E = I is defined there too.
      easier.weight = form.variant == Variant::singular ? Weight::identity : form.weight;
      posed_.easier = maker(of_.equations, easier);
    }
    at_end_.emplace(of_, state, true);
    from_end_.emplace(*at_end_, *of_.equations);
    posed_.reversed = {
        maker(time_reversed(of_.equations, of_.interval.end), form), &*from_end_,
        [&equations = *of_.equations](const VecX& x) { return reversed_state(equations, x); },
        posed_.carries_By ? reversed_sign_of_By(of_.equations->kind()) : 1.0};
  }

  const BoundaryProblem& of_;
  const Options& options_;
  NonlinearProblem posed_;
  std::optional<ProblemConditions> conditions_, at_end_;
  std::optional<ReversedConditions> from_end_;
};

}  // namespace

Solution solve(const BoundaryProblem& problem, const Options& options) {
  check(options);
  refuse_linear_options(options);
  check(problem);
  Solution solution = refined_solve(Posed(problem, options).problem(), options);
  const bool constrained = problem.equations->sizes().ny > 0;
  if (!constrained || !may_be_singular(options, solution.report)) return solution;
  Options again = options;
  again.variant = Variant::singular;
  return better_of(std::move(solution), solve(problem, again));
}

}  // namespace daewave::bvp
