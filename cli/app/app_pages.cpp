// Pages that are made of the options: help, completion in shells, the manual page.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "cli/app/app.hpp"
#include "cli/app/subjects.hpp"
#include "cli/options/model_templates.hpp"
#include "cli/options/problem_named.hpp"
#include "cli/output/standard_output.hpp"
#include "core/error.hpp"
#include "core/nearest_names.hpp"
#include "ivp/options/method.hpp"
#include "reproduce/printed_table.hpp"

namespace daewave::cli {
namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) { return app.get_subcommands({}); }

std::vector<std::string> words_of(const CLI::App& command) {
  std::vector<std::string> words;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
  }
  return words;
}

std::vector<std::string> tables() {
  std::vector<std::string> names;
  for (const reproduce::TableEntry& table : reproduce::tables()) names.push_back(table.id);
  return names;
}

std::vector<std::string> subjects_and(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands_of(app)) names.push_back(command->get_name());
  for (const Subject& subject : subjects()) names.emplace_back(subject.name);
  return names;
}

/// What may stand behind a command.
std::vector<std::string> arguments_of(const CLI::App& app, const std::string& command) {
  if (command == "help") return subjects_and(app);
  if (command == "completion") return {"bash", "zsh", "fish"};
  if (command == "table") return tables();
  if (command == "new") return templates::names();
  const bool of_problems =
      command != "list" && command != "man" && command != "convert" && command != "merge";
  return of_problems ? cli::names_of_problems() : std::vector<std::string>{};
}

/// Model files, or those that a sweep has kept.
bool takes_files(const std::string& command) {
  static constexpr std::array commands{"show", "solve", "sweep", "check", "convert", "merge"};
  return std::find(commands.begin(), commands.end(), command) != commands.end();
}

/// Options whose value is the name of a file.
constexpr std::array file_options{"csv",    "npy",        "json",   "svg",   "report",
                                  "branch", "checkpoint", "resume", "output"};

std::vector<std::string> methods() {
  std::vector<std::string> names;
  for (const ivp::Method& method : ivp::all_methods()) names.emplace_back(ivp::name_of(method));
  return names;
}

void print_bash(const CLI::App& app, const char* begin) {
  std::vector<std::string> commands;
  std::string cases;
  for (const CLI::App* command : commands_of(app)) {
    const std::string& name = command->get_name();
    commands.push_back(name);
    cases += fmt::format(
        "    {}) options=\"{}\" arguments=\"{}\"{} ;;\n", name, fmt::join(words_of(*command), " "),
        fmt::join(arguments_of(app, name), " "), takes_files(name) ? " files=-f" : "");
  }
  say(R"({}_daewave() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} options arguments files
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "{} --help --version" -- "$word"))
    return
  fi
  case $before in
    --method) COMPREPLY=($(compgen -W "{}" -- "$word")); return ;;
    --{})
      COMPREPLY=($(compgen -f -- "$word")); return ;;
  esac
  case ${{COMP_WORDS[1]}} in
{}  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  elif ((COMP_CWORD == 2)); then
    COMPREPLY=($(compgen $files -W "$arguments" -- "$word"))
  elif [[ ${{COMP_WORDS[1]}} == merge ]]; then
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}}
complete -o filenames -F _daewave daewave
)",
      begin, fmt::join(commands, " "), fmt::join(methods(), " "), fmt::join(file_options, " | --"),
      cases);
}

/// Of a text between single quotes.
std::string quoted(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '\'' ? std::string("\\'") : std::string(1, c);
  return out;
}

void print_fish(const CLI::App& app) {
  say("# Completion of daewave: daewave completion fish | source\ncomplete -c daewave -f\n");
  for (const CLI::App* command : commands_of(app)) {
    const std::string& name = command->get_name();
    say("complete -c daewave -n __fish_use_subcommand -a {} -d '{}'\n", name,
        quoted(command->get_description()));
    const std::string inside = fmt::format("-n '__fish_seen_subcommand_from {}'", name);
    if (const auto arguments = arguments_of(app, name); !arguments.empty()) {
      say("complete -c daewave {} -a '{}'\n", inside, fmt::join(arguments, " "));
    }
    if (takes_files(name)) say("complete -c daewave {} -F\n", inside);
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& word : option->get_lnames()) {
        const bool file =
            std::find(file_options.begin(), file_options.end(), word) != file_options.end();
        const std::string values =
            word == "method" ? fmt::format(" -x -a '{}'", fmt::join(methods(), " ")) : "";
        say("complete -c daewave {} -l {}{}{} -d '{}'\n", inside, word, file ? " -r -F" : "",
            values, quoted(option->get_description()));
      }
    }
  }
}

