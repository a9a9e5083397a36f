#include "core/start/problem_start.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/kernels/with_kernel.hpp"
#include "core/not_finite.hpp"
#include "core/start/check_f_jacobian.hpp"
#include "core/start/check_invariants.hpp"
#include "core/start/check_mass.hpp"

namespace daewave {

void check_state_size(const DaeProblem& problem, const VecX& state) {
  // Sizes of a struct may have followed from this state: its own start then tells another one.
  const auto start = problem.start();
  const auto own = start ? start->size() : problem.state_size();
  if (state.size() == own) return;
  throw InvalidProblem(
      fmt::format("start: has {} entries, the state of the problem has {}", state.size(), own));
}

namespace {

/// Without constraints every state is consistent at which f has a value.
Consistency check_ordinary_start(const DaeProblem& problem, const VecX& state, double t) {
  Consistency found;
  found.t = t;
  const int nq = problem.sizes().nq;
  const auto evaluation = problem.evaluation();
  const double* const f =
      evaluation->evaluate(Ask::f, {1, 1, &t, state.data(), nullptr, nullptr}).f;
  all_finite("f", Eigen::Map<const VecX>(f, nq), t, found.not_finite);
  return found;
}

}  // namespace

Consistency check_start(const DaeProblem& problem, const VecX& state, double t,
                        double rank_tolerance, double tolerance) {
  check_state_size(problem, state);
  if (problem.kind() == Kind::ordinary) return check_ordinary_start(problem, state, t);
  if (problem.kind() == Kind::invariants) {
    return check_start(InvariantKernel(problem), state, t, tolerance);
  }
  check_mass(problem, state, t);
  return with_kernel(problem, [&](const auto& kernel) {
    return check_start(kernel, state, t, rank_tolerance, tolerance);
  });
}

StartRepair repair_start(const DaeProblem& problem, VecX& state, double t, double tolerance,
                         double rank_tolerance) {
  check_state_size(problem, state);
  if (problem.kind() == Kind::ordinary) {
    StartRepair nothing;
    nothing.consistency = check_ordinary_start(problem, state, t);
    nothing.failure = nothing.consistency.not_finite;
    nothing.ok = nothing.failure.empty();
    return nothing;
  }
  return with_kernel(problem, [&](const auto& kernel) {
    return repair_start(kernel, state, t, tolerance, rank_tolerance);
  });
}

namespace {

/// As long as the steps of the search for derivatives may be.
double longest_of(const DaeProblem& problem, double length) {
  const auto interval = problem.interval();
  if (length > 0 && interval) return std::min(length, interval->length()) / 60;
  return length > 0 ? length / 60 : interval ? interval->length() / 60 : 0.1;
}

}  // namespace

StartPolynomial exact_start_y(const DaeProblem& problem, const VecX& state, double t, int degree,
                              double length) {
  detail::check_start_degree(degree);
  return with_kernel(problem, [&](const auto& kernel) {
    return detail::start_polynomial_y(
        detail::start_derivatives_of(kernel, state, t, degree, longest_of(problem, length)), t,
        degree);
  });
}

StartPolynomial exact_start_By(const DaeProblem& problem, const VecX& state, double t, int degree,
                               double length) {
  detail::check_start_degree(degree);
  return with_kernel(problem, [&](const auto& kernel) {
    using Kernel = std::decay_t<decltype(kernel)>;
    return detail::start_polynomial_By(
        detail::start_derivatives_of(kernel, state, t, degree, longest_of(problem, length)), t,
        degree, detail::configuration_size<Kernel>(state));
  });
}

DerivativeReport check_derivatives(const DaeProblem& problem, const VecX& state, double t,
                                   double tolerance) {
  check_state_size(problem, state);
  DerivativeReport report;
  if (problem.kind() == Kind::ordinary) {
    report.t = t;
    report.tolerance = tolerance;
  } else if (problem.kind() == Kind::invariants) {
    report = check_derivatives(InvariantKernel(problem), state, t, tolerance);
  } else {
    report = with_kernel(problem, [&](const auto& kernel) {
      return check_derivatives(kernel, state, t, tolerance);
    });
  }
  check_f_jacobian(problem, state, t, report);
  return report;
}

}  // namespace daewave
