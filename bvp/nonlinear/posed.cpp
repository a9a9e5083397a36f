#include "bvp/nonlinear/posed.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "bvp/curve/stretched.hpp"
#include "bvp/curve/times_of_ranks.hpp"
#include "bvp/equations/extended_conditions.hpp"
#include "bvp/equations/extended_system.hpp"
#include "bvp/equations/iterate_systems.hpp"
#include "bvp/nonlinear/choose.hpp"
#include "bvp/nonlinear/constraint_time.hpp"
#include "bvp/nonlinear/first_mesh.hpp"
#include "bvp/nonlinear/guess_at_times.hpp"
#include "bvp/nonlinear/nonlinear_values.hpp"
#include "bvp/nonlinear/range_of_B.hpp"
#include "bvp/nonlinear/redundant_constraints.hpp"
#include "bvp/nonlinear/wrong_derivatives.hpp"
#include "bvp/statement/problem_checks.hpp"
#include "core/error.hpp"
#include "core/problem/time_reversed.hpp"

namespace daewave::bvp {

Posed::Posed(const ProblemFamily& family, const Options& options)
    : family_(family), options_(options) {
  check(family_);
  of_ = family_.member(family_.p);
  check(of_);
  if (of_.lower.size() > 0 || of_.upper.size() > 0) {
    posed_.bounds =
        std::make_shared<StateBounds>(of_.lower, of_.upper, of_.equations->state_size());
    of_ = within_bounds(std::move(of_), posed_.bounds);
  }
  unknowns_.resize(static_cast<Eigen::Index>(family_.unknown.size()));
  for (int i = 0; i < unknowns_.size(); ++i) {
    unknowns_[i] = family_.p[family_.unknown[static_cast<std::size_t>(i)]];
  }
  const DaeProblem& equations = *of_.equations;
  posed_.name = of_.name.empty() ? equations.name() : of_.name;
  posed_.equations = of_.equations;
  posed_.interval = of_.interval;
  posed_.attend = family_.attend;
  posed_.fixed_nodes = fixed_nodes_of(options_, of_.interval, of_.inside);
  if (!options_.fixed_nodes.empty()) {
    posed_.choices.push_back(
        {"fixed_nodes", fmt::format("{:g}", fmt::join(options_.fixed_nodes, ", ")), true, ""});
  }
  extend();
  posed_.is_linear = of_.is_linear && !state_.is_more();
  take_guess();
  take_singular_term();
  // Before conditions are counted, as it is with redundant constraints that their number is wrong.
  refuse_redundant_constraints(equations, of_.interval, guess_of_x());
  take_conditions();
  switch (equations.kind()) {
    case Kind::ordinary:
      choose_ordinary(options_, posed_);
      posed_.system = system_of(
          [term = posed_.singular_term](const DaeProblemPtr& of, double) {
            return with_singular_term(ordinary_system(*of), term);
          },
          false);
      break;
    case Kind::invariants:
      choose_ordinary(options_, posed_);
      take_guess_algebraic();
      posed_.system = system_of(
          [term = posed_.singular_term](const DaeProblemPtr& of, double) {
            return with_singular_term(implicit_system(*of), term);
          },
          false);
      break;
    default:
      refuse_wrong_constraints(equations, of_.interval, guess_of_x());
      regularize_constraints();
  }
  if (!of_.inside.empty() && posed_.scheme.c[0] == 0) {
    throw InvalidOption(
        "scheme = lobatto: has stages on both sides of the times inside; take gauss or radau");
  }
  take_sizes();
  take_solution();
  take_bounds();
  take_first_mesh(posed_, options_);
}

/// The problem for other values of the unknown parameters.
BoundaryProblem Posed::member(const VecX& unknowns) const {
  VecX p = family_.p;
  for (int i = 0; i < unknowns.size(); ++i) {
    p[family_.unknown[static_cast<std::size_t>(i)]] = unknowns[i];
  }
  BoundaryProblem problem = family_.member(p);
  if (is_alike(of_, problem)) {
    pose_regularity(problem);
    return posed_.bounds ? within_bounds(std::move(problem), posed_.bounds) : problem;
  }
  std::string where;
  for (const int i : family_.unknown) {
    where +=
        fmt::format("{}{} = {:g}", where.empty() ? "" : ", ", parameter_name(family_, i), p[i]);
  }
  throw InvalidProblem(fmt::format(
      "{}: another kind, size, interval, singular term, bounds or number of integrals than with "
      "the guess; "
      "unknown parameters must leave them as they are",
      where));
}

/// S x = 0 at the begin is posed where the conditions leave it out.
void Posed::take_singular_term() {
  if (of_.singular_term.size() == 0) return;
  const Kind kind = of_.equations->kind();
  if (kind != Kind::ordinary && kind != Kind::invariants) {
    throw InvalidProblem(fmt::format(
        "singular_term: the problem has {}, and its constraint would have a derivative with S x / "
        "(t - {:g}) in it that has to stay bounded too; such terms are of ordinary equations and "
        "of index 1",
        index_of(kind), of_.interval.begin));
  }
  auto term = std::make_shared<SingularTerm>(of_.singular_term, of_.interval.begin, state_.nx);
  const VecX X = posed_.guess(of_.interval.begin);
  const VecX x = X.head(state_.nx);
  Eigen::Index given = of_.conditions ? of_.conditions(x, x).size() : 0;
  if (of_.further_conditions) {
    Observed of{x, x, std::vector<VecX>(of_.inside.size(), x), VecX::Zero(state_.integrals)};
    given += of_.further_conditions(of).size();
  }
  posed_.poses_regularity = given + term->rank() == state_.nx + state_.parameters;
  posed_.singular_term = std::move(term);
  pose_regularity(of_);
}

void Posed::pose_regularity(BoundaryProblem& problem) const {
  if (!posed_.poses_regularity) return;
  problem.conditions = [conditions = std::move(problem.conditions), term = posed_.singular_term](
                           const VecX& left, const VecX& right) {
    const VecX given = conditions ? conditions(left, right) : VecX(0);
    VecX all(given.size() + term->rank());
    all << given, term->rows() * left;
    return all;
  };
}

void Posed::extend() {
  state_.nx = of_.equations->state_size();
  state_.parameters = static_cast<int>(unknowns_.size());
  state_.inside = of_.inside;
  if (of_.integrand) {
    const VecX x = VecX::Zero(state_.nx);
    state_.integrals = static_cast<int>(of_.integrand(x, of_.interval.begin).size());
  }
  if (state_.parameters == 0) return;
  posed_.member = [this](const VecX& X) { return member(state_.unknowns(X)).equations; };
}

void Posed::take_guess() {
  const int nx = state_.nx;
  posed_.guess = options_.guess ? options_.guess : of_.guess;
  if (!posed_.guess) posed_.guess = [nx](double) -> VecX { return VecX::Zero(nx); };
  const auto given = static_cast<int>(posed_.guess(of_.interval.begin).size());
  if (given != nx) throw InvalidOption(fmt::format("guess: has {} entries, x has {}", given, nx));
  if (state_.is_more()) posed_.guess = state_.extended(posed_.guess, unknowns_);
}

std::function<VecX(double t)> Posed::guess_of_x() const {
  return [this](double t) -> VecX { return posed_.guess(t).head(state_.nx); };
}

void Posed::take_guess_algebraic() {
  const int nw = of_.equations->sizes().nw;
  posed_.guess_algebraic = of_.guess_algebraic;
  if (!posed_.guess_algebraic) return;
  const auto given = static_cast<int>(posed_.guess_algebraic(of_.interval.begin).size());
  if (given == nw) return;
  throw InvalidProblem(fmt::format("guess_algebraic: has {} entries, w has {}", given, nw));
}

/// As many conditions as unknowns; refused here, where the parts are known.
void Posed::check_counts(int own, int constraints) const {
  const int wanted = state_.nx + state_.parameters;
  if (own + constraints == wanted) return;
  if (!state_.is_more()) return;  // The solver says it.
  std::string unknowns = fmt::format("{} of x", state_.nx);
  if (state_.parameters > 0) unknowns += fmt::format(" and {} parameter(s)", state_.parameters);
  throw InvalidProblem(
      fmt::format("{} conditions with the {} of the constraints: there must be {}, one for each of "
                  "{}; further_conditions count",
                  own, constraints, wanted, unknowns));
}

void Posed::take_conditions() {
  const VecX X = posed_.guess(of_.interval.begin);
  const bool at_end = options_.constraint_end == ConstraintEnd::end;
  if (!state_.is_more() && !of_.further_conditions) {
    auto conditions = std::make_unique<ProblemConditions>(of_, X, at_end);
    posed_.constraints = conditions->count() - conditions->own();
    conditions_ = std::move(conditions);
  } else {
    auto conditions = std::make_unique<ExtendedConditions>(
        state_, [this](const VecX& unknowns) { return member(unknowns); }, X, at_end);
    check_counts(conditions->own(), conditions->constraints());
    posed_.constraints = conditions->constraints();
    conditions_ = std::move(conditions);
  }
  posed_.conditions = conditions_.get();
}

/// A system for any epsilon and, where there are unknown parameters or more, for all of X.
MakeSystem Posed::system_of(
    std::function<std::unique_ptr<IterateSystem>(DaeProblemPtr, double)> make,
    bool reversed) const {
  const auto equations = [reversed, end = of_.interval.end](const BoundaryProblem& problem) {
    return reversed ? time_reversed(problem.equations, end) : problem.equations;
  };
  if (!state_.is_more()) {
    return
        [make = std::move(make), of = equations(of_)](double epsilon) { return make(of, epsilon); };
  }
  return [this, make = std::move(make), equations, reversed](double epsilon) {
    const auto system = [this, make, equations, epsilon](const VecX& unknowns) {
      auto made = std::make_unique<MemberSystem>();
      made->problem = member(unknowns);
      made->equations = equations(made->problem);
      made->system = make(made->equations, epsilon);
      return made;
    };
    return std::make_unique<ExtendedSystem>(state_, system, unknowns_,
                                            reversed ? &of_.interval.end : nullptr);
  };
}

MakeSystem Posed::regularized(const Regularization& form, bool reversed) const {
  return system_of(
      [form](const DaeProblemPtr& of, double epsilon) {
        Regularization of_epsilon = form;
        of_epsilon.epsilon = epsilon;
        return iterate_system(*of, of_epsilon);
      },
      reversed);
}

/// A state in the time that runs from the end, and back.
VecX Posed::turned(const VecX& X) const {
  VecX result = X;
  result.head(state_.nx) = reversed_state(*of_.equations, X.head(state_.nx));
  for (int c = 0; c < static_cast<int>(state_.inside.size()); ++c) {
    const int row = state_.inside_at(c);
    result.segment(row, state_.nx) = reversed_state(*of_.equations, X.segment(row, state_.nx));
  }
  return result;
}

void Posed::regularize_constraints() {
  const bool index_2 = !of_.equations->has_velocity();
  const bool reducible = index_2 || of_.equations->structure().has_curvature;
  const int positions = index_2 ? state_.nx : of_.equations->sizes().nq;
  const MatX guess = guess_at_times(posed_.guess, options_, of_.interval, positions);
  NonlinearFacts facts{index_2 ? 2 : 3, reducible,
                       constraint_time(guess, wanted_tolerance(options_))};
  if (index_2 && options_.variant == Variant::singular_linear) {
    facts.has_constant_B = has_constant_B(*of_.equations, of_.interval, guess_of_x());
    facts.range_turns_at = range_of_B_turns_at(*of_.equations, of_.interval, guess_of_x());
  }
  const Regularization form = choose_regularized(options_, facts, posed_);
  posed_.system = regularized(form, false);
  if (form.alpha1 != 0) return;
  if (reducible) posed_.easier = regularized(easier_form(options_, facts, posed_), false);
  const VecX X = posed_.guess(of_.interval.begin);
  if (!state_.is_more() && !of_.further_conditions) {
    at_end_ = std::make_unique<ProblemConditions>(of_, X, true);
  } else {
    at_end_ = std::make_unique<ExtendedConditions>(
        state_, [this](const VecX& unknowns) { return member(unknowns); }, X, true);
  }
  const auto turn = [this](const VecX& state) { return turned(state); };
  from_end_ = std::make_unique<ReversedConditions>(*at_end_, turn);
  posed_.reversed = {regularized(form, true), from_end_.get(), turn,
                     posed_.carries_By ? reversed_sign_of_By(of_.equations->kind()) : 1.0};
}

/// What errors are measured in. Parameters and integrals have no tolerances of their own; states
/// inside have those of x.
void Posed::take_sizes() {
  if (options_.tolerances.is_open()) return;
  const double open = plain_tolerance(options_);
  const int carried = posed_.system(posed_.epsilon)->carried();
  posed_.sizes = sizes_of(options_.tolerances, open, state_.nx, carried);
  posed_.choices.insert(posed_.choices.begin(),
                        {"tolerances", text_of(options_.tolerances, open), true, ""});
  if (state_.is_more())
    posed_.sizes.x = state_.extended(posed_.sizes.x, open / wanted_tolerance(options_));
}

/// Another solution as the guess: x, x' and what is carried.
void Posed::take_solution() {
  if (!options_.from || options_.guess) return;
  const SolutionValues& from = options_.from->values();
  SharedCurve start{from.curve(), from.share()};
  CollocationCurve& curve = start.curve;
  if (curve.values().x.rows() != state_.nx) {
    throw InvalidOption(fmt::format("from: a solution with {} entries of x, where there are {}",
                                    curve.values().x.rows(), state_.nx));
  }
  // Of a linear problem on a given mesh, slopes are not kept.
  if (!curve.has_slopes()) curve = with_slopes_of_nodes(curve);
  start = stretched(start, of_.interval);
  const int carried = posed_.system(posed_.epsilon)->carried();
  const bool same_kind =
      curve.values().carried.rows() == carried &&
      (posed_.epsilon == 0 || (from.carries_By() == posed_.carries_By &&
                               from.regularization().variant == posed_.form.variant));
  if (!same_kind) curve = without_carried(curve, carried);
  if (state_.is_more()) curve = state_.extended(curve, unknowns_, start.share);
  posed_.start = std::make_shared<CurveAround>(
      std::make_shared<const CollocationCurve>(std::move(curve)), std::move(start.share));
  posed_.guess = [around = posed_.start](double t) { return around->x(t); };
  if (of_.equations->kind() == Kind::invariants && same_kind) {
    posed_.guess_algebraic = [around = posed_.start](double t) { return around->carried(t); };
  }
}

/// How wide margins are: parts of the distances of the guess, which has to be within them.
void Posed::take_bounds() {
  constexpr int samples = 20;
  if (!posed_.bounds) return;
  const Interval& interval = of_.interval;
  std::vector<double> times;
  for (int i = 0; i < samples; ++i) {
    times.push_back(interval.begin + i * interval.length() / samples);
  }
  times.push_back(interval.end);
  MatX x(state_.nx, samples + 1);
  if (posed_.start) {
    const CollocationCurve& curve = posed_.start->curve();
    x = at_times(posed_.start->share(), curve.mesh(), state_.nx, times,
                 [&](double t) -> VecX { return curve.x(t).head(state_.nx); });
  } else {
    for (int i = 0; i <= samples; ++i) {
      x.col(i) = posed_.guess(times[static_cast<std::size_t>(i)]).head(state_.nx);
    }
  }
  posed_.bounds->look_at(x);
  posed_.guess = [guess = std::move(posed_.guess), bounds = posed_.bounds](double t) {
    VecX inside = guess(t);
    inside.head(bounds->size()) = bounds->nearest(inside.head(bounds->size()));
    return inside;
  };
}

/// Empty where all parameters are unknown, or there are none.
std::string Posed::advice_to_follow() const {
  for (int i = 0; i < family_.p.size(); ++i) {
    const auto& unknown = family_.unknown;
    if (std::find(unknown.begin(), unknown.end(), i) != unknown.end()) continue;
    return fmt::format(
        "; or begin with another {0} and lead it here, bvp::follow(family, {{.parameter = "
        "\"{0}\", .to = {1:g}}})",
        parameter_name(family_, i), family_.p[i]);
  }
  return {};
}

Solution Posed::solution(Solution found) const {
  VecX p = family_.p;
  const std::vector<double> fixed_nodes = found.fixed_nodes;
  if (found.has_values() && state_.is_more()) {
    const CollocationCurve& curve = found.values().curve();
    const VecX unknowns = state_.unknowns(found.share().first_column(curve.values().x));
    for (int i = 0; i < unknowns.size(); ++i) {
      p[family_.unknown[static_cast<std::size_t>(i)]] = unknowns[i];
    }
    found = Solution(std::make_shared<const NonlinearValues>(
                         member(unknowns).equations, state_.without_more(curve), posed_.form,
                         found.iterates(), found.share()),
                     std::move(found.report));
  }
  found.fixed_nodes = fixed_nodes;
  found.report.nx = state_.nx;
  const Termination ended = found.report.termination;
  if (ended == Termination::not_converged || ended == Termination::singular_matrix) {
    found.report.advice += advice_to_follow();
  }
  found.parameters = p;
  for (int i = 0; i < p.size(); ++i) {
    found.report.parameters.push_back({parameter_name(family_, i), p[i], false});
  }
  for (const int i : family_.unknown) {
    found.report.parameters[static_cast<std::size_t>(i)].found = found.has_values();
  }
  return found;
}

}  // namespace daewave::bvp