/// In the source of man(1) a dash is a hyphen, and a point begins a request.
std::string roff(const std::string& text) {
  std::string out;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) out += "\\&";
    begins = c == '\n';
    out += c == '-' ? "\\-" : c == '\\' ? "\\e" : std::string(1, c);
  }
  return out;
}

void print_options(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    std::vector<std::string> names;
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    const std::string name = fmt::format("{}", fmt::join(names, ", "));
    if (names.empty() || name == "-h, --help") continue;
    const bool flag = option->get_expected_max() == 0;
    say(".TP\n\\fB{}\\fR{}\n{}\n", roff(name), flag ? "" : " \\fIVALUE\\fR",
        roff(option->get_description()));
  }
}

}  // namespace

int print_help(const CLI::App& app, const std::string& subject) {
  if (subject.empty()) {
    say("{}\n", app.help());
    say("Subjects, for daewave help SUBJECT:\n");
    for (const Subject& one : subjects()) say("  {:<27} {}\n", one.name, one.summary);
    return solved;
  }
  for (const CLI::App* command : commands_of(app)) {
    if (command->get_name() != subject) continue;
    say("{}", command->help(app.get_name()));
    return solved;
  }
  for (const Subject& one : subjects()) {
    if (subject != one.name) continue;
    say("{}", one.text);
    return solved;
  }
  const std::vector<std::string> known = subjects_and(app);
  throw InvalidOption(fmt::format("help \"{}\"{}; known: {}", subject, did_you_mean(subject, known),
                                  fmt::join(known, ", ")));
}

int print_completion(const CLI::App& app, const std::string& shell) {
  if (shell == "bash") {
    print_bash(app, "# Completion of daewave: source <(daewave completion bash)\n");
  } else if (shell == "zsh") {
    print_bash(
        app,
        "# Completion of daewave: source <(daewave completion zsh)\n"
        "autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n");
  } else if (shell == "fish") {
    print_fish(app);
  } else {
    throw InvalidOption(fmt::format("completion \"{}\"; known: bash, zsh, fish", shell));
  }
  return solved;
}

int print_manual(const CLI::App& app) {
  say(".TH DAEWAVE 1 \"\" \"daewave {}\" \"User commands\"\n", DAEWAVE_VERSION);
  say(".SH NAME\ndaewave \\- {}\n", roff("differential-algebraic equations: boundary values and "
                                         "long motions of constrained systems"));
  say(".SH SYNOPSIS\n");
  for (const CLI::App* command : commands_of(app)) {
    std::string positional;
    for (const CLI::Option* option : command->get_options()) {
      if (!option->get_positional()) continue;
      const std::string name = option->get_name(true);
      positional +=
          option->get_required() ? " \\fI" + roff(name) + "\\fR" : " [\\fI" + roff(name) + "\\fR]";
    }
    say(".B daewave {}\n{}[\\fIoptions\\fR]\n.br\n", command->get_name(),
        positional.empty() ? "" : positional.substr(1) + " ");
  }
  say(".SH COMMANDS\n");
  for (const CLI::App* command : commands_of(app)) {
    say(".SS daewave {}\n{}.\n", command->get_name(), roff(command->get_description()));
    print_options(*command);
  }
  for (const Subject& one : subjects()) {
    std::string title = one.name;
    for (char& c : title) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    say(".SH {}\n.nf\n{}.fi\n", title, roff(one.text));
  }
  say(".SH EXIT STATUS\n0 solved, 1 not solved or output lost, 2 bad input.\n");
  return solved;
}

}  // namespace daewave::cli
