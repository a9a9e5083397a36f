#include "cli/initial_value/kept_rows.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "cli/options/loop_options.hpp"
#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/checkpoint_file.hpp"

namespace daewave::cli {
namespace {

/// Not for devices, such as /dev/null, nor for streams.
bool has_place_beside(const std::string& path) {
  std::error_code ignored;
  return io::open_descriptor(path) < 0 && (!std::filesystem::exists(path, ignored) ||
                                           std::filesystem::is_regular_file(path, ignored));
}

}  // namespace

KeptRows::KeptRows(const SolveCommand& command, ivp::Options& options) {
  ivp::Checkpoints* const checkpoints = checkpoints_in(options);
  if (checkpoints == nullptr) return;
  if (checkpoints->resume) {
    try {
      before_ = std::make_unique<io::RowsOfCheckpoint>(command.resume, checkpoints->resume->rows);
    } catch (const FileError& error) {
      throw InvalidOption(fmt::format("--resume {}: {}", command.resume, error.what()));
    }
  }
  if (!checkpoints->save) return;
  if (has_place_beside(command.checkpoint)) {
    rows_ = std::make_unique<io::CheckpointRows>(command.checkpoint);
  }
  checkpoints->save = [this, path = command.checkpoint](const Checkpoint& at) {
    Checkpoint with_rows = at;
    if (rows_) with_rows.rows = rows_->mark();
    io::write_checkpoint(path, with_rows);
    if (rows_) rows_->clear_others();
  };
}

}  // namespace daewave::cli
