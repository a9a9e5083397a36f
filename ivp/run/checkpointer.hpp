#pragma once
// Takes checkpoints of a run in windows, at their borders, and hands them to the caller.

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/regularize/regularization.hpp"
#include "core/report/checkpoint.hpp"
#include "core/report/stopwatch.hpp"
#include "ivp/options/srm.hpp"
#include "ivp/run/fixed_steps.hpp"

namespace daewave::ivp {

/// Names and values that a run must agree in with the run it goes on from.
using Settings = std::vector<std::pair<std::string, std::string>>;

class Checkpointer {
 public:
  /// @param asked  kept by reference.
  /// @throws InvalidOption where the checkpoint to resume from is of another run.
  Checkpointer(const Checkpoints& asked, Settings settings);

  /// False where at_border() does nothing.
  bool saves() const { return static_cast<bool>(asked_.save); }
  /// All iterates have taken `step` steps, to t. Saves it when it is time to; remembers it anyway.
  /// @throws what save() throws.
  void at_border(long step, double t, const std::vector<IterateCheckpoint>& iterates,
                 long evaluations, const IntegrationReport& so_far, const Motion& motion);
  /// The run has ended: saves the last border. @throws what save() throws.
  void ended();

 private:
  bool due() const;
  void save();

  const Checkpoints& asked_;
  Checkpoint latest_;
  long before_ = 0;  ///< Evaluations of the runs before.
  bool unsaved_ = false;
  Stopwatch since_saved_;
};

/// @param nodes, iterates  of the whole run.
/// @throws InvalidOption for a checkpoint that lies beyond the end or between nodes, or whose
/// states
///         do not fit.
void check_resume(const Checkpoint& from, const FixedSteps& nodes, int iterates, int nx,
                  int carried, int kept);

/// In hexadecimal: equal texts are equal bits.
std::string exactly(double number);
std::string exactly(std::span<const double> numbers);

/// What must agree of any two runs: the problem, and the start to the last bit.
Settings settings_of_start(const std::string& problem, const std::string& mark, const VecX& start,
                           double begin);

/// The same, and all else that the bits depend on.
Settings settings_of(const std::string& problem, const VecX& start, double begin, double h,
                     const Srm& asked, const Regularization& form, int iterates,
                     const std::string& formula);

/// @param fixed  h is given. @throws InvalidOption for what checkpoints cannot do.
void check_checkpoints(const Checkpoints& checkpoints, bool fixed);

}  // namespace daewave::ivp
