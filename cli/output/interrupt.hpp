#pragma once
// Reasons to end a solve early: Ctrl-C, a termination signal, a time limit.
//
// A solve asks from time to time, and then ends with what is valid. Parts of it that do not ask,
// such as the factorization of a large matrix, are not waited for: the program ends without them,
// with what can be saved of the work before.

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace daewave::cli {

/// Catches SIGINT, SIGTERM and SIGHUP while it lives, but those that are ignored; the second one
/// ends the program at once.
class Interrupt {
 public:
  /// @throws InvalidOption for a limit that is no time.
  explicit Interrupt(std::optional<double> time_limit_seconds);
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();

  /// True once the work should end; cheap.
  bool requested() const;

  /// Saves what the work has given out, and says in words what that is, where the program ends
  /// without waiting for the rest; called by another thread. Must hold until work_has_ended().
  void save_by(std::function<std::string()> save);

  /// The solve has returned. What was asked to end has ended then, and files are written in as much
  /// time as that takes; signals that come later end the program.
  void work_has_ended();

  /// "Ctrl-C", "time limit of 10 s"; empty when there was none.
  std::string reason() const;

 private:
  void watch();
  bool is_overdue(double& since) const;

  double deadline_ = 0;  // Of the steady clock in seconds; 0: none.
  std::optional<double> limit_;
  std::atomic<bool> ended_ = false, was_requested_ = false;
  std::mutex mutex_;
  std::function<std::string()> save_;
  std::condition_variable wake_;
  bool over_ = false;
  std::thread watcher_;
};

}  // namespace daewave::cli
