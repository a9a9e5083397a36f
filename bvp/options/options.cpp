#include "bvp/options/options.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/blocks/linear_solver.hpp"
#include "core/error.hpp"
#include "core/regularize/regularization.hpp"
#include "core/time/closest_nodes.hpp"

namespace daewave::bvp {

const char* name_of(SingularHandling handling) {
  switch (handling) {
    case SingularHandling::automatic:
      return "auto";
    case SingularHandling::limits:
      return "limits";
    case SingularHandling::move_node:
      return "move_node";
  }
  return "unknown";
}

SingularHandling singular_handling_named(const std::string& name) {
  for (SingularHandling handling :
       {SingularHandling::automatic, SingularHandling::limits, SingularHandling::move_node}) {
    if (name == name_of(handling)) return handling;
  }
  throw InvalidOption(fmt::format("singular = \"{}\"; known: auto, limits, move_node", name));
}

namespace {

void check_partitions(const Options& options) {
  if (!options.partitions) return;
  const int partitions = *options.partitions;
  if (partitions < 1) {
    throw InvalidOption(fmt::format(
        "partitions = {}: must be >= 1; leave it out for as many as serve the matrix", partitions));
  }
  if (options.linear_solver != "auto" && options.linear_solver != "parallel_block") {
    throw InvalidOption(
        fmt::format("partitions = {}: only the linear solver parallel_block has them, not {}; take "
                    "parallel_block or auto, or leave partitions out",
                    partitions, options.linear_solver));
  }
  const int intervals = options.mesh ? options.mesh->intervals() : options.intervals.value_or(0);
  if (intervals > 0 && partitions > intervals) {
    throw InvalidOption(fmt::format(
        "partitions = {}: must be at most the number of intervals, {}; take fewer, or leave it out",
        partitions, intervals));
  }
}

/// A first mesh is one of those that are solved on.
void check_most(const Options& options) {
  const int first = options.mesh ? options.mesh->intervals() : options.intervals.value_or(0);
  if (!options.max_intervals || first <= *options.max_intervals) return;
  throw InvalidOption(fmt::format(
      "{} = {}: must be at most max_intervals, {}; take fewer, or raise max_intervals",
      options.mesh ? "intervals of the mesh" : "intervals", first, *options.max_intervals));
}

}  // namespace

void check(const Options& options) {
  constexpr int most_samples = 10'000'000, most_iterates = 10'000;
  const auto positive = [](const char* name, double value) {
    if (!(value > 0) || !std::isfinite(value)) {
      throw InvalidOption(fmt::format("{} = {}: must be > 0 and finite", name, value));
    }
  };
  const auto at_least_one = [](const char* name, const std::optional<int>& value) {
    if (value && *value < 1)
      throw InvalidOption(fmt::format("{} = {}: must be >= 1", name, *value));
  };
  if (options.tolerance) {
    positive("tolerance", *options.tolerance);
    if (*options.tolerance < 1e-14 || *options.tolerance >= 1) {
      throw InvalidOption(
          fmt::format("tolerance = {}: must be within [1e-14, 1)", *options.tolerance));
    }
  }
  check(options.tolerances);
  if (options.truncation) positive("truncation", *options.truncation);
  if (options.residual_tolerance) {
    positive("residual_tolerance", *options.residual_tolerance);
    if (!refines(options)) {
      throw InvalidOption(
          "residual_tolerance: is met by refining the mesh, and without a tolerance the one given "
          "is kept; give tolerance too, or leave it out");
    }
  }
  at_least_one("intervals", options.intervals);
  at_least_one("iterates", options.iterates);
  if (options.iterates && *options.iterates > most_iterates) {
    throw InvalidOption(
        fmt::format("iterates = {}: must be <= {}; leave it out to take them until they settle",
                    *options.iterates, most_iterates));
  }
  at_least_one("max_intervals", options.max_intervals);
  if (options.mesh && options.intervals) {
    throw InvalidOption("mesh and intervals are both given: give one of them");
  }
  if (options.mesh && options.mesh->nodes().empty()) {
    throw InvalidOption(
        "mesh: is empty, as Mesh() is; give nodes that span the interval of the problem, or "
        "leave it out");
  }
  check_most(options);
  for (std::size_t i = 0; i < options.fixed_nodes.size(); ++i) {
    const double t = options.fixed_nodes[i];
    if (!std::isfinite(t) || (i > 0 && !(t > options.fixed_nodes[i - 1]))) {
      throw InvalidOption(
          fmt::format("fixed_nodes[{}] = {}: they must be finite and increase", i, t));
    }
  }
  if (options.stages && !options.scheme) {
    collocation(Scheme::gauss, *options.stages);  // Every family has at most as many.
  }
  if (options.scheme && options.stages) collocation(*options.scheme, *options.stages);
  Regularization regularization;
  regularization.epsilon = options.epsilon.value_or(regularization.epsilon);
  regularization.alpha1 = options.alpha1.value_or(regularization.alpha1);
  regularization.alpha2 = options.alpha2.value_or(regularization.alpha2);
  regularization.delta = options.delta.value_or(regularization.delta);
  check_linear(regularization);
  check_linear_solver_name(options.linear_solver);
  check_partitions(options);
  at_least_one("samples", options.samples);
  if (options.samples && *options.samples > most_samples) {
    throw InvalidOption(fmt::format("samples = {}: must be <= {}", *options.samples, most_samples));
  }
  at_least_one("newton_iterations", options.newton_iterations);
  if (options.from && options.guess) {
    throw InvalidOption("guess and from are both given: give one of them");
  }
  if (options.from && !options.from->has_values()) {
    throw InvalidOption("from: has no values; its solve ended as " + options.from->report.brief());
  }
  const auto no_less_than_one = [](const char* name, const std::optional<double>& value) {
    if (value && !(*value >= 1)) {
      throw InvalidOption(fmt::format("{} = {}: must be >= 1", name, *value));
    }
  };
  no_less_than_one("max_parasitic_growth", options.max_parasitic_growth);
  no_less_than_one("max_amplification", options.max_amplification);
}

void check_fixed_nodes(const Options& options, const Interval& interval, int max_intervals) {
  for (const double t : options.fixed_nodes) {
    if (t > interval.begin && t < interval.end) continue;
    throw InvalidOption(fmt::format("fixed_nodes: {:g} must be inside the interval, ({:g}, {:g})",
                                    t, interval.begin, interval.end));
  }
  double before = interval.begin;
  std::vector<double> behind = options.fixed_nodes;
  behind.push_back(interval.end);
  for (const double t : behind) {
    if (t - before < closest_nodes(t, interval.length())) {
      throw InvalidOption(
          fmt::format("fixed_nodes: {:.17g} and {:.17g} are the same but for rounding; leave one "
                      "of them out",
                      before, t));
    }
    before = t;
  }
  const auto intervals = options.fixed_nodes.size() + 1;
  if (intervals > static_cast<std::size_t>(max_intervals)) {
    throw InvalidOption(
        fmt::format("fixed_nodes: {} of them are nodes of {} intervals at the least, and "
                    "max_intervals = {}; raise it",
                    options.fixed_nodes.size(), intervals, max_intervals));
  }
}

namespace {

void refuse(bool given, const char* name, const char* why) {
  if (given) throw InvalidOption(fmt::format("{}: {}", name, why));
}

}  // namespace

bool refines(const Options& options) {
  return options.tolerance || !options.tolerances.is_open() ||
         (!options.mesh && !options.intervals);
}

double plain_tolerance(const Options& options) {
  constexpr double open = 1e-6;
  return options.tolerance.value_or(open);
}

double wanted_tolerance(const Options& options) {
  return unit_of(options.tolerances, plain_tolerance(options));
}

bool can_start_from(const Solution& solution, const Communicator* ranks) {
  if (!solution.has_values()) return false;
  const MeshShare& share = solution.share();
  return !share.is_shared() || (share.mesh && share.ranks == ranks);
}

void check_ranks(const Options& options) {
  if (options.from && !can_start_from(*options.from, options.ranks)) {
    throw InvalidOption(
        "from: is a part of a solution that ranks share, on a mesh that was given or of other "
        "ranks; give one of the whole interval, or a guess");
  }
  if (options.ranks == nullptr) return;
  constexpr const char* alone = "is not for ranks; leave it out, or solve on one machine";
  refuse(options.linear_solver != "auto" && options.linear_solver != "parallel_block",
         "linear_solver", "over ranks there is parallel_block alone; take it, or auto");
  refuse(options.conditioning.value_or(false) && !refines(options), "conditioning", alone);
  refuse(options.singular == SingularHandling::move_node, "singular = move_node", alone);
  refuse(static_cast<bool>(options.on_each_mesh), "on_each_mesh", alone);
}

void refuse_nonlinear_options(const Options& options) {
  constexpr const char* newton =
      "is of Newton's method, and a linear problem needs none; leave it out";
  refuse(static_cast<bool>(options.guess), "guess", newton);
  refuse(options.from.has_value(), "from", newton);
  refuse(options.newton_iterations.has_value(), "newton_iterations", newton);
  refuse(options.residual_tolerance.has_value(), "residual_tolerance",
         "is of nonlinear problems; tolerance holds for the errors of linear ones: leave it out");
  refuse(static_cast<bool>(options.on_each_mesh), "on_each_mesh", newton);
  refuse(options.truncation.has_value(), "truncation",
         "is of infinite intervals, which linear problems do not have; leave it out");
  refuse(options.variant.has_value(), "variant",
         "linear problems have the one form that carries B y; leave it out");
  refuse(options.control_multiplier.has_value(), "control_multiplier",
         "the tolerance of a linear problem holds for x and B y; leave it out");
  refuse(options.constraint_end != ConstraintEnd::begin, "constraint_end",
         "the constraint of a linear problem is posed at its begin; leave it out");
}

void refuse_linear_options(const Options& options) {
  constexpr const char* linear = "is of linear problems, and this one is not; leave it out";
  refuse(options.delta.has_value(), "delta", linear);
  refuse(!options.By_0.is_zero(), "By_0",
         "is of linear problems; iterates of this one start from y_0 = 0 and its guess: leave it "
         "out, or give guess");
  refuse(options.partitions.has_value() && options.ranks == nullptr, "partitions",
         "is of linear problems, and of solves over ranks; leave it out");
  refuse(options.singular != SingularHandling::automatic, "singular",
         options.variant == Variant::singular
             ? linear
             : "is of linear problems; leave it out, or take variant = singular, which passes "
               "singular points");
  refuse(options.max_parasitic_growth.has_value(), "max_parasitic_growth", linear);
  refuse(options.max_amplification.has_value(), "max_amplification", linear);
  refuse(options.conditioning.has_value(), "conditioning",
         "is estimated for linear problems only; leave it out");
}

}  // namespace daewave::bvp
