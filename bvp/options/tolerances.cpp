#include "bvp/options/tolerances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "core/error.hpp"

namespace daewave::bvp {
namespace {

constexpr double least_relative = 1e-14, loosest = 0.1;
/// Of components with absolute tolerances alone: how accurate those are is not known before.
constexpr double strictest_absolute = 1e-10, loosest_absolute = 1e-2;

void check_each(const char* name, const OfComponents& of,
                const std::function<const char*(double)>& rule) {
  if (of.is_each() && of.values().size() == 0) {
    throw InvalidOption(
        fmt::format("tolerances.{}: is empty; leave it out, or give a number", name));
  }
  for (Eigen::Index j = 0; j < of.values().size(); ++j) {
    const double value = of.values()[j];
    if (const char* const broken = rule(value)) {
      const std::string where = of.is_each() ? fmt::format("[{}]", j) : "";
      throw InvalidOption(
          fmt::format("tolerances.{}{} = {:g}: must be {}", name, where, value, broken));
    }
  }
}

void check_pair(const char* relative_name, const OfComponents& relative, const char* absolute_name,
                const OfComponents& absolute) {
  check_each(relative_name, relative, [](double value) -> const char* {
    const bool is_allowed = value == 0 || (value >= least_relative && value < 1);
    return is_allowed ? nullptr : "0, or within [1e-14, 1)";
  });
  check_each(absolute_name, absolute,
             [](double value) -> const char* { return value > 0 ? nullptr : "> 0"; });
  if (relative.is_each() && absolute.is_each() &&
      relative.values().size() != absolute.values().size()) {
    throw InvalidOption(fmt::format("tolerances.{} has {} entries, tolerances.{} {}", relative_name,
                                    relative.values().size(), absolute_name,
                                    absolute.values().size()));
  }
}

/// Absolute and relative tolerances of `count` components.
struct Pair {
  VecX absolute, relative;
};

VecX spread(const OfComponents& of, double open, Eigen::Index count) {
  if (of.is_each()) return of.values();
  return VecX::Constant(count, of.is_open() ? open : of.values()[0]);
}

Pair pair_of(const OfComponents& relative, const OfComponents& absolute, double open,
             Eigen::Index count) {
  return {spread(absolute, open, count), spread(relative, open, count)};
}

Eigen::Index entries(const OfComponents& a, const OfComponents& b) {
  return std::max<Eigen::Index>({1, a.values().size(), b.values().size()});
}

/// Infinite where no component matters.
double strictest(const OfComponents& relative, const OfComponents& absolute, double open) {
  const Pair pair = pair_of(relative, absolute, open, entries(relative, absolute));
  double least = INFINITY;
  for (Eigen::Index j = 0; j < pair.absolute.size(); ++j) {
    if (std::isinf(pair.absolute[j])) continue;
    const double of_component =
        pair.relative[j] > 0 ? pair.relative[j]
                             : std::clamp(pair.absolute[j], strictest_absolute, loosest_absolute);
    least = std::min(least, of_component);
  }
  return least;
}

void check_count(const char* name, const OfComponents& of, int count, const char* what) {
  if (!of.is_each() || of.values().size() == count) return;
  throw InvalidOption(
      fmt::format("tolerances.{}: has {} entries, {} {}", name, of.values().size(), what, count));
}

std::string text_of(const VecX& values) {
  if ((values.array() == values[0]).all()) return fmt::format("{:g}", values[0]);
  std::string text;
  for (const double value : values) text += fmt::format("{}{:g}", text.empty() ? "(" : ", ", value);
  return text + ")";
}

bool is_of_carried(const Tolerances& tolerances) {
  return !tolerances.carried_relative.is_open() || !tolerances.carried_absolute.is_open();
}

OfComponents times(const OfComponents& of, double factor, double most) {
  if (of.is_open()) return of;
  const VecX values = (factor * of.values()).cwiseMin(of.values().cwiseMax(most));
  return of.is_each() ? OfComponents(values) : OfComponents(values[0]);
}

}  // namespace

Tolerances loosened(const Tolerances& tolerances, double factor) {
  return {times(tolerances.relative, factor, loosest), times(tolerances.absolute, factor, INFINITY),
          times(tolerances.carried_relative, factor, loosest),
          times(tolerances.carried_absolute, factor, INFINITY)};
}

void check(const Tolerances& tolerances) {
  check_pair("relative", tolerances.relative, "absolute", tolerances.absolute);
  check_pair("carried_relative", tolerances.carried_relative, "carried_absolute",
             tolerances.carried_absolute);
  if (std::isinf(strictest(tolerances.relative, tolerances.absolute, least_relative))) {
    throw InvalidOption(
        "tolerances.absolute: is infinite for every component, so that none would matter");
  }
}

double unit_of(const Tolerances& tolerances, double open) {
  if (tolerances.is_open()) return open;
  const double of_x = strictest(tolerances.relative, tolerances.absolute, open);
  if (!is_of_carried(tolerances)) return of_x;
  return std::min(of_x, strictest(tolerances.carried_relative, tolerances.carried_absolute, open));
}

SolutionSizes sizes_of(const Tolerances& tolerances, double open, int nx, int carried) {
  if (tolerances.is_open()) return {};
  check_count("relative", tolerances.relative, nx, "x has");
  check_count("absolute", tolerances.absolute, nx, "x has");
  if (is_of_carried(tolerances) && carried == 0) {
    throw InvalidOption(
        "tolerances.carried_relative, carried_absolute: the problem has nothing beside x; leave "
        "them out");
  }
  check_count("carried_relative", tolerances.carried_relative, carried, "what is carried has");
  check_count("carried_absolute", tolerances.carried_absolute, carried, "what is carried has");
  const double unit = unit_of(tolerances, open);
  const auto sizes = [&](const OfComponents& relative, const OfComponents& absolute, int count) {
    const Pair pair = pair_of(relative, absolute, open, count);
    return ComponentSizes(pair.absolute / unit, pair.relative / unit);
  };
  SolutionSizes result{sizes(tolerances.relative, tolerances.absolute, nx), {}};
  if (carried > 0) {
    result.carried = sizes(tolerances.carried_relative, tolerances.carried_absolute, carried);
  }
  return result;
}

std::string text_of(const Tolerances& tolerances, double open) {
  const auto both = [&](const OfComponents& relative, const OfComponents& absolute) {
    const Pair pair = pair_of(relative, absolute, open, entries(relative, absolute));
    return fmt::format("relative {}, absolute {}", text_of(pair.relative), text_of(pair.absolute));
  };
  std::string text = both(tolerances.relative, tolerances.absolute);
  if (is_of_carried(tolerances)) {
    text +=
        "; of what is carried " + both(tolerances.carried_relative, tolerances.carried_absolute);
  }
  return text;
}

}  // namespace daewave::bvp
