#include "bvp/continuation/follow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bvp/continuation/by_arclength.hpp"
#include "bvp/continuation/by_parameter.hpp"
#include "bvp/continuation/way.hpp"
#include "bvp/nonlinear/infinite_interval.hpp"
#include "core/error.hpp"
#include "core/report/stopwatch.hpp"

namespace daewave::bvp {
namespace {

int entry_of(const ProblemFamily& family, const Continuation& how) {
  check(family);
  if (how.parameter.empty() && family.p.size() != 1) {
    throw InvalidOption(fmt::format("parameter: the family has {}; name one", family.p.size()));
  }
  const int k = how.parameter.empty() ? 0 : parameter_named(family, how.parameter);
  if (std::find(family.unknown.begin(), family.unknown.end(), k) != family.unknown.end()) {
    throw InvalidOption(
        fmt::format("parameter {}: is unknown in the family, so it has no value to "
                    "be led to; leave it out of `unknown`",
                    parameter_name(family, k)));
  }
  return k;
}

void check(const ProblemFamily& family, int k, const Continuation& how) {
  const auto positive = [](const char* name, const std::optional<double>& value) {
    if (value && !(*value > 0 && std::isfinite(*value))) {
      throw InvalidOption(fmt::format("{} = {:g}: must be > 0 and finite", name, *value));
    }
  };
  positive("first_step", how.first_step);
  positive("loosely", how.loosely);
  if (how.most_steps < 1) {
    throw InvalidOption(fmt::format("most_steps = {}: must be >= 1", how.most_steps));
  }
  const std::string name = parameter_name(family, k);
  if (!std::isfinite(how.to) || how.to == family.p[k]) {
    throw InvalidOption(
        fmt::format("to = {:g}: must be finite and another value than {} = {:g}, "
                    "where the branch begins",
                    how.to, name, family.p[k]));
  }
  if (how.geometric.value_or(false) && how.arclength) {
    throw InvalidOption("geometric: steps by arclength have a length of their own; leave it out");
  }
  if (how.geometric.value_or(false) && !(how.to * family.p[k] > 0)) {
    throw InvalidOption(
        fmt::format("geometric: {} goes from {:g} to {:g}; both must be of one sign", name,
                    family.p[k], how.to));
  }
}

/// solve() keeps a mesh where no tolerance is given, and each solution of a branch has one.
void check_first_mesh(const Options& options) {
  if (refines(options)) return;
  throw InvalidOption(fmt::format(
      "{}: without a tolerance it would be kept, and the meshes of a branch are refined "
      "to one; give tolerance too, and it is the first of them, or leave it out",
      options.mesh ? "mesh" : "intervals"));
}

}  // namespace

Branch follow(const ProblemFamily& family, const Continuation& how, const Options& options) {
  const int k = entry_of(family, how);
  check(family, k, how);
  check(options);  // Steps on the way have another tolerance.
  check_first_mesh(options);
  if (how.arclength && is_infinite(family.member(family.p).interval)) {
    throw InvalidOption(
        "arclength = true: solutions on an infinite interval are cut each at a length of its own; "
        "leave it out, or give the problem a finite interval");
  }
  const Stopwatch watch;
  Way way(family, how, options, k);
  if (way.begins()) how.arclength ? follow_by_arclength(way) : follow_by_parameter(way);
  Branch branch = way.done();
  branch.report.seconds.total = watch.seconds();
  return branch;
}

}  // namespace daewave::bvp
