#pragma once
// What ivp/lanes is compiled to for one instruction set.

#include "core/lanes/instruction_set.hpp"
#include "core/problem/dae_problem.hpp"
#include "ivp/lanes/lane_run.hpp"

namespace daewave::ivp {

/// What a run in lanes is made for.
struct LaneTask {
  Kind kind = Kind::multibody;
  Sizes sizes;
  bool diagonal = false;  ///< M.
  Regularization form;
  LaneFormula formula;
  int iterates = 1;
  LaneRescue rescue;
  LaneEnergy energy;
};

/// All iterates of one run. @param evaluation  becomes the run's own.
SkewedIterates* compiled_iterates(Sse2, Evaluation* evaluation, const LaneTask& task);
SkewedIterates* compiled_iterates(Avx2, Evaluation* evaluation, const LaneTask& task);
SkewedIterates* compiled_iterates(Avx512, Evaluation* evaluation, const LaneTask& task);

/// Members side by side. @param evaluation  as above.
MembersInLanes* compiled_members(Sse2, Evaluation* evaluation, const LaneTask& task);
MembersInLanes* compiled_members(Avx2, Evaluation* evaluation, const LaneTask& task);
MembersInLanes* compiled_members(Avx512, Evaluation* evaluation, const LaneTask& task);

}  // namespace daewave::ivp
