#include "cli/sweep/sweep_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "cli/output/output_files.hpp"
#include "cli/output/page_parts.hpp"
#include "cli/output/standard_output.hpp"
#include "core/error.hpp"
#include "io/npy.hpp"
#include "ivp/options/options.hpp"

namespace daewave::cli {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// More lines would lie over each other.
void check_page(const SolveCommand& solve, int count) {
  constexpr int most = 12;
  if (solve.report.empty() || count <= most) return;
  throw InvalidOption(fmt::format(
      "--report {}: a page compares at most {} runs, and this sweep has {}; vary less, or leave it "
      "out",
      solve.report, most, count));
}

}  // namespace

std::string text_of(const std::vector<problems::Parameter>& parameters) {
  std::vector<std::string> texts;
  for (const problems::Parameter& one : parameters) {
    texts.push_back(fmt::format("{} = {:g}", one.name, one.value));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

SweepOutput::SweepOutput(const SweepCommand& command, const Grid& grid,
                         const std::vector<std::string>& columns)
    : command_(command),
      grid_(grid),
      swept_{command.solve.problem, command.vary, columns},
      expected_(grid.count()),
      line_(!command.solve.quiet),
      file_(command.solve.csv, command.solve.csv == "-"),
      interrupt_(command.solve.time_limit) {
  check_page(command.solve, grid.count());
  // A parameter or a state may be called error.
  const auto add = [this](const std::string& name) {
    table_.names.push_back(free_name(table_.names, name));
  };
  for (const Axis& axis : grid.axes()) add(axis.name);
  const auto seconds = std::find(columns.begin(), columns.end(), "seconds");
  seconds_at_ = table_.names.size() + static_cast<std::size_t>(seconds - columns.begin());
  for (const std::string& name : columns) add(name);
  table_.columns.resize(table_.names.size());
  file_.open(table_.names);
  interrupt_.save_by([this] { return file_.save(); });
}

void SweepOutput::add_row(const std::vector<problems::Parameter>& varied, const SweptRun* run,
                          double seconds) {
  std::vector<double> row;
  for (const problems::Parameter& parameter : varied) row.push_back(parameter.value);
  if (run != nullptr) {
    row.insert(row.end(), run->values.begin(), run->values.end());
  } else {
    row.push_back(0);
  }
  // Of one that gave no values the rest is missing.
  row.resize(table_.columns.size(), none);
  if (run != nullptr && seconds_at_ < row.size()) row[seconds_at_] = seconds;
  file_.add(row);
  if (command_.solve.npy.empty()) return;
  for (std::size_t j = 0; j < row.size(); ++j) table_.columns[j].push_back(row[j]);
}

/// A value may be asked for twice.
void SweepOutput::add_page(const page::Run& run) {
  pages_.push_back(run);
  std::string& label = pages_.back().label;
  label = free_name(labels_, std::move(label));
  labels_.push_back(label);
}

bool SweepOutput::take(int number, const SweptRun* run, const std::string& error, double seconds) {
  const std::vector<problems::Parameter> varied = grid_.at(number);
  ++done_;
  if (run == nullptr || !run->solved) {
    ++failed_;
    line_.erase();
    complain("not solved: {}: {}\n", text_of(varied), run != nullptr ? run->brief : error);
  }
  add_row(varied, run, seconds);
  if (run != nullptr && run->page) add_page(*run->page);
  ivp::RunProgress progress{static_cast<double>(done_), 0, static_cast<double>(expected_), done_,
                            0};
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start_;
  progress.seconds_left = took.count() * (progress.end / progress.t - 1);
  line_.show(progress);
  return !interrupt_.requested();
}

int SweepOutput::end() {
  const SolveCommand& solve = command_.solve;
  interrupt_.work_has_ended();
  line_.erase();
  const bool talks = !solve.quiet && solve.csv != "-" && solve.npy != "-" && solve.report != "-";
  std::string how_many = fmt::format("{} of {} runs solved", done_ - failed_, expected_);
  if (!command_.shard.empty()) {
    how_many += fmt::format(", part {} of {}", command_.shard, grid_.count());
  }
  if (talks) say("{}: {}\n", solve.problem, how_many);
  if (interrupt_.requested()) {
    complain("daewave: stopped by {} after {} runs\n", interrupt_.reason(), done_);
  }
  OutputFiles files;
  files.commit([&] { file_.commit(); });
  files.write(solve.npy, [&](const std::string& path) { io::write_npy(path, table_); });
  if (!pages_.empty()) {
    files.write(solve.report, [&](const std::string& path) {
      page::write(path, {.title = title_of(solve.problem),
                         .subtitle = how_many,
                         .made_by = made_by(),
                         .runs = std::move(pages_)});
    });
  }
  files.end();
  return failed_ == 0 && done_ == expected_ ? solved : not_solved;
}

}  // namespace daewave::cli
