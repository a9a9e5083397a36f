// Time of model files beside the same problems compiled: one run of both in turn, least of several.
//
//   daewave_bench_models [FOLDER-OF-MODELS]

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <string>

#include "catalogue/initial_value_catalogue.hpp"
#include "core/error.hpp"
#include "ivp/solve.hpp"
#include "models/model.hpp"

namespace {

using namespace daewave;

double seconds(const DaeProblem& problem, const VecX& start, const ivp::Options& options) {
  const auto begin = std::chrono::steady_clock::now();
  const ivp::Solution solution = ivp::solve(problem, start, {0, 2}, options);
  if (!solution.report.usable()) std::printf("%s\n", solution.report.brief().c_str());
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void compare(const std::string& what, const models::Model& model,
             const catalogue::InitialValueProblem& compiled) {
  ivp::Options options{.rtol = 1e-9, .atol = 1e-9};
  options.every = 0;
  options.method = ivp::SBoth2{};
  ivp::Options srm = options;
  srm.method = ivp::Srm{.epsilon = 1e-4};
  srm.h = 1e-4;
  ivp::Options windows = options;
  windows.method = ivp::GaussWindows();
  std::printf("%-12s", what.c_str());
  for (const ivp::Options* one : {&options, &windows, &srm}) {
    double text = std::numeric_limits<double>::infinity(), code = text;
    for (int repetition = 0; repetition < 5; ++repetition) {
      text = std::min(text, seconds(*model.problem, model.start, *one));
      code = std::min(code, seconds(compiled.problem(), compiled.start(), *one));
    }
    std::printf(" %6.2f", text / code);
  }
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "Time of model files beside the same problems compiled; ratios of runs taken in turns"};
  std::string folder = "examples/models";
  app.add_option("folder", folder, "Of model files")
      ->check(CLI::ExistingDirectory)
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    std::printf("model / compiled: s-both2, gauss-windows, srm\n");
    compare("slider-crank", models::read_model(folder + "/slider-crank.toml"),
            *catalogue::make(*catalogue::find("slider-crank")));
    for (const double rods : {4, 16, 64, 256}) {
      compare("chain " + std::to_string(static_cast<int>(rods)),
              models::read_model(folder + "/chain.toml", {{"n", rods}}),
              *catalogue::make(*catalogue::find("chain"), {{"links", rods, ""}}));
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
