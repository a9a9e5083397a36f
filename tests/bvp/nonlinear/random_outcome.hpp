#pragma once
// What came of a random problem, and how far from the known solution that is.

#include <algorithm>
#include <cmath>
#include <ctime>
#include <exception>
#include <string>
#include <vector>

#include "bvp/solve.hpp"
#include "core/derivatives/differences.hpp"
#include "core/derivatives/with_f_jacobian.hpp"
#include "core/not_finite.hpp"
#include "tests/bvp/nonlinear/random_case.hpp"

namespace daewave::bvp {

using testing::RandomCurve;
using testing::RandomDerivatives;
using testing::RandomKind;
using testing::RandomNonlinearCase;

/// The largest error of each component, and its largest value.
class ComponentErrors {
 public:
  void see(double t, const VecX& found, const VecX& known) {
    if (size_.size() == 0) {
      size_ = off_ = at_ = VecX::Zero(known.size());
    }
    for (Eigen::Index i = 0; i < known.size(); ++i) {
      size_[i] = std::max(size_[i], std::abs(known[i]));
      const double off = std::abs(found[i] - known[i]);
      if (off <= off_[i]) continue;
      off_[i] = off;  // Also where it is no number.
      at_[i] = t;
    }
  }
  /// Relative to 1 + the largest value. @param at  becomes the time of it.
  double largest(double& at) const {
    double most = 0;
    for (Eigen::Index i = 0; i < off_.size(); ++i) {
      const double error = off_[i] / (1 + size_[i]);
      if (error <= most) continue;
      most = error;
      at = at_[i];
    }
    return most;
  }

 private:
  VecX size_, off_, at_;
};

struct Errors {
  double x = 0, carried = 0;  ///< In units of the tolerance.
  double x_at = 0, carried_at = 0;
};

inline std::vector<double> times_of(const RandomNonlinearCase& drawn, const Solution& solution) {
  const double end = drawn.data.length;
  std::vector<double> times;
  for (int i = 0; i <= 1000; ++i) times.push_back(end * i / 1000);
  for (const auto* curves : {&drawn.data.z, &drawn.data.y}) {
    for (const RandomCurve& one : *curves) {
      const double width = one.is_steep() ? one.width / 4 : end * 1e-4;
      for (int i = -15; i <= 15 && one.feature != RandomCurve::Feature::none; ++i) {
        times.push_back(one.at + width * i);
      }
    }
  }
  for (int i = 0; i < solution.mesh().intervals(); ++i) {
    times.push_back(solution.mesh().node(i));
    for (int j = 0; j < solution.scheme().stages; ++j) times.push_back(solution.stage_time(i, j));
  }
  for (double& t : times) t = std::clamp(t, 0.0, end);
  return times;
}

/// Of y and what depends on it, within rounding of where it jumps.
inline bool is_at_jump(const RandomNonlinearCase& drawn, double t) {
  const auto jumps = [&](const RandomCurve& one) {
    return one.is_rough() && std::abs(t - one.at) <= 1e-11 * drawn.data.length;
  };
  return std::any_of(drawn.data.y.begin(), drawn.data.y.end(), jumps) ||
         std::any_of(drawn.data.z.begin(), drawn.data.z.end(), jumps);
}

/// Relative to 1 + the largest value of each component; B y where that is carried, else y or w.
template <class P>
Errors errors_of(const P& problem, const RandomNonlinearCase& drawn, const Solution& solution) {
  ComponentErrors x, carried;
  for (const double t : times_of(drawn, solution)) {
    x.see(t, solution.x(t), problem.x_exact(t));
    if (is_at_jump(drawn, t)) continue;
    if constexpr (requires { problem.By_exact(t); }) {
      const bool By = solution.carries_By();
      const VecX known = By ? problem.By_exact(t) : problem.y_of(t);
      carried.see(t, By ? solution.By(t) : solution.y(t).value(), known);
    } else if constexpr (requires { typename P::Algebraic; }) {
      carried.see(t, solution.y(t).value(), problem.y_of(t));
    }
  }
  Errors errors;
  errors.x = x.largest(errors.x_at) / drawn.tolerance;
  errors.carried = carried.largest(errors.carried_at) / drawn.tolerance;
  return errors;
}

struct Outcome {
  Report report;
  Errors errors;
  double seconds = 0;  ///< Of the processor.
  /// Not the known solution, but one all the same: it stays where it is under a tolerance that is a
  /// hundred times as small.
  bool is_another = false;
  std::string threw;

