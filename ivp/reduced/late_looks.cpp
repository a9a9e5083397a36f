#include "ivp/reduced/late_looks.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "core/not_finite.hpp"
#include "ivp/run/thrown.hpp"

namespace daewave::ivp {
namespace {

/// A run that is cut knows no multipliers of the last states, of so many and those of one step at
/// most.
constexpr int most_waiting = 64;

}  // namespace

LateLooks::LateLooks(const DearCalls& calls, int nq, ReducedOde& system, Step& step)
    : calls_(calls), nq_(nq), system_(system), step_(step) {}

Options LateLooks::options_of(const Options& options) {
  Options without = options;
  multipliers_ = options.multipliers;
  without.multipliers = false;
  if (!multipliers_) return without;
  without.sink = [this](const Output& row) {
    add(rows_, row.t, row.state);
    return true;
  };
  return without;
}

Monitors LateLooks::monitors_of(const Monitors& monitors) {
  Monitors without = monitors;
  drift_ = monitors.drift;
  without.drift = false;
  if (!drift_ && !multipliers_) return without;
  // What the problem throws here is of the run; in the sink it would be of the caller.
  without.node = [this, before = monitors.node](double t, const VecX& z) {
    if (before) before(t, z);
    if (rows_.count() >= most_waiting) look_at_multipliers();
    if (!drift_) return;
    add(nodes_, t, z.data());
    if (nodes_.count() == most_waiting) look_at_drift();
  };
  return without;
}

void LateLooks::add(Waiting& to, double t, const double* z) {
  to.t.push_back(t);
  to.z.insert(to.z.end(), z, z + 2 * nq_);
}

VecX LateLooks::state(const Waiting& of, int i) const {
  return Eigen::Map<const VecX>(of.z.data() + static_cast<std::ptrdiff_t>(i) * 2 * nq_, 2 * nq_);
}

void LateLooks::foresee(Ask what, const Waiting& at) {
  const int count = at.count();
  by_entries_.resize(at.z.size());
  for (int p = 0; p < count; ++p) {
    for (int i = 0; i < 2 * nq_; ++i) by_entries_[i * count + p] = at.z[p * 2 * nq_ + i];
  }
  const double* const q = by_entries_.data();
  calls_.foresee(what, {count, count, at.t.data(), q, q + nq_ * count, nullptr});
}

void LateLooks::look_at_drift() {
  const Waiting at = std::exchange(nodes_, {});
  if (at.count() == 0) return;
  foresee(Ask::g | Ask::G | Ask::g_t, at);
  for (int i = 0; i < at.count(); ++i) {
    const Drift drift = system_.drift(at.t[i], state(at, i));
    largest_.position = larger(largest_.position, drift.position);
    largest_.velocity = larger(largest_.velocity, drift.velocity);
  }
  calls_.foresee(Ask{}, {0});
}

void LateLooks::look_at_multipliers() {
  const Waiting at = std::exchange(rows_, {});
  const std::size_t before = found_.size();
  found_.resize(before + at.t.size());
  if (at.count() == 0) return;
  foresee(Ask::f | Ask::M | Ask::G | Ask::g | Ask::g_t | Ask::curvature, at);
  for (int i = 0; i < at.count(); ++i) {
    VecX& carried = found_[before + i];
    if (step_.multiplier_at(at.t[i], state(at, i), carried)) continue;
    carried.resize(0);
    if (failure_.empty()) {
      failure_ = "no multiplier at t = " + std::to_string(at.t[i]) + ": " + step_.failure();
    }
  }
  calls_.foresee(Ask{}, {0});
}

void LateLooks::finish(Solution& solution) {
  const auto last = [&](const auto& look) {
    // A run that what was thrown has ended keeps its states.
    const auto thrown = thrown_in(look);
    if (thrown && failure_.empty()) failure_ = "no multipliers of the last states: " + *thrown;
  };
  if (drift_) {
    last([this] { look_at_drift(); });
    IntegrationReport& went = solution.report.integration;
    went.drift_position = larger(went.drift_position, largest_.position);
    went.drift_velocity = larger(went.drift_velocity, largest_.velocity);
  }
  if (!multipliers_) return;
  last([this] { look_at_multipliers(); });
  int ny = 0;
  for (const VecX& one : found_) ny = std::max(ny, static_cast<int>(one.size()));
  solution.ny = ny;
  solution.multipliers.assign(static_cast<std::size_t>(ny * solution.count()),
                              std::numeric_limits<double>::quiet_NaN());
  const int known = std::min(solution.count(), static_cast<int>(found_.size()));
  for (int i = 0; i < known; ++i) {
    std::copy_n(found_[i].data(), found_[i].size(), solution.multipliers.data() + i * ny);
  }
  if (!failure_.empty()) solution.report.warnings.push_back(failure_);
}

}  // namespace daewave::ivp
