#include "ivp/windows/window_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/not_finite.hpp"
#include "ivp/run/state_names.hpp"

namespace daewave::ivp {
namespace {

/// Sweeps of one window; of windows of a given length, which go on until nothing changes.
constexpr int most_sweeps = 12, most_to_rounding = 60;
/// Changes of that part of the velocities are rounding where they do not get smaller.
constexpr double near_rounding = 1e-11;
/// Where there is no tolerance: sweeps go on until a tenth of that is left to change, as part of a
/// velocity, or of so many of the largest one.
constexpr double rounding = 1e-16, least_part = 1e-3;
/// The rate that is expected of the first sweeps of a run, and after a window was taken again.
constexpr double first_rate = 0.2, rate_again = 0.5;
/// Sweeps that contract slower are not waited for.
constexpr double slow_rate = 0.9;
/// After so many, where two more at least are needed, it is looked whether the end will be taken.
constexpr int sweeps_to_look = 4;
constexpr double larger_than_left = 2;
/// How long the next try is where the end is not taken, of the length that was tried.
constexpr double shorter_end = 0.6, shortest_end = 0.2;
/// Measured: the error at the end of a window over a kink is about an eighth of what is left at its
/// places, and less than half. After so many of them from one place noise is what is left.
constexpr double part_of_left = 0.2;
constexpr int most_kinks = 12;
/// A window is held by its sweeps where they contract slower, and accuracy would allow one several
/// times as long.
constexpr double held_rate = 0.1, held_error = 1e-10;
/// Where sweeps of a window did not converge, the next ones are no longer than that part of it, and
/// the limit is raised by so much with each: as long, every second one would be swept in vain.
constexpr double part_of_slow = 0.75, longer_after_slow = 1.05;
/// Sweeps of a model cost little: theirs may contract slower by that factor.
constexpr double part_of_model = 0.35;
/// What they leave are coefficients of which the error of a window seems larger than it is, however
/// short it is made.
constexpr double held_error_of_model = 1e-2;

}  // namespace

WindowStep::WindowStep(ReducedOde& system, std::unique_ptr<WindowSweeps> lanes,
                       const Tolerance& tolerance, bool estimate)
    : system_(system),
      lanes_(std::move(lanes)),
      modelled_(dynamic_cast<const ModelledSweeps*>(lanes_.get())),
      points_(system),
      tolerance_(tolerance),
      estimates_(estimate) {}

bool WindowStep::start(double t, const VecX& z) {
  nq_ = static_cast<int>(z.size()) / 2;
  t_ = t;
  h_ = 0;
  z_ = trial_ = slope_ = shift_ = looked_slope_ = z;
  look_.start();
  cut_off_.setZero(z.size());
  trial_cut_off_ = cut_off_;
  weight_.assign(static_cast<std::size_t>(nq_), 0);
  next_ = trial_next_ = nothing_ = weight_;
  a_.assign(static_cast<std::size_t>(nq_ * nodes), 0);
  accepted_.series = tried_.series = a_;
  accepted_.begin = tried_.begin = z;
  accepted_.h = 0;
  longest_ = INFINITY;
  kinks_ = 0;
  rate_ = first_rate;
  has_pieces_ = has_tried_ = took_again_ = false;
  ++evaluations_;
  if (!system_.rhs(t, z_, slope_)) {
    failure_ = system_.failure();
    return false;
  }
  if (!slope_.allFinite()) {
    failure_ = not_finite_text(slope_.data(), 2 * nq_, true, t);
    return false;
  }
  for (int i = 0; i < nq_; ++i) accepted_.series[i * nodes] = slope_[nq_ + i];
  return true;
}

/// A velocity's change, in units of the tolerance, is H times that of its acceleration; a
/// position's, in its own units, H / 2 times that of the velocity at most. Without a tolerance
/// changes are parts of the velocities in the window.
void WindowStep::weigh(double h) {
  const double size = std::abs(h);
  double largest = 0;
  for (int i = 0; i < nq_; ++i) {
    const double q = z_[i], v = z_[nq_ + i];
    const double* const a = a_.data() + i * nodes;
    const double v_middle = v + 0.25 * h * (a[0] + a[3]), v_end = v + 0.5 * h * (a[3] + a[4]);
    const double v_most = std::max(std::abs(v), std::abs(v_middle));
    if (estimates_) {
      const double of_v = tolerance_.weight(nq_ + i, v_most, v_end);
      const double of_q = tolerance_.weight(i, q, q + h * v_middle);
      weight_[i] = std::max(size / of_v, 0.5 * size * size / of_q);
    } else {
      weight_[i] = std::max(v_most, std::abs(v_end));
      largest = std::max(largest, weight_[i]);
    }
  }
  if (estimates_) return;
  const double least = largest > 0 ? least_part * largest : 1;
  for (double& weight : weight_) weight = size / std::max(weight, least);
}

Sweep WindowStep::sweep(const WindowBegin& from) {
  evaluations_ += nodes;
  if (lanes_) {
    const Sweep swept = lanes_->sweep(from, weight_.data(), a_.data());
    if (swept.evaluated) return swept;
    evaluations_ += nodes;
  }
  return points_.sweep(from, weight_.data(), a_.data());
}

/// @param rate  expected of the first two sweeps; then what was seen.
WindowStep::Swept WindowStep::iterate(const WindowBegin& from, double& rate) {
  const int most = estimates_ ? most_sweeps : most_to_rounding;
  const double enough = estimates_ ? enough_swept : 0.1 * rounding;
  PivotWatch& pivots = system_.pivots();
  // Windows that are held by their sweeps are accurate enough.
  const bool looks = estimates_ && !from.aside && (h_ == 0 || rate_ < held_rate);
  double before = 0, change = 0, seen = rate;
  for (int k = 1; k <= most; ++k) {
    const Sweep swept = sweep(from);
    if (!swept.evaluated) {
      failure_ = points_.failure();
      return Swept::failed;
    }
    change = swept.change;
    if (!(change < INFINITY)) {
      failure_ = fmt::format("accelerations in the window from t = {:.10g} are not finite", from.t);
      return Swept::failed;
    }
    // Which is larger is not foreseen: no branch, for which the next sweep would wait.
    const double now = before > 0 ? change / before : 0, slowed = std::sqrt(now * seen);
    if (k > 1) rate = seen = k > 2 && slowed > now ? slowed : now;
    if (pivots.knows()) pivots.see(from.t + 0.5 * from.h, swept.pivot, true);
    // First by `now` alone, and without waiting for it.
    const bool maybe = k > 1 && change * change <= (before - change) * enough;
    before = change;
    if (maybe && seen < 1 && seen * change <= (1 - seen) * enough) return Swept::enough;
    const double part = estimates_ ? change * tolerance_.relative() : change;
    if (k > 2 && seen > 0.5 && part < (estimates_ ? near_rounding : 1e-13)) return Swept::enough;
    if (k > 2 && seen > slow_rate && change > 1 && estimates_) return Swept::slow;
    if (k == sweeps_to_look && looks && seen * seen * change > enough &&
        is_too_long(seen * change)) {
      return Swept::too_long;
    }
  }
  return change <= (estimates_ ? 10 * enough_swept : 1e-12) ? Swept::enough : Swept::slow;
}

/// The end will not be taken: its error is known before sweeps are through, where the last
/// coefficients are larger by far than what is left to change.
bool WindowStep::is_too_long(double left) {
  best().expand(a_.data(), nq_, tried_.series.data());
  tried_spectrum_ = spectrum();
  return tried_spectrum_.top > larger_than_left * left &&
         end_error(tried_spectrum_) > 2 * most_error;
}

/// What the length of windows goes by.
double WindowStep::rate_to_wait_for(double rate) const {
  return modelled_ == nullptr ? rate : std::max(rate, part_of_model * modelled_->rate());
}

Spectrum WindowStep::spectrum() const {
  Spectrum all;
  for (int i = 0; i < nq_; ++i) {
    const double* const L = tried_.series.data() + i * nodes;
    const double weight = weight_[i];
    const auto size = [&](int k) { return weight * std::max(std::abs(L[k]), std::abs(L[k + 1])); };
    // Less what rounding leaves of a coefficient.
    all.top = std::max(all.top, size(6) - weight * 8e-15 * std::abs(L[0]));
    all.upper = std::max(all.upper, size(4));
    all.middle = std::max(all.middle, size(2));
  }
  return all;
}

/// The window is tried again, shorter.
double WindowStep::again(double factor) {
  length_ = factor * std::abs(tried_.h);
  took_again_ = true;
  return INFINITY;
}

/// Of a longer window from here that was not taken, or of the window before and what it missed at
/// its end, which is the first coefficient that it has not.
void WindowStep::begin_with(double h) {
  const double part = has_tried_ ? h / tried_.h : 0;
  if (part > 0 && part <= 1) {
    best().extend(tried_.series.data(), nothing_.data(), nq_, 0, part, a_.data());
  } else {
    const double ratio = accepted_.h == 0 ? 0 : h / accepted_.h;
    best().extend(accepted_.series.data(), next_.data(), nq_, ratio == 0 ? 0 : 1, ratio, a_.data());
  }
  has_tried_ = false;
}

double WindowStep::attempt(double h) {
  begin_with(h);
  tried_.h = h;
  weigh(h);
  double rate = rate_;
  const WindowBegin from{nq_, t_, h, z_.data(), z_.data() + nq_};
  switch (iterate(from, rate)) {
    case Swept::enough:
      best().expand(a_.data(), nq_, tried_.series.data());
      tried_spectrum_ = spectrum();
      break;
    case Swept::too_long:
      break;
    case Swept::slow:
      rate_ = rate_again;
      failure_ = fmt::format(
          "sweeps over the window from t = {:.10g} of length {:.3g} do not converge (each leaves "
          "{:.2g} of the change before): take a smaller h, or "
          "method = projection with stepper = radau where the problem is stiff",
          t_, std::abs(h), rate);
      if (!estimates_) return not_a_number;
      if (!took_again_) longest_ = part_of_slow * std::abs(h);
      return again(0.5);
    case Swept::failed:
      rate_ = rate_again;
      again(0.5);
      return not_a_number;
  }
  tried_rate_ = rate;
  const double slowest = rate_to_wait_for(rate);
  has_tried_ = true;
  if (!estimates_) return 0;
  const double error = end_error(tried_spectrum_);
  const double factor = next_factor(error, slowest);
  tried_held_ =
      slowest > held_rate && error < (modelled_ == nullptr ? held_error : held_error_of_model);
  length_ = std::abs(h) * factor;
  if (error > most_error) {
    rate_ = expected_rate(rate, std::min(factor, 0.7));
    return again(std::min(factor, 0.7));
  }
  return error / most_error;
}

bool WindowStep::tried(double theta, VecX& out) {
  tried_.begin = z_;
  out.resize(2 * nq_);
  tried_.at(theta, out);
  return true;
}

/// trial_ = z_ + increment, with what rounding cut off of the sums before.
void WindowStep::add(int i, double increment) {
  increment += cut_off_[i];
  trial_[i] = z_[i] + increment;
  trial_cut_off_[i] = increment - (trial_[i] - z_[i]);
}

/// Of what was tried, which is not taken: a shorter one may be, and starts where this did.
/// @param factor  the length of that.
bool WindowStep::refuse(std::string why, double factor) {
  failure_ = std::move(why);
  slope_ = begin_slope_;
  again(factor);
  return false;
}

/// The error that a kink makes, of the one that is allowed.
double WindowStep::kink(const Looked& looked) const {
  return std::max(kink_error(looked.missed, tried_spectrum_) / most_error,
                  kinks_ < most_kinks ? part_of_left * looked.left : 0);
}

bool WindowStep::accept() {
  const double h = tried_.h, t = t_ + h;
  const WindowFormula& formula = window_formula();
  for (int i = 0; i < nq_; ++i) {
    const double* const a = a_.data() + i * nodes;
    double once = 0, twice = 0;
    for (int j = 0; j < nodes; ++j) {
      once += formula.b[j] * a[j];
      twice += formula.end[j] * a[j];
    }
    add(i, h * (z_[nq_ + i] + h * twice));
    add(nq_ + i, h * once);
  }
  shift_ = trial_;
  begin_slope_ = slope_;
  tried_.begin = z_;
  Looked looked;
  if (!look(t, looked)) return refuse(system_.failure(), shorter_end);
  if (estimates_) {
    if (const double error = kink(looked); error > 1) {
      ++kinks_;
      return refuse(fmt::format("forces are not smooth in the window from t = {:.10g}", t_),
                    std::clamp(std::cbrt(1 / error), shortest_end, shorter_end));
    }
  }
  if (estimates_ && system_.refuses_end()) return refuse(system_.failure(), shorter_end);
  if (looked.in_lanes) {
    lanes_->bring_back(trial_.data());
    slope_.head(nq_) = trial_.tail(nq_);
  } else if (system_.stabilizes() && !system_.after_step(t, trial_, slope_)) {
    return refuse(system_.failure(), shorter_end);
  }
  if (!trial_.allFinite()) {
    return refuse(not_finite_text(trial_.data(), 2 * nq_, true, t), shorter_end);
  }
  shift_ = trial_ - shift_;
  std::swap(accepted_, tried_);
  tried_.series.resize(accepted_.series.size());
  z_.swap(trial_);
  cut_off_.swap(trial_cut_off_);
  next_.swap(trial_next_);
  // What slow sweeps leave would be enlarged in the next window, and so on.
  if (tried_rate_ > held_rate) next_ = nothing_;
  t_ = t;
  h_ = h;
  held_ = tried_held_;
  // What was too long from here on is so a little later.
  if (took_again_) length_ = std::min(length_, std::abs(h));
  length_ = std::min(length_, longest_);
  longest_ *= longer_after_slow;
  rate_ = expected_rate(tried_rate_, estimates_ ? length_ / std::abs(h) : 1);
  inner_error_ = inner_error(tried_spectrum_);
  has_pieces_ = has_tried_ = took_again_ = false;
  kinks_ = 0;
  return true;
}

bool WindowStep::multiplier_at(double t, const VecX& z, VecX& carried) {
  ++evaluations_;
  if (system_.multiplier(t, z, carried)) return true;
  failure_ = system_.failure();
  return false;
}

/// Half as long as velocities and positions change by their own size, times the tolerance to the
/// power of one eighth; the velocity of a start at rest has that which it comes to on the way. What
/// lies at zero but for rounding, as where a ball hits the floor, is no size to go by: nothing is
/// taken to change within a ten-millionth of the interval.
double WindowStep::first_step(double sign, double most) {
  const double q = z_.head(nq_).cwiseAbs().maxCoeff(), a = slope_.tail(nq_).cwiseAbs().maxCoeff();
  const double v = std::max(z_.tail(nq_).cwiseAbs().maxCoeff(), std::sqrt(a * q));
  const double rate = std::max(v > 0 ? a / v : 0, q > 0 ? v / q : 0);
  constexpr double least_first = 1e-7;
  if (!(rate > 0)) return sign * (a > 0 || v > 0 ? 1e-3 * most : most);
  const double longest = 0.5 * std::pow(tolerance_.relative(), 0.125) / rate;
  return sign * std::clamp(longest, least_first * most, most);
}

}  // namespace daewave::ivp
