#include "cli/interrupt.hpp"

#include <fmt/format.h>

#include <chrono>
#include <csignal>

#include "core/error.hpp"

namespace daewave::cli {
namespace {

volatile std::sig_atomic_t caught = 0;

void note_signal(int number) {
  caught = number;
  std::signal(number, SIG_DFL);
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Interrupt::Interrupt(std::optional<double> time_limit_seconds) : limit_(time_limit_seconds) {
  if (limit_) {
    if (!(*limit_ > 0)) {
      throw InvalidOption(fmt::format("--time-limit {}: must be > 0 seconds", *limit_));
    }
    deadline_ = now() + *limit_;
  }
  caught = 0;
  std::signal(SIGINT, note_signal);
  std::signal(SIGTERM, note_signal);
}

Interrupt::~Interrupt() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool Interrupt::requested() const { return caught != 0 || (deadline_ > 0 && now() > deadline_); }

std::string Interrupt::reason() const {
  if (caught == SIGINT) return "Ctrl-C";
  if (caught != 0) return "termination signal";
  if (requested()) return fmt::format("time limit of {:g} s", *limit_);
  return "";
}

}  // namespace daewave::cli
