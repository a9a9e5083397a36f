#include "cli/output/interrupt.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <utility>

#include "cli/options/command_line.hpp"
#include "cli/output/standard_output.hpp"
#include "core/error.hpp"
#include "io/atomic_file.hpp"

namespace daewave::cli {
namespace {

std::atomic<int> caught = 0;
static_assert(std::atomic<int>::is_always_lock_free);

constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP};
/// Seconds in which a solve may end by itself.
constexpr double patience = 0.6;

void note_signal(int number) {
  caught = number;
  std::signal(number, SIG_DFL);
}

/// What nohup has ignored stays so.
void handle(int number, void (*handler)(int)) {
  struct sigaction now {};
  if (::sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_IGN) return;
  std::signal(number, handler);
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
  watcher_ = std::thread([this] { watch(); });
  for (const int number : signals) handle(number, note_signal);
}

Interrupt::~Interrupt() {
  for (const int number : signals) handle(number, SIG_DFL);
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  wake_.notify_all();
  watcher_.join();
}

bool Interrupt::requested() const { return caught != 0 || (deadline_ > 0 && now() > deadline_); }

void Interrupt::save_by(std::function<std::string()> save) {
  const std::lock_guard lock(mutex_);
  save_ = std::move(save);
}

void Interrupt::work_has_ended() {
  if (ended_) return;
  was_requested_ = requested();
  ended_ = true;
  save_by(nullptr);
}

std::string Interrupt::reason() const {
  switch (caught) {
    case 0:
      return requested() ? fmt::format("time limit of {:g} s", *limit_) : "";
    case SIGINT:
      return "Ctrl-C";
    case SIGHUP:
      return "end of the terminal";
    default:
      return "termination signal";
  }
}

/// @param since  when it was first asked to end; 0: it was not.
bool Interrupt::is_overdue(double& since) const {
  const bool asked = ended_ ? !was_requested_ && caught != 0 : requested();
  if (!asked) {
    since = 0;
    return false;
  }
  if (since == 0) since = now();
  return now() - since > patience;
}

void Interrupt::watch() {
  double since = 0;
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, std::chrono::milliseconds(50), [this] { return over_; })) {
    if (!is_overdue(since)) continue;
    // A reader of a pipe, or a disk, may have its time.
    std::thread([] {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      ::_exit(not_solved);
    }).detach();
    std::string saved = save_ ? save_() : "";
    if (saved.empty()) {
      saved = ended_ ? "files that were not complete are as they were" : "nothing is written";
    }
    complain("daewave: stopped by {} in a part of the work that cannot be left half done; {}\n",
             reason(), saved);
    io::remove_temporaries();
    flush_standard_output();
    ::_exit(not_solved);
  }
}

}  // namespace daewave::cli
