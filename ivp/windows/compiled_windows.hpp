#pragma once
// What ivp/windows/window_sweeps.hpp is compiled to for one instruction set.

#include "core/lanes/instruction_set.hpp"
#include "ivp/windows/window_sweeps.hpp"

namespace daewave::ivp {

struct WindowTask {
  Sizes sizes;
  bool diagonal = false;  ///< M.
  bool mass_constant = false;
  bool chain = false;  ///< G.
  double rank_tolerance = 1e-12;
  double least_pivot = pivots_of_windows;
  bool all_at_once = false;  ///< The problem's terms at 8 points cost about as much as at one.
};

/// @param evaluation  becomes its own.
WindowSweeps* compiled_windows(Sse2, Evaluation* evaluation, const WindowTask& task);
WindowSweeps* compiled_windows(Avx2, Evaluation* evaluation, const WindowTask& task);
WindowSweeps* compiled_windows(Avx512, Evaluation* evaluation, const WindowTask& task);

}  // namespace daewave::ivp
