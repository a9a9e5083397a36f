#include "ivp/options/options.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "ivp/options/number_rules.hpp"

namespace daewave::ivp {
namespace {

using detail::require;
using detail::require_positive;

void check_tolerances(const Options& options) {
  require(options.rtol > 0 && options.rtol < 1, "rtol", options.rtol, "> 0 and < 1");
  if (options.rtol < least_rtol) {
    throw InvalidOption(fmt::format(
        "rtol = {:g}: must be >= {:.2g}, ten roundings: numbers of double precision hold no "
        "smaller relative error; take {:.2g} or more",
        options.rtol, least_rtol, 2.3e-15));
  }
  if (options.atol_each.empty()) require_positive("atol", options.atol);
  for (std::size_t i = 0; i < options.atol_each.size(); ++i) {
    require_positive(fmt::format("atol_each[{}]", i), options.atol_each[i]);
  }
}

void check_control(const Control& control) {
  const auto between = [](const char* name, double value) {
    require(value > 0 && value < 1, name, value, "> 0 and < 1");
  };
  between("control.safety", control.safety);
  between("control.shrink", control.shrink);
  require(control.beta >= 0 && control.beta <= 0.2, "control.beta", control.beta,
          "between 0 and 0.2");
  require(control.grow > 1 && std::isfinite(control.grow), "control.grow", control.grow,
          "> 1 and finite");
}

void check_steps(const Options& options) {
  require_positive("h", options.h);
  require_positive("first_step", options.first_step);
  require_positive("largest_step", options.largest_step);
  require(options.most_steps >= 1, "most_steps", options.most_steps, ">= 1");
  check_tolerances(options);
  if (options.control) check_control(*options.control);
}

void check_output(const Options& options) {
  require(options.every >= 0, "every", options.every, ">= 0; 0 gives out the end only");
  for (std::size_t i = 0; i < options.times.size(); ++i) {
    require(std::isfinite(options.times[i]), fmt::format("times[{}]", i), options.times[i],
            "finite");
    if (i > 0 && !(options.times[i] > options.times[i - 1])) {
      throw InvalidOption(fmt::format("times[{}] = {}: must be > times[{}] = {}", i,
                                      options.times[i], i - 1, options.times[i - 1]));
    }
  }
  for (std::size_t i = 0; i < options.events.size(); ++i) {
    if (!options.events[i].function) {
      throw InvalidOption(
          fmt::format("events[{}] (\"{}\") has no function: give function(t, state)", i,
                      options.events[i].name));
    }
  }
}

}  // namespace

void check(const Options& options) {
  check_steps(options);
  check(options.method, options.h.has_value());
  check_output(options);
  require_positive("start_tolerance", options.start_tolerance);
  require(options.rank_tolerance >= 0 && options.rank_tolerance < 1, "rank_tolerance",
          options.rank_tolerance, ">= 0 and < 1");
}

}  // namespace daewave::ivp
