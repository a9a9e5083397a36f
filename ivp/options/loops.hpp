#pragma once
// The loops over steps and iterates of a sequential regularization: which one is outside, and who
// runs them.

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/machine/simd.hpp"
#include "core/threads/pipeline.hpp"
#include "ivp/options/checkpoints.hpp"

namespace daewave::ivp {

/// for steps { for iterates }: storage independent of the horizon.                  [AL1] 4.2
struct StepLocal {
  static constexpr const char* name = "step-local";
  Checkpoints checkpoints{};
};

/// for iterates { for steps }: keeps a waveform. The bits of StepLocal; fixed step only.
struct Sweeps {
  static constexpr const char* name = "sweeps";
};

/// Iterates one window apart, in threads. The bits of StepLocal, however the work is shared out;
/// fixed step only.
struct Pipelined {
  static constexpr const char* name = "pipelined";
  std::shared_ptr<const Pipeline> pipeline{};  ///< Who runs it; none: the calling thread alone.
  std::optional<int> steps{};   ///< Steps of a window, >= 1; chosen by timing where left open.
  std::optional<int> groups{};  ///< Of iterates, each one stage of the pipeline.
  Checkpoints checkpoints{};
};

/// Iterates one step apart, in SIMD lanes: solve_in_lanes(). To rounding; fixed step only.
struct InLanes {
  static constexpr const char* name = "lanes";
  std::optional<Simd> simd{};  ///< The widest that the machine has.
};

using Loops = std::variant<StepLocal, Sweeps, Pipelined, InLanes>;

const char* name_of(const Loops& loops);
/// With nothing given but which they are. @throws InvalidOption naming the known ones.
Loops loops_named(const std::string& name);
const std::vector<Loops>& all_loops();

/// Null where the loops take none.
const Checkpoints* checkpoints_of(const Loops& loops);

}  // namespace daewave::ivp
