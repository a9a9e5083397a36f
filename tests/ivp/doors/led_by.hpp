#pragma once
// A body that falls in a plane, led by a constraint, as functions of many points.

#include <algorithm>
#include <functional>
#include <utility>

#include "core/adapt/problem_from_functions.hpp"

namespace daewave::testing {

/// Of mass 1. Derivatives are not known. @param dear  each call costs more than its points.
inline DaeProblemPtr led_by(std::function<double(double x, double y, double t)> g, bool dear) {
  ProblemFunctions of;
  of.kind = Kind::multibody;
  of.sizes = {.nq = 2, .ny = 1};
  of.differences = true;
  of.dear_calls = dear;
  of.M = [](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      out[p] = out[3 * at.count + p] = 1;
      out[at.count + p] = out[2 * at.count + p] = 0;
    }
  };
  of.f = [](const Points& at, double* out) {
    std::fill_n(out, at.count, 0.0);
    std::fill_n(out + at.count, at.count, -9.81);
  };
  of.g = [g = std::move(g)](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) out[p] = g(at.q[p], at.q[at.stride + p], at.t[p]);
  };
  return problem_from_functions(std::move(of));
}

}  // namespace daewave::testing
