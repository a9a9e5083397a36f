// The program's commands.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <new>
#include <sstream>

#include "cli/app/app.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/model_options.hpp"
#include "cli/output/option_words.hpp"
#include "cli/output/standard_output.hpp"
#include "cli/program.hpp"
#include "core/error.hpp"

namespace {

using namespace daewave;

/// "name=value" of --set.
problems::Parameter parse_parameter(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  if (equals == 0 || value.empty() || *end != '\0') {
    throw InvalidOption(fmt::format("--set {}: must be NAME=NUMBER, such as lambda=50", text));
  }
  return {text.substr(0, equals), number, ""};
}

/// What --set and --t-end collect, until all of the command line is read.
struct ParameterTexts {
  std::vector<std::string> set;
  std::optional<double> t_end, links;

  void add_to(CLI::App* app) {
    app->add_option("--set", set, "Parameter of the problem, NAME=NUMBER; see list");
    app->add_option("--t-end", t_end, "End of the interval, where the problem lets it be chosen");
    app->add_option("--links", links, "Rods of chain, cells of scissors");
  }
  /// @throws InvalidOption where one is said twice.
  std::vector<problems::Parameter> parsed() const {
    std::vector<problems::Parameter> parameters;
    const auto add = [&](const problems::Parameter& one, const std::string& said) {
      for (const problems::Parameter& other : parameters) {
        if (other.name != one.name) continue;
        throw InvalidOption(
            fmt::format("{}: {} = {:g} is said too; say it once", said, other.name, other.value));
      }
      parameters.push_back(one);
    };
    for (const std::string& text : set) add(parse_parameter(text), "--set " + text);
    if (t_end) add({"t-end", *t_end, ""}, fmt::format("--t-end {:g}", *t_end));
    if (links) add({"links", *links, ""}, fmt::format("--links {:g}", *links));
    return parameters;
  }
};

/// Options that were given to a sweep, but for those that change nothing in its rows.
std::string what_is_swept(const CLI::App& app) {
  constexpr const char* others[] = {"csv",        "npy",        "quiet",  "threads", "report",
                                    "checkpoint", "time-limit", "resume", "shard"};
  std::string words = std::string("daewave ") + DAEWAVE_VERSION;
  std::istringstream given(app.config_to_str());
  for (std::string line; std::getline(given, line);) {
    const std::string name = line.substr(0, line.find('='));
    const bool counts = std::none_of(std::begin(others), std::end(others),
                                     [&](const char* other) { return name == other; });
    if (counts && !line.empty()) words += "; " + line;
  }
  return words;
}

}  // namespace

