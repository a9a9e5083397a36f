#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>
#include <vector>

#include "cli/options/command_line.hpp"
#include "cli/output/output_path.hpp"
#include "cli/output/standard_output.hpp"
#include "cli/sweep/grid.hpp"
#include "cli/sweep/sweep_file.hpp"
#include "cli/sweep/sweep_journal.hpp"
#include "cli/sweep/sweep_output.hpp"
#include "core/error.hpp"

namespace daewave::cli {
namespace {

SweepFile read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  // A directory opens, and cannot be read.
  if (!in || (in.peek() == std::ifstream::traits_type::eof() && in.bad())) {
    throw InvalidOption(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  }
  SweepFile file = read_sweep(in, path);
  if (file.whole == 0) {
    throw InvalidOption(fmt::format("{}: has no run, nor what is swept; leave it out", path));
  }
  return file;
}

/// All of them, which must be of one sweep.
SweepFile read_all(const std::vector<std::string>& paths) {
  SweepFile all = read(paths.front());
  for (auto path = paths.begin() + 1; path != paths.end(); ++path) {
    SweepFile file = read(*path);
    if (file.what != all.what || file.table != all.table) {
      throw InvalidOption(fmt::format(
          "{} and {}: are of two sweeps, or of two versions of the program or a model file: {}, "
          "and {}; merge files of one",
          paths.front(), *path, all.what, file.what));
    }
    for (auto& [number, record] : file.records) {
      const auto [at, is_new] = all.records.try_emplace(number, record);
      if (!is_new && !at->second.run) at->second = std::move(record);
    }
  }
  return all;
}

/// Those that are in no file, in words.
std::string missing(const std::map<int, SweepRecord>& records, const Grid& grid) {
  constexpr int shown = 3;
  std::vector<std::string> some;
  for (int i = 0; i < grid.count() && some.size() < shown; ++i) {
    if (records.count(i) == 0) some.push_back(text_of(grid.at(i)));
  }
  const int count = grid.count() - static_cast<int>(records.size());
  return fmt::format("{} of {} runs are in none of the files: {}{}", count, grid.count(),
                     fmt::join(some, "; "), count > shown ? "; ..." : "");
}

}  // namespace

int run(const MergeCommand& command) {
  check_output_paths({{"--csv", command.csv}, {"--npy", command.npy}});
  for (const std::string& path : command.files) {
    check_input_path({"files", path}, {{"--csv", command.csv}, {"--npy", command.npy}});
  }
  check_input_path({"--checkpoint", command.kept},
                   {{"--csv", command.csv}, {"--npy", command.npy}});
  const SweepFile all = read_all(command.files);
  const Grid grid(all.table.vary);
  SweepCommand sweep;
  sweep.solve.problem = all.table.problem;
  sweep.vary = all.table.vary;
  sweep.solve.csv = command.csv;
  sweep.solve.npy = command.npy;
  sweep.solve.quiet = command.quiet;
  SweepOutput output(sweep, grid, all.table.columns);
  SweepJournal journal(command.kept, false, all.what, all.table);
  for (const auto& [number, record] : all.records) {
    journal.add(record);
    if (!output.take(number, record.run ? &*record.run : nullptr, record.error, record.seconds)) {
      break;
    }
  }
  if (static_cast<int>(all.records.size()) < grid.count()) {
    complain(
        "daewave: {}; run their parts to the end, or all that is left at once: merge --checkpoint "
        "FILE, then the line of the sweep with --resume FILE\n",
        missing(all.records, grid));
  }
  return output.end();
}

}  // namespace daewave::cli
