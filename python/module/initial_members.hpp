#pragma once
// What a run of initial values is made of. Its dense output are polynomials by their values, so
// that it evaluates to the same bits.

#include <memory>
#include <utility>
#include <vector>

#include "python/module/initial.hpp"
#include "python/module/report_members.hpp"

namespace daewave::python {

/// Of a run without restarts: steps, and states at the points of each (ivp/run/sampled_output.hpp).
struct DenseSteps {
  int nz = 0;
  int degree = 1;  ///< Of the polynomials.
  double begin = 0;
  std::vector<double> ends;    ///< t of the ends of steps.
  std::vector<double> states;  ///< nz for each of degree + 1 points of each step.
};

struct DenseParts {
  std::vector<DenseSteps> pieces;  ///< Between restarts; none: no dense output was kept.
  std::vector<double> begins;      ///< Of the pieces; empty of a run without restarts.
  double sign = 1;                 ///< -1 of a run that went backward, with restarts.
};

using Dense = std::shared_ptr<const ivp::DenseOutput>;

DenseParts parts_of(const Dense& dense);
Dense dense_of(DenseParts parts);

template <>
struct Crossing<Dense> {
  static DenseParts out(const Dense& dense) { return parts_of(dense); }
  static Dense in(DenseParts parts) { return dense_of(std::move(parts)); }
};

template <>
struct Members<DenseSteps> {
  static auto of(auto& of_all) {
    auto& [nz, degree, begin, ends, states] = of_all;
    return std::tie(nz, degree, begin, ends, states);
  }
};

template <>
struct Members<DenseParts> {
  static auto of(auto& of_all) {
    auto& [pieces, begins, sign] = of_all;
    return std::tie(pieces, begins, sign);
  }
};

template <>
struct Members<Motion> {
  static auto of(auto& of_all) {
    auto& [least, greatest] = of_all;
    return std::tie(least, greatest);
  }
};

template <>
struct Members<ivp::Occurrence> {
  static auto of(auto& of_all) {
    auto& [event, t, state, rising, after] = of_all;
    return std::tie(event, t, state, rising, after);
  }
};

template <>
struct Members<ivp::Solution> {
  static auto of(auto& of_all) {
    auto& [nz, ny, second_order, carries_By, state_names, t, states, multipliers, occurrences,
           motion, error_times, errors, report, dense] = of_all;
    return std::tie(nz, ny, second_order, carries_By, state_names, t, states, multipliers,
                    occurrences, motion, error_times, errors, report, dense);
  }
};

template <>
struct Members<InitialRun> {
  static auto of(auto& run) {
    using Run = std::conditional_t<std::is_const_v<std::remove_reference_t<decltype(run)>>,
                                   const ivp::Solution, ivp::Solution>;
    return std::tie(static_cast<Run&>(run), run.interrupted, run.evaluated);
  }
};

}  // namespace daewave::python
