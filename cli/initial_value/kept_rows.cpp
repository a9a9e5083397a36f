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

/// When rows are given out.
std::string when_given(const ivp::Options& options) {
  if (options.times.empty()) {
    return options.every == 1 ? "each step" : fmt::format("one step in {}", options.every);
  }
  return fmt::format("--points {} from t = {:.9g} to {:.9g}", options.times.size(),
                     options.times.front(), options.times.back());
}

}  // namespace

KeptRows::KeptRows(const SolveCommand& command, ivp::Options& options) {
  ivp::Checkpoints* const checkpoints = checkpoints_in(options);
  if (checkpoints == nullptr) return;
  const std::string when = when_given(options);
  if (checkpoints->resume) {
    try {
      before_ = std::make_unique<io::RowsOfCheckpoint>(command.resume, checkpoints->resume->rows);
    } catch (const FileError& error) {
      throw InvalidOption(fmt::format("--resume {}: {}", command.resume, error.what()));
    }
    const RowsBefore& rows = checkpoints->resume->rows;
    if (rows.count > 0 && !rows.when.empty() && rows.when != when) {
      mixed_ = fmt::format(
          "rows until t = {:.9g} are those that were given out before ({}), from there on {}: for "
          "rows of one kind go on with the options of before, or start anew",
          checkpoints->resume->t, rows.when, when);
    }
  }
  if (!checkpoints->save) return;
  if (has_place_beside(command.checkpoint)) {
    rows_ = std::make_unique<io::CheckpointRows>(command.checkpoint);
  }
  checkpoints->save = [this, path = command.checkpoint, when](const Checkpoint& at) {
    Checkpoint with_rows = at;
    if (rows_) with_rows.rows = rows_->mark();
    with_rows.rows.when = when;
    io::write_checkpoint(path, with_rows);
    if (rows_) rows_->clear_others();
  };
}

}  // namespace daewave::cli
