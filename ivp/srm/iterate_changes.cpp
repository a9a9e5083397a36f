#include "ivp/srm/iterate_changes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace daewave::ivp {
namespace {

/// Of the last iterate; `size` stands for the change of iterate 1, from nothing.
double estimate(const std::vector<double>& changes, double size) {
  const double last = changes.back();
  const double before = changes.size() > 1 ? changes[changes.size() - 2] : size;
  return before > 0 ? last * std::min(1.0, last / before) : last;
}

}  // namespace

void tell_changes(const std::vector<double>& changes, double size, bool stiff,
                  const Options& options, Report& report) {
  for (std::size_t i = 0; i < changes.size(); ++i) {
    IterateReport iterate;
    iterate.iterate = static_cast<int>(i) + 2;
    iterate.change = changes[i];
    iterate.change_at = report.integration.reached;
    report.history.push_back(iterate);
  }
  if (report.termination != Termination::converged) return;
  if (changes.empty()) {
    if (stiff) {
      report.warnings.push_back(
          "a single iterate has none to be compared with: its error is O(epsilon), and grows; take "
          "two or more");
    }
    return;
  }
  const double allowed = options.h ? 0.01 * size : 100 * (options.atol + options.rtol * size);
  const double error = estimate(changes, size);
  if (error <= allowed) return;
  const std::string text = fmt::format(
      "iterates {} and {} differ by {:.2e} at t = {:.6g}: the error of the last is about {:.1e}",
      changes.size(), changes.size() + 1, changes.back(), report.integration.reached, error);
  const char* const advice = "more iterates, or a smaller epsilon with smaller steps";
  if (error <= 100 * allowed && error <= 0.5 * size) {
    report.warnings.push_back(text + "; take " + advice);
    return;
  }
  report.termination = Termination::iterates_exhausted;
  report.message = text;
  report.advice = advice;
}

}  // namespace daewave::ivp
