#include "ivp/doors/run_again.hpp"

#include <algorithm>
#include <cmath>

namespace daewave::ivp {

bool may_run_again(const Options& options) {
  return options.reset || std::none_of(options.events.begin(), options.events.end(),
                                       [](const Event& event) { return bool(event.change); });
}

Options RowsOnce::first() {
  Options options = options_;
  if (!options_.sink) return options;
  options.sink = [this](const Output& output) {
    if (!any_) from_ = output.t;
    any_ = true;
    last_ = output.t;
    return options_.sink(output);
  };
  return options;
}

Options RowsOnce::again() {
  Options options = options_;
  options.checkpoints = {};
  if (!options_.sink) return options;
  options.sink = [this](const Output& output) {
    if (any_ && std::abs(output.t - from_) <= std::abs(last_ - from_)) return true;
    return options_.sink(output);
  };
  return options;
}

}  // namespace daewave::ivp
