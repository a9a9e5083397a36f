#pragma once
// The legs of a run with checkpoints: how long each is, and what is saved at its end.

#include <memory>
#include <vector>

#include "core/types.hpp"
#include "ivp/options/options.hpp"
#include "ivp/run/checkpointer.hpp"
#include "ivp/run/leg.hpp"

namespace daewave::ivp {

class Legs {
 public:
  /// @param options   kept by reference. @param settings  see settings_of(); read where checkpoints
  ///                  are used.
  /// @param start, span  of the run.
  /// @throws InvalidOption where the checkpoint to resume from is of another run, or beyond its
  /// end.
  Legs(const Options& options, Settings settings, const VecX& start, const Interval& span);

  /// The one that is next; null where there are none.
  Leg* next();
  /// Where the run is to go on, which next() knows; null where it begins.
  const Checkpoint* resumed() const;
  const IterateCheckpoint& resumed_state() const { return resumed()->iterates.front(); }

  /// A leg has ended, or the run at its end.
  /// @param multipliers  there, where they were given out. @param so_far  with that of the runs
  ///                     before.
  /// @throws what save() throws.
  void at_border(double t, const VecX& z, const VecX& multipliers, const IntegrationReport& so_far,
                 const Motion& motion);
  /// The run is over, wherever it is. @throws what save() throws.
  void ended();

 private:
  const Checkpoints& asked_;
  std::unique_ptr<Checkpointer> checkpointer_;  ///< Null: there are no legs.
  Leg leg_;
  bool goes_on_ = false;  ///< From what leg_ says.
};

}  // namespace daewave::ivp
