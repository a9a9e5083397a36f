#pragma once
// What evaluates tapes, compiled for each instruction set, and taken at run time.

#include "core/expression/tape.hpp"
#include "core/lanes/instruction_set.hpp"
#include "core/problem/dae_problem.hpp"

namespace daewave::expression {

/// Evaluates a tape at `lanes` points from `first` on; the last one repeated where there are less.
/// @param memory  tape.registers * lanes numbers, the tape's numbers at their place.
/// @param out     output k of point p goes to out[k * stride + p]; the varying ones alone.
using TapeFunction = void (*)(const Tape& tape, const Points& at, int first, double* memory,
                              double* out, int stride);

/// One run of a tape, its operands in memory; results go there from register `to` on.
using RunFunction = void (*)(const Tape* tape, const Run* run, double* memory, std::uint32_t to);

struct TapeFunctions {
  TapeFunction one = nullptr;    ///< One point.
  TapeFunction four = nullptr;   ///< Four.
  TapeFunction eight = nullptr;  ///< Eight.
  RunFunction run_of_one = nullptr, run_of_four = nullptr, run_of_eight = nullptr;
};

/// A function for each set; declared of all, compiled where DAEWAVE_LANE_SETS names the set.
TapeFunctions compiled_tapes(Sse2);
TapeFunctions compiled_tapes(Avx2);
TapeFunctions compiled_tapes(Avx512);

/// Of no set, for machines that have none of those that are compiled.
TapeFunctions portable_tapes();

/// Of the widest set that this machine has; portable where it has none.
TapeFunctions tape_functions();

}  // namespace daewave::expression
