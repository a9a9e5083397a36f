#include "cli/initial_value/rank_run.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <variant>

#include "catalogue/initial_value_problem.hpp"
#include "cli/options/loop_options.hpp"
#include "cli/output/interrupt.hpp"
#include "core/error.hpp"
#include "ivp/options/rank_pipeline.hpp"
#include "ivp/srm/window_choice.hpp"

namespace daewave::cli {

void share_iterates(const SolveCommand& command, ivp::Options& options) {
  auto* const srm = std::get_if<ivp::Srm>(&options.method);
  auto* const pipelined = srm != nullptr ? std::get_if<ivp::Pipelined>(&srm->loops) : nullptr;
  if (pipelined == nullptr) {
    throw InvalidOption(fmt::format(
        "{}: of initial value problems ranks share the iterates of --method srm --loops pipelined "
        "with --h H; take these, or daewave solve, or daewave-mpi sweep for many of them",
        command.problem));
  }
  const auto refuse = [](bool given, const std::string& option, const char* why) {
    if (given) throw InvalidOption(fmt::format("{}: {}", option, why));
  };
  refuse(command.sensitivities, "--sensitivities",
         "are of daewave solve; daewave-mpi sweep shares out runs from many starts");
  const int threads = command.threads.value_or(1);
  refuse(threads != 1, fmt::format("--threads {}", threads),
         "each rank runs its iterates on one; start as many ranks instead, by mpirun -n");
  pipelined->pipeline = std::make_shared<RankPipeline>(*command.ranks);
}

int take_part(const SolveCommand& command, const catalogue::InitialValueProblem& problem,
              const Interval& span, ivp::Options options) {
  options.keep = false;
  Interrupt interrupt({});  // Signals end the first rank's part, and with it this one.
  problem.solve(span, options);
  interrupt.work_has_ended();
  rank_reports(*command.ranks, 0);
  return solved;  // The first rank tells how it ended.
}

std::vector<RankReport> iterate_reports(const Communicator& ranks, const Report& report) {
  std::vector<RankReport> reports = rank_reports(ranks, 0);
  int iterates = 0;
  for (const Choice& choice : report.choices) {
    if (choice.name == "iterates") iterates = std::stoi(choice.value);
  }
  const auto size = static_cast<int>(reports.size());
  if (iterates < size) return reports;
  // The first rank has the last ones.
  const std::vector<int> shares = ivp::share_out(iterates, size, size);
  for (int rank = 0; rank < size; ++rank) {
    reports[static_cast<std::size_t>(rank)].part =
        shares[static_cast<std::size_t>(size - 1 - rank)];
  }
  return reports;
}

}  // namespace daewave::cli
