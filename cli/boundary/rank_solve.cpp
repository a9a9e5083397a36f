#include <fmt/format.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "bvp/solve.hpp"
#include "cli/boundary/boundary_output.hpp"
#include "cli/boundary/rank_table.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/problem_named.hpp"
#include "cli/output/option_words.hpp"
#include "cli/output/rank_report.hpp"
#include "cli/output/report_file.hpp"
#include "cli/output/standard_output.hpp"
#include "core/error.hpp"
#include "core/not_finite.hpp"
#include "io/atomic_file.hpp"
#include "io/csv.hpp"
#include "io/report_json.hpp"

namespace daewave::cli {
namespace {

void refuse_what_ranks_cannot(const SolveCommand& command) {
  const std::string& name = command.problem;
  if (find_flow(name) != nullptr || command.asks_for_initial_value()) {
    throw InvalidOption(fmt::format(
        "{}: ranks share the meshes of boundary value problems and the iterates of initial value "
        "problems, and this is none, or is not to be solved as one; take daewave solve, or "
        "daewave-mpi sweep "
        "for many of them",
        name));
  }
  if (find_boundary(name) == nullptr) find_linear(name);
  for (const auto& [option, path] :
       {std::pair("--svg", command.svg), std::pair("--report", command.report),
        std::pair("--npy", command.npy)}) {
    if (path.empty()) continue;
    throw InvalidOption(
        fmt::format("{} {}: would need the whole solution on one rank; take --csv, with --points "
                    "for fewer rows",
                    option, path));
  }
}

/// The largest of all ranks.
std::string error_line_of_parts(const bvp::Solution& part, const problems::LinearProblem& problem) {
  const MeshShare& share = part.share();
  double x = 0, By = 0;
  for (int i = 0; i <= part.mesh().intervals(); ++i) {
    x = larger(x, largest_size(part.x_at_node(i) - problem.x_exact(part.mesh().node(i))));
  }
  for (int i = 0; i < part.mesh().intervals(); ++i) {
    for (int j = 0; j < part.scheme().stages; ++j) {
      const VecX exact = problem.By_exact(part.stage_time(i, j));
      By = larger(By, largest_size(part.By_at_stage(i, j) - exact));
    }
  }
  const std::vector<double> all = share.largest_each({x, By});
  return fmt::format(
      "error against the exact solution: x {:.2e} at the nodes, By {:.2e} at the stages", all[0],
      all[1]);
}

/// What one rank has found.
struct Part {
  bvp::Solution solution;
  /// A line of all ranks, which call it together; empty where the exact solution is not known.
  std::function<std::string()> error_line{};
  std::optional<bvp::Branch> branch{};  ///< Of which it is the last one.
};

Part solve_linear(const SolveCommand& command, BoundaryRun& run) {
  bvp::Options options = run.options();
  options.partitions = command.partitions;
  options.singular = bvp::singular_handling_named(command.singular);
  if (command.shooting_back) options.shooting_back = true;
  options.ranks = command.ranks;
  bvp::check(options);
  const problems::LinearProblem problem =
      problems::make(find_linear(command.problem), command.parameters);
  Part part{in_options(bvp::solve(problem.dae, options))};
  if (part.solution.has_values() && problem.x_exact) {
    part.error_line = [problem, solution = part.solution] {
      return error_line_of_parts(solution, problem);
    };
  }
  return part;
}

Part solve_nonlinear(const SolveCommand& command, const catalogue::BoundaryEntry& entry,
                     BoundaryRun& run) {
  bvp::Options options = nonlinear_options(command, run);
  options.partitions = command.partitions;
  options.ranks = command.ranks;
  const bvp::BoundaryProblem problem = catalogue::make(entry, command.parameters);
  Part part{in_options(bvp::solve(problem, options))};
  part.solution.report.advice += advice_to_continue(command, entry, part.solution.report);
  if (part.solution.has_values() && problem.exact) {
    part.error_line = [problem, solution = part.solution] { return error_line(solution, problem); };
  }
  return part;
}

Part continued(const SolveCommand& command, const catalogue::BoundaryEntry& entry,
               BoundaryRun& run) {
  FollowedBranch followed = follow_branch(command, entry, run);
  Part part{followed.branch.last};
  part.solution.report = in_options(followed.branch.report);
  part.branch = std::move(followed.branch);
  if (part.solution.has_values() && followed.problem.exact) {
    part.error_line = [problem = std::move(followed.problem), solution = part.solution] {
      return error_line(solution, problem);
    };
  }
  return part;
}

Part part_of(const SolveCommand& command, BoundaryRun& run) {
  const catalogue::BoundaryEntry* const entry = find_boundary(command.problem);
  if (entry == nullptr) return solve_linear(command, run);
  return command.continue_in.empty() ? solve_nonlinear(command, *entry, run)
                                     : continued(command, *entry, run);
}

}  // namespace

int solve_over_ranks(const SolveCommand& command) {
  refuse_what_ranks_cannot(command);
  const bool first = command.is_first_rank();
  SolveCommand mine = command;
  mine.quiet = mine.quiet || !first;
  BoundaryRun run(mine);
  const Part found = part_of(mine, run);
  const bvp::Solution& part = found.solution;
  run.work_has_ended();
  const std::vector<RankReport> reports =
      rank_reports(*command.ranks, part.has_values() ? part.mesh().intervals() : 0);
  if (found.branch && run.talks()) print_branch(*found.branch);
  run.tell(part.report);
  if (run.talks()) say("{}", text_of(reports));
  if (found.error_line) {
    const std::string line = found.error_line();
    if (run.talks()) say("{}\n", line);
  }
  tell_unknowns(run, command.problem, part);
  if (part.has_values() && !command.csv.empty()) {
    write_csv(command.csv, part, command.points, *command.ranks);
  }
  if (!first) return part.report.usable() ? solved : not_solved;
  OutputFiles files;
  if (found.branch) {
    files.write(command.branch,
                [&](const std::string& path) { io::write_csv(path, found.branch->table()); });
  }
  files.write(command.json, [&](const std::string& path) {
    const std::string json = with_provenance(io::report_json(part.report), command);
    io::write_file(path, with_ranks(json, reports) + "\n");
  });
  files.end();
  return run.end(part.report.usable(), part.report.brief());
}

}  // namespace daewave::cli
