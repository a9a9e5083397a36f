#include "sparse/options.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"

namespace daewave::sparse {
namespace {

void require(bool holds, const char* name, double given, const char* rule) {
  if (!holds) throw InvalidOption(fmt::format("{} = {:g}: {}", name, given, rule));
}

}  // namespace

void check(const Options& options, const Interval& interval) {
  const auto finite = [](double value) { return std::isfinite(value); };
  require(finite(interval.begin) && finite(interval.end) && interval.length() > 0, "t-end",
          interval.end, "must be finite and behind the begin of the interval");
  require(options.h > 0 && finite(options.h), "h", options.h, "must be > 0");
  require(options.h >= 1e-9 * interval.length(), "h", options.h,
          "is below 1e-9 of the interval; take a longer step or a shorter interval");
  require(options.epsilon > 0 && finite(options.epsilon), "epsilon", options.epsilon,
          "must be > 0");
  require(options.iterates >= 1 && options.iterates <= 50, "iterates", options.iterates,
          "must be 1 to 50; take a smaller epsilon instead of more");
  require(options.alpha1 >= 0 && finite(options.alpha1), "alpha1", options.alpha1, "must be >= 0");
  require(options.alpha2 >= 0 && finite(options.alpha2), "alpha2", options.alpha2, "must be >= 0");
  require(options.alpha1 + options.alpha2 > 0, "alpha2", options.alpha2,
          "must be > 0 where alpha1 is 0, or nothing pulls x to the constraint");
  require(options.newton_tolerance > 0 && options.newton_tolerance < 1, "newton_tolerance",
          options.newton_tolerance, "must be in (0, 1)");
  require(options.newton_steps >= 1, "newton_steps", options.newton_steps, "must be >= 1");
  require(options.steady >= 0 && finite(options.steady), "steady", options.steady, "must be >= 0");
  require(options.every >= 0, "every", static_cast<double>(options.every), "must be >= 0");
}

}  // namespace daewave::sparse
