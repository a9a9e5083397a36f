#include "ivp/doors/run_again.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

namespace daewave::ivp {

bool may_run_again(const Options& options) {
  return options.reset || std::none_of(options.events.begin(), options.events.end(),
                                       [](const Event& event) { return bool(event.change); });
}

Options RowsOnce::first() {
  Options options = options_;
  watch(options);
  if (!options_.sink) return options;
  options.sink = [this, sink = options.sink](const Output& output) {
    if (!any_) from_ = output.t;
    any_ = true;
    last_ = output.t;
    return sink(output);
  };
  return options;
}

Options RowsOnce::again() {
  Options options = anew();
  options.checkpoints.save = nullptr;
  return options;
}

Options RowsOnce::anew() {
  Options options = options_;
  watch(options);
  pass_over_rows(options);
  return options;
}

void RowsOnce::pass_over_rows(Options& options) {
  if (!options.sink) return;
  options.sink = [this, sink = options.sink](const Output& output) {
    if (any_ && std::abs(output.t - from_) <= std::abs(last_ - from_)) return true;
    return sink(output);
  };
}

void RowsOnce::watch(Options& options) {
  const auto watched = [this](auto& call) {
    if (!call) return;
    call = [this, own = call](const auto& given) {
      caller_threw_ = true;
      const bool goes_on = own(given);
      caller_threw_ = false;
      return goes_on;
    };
  };
  watched(options.sink);
  watched(options.progress);
  watch(options.checkpoints);
  auto* const srm = std::get_if<Srm>(&options.method);
  if (srm == nullptr) return;
  if (auto* const local = std::get_if<StepLocal>(&srm->loops)) watch(local->checkpoints);
  if (auto* const piped = std::get_if<Pipelined>(&srm->loops)) watch(piped->checkpoints);
}

void RowsOnce::watch(Checkpoints& checkpoints) {
  if (!checkpoints.save) return;
  checkpoints.save = [this, own = checkpoints.save](const Checkpoint& at) {
    caller_threw_ = true;
    own(at);
    caller_threw_ = false;
  };
}

}  // namespace daewave::ivp
