// parallel_block beside block_lu on a long block matrix: wall time of runs taken in turns, and what
// each part costs by itself, which a busy machine does not change.

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "bench/dichotomic_matrix.hpp"
#include "core/blocks/linear_solver.hpp"
#include "parallel/executors.hpp"

namespace daewave::bench {
namespace {

double seconds_of(const std::function<void()>& work) {
  const auto before = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Instructions of the calling thread in user space; 0 where the system counts none for us.
class Instructions {
 public:
  Instructions() {
    perf_event_attr attributes{};
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.size = sizeof attributes;
    attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
    attributes.exclude_kernel = attributes.exclude_hv = 1;
    file_ = static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
  }
  ~Instructions() {
    if (file_ >= 0) close(file_);
  }
  Instructions(const Instructions&) = delete;
  Instructions& operator=(const Instructions&) = delete;

  double so_far() const {
    long long count = 0;
    if (file_ < 0 || read(file_, &count, sizeof count) != sizeof count) return 0;
    return static_cast<double>(count);
  }

 private:
  int file_;
};

struct Cost {
  double cpu_seconds = 0, instructions = 0;
};

Cost cost_of(const std::function<void()>& work) {
  const auto cpu = [] {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  };
  const Instructions counter;
  const double before = cpu(), count = counter.so_far();
  work();
  return {cpu() - before, counter.so_far() - count};
}

/// One chunk after the other, each with its cost.
class Weighing final : public Executor {
 public:
  void for_chunks(int count, int chunk, const Body& body) const override {
    for (int begin = 0; begin < count; begin += chunk) {
      chunks.push_back(cost_of([&] { body(begin, std::min(count, begin + chunk)); }));
    }
  }
  mutable std::vector<Cost> chunks;
};

struct Case {
  int n = 12, intervals = 100000, threads = 2, partitions = 0, rounds = 9;
  std::string executor = "threads";
  bool coupled = false;
};

DichotomicProblem problem_of(const Case& asked) {
  DichotomicProblem problem = dichotomic_problem(asked.n, asked.intervals);
  if (asked.coupled) {
    // Each condition replaced by a combination of all: the same solutions, other right sides.
    MatX mixing = MatX::Identity(asked.n, asked.n);
    for (int r = 0; r < asked.n; ++r) mixing(r, (r + asked.n / 2) % asked.n) += 0.5;
    problem.matrix.B0 = mixing * problem.matrix.B0;
    problem.matrix.B1 = mixing * problem.matrix.B1;
  }
  return problem;
}

/// A solver with its times over the rounds.
struct Runner {
  Runner(std::string what, std::unique_ptr<LinearSolver> made)
      : name(std::move(what)), solver(std::move(made)) {}

  void run(const DichotomicProblem& problem) {
    factorize.push_back(seconds_of([&] {
      if (!solver->factorize(problem.matrix).usable) throw std::runtime_error(name);
    }));
    solve.push_back(seconds_of([&] { solver->solve(problem.right, u); }));
  }

  std::string name;
  std::unique_ptr<LinearSolver> solver;
  std::vector<double> factorize, solve;
  VecX u;
};

void weigh(const Case& asked, const DichotomicProblem& problem) {
  const auto print = [](const std::string& what, const Cost& cost, const Cost& base) {
    fmt::print("{:<28} {:>12.4f} {:>14.4g} {:>16.3f} {:>22.3f}\n", what, cost.cpu_seconds,
               cost.instructions, base.cpu_seconds / cost.cpu_seconds,
               cost.instructions > 0 ? base.instructions / cost.instructions : 0.0);
  };
  const auto sequential = make_linear_solver("block_lu");
  const Weighing weighing;
  const auto parts = make_linear_solver("parallel_block", {&weighing, asked.partitions});
  for (LinearSolver* solver : {sequential.get(), parts.get()}) {
    solver->analyze(problem.matrix);
    solver->factorize(problem.matrix);  // Memory is there from now on.
  }
  const Cost base = cost_of([&] { sequential->factorize(problem.matrix); });
  weighing.chunks.clear();
  const Cost all = cost_of([&] { parts->factorize(problem.matrix); });
  fmt::print("\n{:<28} {:>12} {:>14} {:>16} {:>22}\n", "factorization, one by one", "CPU s",
             "instructions", "block_lu: CPU", "block_lu: instructions");
  print("block_lu", base, base);
  print("parallel_block, all of it", all, base);
  Cost rest = all, slowest;
  for (std::size_t p = 0; p < weighing.chunks.size(); ++p) {
    const Cost& chunk = weighing.chunks[p];
    print(fmt::format("  partition {}", p), chunk, base);
    rest.cpu_seconds -= chunk.cpu_seconds;
    rest.instructions -= chunk.instructions;
    slowest.cpu_seconds = std::max(slowest.cpu_seconds, chunk.cpu_seconds);
    slowest.instructions = std::max(slowest.instructions, chunk.instructions);
  }
  fmt::print("  outside the partitions: {:.2g} s, {:.2g} instructions\n", rest.cpu_seconds,
             rest.instructions);
  fmt::print("the costliest partition has {:.3f} of the CPU time, {:.3f} of the instructions\n",
             slowest.cpu_seconds / all.cpu_seconds,
             all.instructions > 0 ? slowest.instructions / all.instructions : 0.0);
}

void compare(const Case& asked) {
  const DichotomicProblem problem = problem_of(asked);
  const auto executor = parallel::make_executor(asked.executor, asked.threads);
  const Serial serial;
  std::vector<Runner> runners;
  runners.emplace_back("block_lu", make_linear_solver("block_lu"));
  if (asked.coupled) runners.emplace_back("block_qr", make_linear_solver("block_qr"));
  runners.emplace_back("parallel_block, serial",
                       make_linear_solver("parallel_block", {&serial, asked.partitions}));
  runners.emplace_back(fmt::format("parallel_block, {} {}", asked.executor, asked.threads),
                       make_linear_solver("parallel_block", {executor.get(), asked.partitions}));
  for (Runner& runner : runners) {
    runner.solver->analyze(problem.matrix);
    runner.run(problem);  // Memory is there from now on.
    runner.factorize.clear();
    runner.solve.clear();
  }
  for (int round = 0; round < asked.rounds; ++round) {
    for (Runner& runner : runners) runner.run(problem);
  }
  fmt::print("n = {}, {} intervals, {} conditions, {} rounds in turns\n", asked.n, asked.intervals,
             asked.coupled ? "coupled" : "separated", asked.rounds);
  fmt::print("{:<28} {:>12} {:>16} {:>12} {:>16} {:>18} {:>10}\n", "", "factorize s",
             "block_lu / this", "solve s", "block_lu / this", "|u - block_lu|", "residual");
  const Runner& first = runners.front();
  const double size = first.u.cwiseAbs().maxCoeff();
  for (const Runner& runner : runners) {
    VecX residual;
    fmt::print("{:<28} {:>12.4f} {:>16.2f} {:>12.4f} {:>16.2f} {:>18.1e} {:>10.1e}\n", runner.name,
               median(runner.factorize), median(first.factorize) / median(runner.factorize),
               median(runner.solve), median(first.solve) / median(runner.solve),
               (runner.u - first.u).cwiseAbs().maxCoeff() / size,
               problem.matrix.residual(problem.right, runner.u, residual));
  }
  weigh(asked, problem);
}

}  // namespace
}  // namespace daewave::bench

int main(int argc, char** argv) {
  CLI::App app{
      "Block elimination in partitions beside block_lu; medians of rounds taken in turns. Wall "
      "times need free cores; the second table does not."};
  daewave::bench::Case asked;
  app.add_option("--n", asked.n, "Entries per node, even")->check(CLI::Range(2, 200));
  app.add_option("--intervals", asked.intervals)->check(CLI::PositiveNumber);
  app.add_option("--threads", asked.threads)->check(CLI::Range(1, 1024));
  app.add_option("--partitions", asked.partitions, "0: as many as serve the matrix")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--executor", asked.executor, "serial, threads, openmp or tbb");
  app.add_option("--rounds", asked.rounds)->check(CLI::PositiveNumber);
  app.add_flag("--coupled", asked.coupled, "Each condition acts at both ends");
  CLI11_PARSE(app, argc, argv);
  try {
    daewave::bench::compare(asked);
  } catch (const std::exception& error) {
    fmt::print(stderr, "daewave_bench_parallel_block: {}\n", error.what());
    return 1;
  }
  return 0;
}
