#pragma once
// An explicit formula as plain numbers, for code that is compiled once for each instruction set and
// must not bring along anything that other code shares (core/lanes/lanes.hpp).

#include "ivp/one_step/tableaux.hpp"

namespace daewave::ivp {

struct LaneFormula {
  struct Row {
    int count = 0;
    int stage[most_stages] = {};
    double coefficient[most_stages] = {};
  };

  int stages = 1;
  int end_stage = 1;
  int rows = 1;  ///< Of c and a: those behind the end are for dense output.
  double c[most_stages] = {};
  Row a[most_stages] = {};
  Row b{};
  int dense_rows = 0;
  Row dense[5] = {};
  // Where y_{s-1} is needed: 1, and values between 0 and 1; and which of them a stage takes.
  int points = 1;
  double point[most_stages] = {};
  int slot[most_stages] = {};
};

LaneFormula lane_formula(const ExplicitTableau& formula);

/// Evaluations of one step of one iterate.
long evaluations_of_step(const LaneFormula& formula);

}  // namespace daewave::ivp
