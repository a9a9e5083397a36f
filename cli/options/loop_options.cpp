#include "cli/options/loop_options.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/options/problem_named.hpp"
#include "cli/options/threads.hpp"
#include "core/error.hpp"
#include "io/checkpoint_file.hpp"
#include "io/checksum.hpp"
#include "models/model.hpp"

namespace daewave::cli {
namespace {

/// @param option  with its value. @param which  loops that have it.
[[noreturn]] void refuse(const std::string& option, const char* which, const ivp::Method& method) {
  const auto* srm = std::get_if<ivp::Srm>(&method);
  const std::string other = srm ? fmt::format(", not --loops {}", name_of(srm->loops))
                            : std::holds_alternative<ivp::Automatic>(method)
                                ? ""
                                : fmt::format(", not --method {}", name_of(method));
  throw InvalidOption(
      fmt::format("{}: is of --method srm --loops {} with --h H{}; leave it out, or take these",
                  option, which, other));
}

/// The loops of the kind that has the options; null for other methods and loops.
template <class Kind>
Kind* loops_in(ivp::Method& method) {
  auto* const srm = std::get_if<ivp::Srm>(&method);
  return srm == nullptr ? nullptr : std::get_if<Kind>(&srm->loops);
}

/// A pipelined run takes all cores where nothing else is asked for.
void give_windows(const SolveCommand& command, ivp::Method& method) {
  if (auto* const pipelined = loops_in<ivp::Pipelined>(method)) {
    pipelined->steps = command.window;
    pipelined->pipeline = pipeline_of(command.threads.value_or(0));
    return;
  }
  if (command.window) refuse(fmt::format("--window {}", *command.window), "pipelined", method);
  if (command.threads && *command.threads != 1) {
    refuse(fmt::format("--threads {}", *command.threads), "pipelined", method);
  }
}

void give_simd(const SolveCommand& command, ivp::Method& method) {
  if (!command.simd) return;
  auto* const lanes = loops_in<ivp::InLanes>(method);
  if (lanes == nullptr) refuse(fmt::format("--simd {}", *command.simd), "lanes", method);
  if (*command.simd != "auto") lanes->simd = simd_named(*command.simd);
}

/// Where steps have other places for them.
void refuse_legs(const SolveCommand& command, const ivp::Method& method) {
  if (!command.checkpoint_steps || !std::holds_alternative<ivp::Srm>(method)) return;
  throw InvalidOption(
      fmt::format("--checkpoint-steps {}: is of methods without checkpoints between any two steps, "
                  "not of --method srm, which has them; leave it out, or take --method s-both2",
                  *command.checkpoint_steps));
}

/// When to keep what nobody asked to keep. A run that goes on is told by the same line.
void refuse_without_checkpoint(const SolveCommand& command) {
  if (!command.checkpoint.empty() || !command.resume.empty()) return;
  const char* const option = command.checkpoint_seconds ? "--checkpoint-seconds"
                             : command.checkpoint_steps ? "--checkpoint-steps"
                                                        : nullptr;
  if (option == nullptr) return;
  throw InvalidOption(
      fmt::format("{}: is of --checkpoint FILE; give that too, or leave it out", option));
}

/// A file that cannot be gone on from was the wrong one to give.
Checkpoint checkpoint_of(const std::string& path) {
  try {
    return io::read_checkpoint(path);
  } catch (const FileError& error) {
    throw InvalidOption(fmt::format("--resume {}", error.what()));
  }
}

void give_checkpoints(const SolveCommand& command, ivp::Options& options) {
  refuse_legs(command, options.method);
  ivp::Checkpoints* const checkpoints = checkpoints_in(options);
  if (checkpoints == nullptr) {
    const auto refuse_given = [&](bool given, const std::string& option) {
      if (given) refuse(option, "step-local or pipelined", options.method);
    };
    refuse_given(!command.checkpoint.empty(), "--checkpoint " + command.checkpoint);
    refuse_given(!command.resume.empty(), "--resume " + command.resume);
    refuse_given(command.checkpoint_seconds.has_value(),
                 fmt::format("--checkpoint-seconds {}", command.checkpoint_seconds.value_or(0)));
    return;
  }
  refuse_without_checkpoint(command);
  const auto mark = [&](const problems::Parameter& parameter) {
    checkpoints->mark += fmt::format("{} = {:a} ", parameter.name, parameter.value);
  };
  for (const problems::Parameter& parameter : command.parameters) {
    if (parameter.name != "t-end") mark(parameter);  // A run may go on to a later end.
  }
  if (is_model_file(command.problem)) {
    for (const problems::Parameter& one : set_by_file(command.problem, command.parameters)) {
      mark(one);
    }
    // The name of a file says nothing of what is in it.
    io::Checksum statement;
    statement.add(model_file(command.problem).statement);
    checkpoints->mark += "model = " + statement.text();
  }
  if (command.checkpoint_seconds) checkpoints->seconds = *command.checkpoint_seconds;
  if (command.checkpoint_steps) checkpoints->steps = *command.checkpoint_steps;
  // What is given out is kept beside them: see KeptRows.
  if (!command.checkpoint.empty()) checkpoints->save = [](const Checkpoint&) {};
  if (!command.resume.empty()) {
    checkpoints->resume = std::make_shared<const Checkpoint>(checkpoint_of(command.resume));
  }
}

}  // namespace

ivp::Checkpoints* checkpoints_in(ivp::Options& options) {
  if (!std::holds_alternative<ivp::Srm>(options.method)) return &options.checkpoints;
  if (auto* local = loops_in<ivp::StepLocal>(options.method)) return &local->checkpoints;
  if (auto* pipelined = loops_in<ivp::Pipelined>(options.method)) return &pipelined->checkpoints;
  return nullptr;
}

void give_loop_options(const SolveCommand& command, ivp::Options& options) {
  give_windows(command, options.method);
  give_simd(command, options.method);
  give_checkpoints(command, options);
}

}  // namespace daewave::cli
