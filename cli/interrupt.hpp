#pragma once
// Reasons to end a solve early: Ctrl-C, a termination signal, a time limit.

#include <optional>
#include <string>

namespace daewave::cli {

/// Catches SIGINT and SIGTERM while it lives; the second one ends the program at once.
class Interrupt {
 public:
  explicit Interrupt(std::optional<double> time_limit_seconds);
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();

  /// True once the work should end; cheap.
  bool requested() const;

  /// "Ctrl-C", "time limit of 10 s"; empty when there was none.
  std::string reason() const;

 private:
  double deadline_ = 0;  // Of the steady clock in seconds; 0: none.
  std::optional<double> limit_;
};

}  // namespace daewave::cli
