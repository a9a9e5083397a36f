// Sequential regularization of the slider-crank with its iterates in a pipeline, against the same
// step by step: ratios of wall time, taken in turns in one process.

#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <vector>

#include "catalogue/initial_value_catalogue.hpp"
#include "parallel/pipelines.hpp"

namespace daewave {
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

class Runs {
 public:
  Runs() : problem_(catalogue::make(*catalogue::find("slider-crank"))) {}

  /// Wall seconds. @param window  steps; 0: step by step, without windows.
  double run(int iterates, double t_end, int window, const std::shared_ptr<Pipeline>& pipeline,
             std::optional<int> groups = {}) const {
    ivp::Srm srm{.iterates = iterates};
    if (window > 0) srm.loops = ivp::Pipelined{pipeline, window, groups};
    ivp::Options options{.method = srm, .h = 1e-4};
    options.every = 0;
    options.monitor = false;
    return seconds_of([&] { check(problem_->solve({0, t_end}, options)); });
  }

  /// Streams each 10000th state of a run through a sink.
  void stream(long steps, int threads) const {
    const ivp::Pipelined loops{.pipeline = parallel::make_pipeline("tbb", threads)};
    ivp::Options options{.method = ivp::Srm{.iterates = 3, .loops = loops}};
    options.every = 10000;
    options.keep = false;
    long given = 0;
    options.sink = [&](const ivp::Output&) {
      ++given;
      return true;
    };
    // The motion is chaotic: iterates agree over the 70 s of the published runs, not over any time.
    const double t_end = std::min(70.0, 1e-4 * static_cast<double>(steps));
    options.h = t_end / static_cast<double>(steps);
    const double took = seconds_of([&] { check(problem_->solve({0, t_end}, options)); });
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    fmt::print("{} steps: {} states given out, {:.1f} s, peak memory {:.2f} MiB\n", steps, given,
               took, static_cast<double>(usage.ru_maxrss) / 1024);
  }

 private:
  static void check(const ivp::Solution& solution) {
    if (!solution.report.usable()) throw std::runtime_error(solution.report.brief());
  }

  catalogue::InitialValueProblemPtr problem_;
};

/// Of a window that does nothing, per stage.
double microseconds_per_task(const Pipeline& pipeline) {
  constexpr int windows = 20000, stages = 3;
  int left = windows;
  const double took = seconds_of([&] {
    pipeline.run(
        8, [&](int) { return left-- > 0; }, std::vector<Pipeline::Stage>(stages, [](int) {}));
  });
  return took / (windows * stages) * 1e6;
}

void compare(int threads, int rounds, double t_end) {
  const Runs runs;
  const std::shared_ptr<Pipeline> serial = parallel::make_pipeline("serial");
  const std::shared_ptr<Pipeline> tbb = parallel::make_pipeline("tbb", threads);
  fmt::print("{:>8} {:>7} {:>14} {:>12} {:>20} {:>18}\n", "iterates", "window", "us per window",
             "step-local", "pipelined, 1 thread", fmt::format("pipelined, {}", threads));
  for (int iterates : {2, 3, 4}) {
    for (int window : {8, 32, 128, 512}) {
      std::vector<double> alone, one, several;
      for (int round = 0; round < rounds; ++round) {
        alone.push_back(runs.run(iterates, t_end, 0, serial));
        one.push_back(runs.run(iterates, t_end, window, serial, iterates));
        several.push_back(runs.run(iterates, t_end, window, tbb));
      }
      const double base = median(alone);
      const double work = base / (t_end / 1e-4) * window / iterates * 1e6;
      fmt::print("{:>8} {:>7} {:>14.1f} {:>10.2f} s {:>20.2f} {:>18.2f}\n", iterates, window, work,
                 base, base / median(one), base / median(several));
    }
  }
  std::vector<double> tasks;
  for (int round = 0; round < rounds; ++round) tasks.push_back(microseconds_per_task(*tbb));
  fmt::print("handing an empty window over: {:.2f} us per stage\n", median(tasks));
}

}  // namespace
}  // namespace daewave

int main(int argc, char** argv) {
  CLI::App app{
      "Speed of the pipelined order as a multiple of the step-local one; medians of rounds taken "
      "in "
      "turns. Numbers above 1 are faster. Needs free cores."};
  int threads = 2, rounds = 5;
  double t_end = 5;
  long stream = 0;
  app.add_option("--threads", threads, "Of the pipeline")->check(CLI::Range(1, 1024));
  app.add_option("--rounds", rounds, "Of each run")->check(CLI::PositiveNumber);
  app.add_option("--t-end", t_end, "Of the runs compared; h = 1e-4")->check(CLI::PositiveNumber);
  app.add_option("--stream", stream, "Only: that many steps, and the peak of memory")
      ->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  try {
    if (stream > 0) {
      daewave::Runs().stream(stream, threads);
    } else {
      daewave::compare(threads, rounds, t_end);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "daewave_bench_pipeline: {}\n", error.what());
    return 1;
  }
  return 0;
}
