#pragma once
// One line on the terminal that tells how far a long solve has come.

#include <chrono>
#include <string>

#include "bvp/options/options.hpp"
#include "ivp/options/options.hpp"
#include "sparse/options.hpp"

namespace daewave::cli {

/// Writes to standard error, only when that is a terminal, only for work of more than half a
/// second, and at most ten times a second; erases itself.
class ProgressLine {
 public:
  explicit ProgressLine(bool enabled);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  /// Before other words are said. The next show() draws it again.
  void erase();

  void show(const bvp::Progress& progress);
  void show(const ivp::RunProgress& progress);
  void show(const sparse::StepInfo& progress);

 private:
  using Clock = std::chrono::steady_clock;

  bool due();
  void draw(const std::string& phase, double fraction, const std::string& rest);

  bool enabled_, shown_ = false;
  Clock::time_point start_, last_;
};

}  // namespace daewave::cli
