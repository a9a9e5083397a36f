#pragma once
// What a report is made of.

#include "core/report/report.hpp"
#include "python/module/pickled.hpp"

namespace daewave::python {

template <>
struct Members<Choice> {
  static auto of(auto& of_all) {
    auto& [name, value, by_user, reason] = of_all;
    return std::tie(name, value, by_user, reason);
  }
};

template <>
struct Members<IterateReport> {
  static auto of(auto& of_all) {
    auto& [iterate, change, change_at, drift, residual, refinements] = of_all;
    return std::tie(iterate, change, change_at, drift, residual, refinements);
  }
};

template <>
struct Members<LinearSolveReport> {
  static auto of(auto& of_all) {
    auto& [asked, used, tried, analyses, factorizations, solves, refinements, worst_residual,
           bytes_per_interval] = of_all;
    return std::tie(asked, used, tried, analyses, factorizations, solves, refinements,
                    worst_residual, bytes_per_interval);
  }
};

template <>
struct Members<Seconds> {
  static auto of(auto& of_all) {
    auto& [condense, factorize, solve, total] = of_all;
    return std::tie(condense, factorize, solve, total);
  }
};

template <>
struct Members<ErrorEstimate> {
  static auto of(auto& of_all) {
    auto& [available, x, By, tolerance, iterates, how] = of_all;
    return std::tie(available, x, By, tolerance, iterates, how);
  }
};

template <>
struct Members<ConditioningReport> {
  static auto of(auto& of_all) {
    auto& [available, boundary, influence, forcing, rounding, growing, decaying, neutral,
           fastest_growth] = of_all;
    return std::tie(available, boundary, influence, forcing, rounding, growing, decaying, neutral,
                    fastest_growth);
  }
};

template <>
struct Members<SingularPoint> {
  static auto of(auto& of_all) {
    auto& [t, pivot, kind, passed_by] = of_all;
    return std::tie(t, pivot, kind, passed_by);
  }
};

template <>
struct Members<IntegrationReport> {
  static auto of(auto& of_all) {
    auto& [available, begin, reached, end, steps, rejected, evaluations, smallest_step,
           largest_step, drift_position, drift_velocity, index, constraints, rank, guarded,
           pivot_ratio, pivot_ratio_at, parameter_choices, has_energy, energy_start, energy_change,
           events, restarts] = of_all;
    return std::tie(available, begin, reached, end, steps, rejected, evaluations, smallest_step,
                    largest_step, drift_position, drift_velocity, index, constraints, rank, guarded,
                    pivot_ratio, pivot_ratio_at, parameter_choices, has_energy, energy_start,
                    energy_change, events, restarts);
  }
};

template <>
struct Members<ParameterReport> {
  static auto of(auto& of_all) {
    auto& [name, value, found] = of_all;
    return std::tie(name, value, found);
  }
};

template <>
struct Members<Report> {
  static auto of(auto& of_all) {
    auto& [termination, message, advice, problem, nx, ny, intervals, smallest_step, largest_step,
           choices, parameters, history, singular_points, warnings, integration, linear_solve,
           conditioning, error, parasitic_growth, seconds] = of_all;
    return std::tie(termination, message, advice, problem, nx, ny, intervals, smallest_step,
                    largest_step, choices, parameters, history, singular_points, warnings,
                    integration, linear_solve, conditioning, error, parasitic_growth, seconds);
  }
};

}  // namespace daewave::python
