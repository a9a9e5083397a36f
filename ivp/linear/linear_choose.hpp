#pragma once
// The settings a user left open: scheme, stages, regularization, iterates, each with its reason.

#include <string>
#include <vector>

#include "core/problem/linear_dae.hpp"
#include "core/report/report.hpp"
#include "core/stages/constraint_scan.hpp"
#include "ivp/linear/linear_options.hpp"

namespace daewave::ivp {

/// What a solve will run with.
struct Chosen {
  Collocation scheme;
  Regularization regularization;
  int iterates = 1;
  Waveform By_0;
  std::vector<Choice> choices;
  std::vector<std::string> warnings;
};

/// @param x0  x at the begin of the interval.
/// @throws InvalidOption for options that cannot be combined with each other or with the problem.
Chosen choose(const LinearDae& problem, const LinearOptions& options, const ConstraintScan& scan,
              const VecX& x0);

}  // namespace daewave::ivp
