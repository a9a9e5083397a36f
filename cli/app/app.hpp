#pragma once
// The program's options, and pages that are made of them. What includes CLI11 takes long to
// compile.

#include <string>

#include "cli/options/command_line.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace daewave::cli {

void add_solve_options(CLI::App* app, SolveCommand& solve);
/// Those of discretization and regularization, which a sweep has too.
void add_problem_options(CLI::App* app, SolveCommand& solve);
void add_initial_value_options(CLI::App* app, SolveCommand& solve);
/// The flag and the one that says no. @param what  it does.
CLI::Option* add_control_multiplier(CLI::App* app, SolveCommand& solve, const char* what);

/// Whole numbers may be written as 1e3, in all commands. Call when all options are there.
void allow_powers_of_ten(CLI::App& app);

/// What "$file" is where a shell knows no file: no option is given so. Call when all are there.
void refuse_empty_values(CLI::App& app);

/// The first command or option that there is none of, and those that may have been meant, in words;
/// empty where all are known.
std::string about_unknown_word(const CLI::App& app, int argc, char** argv);

/// @param subject  a command, or one of the subjects; empty: says which there are.
/// @return the exit code. @throws InvalidOption for another.
int print_help(const CLI::App& app, const std::string& subject);

/// @throws InvalidOption for another shell than bash, zsh and fish.
int print_completion(const CLI::App& app, const std::string& shell);

/// As source of man(1).
int print_manual(const CLI::App& app);

}  // namespace daewave::cli
