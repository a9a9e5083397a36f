// Any words behind daewave solve: options, or a complaint; nothing is solved.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "cli/app/app.hpp"
#include "cli/options/component_tolerances.hpp"
#include "cli/options/initial_value_options.hpp"
#include "core/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::string> words{"daewave", "solve", "pendulum"};
  words.emplace_back();
  for (std::size_t i = 0; i < size; ++i) {
    if (data[i] == '\n') {
      words.emplace_back();
    } else if (data[i] != 0) {
      words.back() += static_cast<char>(data[i]);
    }
  }
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  const int argc = static_cast<int>(argv.size());

  CLI::App app;
  app.require_subcommand(1);
  daewave::cli::SolveCommand solve;
  CLI::App* solve_app = app.add_subcommand("solve", "");
  daewave::cli::add_solve_options(solve_app, solve);
  daewave::cli::add_initial_value_options(solve_app, solve);
  daewave::cli::allow_powers_of_ten(app);
  try {
    app.parse(argc, argv.data());
    solve.resume.clear();  // Files are of checkpoint_fuzz.
    if (solve.points > 1000) solve.points = 1000;
    daewave::cli::tolerances_of(solve);
    check(daewave::cli::initial_value_options(solve, {0, 1}));
  } catch (const CLI::ParseError&) {
    daewave::cli::about_unknown_word(app, argc, argv.data());
  } catch (const daewave::Error& error) {
    if (std::string(error.what()).empty()) std::abort();
  }
  return 0;
}
