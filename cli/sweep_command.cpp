#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>

#include "cli/command_line.hpp"
#include "cli/csv_rows.hpp"
#include "cli/initial_value_options.hpp"
#include "cli/interrupt.hpp"
#include "cli/motion_page.hpp"
#include "cli/output_files.hpp"
#include "cli/output_path.hpp"
#include "cli/page_parts.hpp"
#include "cli/problem_named.hpp"
#include "cli/progress_line.hpp"
#include "cli/standard_output.hpp"
#include "cli/threads.hpp"
#include "core/error.hpp"
#include "core/not_finite.hpp"
#include "core/report/table.hpp"
#include "io/csv.hpp"
#include "io/npy.hpp"
#include "io/report_json.hpp"
#include "ivp/run/state_names.hpp"
#include "parallel/ensemble.hpp"

namespace daewave::cli {
namespace {

/// All values of a parameter.
struct Axis {
  std::string name;
  std::vector<double> values;
};

double number(const std::string& text, const std::string& all) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(value)) {
    throw InvalidOption(fmt::format(
        "--vary {}: must be NAME=FROM:TO:COUNT or NAME=VALUE,VALUE,..., such as turning=0:2:21",
        all));
  }
  return value;
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (char c : text) {
    if (c == at) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

Axis parse_axis(const std::string& text) {
  const std::size_t equals = text.find('=');
  Axis axis{text.substr(0, equals), {}};
  const std::string right = equals == std::string::npos ? "" : text.substr(equals + 1);
  const std::vector<std::string> range = split(right, ':');
  if (range.size() != 3) {
    for (const std::string& value : split(right, ',')) axis.values.push_back(number(value, text));
    return axis;
  }
  const double from = number(range[0], text), to = number(range[1], text);
  const double count = number(range[2], text);
  if (!(count >= 2 && count <= 1e6) || count != std::floor(count)) {
    throw InvalidOption(
        fmt::format("--vary {}: COUNT must be a whole number from 2 to 1000000", text));
  }
  for (int i = 0; i < static_cast<int>(count); ++i) {
    axis.values.push_back(i + 1 == count ? to : from + (to - from) * i / (count - 1));
  }
  return axis;
}

/// The grid of all axes; the last one varies fastest.
class Grid {
 public:
  explicit Grid(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) axes_.push_back(parse_axis(text));
    double count = 1;
    for (const Axis& axis : axes_) count *= static_cast<double>(axis.values.size());
    if (count > 1e7) {
      throw InvalidOption(
          fmt::format("--vary: asks for {:g} runs; take at most 1e7 at a time", count));
    }
    count_ = static_cast<int>(count);
  }

  int count() const { return count_; }
  const std::vector<Axis>& axes() const { return axes_; }

  std::vector<problems::Parameter> at(int number) const {
    std::vector<problems::Parameter> values(axes_.size());
    for (std::size_t i = axes_.size(); i-- > 0;) {
      const int size = static_cast<int>(axes_[i].values.size());
      values[i] = {axes_[i].name, axes_[i].values[static_cast<std::size_t>(number % size)], ""};
      number /= size;
    }
    return values;
  }

 private:
  std::vector<Axis> axes_;
  int count_ = 1;
};

/// What is kept of a run.
struct Outcome {
  Report report;
  VecX end;
  double error = std::numeric_limits<double>::quiet_NaN();  ///< Against the reference, if any.
  std::optional<page::Run> page;                            ///< Where one was asked for.
};

Outcome outcome_of(const ivp::Solution& solution, const catalogue::InitialValueProblem& problem) {
  Outcome outcome;
  outcome.report = solution.report;
  if (solution.has_values()) {
    outcome.end = solution.end();
    if (const std::optional<VecX> exact = problem.reference(solution.t.back())) {
      outcome.error = largest_size(outcome.end - *exact);
    }
  }
  return outcome;
}

ivp::Options options_of(const SolveCommand& command, const Interval& span,
                        const Interrupt& interrupt) {
  ivp::Options options = initial_value_options(command, span);
  if (command.report.empty()) {
    options.every = 0;
  } else {
    keep_to_draw(command, options);
  }
  options.seek_way_out = false;  // Of many members, each that fails would take as long again.
  options.progress = [&](const ivp::RunProgress&) { return !interrupt.requested(); };
  return options;
}

std::string text_of(const std::vector<problems::Parameter>& parameters) {
  std::vector<std::string> texts;
  for (const problems::Parameter& one : parameters) {
    texts.push_back(fmt::format("{} = {:g}", one.name, one.value));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// One run, or several side by side in SIMD lanes; empty where these cannot go so.
std::vector<Outcome> run_group(const catalogue::Entry& entry, const SolveCommand& command,
                               const std::vector<std::vector<problems::Parameter>>& varied,
                               const Interrupt& interrupt) {
  std::vector<catalogue::InitialValueProblemPtr> problems;
  for (const std::vector<problems::Parameter>& one : varied) {
    std::vector<problems::Parameter> parameters = command.parameters;
    parameters.insert(parameters.end(), one.begin(), one.end());
    problems.push_back(catalogue::make(entry, parameters));
  }
  const catalogue::InitialValueProblem& first = *problems.front();
  const Interval span = first.interval();
  const ivp::Options options = options_of(command, span, interrupt);
  std::vector<Outcome> outcomes;
  if (problems.size() == 1) {
    const ivp::Solution solution = first.solve(span, options);
    outcomes.push_back(outcome_of(solution, first));
    if (!command.report.empty()) {
      outcomes.front().page =
          motion_run(solution, first, text_of(varied.front()), io::report_json(solution.report));
    }
    return outcomes;
  }
  for (const catalogue::InitialValueProblemPtr& problem : problems) {
    const Interval own = problem->interval();
    if (own.begin != span.begin || own.end != span.end) return outcomes;
  }
  const std::vector<ivp::Solution> solutions =
      catalogue::InitialValueProblem::solve_members(problems, span, options);
  for (std::size_t i = 0; i < solutions.size(); ++i) {
    outcomes.push_back(outcome_of(solutions[i], *problems[i]));
  }
  return outcomes;
}

/// Rows as they come, one per run; kept only where a file is written of all of them at once.
class Rows {
 public:
  Rows(const Grid& grid, const catalogue::InitialValueProblem& first, const SolveCommand& command)
      : keeps_(!command.npy.empty()), file_(command.csv, command.csv == "-") {
    for (const Axis& axis : grid.axes()) table_.names.push_back(axis.name);
    for (const char* name : {"solved", "t", "steps", "evaluations", "drift_position",
                             "drift_velocity", "energy_change", "error", "seconds"}) {
      add_name(name);
    }
    nz_ = static_cast<int>(first.start().size());
    for (const std::string& name :
         ivp::names_of(first.problem().state_names(), nz_, first.second_order())) {
      add_name(name);
    }
    table_.columns.resize(table_.names.size());
    file_.open(table_.names);
  }

  void add(const std::vector<problems::Parameter>& varied,
           const parallel::Member<Outcome>& member) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    std::vector<double> row;
    for (const problems::Parameter& parameter : varied) row.push_back(parameter.value);
    if (member.result) {
      const Outcome& outcome = *member.result;
      const IntegrationReport& went = outcome.report.integration;
      row.insert(
          row.end(),
          {outcome.report.usable() ? 1.0 : 0.0, went.reached, static_cast<double>(went.steps),
           static_cast<double>(went.evaluations), went.drift_position, went.drift_velocity,
           went.has_energy ? went.energy_change : none, outcome.error, member.seconds});
      // A parameter may change the size of the state: what does not fit has no column.
      const int n = std::min(nz_, static_cast<int>(outcome.end.size()));
      for (int i = 0; i < n; ++i) row.push_back(outcome.end[i]);
    } else {
      row.push_back(0);
    }
    row.resize(table_.columns.size(), none);
    file_.add(row);
    for (std::size_t j = 0; keeps_ && j < row.size(); ++j) table_.columns[j].push_back(row[j]);
  }
  void commit() { file_.commit(); }
  std::string save() noexcept { return file_.save(); }

  const Table& table() const { return table_; }

 private:
  /// A parameter or a state may be called error.
  void add_name(const std::string& name) { table_.names.push_back(free_name(table_.names, name)); }

  Table table_;
  int nz_ = 0;
  bool keeps_;
  CsvRows file_;
};

const catalogue::Entry& entry_of(const std::string& name) {
  if (const catalogue::Entry* entry = find_initial_value(name)) return *entry;
  find_linear(name);
  throw InvalidOption(
      fmt::format("{}: a sweep is for initial value problems; see daewave list", name));
}

/// More lines would lie over each other.
void check_page(const SolveCommand& solve, int count) {
  constexpr int most = 12;
  if (solve.report.empty() || count <= most) return;
  throw InvalidOption(fmt::format(
      "--report {}: a page compares at most {} runs, and this sweep has {}; vary less, or leave it "
      "out",
      solve.report, most, count));
}

/// All runs would write the same file.
void refuse_checkpoints(const SolveCommand& solve) {
  for (const auto& [option, path] :
       {std::pair("--checkpoint", solve.checkpoint), std::pair("--resume", solve.resume)}) {
    if (path.empty()) continue;
    throw InvalidOption(
        fmt::format("{} {}: is of one run, and a sweep has many; leave it out, or take daewave "
                    "solve for each",
                    option, path));
  }
}

void refuse_sensitivities(const SolveCommand& solve) {
  if (!solve.sensitivities) return;
  throw InvalidOption(
      "--sensitivities: is of one run, and the table of a sweep has no place for it; leave it out, "
      "or take daewave solve for each");
}

}  // namespace

int run(const SweepCommand& command) {
  SolveCommand solve = command.solve;
  solve.threads.reset();  // They are for the runs, not in them.
  check_output_paths({{"--csv", solve.csv}, {"--npy", solve.npy}, {"--report", solve.report}});
  refuse_checkpoints(solve);
  refuse_sensitivities(solve);
  const Grid grid(command.vary);
  check_page(solve, grid.count());
  const catalogue::Entry& entry = entry_of(solve.problem);
  std::vector<problems::Parameter> first = solve.parameters;
  for (const problems::Parameter& parameter : grid.at(0)) first.push_back(parameter);
  const catalogue::InitialValueProblemPtr problem = catalogue::make(entry, first);
  Rows rows(grid, *problem, solve);
  Interrupt interrupt(solve.time_limit);
  interrupt.save_by([&] { return rows.save(); });
  ProgressLine line(!solve.quiet);
  const auto start = std::chrono::steady_clock::now();
  int failed = 0, done = 0;
  std::vector<page::Run> pages;
  std::vector<std::string> labels;  // A value may be asked for twice.
  const bool talks = !solve.quiet && solve.csv != "-" && solve.npy != "-" && solve.report != "-";
  const auto sink = [&](parallel::Member<Outcome>&& member) {
    const std::vector<problems::Parameter> varied = grid.at(member.number);
    const bool solved = member.result && member.result->report.usable();
    ++done;
    if (!solved) {
      ++failed;
      line.erase();
      complain("not solved: {}: {}\n", text_of(varied),
               member.result ? member.result->report.brief() : member.error);
    }
    rows.add(varied, member);
    if (member.result && member.result->page) {
      pages.push_back(*member.result->page);
      std::string& label = pages.back().label;
      label = free_name(labels, std::move(label));
      labels.push_back(label);
    }
    ivp::RunProgress progress{static_cast<double>(done), 0, static_cast<double>(grid.count()), done,
                              0};
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    progress.seconds_left = took.count() * (progress.end / progress.t - 1);
    line.show(progress);
    return !interrupt.requested();
  };
  // Side by side in lanes only the ends are kept.
  const int width =
      !solve.report.empty()
          ? 1
          : std::max(1,
                     problem->members_in_lanes(options_of(solve, problem->interval(), interrupt)));
  parallel::ensemble_in_groups<Outcome>(
      grid.count(), width, *executor_of(command.solve.threads.value_or(0)),
      [&](int begin, int size) {
        std::vector<std::vector<problems::Parameter>> varied;
        for (int i = begin; i < begin + size; ++i) varied.push_back(grid.at(i));
        return run_group(entry, solve, varied, interrupt);
      },
      sink);
  interrupt.work_has_ended();
  line.erase();
  if (talks) {
    say("{}: {} of {} runs solved\n", solve.problem, done - failed, grid.count());
  }
  if (interrupt.requested()) {
    complain("daewave: stopped by {} after {} runs\n", interrupt.reason(), done);
  }
  OutputFiles files;
  files.commit([&] { rows.commit(); });
  files.write(solve.npy, [&](const std::string& path) { io::write_npy(path, rows.table()); });
  if (!pages.empty()) {
    files.write(solve.report, [&](const std::string& path) {
      page::write(path,
                  {.title = title_of(solve.problem),
                   .subtitle = fmt::format("{} of {} runs solved", done - failed, grid.count()),
                   .made_by = made_by(),
                   .runs = std::move(pages)});
    });
  }
  files.end();
  return failed == 0 && done == grid.count() ? solved : not_solved;
}

}  // namespace daewave::cli
