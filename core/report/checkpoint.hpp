#pragma once
// Where a long run stands, complete enough to go on from there with the same bits.

#include <string>
#include <utility>
#include <vector>

#include "core/report/motion.hpp"
#include "core/report/report.hpp"
#include "core/types.hpp"

namespace daewave {

/// One iterate of a sequential regularization at the time of the checkpoint.
struct IterateCheckpoint {
  VecX x;        ///< nz.
  VecX slope;    ///< nz.
  VecX carried;  ///< y, or B y.
  VecX kept{};   ///< What Newton's method of an implicit formula goes on with; else empty.
};

/// What a run gave out before a checkpoint, where that is kept in a file beside it.
struct RowsBefore {
  std::string file{};      ///< Its name, in the folder of the checkpoint; empty: there is none.
  long count = 0;          ///< Rows that belong to the checkpoint; the file may have more.
  int width = 0;           ///< Numbers of a row.
  std::string checksum{};  ///< Of those rows.
  std::string when{};      ///< At which steps or times, in words; empty: not told.
};

/// Taken between two steps.
struct Checkpoint {
  /// What a run that goes on from here must agree in, as names and values.
  std::vector<std::pair<std::string, std::string>> settings;
  long step = 0;  ///< Steps done.
  double t = 0;   ///< As the steps have summed it up.
  std::vector<IterateCheckpoint> iterates;
  IntegrationReport integration;  ///< Steps, evaluations, drift and energy so far.
  Motion motion{};                ///< So far.
  RowsBefore rows{};              ///< Kept by who writes the checkpoint to a file.
};

/// The first setting in which two differ, in words; empty where they agree in all.
std::string difference_of(const Checkpoint& checkpoint,
                          const std::vector<std::pair<std::string, std::string>>& settings);

}  // namespace daewave