namespace daewave::cli {

int run_program(int argc, char** argv, const Communicator* ranks) {
  CLI::App app{"Boundary value and long-horizon differential-algebraic equations."};
  app.set_version_flag("--version", std::string("daewave ") + DAEWAVE_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 solved, 1 not solved (the valid part is written) or output lost, 2 bad "
      "input.\n"
      "Subjects of daewave help: methods, words, errors, checkpoints, files, limits.\n"
      "Examples: daewave solve al1-example1 --tolerance 1e-8 --svg solution.svg\n"
      "          daewave solve swirling-flow --continue e=1:1e-4 --svg flow.svg\n"
      "          daewave solve slider-crank --method srm --h 1e-4 --svg motion.svg");

  cli::ListCommand list;
  CLI::App* list_app = app.add_subcommand("list", "Problems and tables");
  list_app->add_option("filter", list.filter,
                       "Those alone whose name, source, kind or summary has this text");
  list_app->add_flag("--json", list.json, "As JSON");

  cli::ShowCommand show;
  CLI::App* show_app =
      app.add_subcommand("show", "A problem: equations, coordinates and units, parameters, source");
  show_app->add_option("problem", show.problem, "Name from `daewave list`, or a model file (.toml)")
      ->required();

  cli::NewCommand new_model;
  CLI::App* new_app =
      app.add_subcommand("new", "A model file to begin with: daewave new slider-crank > mine.toml");
  new_app->add_option("template", new_model.name, "Without it, those that there are");

  cli::ConvertCommand convert;
  ParameterTexts convert_parameters;
  CLI::App* convert_app = app.add_subcommand(
      "convert",
      "A model file as the struct of a C++ program: daewave convert mine.toml > mine.hpp");
  convert_app->add_option("problem", convert.problem, "A model file (.toml)")->required();
  convert_app->add_option("--to", convert.to, "The language: cpp");
  convert_app->add_option("-o,--output", convert.output, "A file; - or nothing: standard output");
  convert_parameters.add_to(convert_app);

  cli::SolveCommand solve;
  ParameterTexts solve_parameters;
  CLI::App* solve_app = app.add_subcommand("solve", "Solve a problem of the catalogue");
  cli::add_solve_options(solve_app, solve);
  cli::add_initial_value_options(solve_app, solve);
  solve_parameters.add_to(solve_app);

  cli::SweepCommand sweep;
  ParameterTexts sweep_parameters;
  CLI::App* sweep_app =
      app.add_subcommand("sweep", "Solve a problem for many parameters, on all cores");
  sweep_app
      ->add_option("problem", sweep.solve.problem,
                   "Name from `daewave list`, or a model file (.toml)")
      ->required();
  sweep_app
      ->add_option("--vary", sweep.vary,
                   "NAME=FROM:TO:COUNT or NAME=VALUE,VALUE,...; several make a grid")
      ->required();
  sweep_app->add_option("--shard", sweep.shard,
                        "K/N: every N-th run from the K-th on, for array jobs; see merge");
  sweep_app->add_option("--threads", sweep.solve.threads, "Runs at the same time; 0: all cores");
  sweep_app->add_option("--time-limit", sweep.solve.time_limit,
                        "Seconds after which the sweep is stopped");
  sweep_app->add_option("--csv", sweep.solve.csv, "One row per run; - for standard output");
  sweep_app->add_option("--npy", sweep.solve.npy, "The same as NPY with named fields");
  sweep_app->add_option("--report", sweep.solve.report,
                        "Write a page for a browser that compares the runs, 12 at most");
  sweep_app->add_flag("-q,--quiet", sweep.solve.quiet, "Print nothing but errors");
  cli::add_problem_options(sweep_app, sweep.solve);
  cli::add_initial_value_options(sweep_app, sweep.solve);
  cli::add_control_multiplier(
      sweep_app, sweep.solve,
      "Of dcbdf, dcbdf-bdf, adams-moulton and bdf: control the error of multipliers too");
  sweep_parameters.add_to(sweep_app);

  cli::MergeCommand merge;
  CLI::App* merge_app = app.add_subcommand(
      "merge", "The table of a sweep, of the files that its parts have kept: merge part-*.kept");
  merge_app->add_option("files", merge.files, "Those of sweep --shard K/N --checkpoint FILE")
      ->required();
  merge_app->add_option("--csv", merge.csv, "One row per run; - for standard output");
  merge_app->add_option("--npy", merge.npy, "The same as NPY with named fields");
  merge_app->add_option("--checkpoint", merge.kept,
                        "One file of all runs, which sweep --resume goes on from");
  merge_app->add_flag("-q,--quiet", merge.quiet, "Print nothing but errors");

  cli::TableCommand table;
  CLI::App* table_app =
      app.add_subcommand("table", "Compute a table printed in a paper beside the printed values");
  table_app->add_option("id", table.id, "Name from `daewave list`")->required();
  table_app->add_option("--json", table.json, "Write the entries as JSON; - for standard output");
  table_app->add_option("--svg", table.svg, "Draw what the paper draws; - for standard output");
  table_app->add_option("--solver", table.linear_solver, "Linear solver, as for solve");

  cli::CheckCommand check;
  ParameterTexts check_parameters;
  CLI::App* check_app = app.add_subcommand(
      "check",
      "Look at a problem: index, rank, singular points, conditioning, and a solve to 1e-3");
  check_app
      ->add_option("problem", check.problem, "Name from `daewave list`, or a model file (.toml)")
      ->required();
  check_parameters.add_to(check_app);

  std::string subject, shell;
  CLI::App* help_app = app.add_subcommand("help", "A page about a command, or about a subject");
  help_app->add_option("subject", subject, "Command or subject; without it all subjects");
  CLI::App* completion_app = app.add_subcommand(
      "completion", "A script that completes commands, options and names in a shell");
  completion_app->add_option("shell", shell, "bash, zsh or fish")->required();
  CLI::App* man_app = app.add_subcommand("man", "The manual page, for man -l -");
  cli::allow_powers_of_ten(app);
  cli::refuse_empty_values(app);

  std::vector<std::string> words = cli::with_model_options(app, {argv, argv + argc});
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  argc = static_cast<int>(pointers.size());
  argv = pointers.data();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool asked_for_text = error.get_exit_code() == 0;
    const std::string unknown = asked_for_text ? "" : cli::about_unknown_word(app, argc, argv);
    std::ostringstream text, complaint;
    app.exit(error, text, complaint);
    cli::say("{}", text.str());
    if (asked_for_text) return cli::solved;
    cli::complain("{}", unknown.empty() ? "daewave: " + complaint.str() : unknown);
    return cli::bad_input;
  }
  const bool is_first = ranks == nullptr || ranks->rank() == 0;
  solve.ranks = sweep.solve.ranks = ranks;
  if (*sweep_app) {
    sweep.solve.parameters = sweep_parameters.parsed();
    sweep.what = what_is_swept(*sweep_app);
    return run(sweep);
  }
  if (*solve_app) {
    solve.parameters = solve_parameters.parsed();
    return run(solve);
  }
  // Of other commands ranks have no part each.
  if (!is_first) return cli::solved;
  if (*help_app) return cli::print_help(app, subject);
  if (*completion_app) return cli::print_completion(app, shell);
  if (*man_app) return cli::print_manual(app);
  if (*show_app) return run(show);
  if (*new_app) return run(new_model);
  if (*convert_app) {
    convert.parameters = convert_parameters.parsed();
    return run(convert);
  }
  if (*merge_app) return run(merge);
  if (*list_app) return run(list);
  if (*table_app) return run(table);
  check.parameters = check_parameters.parsed();
  return run(check);
}

std::string told(const std::exception& thrown, int& code) {
  code = not_solved;
  if (dynamic_cast<const FileError*>(&thrown) || dynamic_cast<const RankFailed*>(&thrown)) {
    return thrown.what();
  }
  if (dynamic_cast<const Error*>(&thrown)) {
    code = bad_input;
    return error_in_options(thrown.what());
  }
  if (dynamic_cast<const std::bad_alloc*>(&thrown)) {
    return "out of memory; use fewer intervals or stages (the report tells the bytes per interval)";
  }
  return fmt::format("internal error: {}", thrown.what());
}

int end_output(int code) {
  const std::string lost = end_standard_output();
  if (lost.empty()) return code;
  complain(
      "daewave: standard output cannot be written: {}; what was printed is not complete: free some "
      "space, or send it elsewhere\n",
      lost);
  return code == solved ? not_solved : code;
}

}  // namespace daewave::cli
