// One case of the test set of Cash and Mazzia, as JSON on a line; boundary_set.py runs all of them.
//
//   daewave_bench_boundary_set reference NUMBER E FILE           what solutions are compared with
//   daewave_bench_boundary_set solve NUMBER E TOLERANCE FILE [--linear | --continued] ...
//
// A reference is the exact solution where there is one, else a solution by continuation in e at a
// tolerance that no case asks for, and another one with other stages beside it, whose difference is
// told. It is given at points that lie as densely as the mesh it took. With it comes how many
// intervals a mesh needs on which the collocation polynomial of each interval, given the exact
// slopes at its stages, is off by the tolerance and no less: intervals as long as that allows, one
// after the other from the begin.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bvp/solve.hpp"
#include "catalogue/boundary_catalogue.hpp"
#include "core/error.hpp"

namespace daewave::bench {
namespace {

using Function = std::function<VecX(double)>;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

bvp::BoundaryProblem problem_of(int number, double e) {
  const auto* entry = catalogue::find_boundary(fmt::format("cash-mazzia-{}", number));
  if (entry == nullptr) throw InvalidOption(fmt::format("number = {}: must be 1 to 35", number));
  return catalogue::make(*entry, {{"e", e, ""}});
}

/// From the guess of the problem; where that does not lead to a solution, by continuation from a
/// larger e.
/// @param first  in place of the guess; may be empty.
bvp::Solution continued(int number, double e, double tolerance, std::optional<int> stages,
                        const Function& first) {
  constexpr double begin = 0.5;
  const bvp::Options options{.tolerance = tolerance, .stages = stages, .guess = first};
  bvp::Solution found = bvp::solve(problem_of(number, e), options);
  if (found.report.usable() || e >= begin) return found;
  const auto& entry = *catalogue::find_boundary(fmt::format("cash-mazzia-{}", number));
  bvp::Branch branch = bvp::follow(catalogue::family_of(entry, {{"e", begin, ""}}),
                                   {.parameter = "e", .to = e}, options);
  // The report of the branch says whether its end was reached.
  branch.last.report = branch.report;
  return branch.last;
}

/// One that is as exact as can be had.
bvp::Solution best(int number, double e, int stages) {
  bvp::Solution found;
  for (const double tolerance : {1e-11, 1e-10, 1e-9}) {
    found = continued(number, e, tolerance, stages, problem_of(number, e).exact);
    if (found.report.usable()) break;
  }
  return found;
}

double largest_ratio(const VecX& error, const VecX& size) {
  return error.cwiseAbs().cwiseQuotient(size).maxCoeff();
}

/// The intervals of a mesh on which each interval is off by `tolerance`, taken from the left.
int equidistributed(const Function& x, const Function& slope, const Interval& span,
                    const VecX& size, int stages, double tolerance) {
  constexpr int looks = 8, most = 20000;
  const Collocation scheme = collocation(Scheme::gauss, stages);
  std::vector<VecX> weights;
  for (int i = 1; i <= looks; ++i) {
    weights.push_back(scheme.integrated_weights(static_cast<double>(i) / looks));
  }
  const auto misses = [&](double t, double h) {
    MatX slopes(size.size(), stages);
    for (int j = 0; j < stages; ++j) slopes.col(j) = slope(t + scheme.c[j] * h);
    const VecX first = x(t);
    for (int i = 1; i <= looks; ++i) {
      const VecX found = first + h * (slopes * weights[i - 1]);
      const VecX error = found - x(std::min(span.end, t + h * i / looks));
      if (!(largest_ratio(error, size) <= tolerance)) return true;
    }
    return false;
  };
  int count = 0;
  double t = span.begin, h = span.length() / 4;
  while (t < span.end && count < most) {
    double least = 0, largest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 60 && !(largest < 1.02 * least); ++i) {
      if (t + h >= span.end) h = span.end - t;
      if (misses(t, h)) {
        largest = h;
        h = least > 0 ? std::sqrt(least * h) : h / 4;
      } else {
        least = h;
        if (t + h >= span.end) break;
        h = std::isinf(largest) ? 2 * h : std::sqrt(h * largest);
      }
    }
    if (!(least > 0)) return -1;  // Rounding is larger than the tolerance.
    t = t + least >= span.end ? span.end : t + least;
    ++count;
  }
  return t < span.end ? -1 : count;
}

/// Nodes, and points between them.
std::vector<double> points_of(const Mesh& mesh) {
  constexpr int within = 4, enough = 8000;
  std::vector<double> points;
  const int each = std::max(1, mesh.intervals() * within / enough);
  for (int i = 0; i < mesh.intervals(); ++i) {
    for (int j = 0; j < within; ++j) {
      if ((i * within + j) % each == 0) points.push_back(mesh.node(i) + mesh.step(i) * j / within);
    }
  }
  for (int i = 0; i <= 1000; ++i) {
    points.push_back(std::min(mesh.end(), mesh.begin() + (mesh.end() - mesh.begin()) * i / 1000));
  }
  points.push_back(mesh.end());
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

struct Reference {
  std::vector<double> t;
  std::vector<VecX> x;
  VecX size;  ///< 1 + the largest value of each component.
};

Reference reference_at(const std::vector<double>& t, const Function& x) {
  Reference reference{t, {}, VecX::Ones(x(t.front()).size())};
  for (const double at : t) {
    reference.x.push_back(x(at));
    reference.size =
        reference.size.cwiseMax(reference.x.back().cwiseAbs() + VecX::Ones(reference.size.size()));
  }
  return reference;
}

void write(const std::string& file, const Reference& reference) {
  std::ofstream out(file);
  for (std::size_t i = 0; i < reference.t.size(); ++i) {
    out << fmt::format("{:.17g}", reference.t[i]);
    for (const double value : reference.x[i]) out << fmt::format(" {:.17g}", value);
    out << '\n';
  }
}

Reference read(const std::string& file, int nx) {
  std::ifstream in(file);
  if (!in) throw InvalidOption(file + ": cannot be read");
  Reference reference{{}, {}, VecX::Ones(nx)};
  double t = 0;
  while (in >> t) {
    VecX x(nx);
    for (double& value : x) in >> value;
    reference.t.push_back(t);
    reference.x.push_back(x);
    reference.size = reference.size.cwiseMax(x.cwiseAbs() + VecX::Ones(nx));
  }
  return reference;
}

/// How far x is from the reference at its points; of y, and of all components.
struct Distance {
  double y = 0, all = 0, at = 0;
};

Distance distance(const Function& x, const Reference& reference) {
  const auto nx = reference.size.size();
  Distance most;
  for (std::size_t i = 0; i < reference.t.size(); ++i) {
    const VecX error = x(reference.t[i]).head(nx) - reference.x[i];
    const double all = largest_ratio(error, reference.size);
    most.y = std::max(most.y, std::abs(error[0]) / reference.size[0]);
    if (all <= most.all) continue;
    most.all = all;
    most.at = reference.t[i];
  }
  return most;
}

int print_reference(int number, double e, const std::string& file) {
  const bvp::BoundaryProblem problem = problem_of(number, e);
  nlohmann::ordered_json said{{"number", number}, {"e", e}};
  const bvp::Solution fine = best(number, e, 6);
  said["exact"] = static_cast<bool>(problem.exact);
  if (!fine.report.usable()) {
    said["usable"] = false;
    said["message"] = fine.report.message;
    fmt::print("{}\n", said.dump());
    return 1;
  }
  const Function x = problem.exact ? problem.exact : [&](double t) { return fine.x(t); };
  const bvp::Solution other = problem.exact ? fine : best(number, e, 5);
  const Reference reference = reference_at(points_of(fine.mesh()), x);
  write(file, reference);
  said["usable"] = other.report.usable();
  said["intervals"] = fine.mesh().intervals();
  said["tolerance"] = fine.report.error.tolerance;
  if (other.report.usable()) {
    const Distance far = distance([&](double t) { return other.x(t); }, reference);
    said["difference"] = far.all;
    said["difference_at"] = far.at;
  }
  said["size"] = std::vector<double>(reference.size.begin(), reference.size.end());
  nlohmann::ordered_json needed;
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    nlohmann::ordered_json by_stages;
    for (int stages = 2; stages <= 8; ++stages) {
      by_stages[std::to_string(stages)] = equidistributed(
          x, [&](double t) { return fine.slope(t); }, problem.interval, reference.size, stages,
          tolerance);
    }
    needed[fmt::format("{:.0e}", tolerance)] = by_stages;
  }
  said["needed"] = needed;
  fmt::print("{}\n", said.dump());
  return 0;
}

struct Solve {
  int number = 1, stages = 0;
  double e = 0.1, tolerance = 1e-6, seconds = 0.02;
  std::string file{};
  bool linear = false, continued = false;
};

int print_solve(const Solve& asked) {
  const bvp::Options options{
      .tolerance = asked.tolerance,
      .stages = asked.stages > 0 ? std::optional<int>(asked.stages) : std::nullopt};
  const bvp::BoundaryProblem problem = problem_of(asked.number, asked.e);
  std::shared_ptr<const LinearDae> linear;
  if (asked.linear) {
    const std::string name = fmt::format("cash-mazzia-{}-linear", asked.number);
    linear = problems::make(problems::entry_named(name), {{"e", asked.e, ""}}).dae;
  }
  bvp::Solution solution;
  double least = 1e300, spent = 0;
  // As often as fits, the least counts.
  while (spent == 0 || (spent < asked.seconds && solution.report.usable())) {
    const double before = cpu_seconds();
    if (asked.continued) {
      solution = continued(asked.number, asked.e, asked.tolerance, options.stages, {});
    } else {
      solution = linear ? bvp::solve(linear, options) : bvp::solve(problem, options);
    }
    const double took = cpu_seconds() - before;
    least = std::min(least, took);
    spent += took;
  }
  const Report& report = solution.report;
  nlohmann::ordered_json said{{"number", asked.number},
                              {"e", asked.e},
                              {"tolerance", asked.tolerance},
                              {"path", asked.linear      ? "linear"
                                       : asked.continued ? "continued"
                                                         : "nonlinear"},
                              {"usable", report.usable()},
                              {"termination", name_of(report.termination)},
                              {"seconds", least},
                              {"intervals", report.intervals},
                              {"estimate", report.error.x},
                              {"warnings", report.warnings},
                              {"message", report.message}};
  if (solution.has_values()) {
    said["stages"] = solution.scheme().stages;
    said["scheme"] = name_of(solution.scheme().scheme);
    const Distance far = distance([&](double t) { return solution.x(t); },
                                  read(asked.file, problem.equations->state_size()));
    said["error"] = far.all;
    said["error_y"] = far.y;
    said["error_at"] = far.at;
  }
  fmt::print("{}\n", said.dump());
  return 0;
}

}  // namespace
}  // namespace daewave::bench

int main(int argc, char** argv) try {
  using namespace daewave::bench;
  CLI::App app{"One case of the test set of Cash and Mazzia"};
  app.require_subcommand(1);
  Solve asked;
  const auto common = [&](CLI::App* of) {
    of->add_option("number", asked.number)->required();
    of->add_option("e", asked.e)->required();
  };
  CLI::App* reference = app.add_subcommand("reference", "What solutions are compared with");
  common(reference);
  reference->add_option("file", asked.file)->required();
  CLI::App* solve = app.add_subcommand("solve", "Solve it, and compare");
  common(solve);
  solve->add_option("tolerance", asked.tolerance)->required();
  solve->add_option("file", asked.file)->required();
  solve->add_flag("--linear", asked.linear, "By the path of linear problems");
  solve->add_flag("--continued", asked.continued,
                  "Where that fails, by way of larger e, each the guess of the next");
  solve->add_option("--stages", asked.stages);
  solve->add_option("--seconds", asked.seconds, "Repeated for as long as this");
  CLI11_PARSE(app, argc, argv);
  return *reference ? print_reference(asked.number, asked.e, asked.file) : print_solve(asked);
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 2;
}
