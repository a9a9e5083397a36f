#pragma once
// Advice, read as a user reads it, and done: settings are written as NAME = VALUE, "leave NAME
// open", "a smaller NAME"; ways out are apart by "; ", and what says none of these is about the
// problem, which no setting changes.

#include <functional>
#include <string>
#include <vector>

#include "ivp/options/options.hpp"
#include "ivp/run/solution.hpp"

namespace daewave::testing {

/// One thing to do. "h" "0.001"; an empty value leaves it open; "/" and "*" make it smaller and
/// larger.
struct Change {
  std::string name, value;
};

/// What is to be done together.
using WayOut = std::vector<Change>;

/// In the order in which they are given, without those about the problem.
std::vector<WayOut> ways_out(const std::string& advice);
/// Of what was thrown: the first part says what is wrong.
std::vector<WayOut> ways_out_of_refusal(const std::string& what);

std::string text_of(const WayOut& way);

/// @throws Error for a setting that initial value solves do not have, or not with that method.
ivp::Options followed(const WayOut& way, ivp::Options options);

/// A run that may fail, and what its advice leads to.
struct AdvisedRun {
  std::string name;
  std::function<ivp::Solution(const ivp::Options&)> solve;
  ivp::Options options;
  double seconds = 1;  ///< CPU; a run that takes longer is stopped, and says nothing.
  /// Of each that is usable.
  std::function<void(const ivp::Options&, const ivp::Solution&)> look{};
};

struct AdviceCount {
  int usable = 0, stopped = 0;  ///< Of the runs themselves.
  int failed = 0, refused = 0;
  int helped = 0;    ///< Ways out of these that led to a usable result.
  int none = 0;      ///< Failed runs that name no way, after others were tried.
  int too_long = 0;  ///< Ways out.
};

/// Solves, and does what the advice says, in three steps at most. Fails where advice is empty, not
/// accepted, or does not lead to a result that is usable.
void follow(const AdvisedRun& run, AdviceCount& count);

}  // namespace daewave::testing