  /// In units of the tolerance.
  double error() const { return larger(errors.x, errors.carried); }
};

template <class P, class Q>
bool is_another_solution(const P& problem, const Q& posed, RandomNonlinearCase drawn,
                         Options options, const Solution& solution, double error) {
  constexpr double finer = 1e-2;
  drawn.tolerance *= finer;
  options.tolerance = drawn.tolerance;
  options.from = solution;
  const Solution again = solve(posed, options);
  return again.report.usable() && errors_of(problem, drawn, again).x > 0.9 * error / finer;
}

template <class P, class Q>
Outcome outcome_of(const P& problem, const Q& posed, const RandomNonlinearCase& drawn) {
  Outcome outcome;
  const auto seconds = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
  Options options{.tolerance = drawn.tolerance};
  constexpr int default_samples = 1000;
  options.samples = std::max(default_samples, static_cast<int>(0.5 / drawn.narrowest));
  if (drawn.change) drawn.change(options);
  double begin = seconds();
  options.progress = [&](const Progress&) { return seconds() < begin + drawn.most_seconds; };
  try {
    const Solution solution = solve(posed, options);
    outcome.seconds = seconds() - begin;
    outcome.report = solution.report;
    if (!solution.has_values()) return outcome;
    outcome.errors = errors_of(problem, drawn, solution);
    if (solution.report.usable() && outcome.errors.x > 10) {
      begin = seconds();
      outcome.is_another =
          is_another_solution(problem, posed, drawn, options, solution, outcome.errors.x);
    }
  } catch (const std::exception& error) {
    outcome.threw = error.what();
  }
  return outcome;
}

template <class P>
P with_data(const RandomNonlinearCase& drawn) {
  P problem;
  static_cast<testing::RandomData&>(problem) = drawn.data;
  return problem;
}

/// @param of_constraints  whether constraints need derivatives, by differences where no others are
///                        given; those of f have them by themselves.
template <bool of_constraints, class Plain, class ByHand>
Outcome solved_with(const RandomNonlinearCase& drawn) {
  const auto plain = with_data<Plain>(drawn);
  switch (drawn.derivatives) {
    case RandomDerivatives::by_hand:
      return outcome_of(plain, with_data<ByHand>(drawn), drawn);
    case RandomDerivatives::autodiff:
      return outcome_of(plain, with_autodiff(plain), drawn);
    default:
      if constexpr (of_constraints) {
        return outcome_of(plain, with_differences(plain), drawn);
      } else {
        return outcome_of(plain, plain, drawn);
      }
  }
}

inline Outcome solved(RandomNonlinearCase drawn) {
  using namespace testing;
  const bool by_state = drawn.data.singular == RandomData::Singular::by_state;
  if (by_state && drawn.derivatives == RandomDerivatives::by_hand) {
    drawn.derivatives = RandomDerivatives::autodiff;
  }
  switch (drawn.kind) {
    case RandomKind::ordinary:
      return solved_with<false, RandomOrdinary, RandomOrdinaryByHand>(drawn);
    case RandomKind::index_1:
      return solved_with<false, RandomImplicit, RandomImplicit>(drawn);
    case RandomKind::index_2:
      return solved_with<true, RandomIndexTwo, RandomIndexTwoByHand>(drawn);
    case RandomKind::second_order:
      return drawn.with_curvature
                 ? solved_with<true, RandomSecondOrder, RandomSecondOrderWithCurvature>(drawn)
                 : solved_with<true, RandomSecondOrder, RandomSecondOrderByHand>(drawn);
    default:
      return drawn.with_curvature
                 ? solved_with<true, RandomMultibody, RandomMultibodyWithCurvature>(drawn)
                 : solved_with<true, RandomMultibody, RandomMultibodyByHand>(drawn);
  }
}

}  // namespace daewave::bvp
