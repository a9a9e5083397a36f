#include "ivp/reduced/stiff_change.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace daewave::ivp {
namespace {

/// h times the largest eigenvalue at which steps of dop853 are at the bound of its stability, and
/// so many such steps, of which none is followed by as many others.   [HNW] dop853, [HW2] IV.2
constexpr double bound = 6.1;
constexpr int most_stiff = 15, enough_others = 6;
/// Where that is not seen, it is looked at each step of so many.
constexpr long between_looks = 5;
/// Where stiff forces vary slowly, tight tolerances hold steps long before stability does. From
/// that size on a step of the collocation formula is tried, so many times as long, after so many
/// steps, and again after twice as many. Its matrices take as long as the square of their rows in
/// steps, of which a run is not to wait for more than it has taken.
constexpr double maybe_stiff = 0.3, tried_length = 10;
constexpr long first_try = 60, most_between_tries = 10'000;
constexpr double steps_of_matrix = 1.0 / 16;
/// Below that the nonstiff formula is stable with steps a few times as long: so many looks at it,
/// each step of so many.
constexpr double mild_below = 1;
constexpr int enough_mild = 3;
constexpr long between_rates = 5;

/// The choice that is told of it.
constexpr const char* where_stiff = "where stiff";

/// What is evaluated while it lives, the watch has not seen.
class Unseen {
 public:
  explicit Unseen(PivotWatch* watch) : watch_(watch) {
    if (watch_ != nullptr) seen_ = *watch_;
  }
  ~Unseen() {
    if (watch_ != nullptr) *watch_ = seen_;
  }
  Unseen(const Unseen&) = delete;
  Unseen& operator=(const Unseen&) = delete;

 private:
  PivotWatch* watch_;
  PivotWatch seen_{};
};

}  // namespace

void tell_changes(const std::vector<FormulaChange>& changes, const std::string& nonstiff,
                  Report& report) {
  if (changes.empty()) return;
  constexpr std::size_t shown = 6;
  std::string text = "radau of 3 stages";
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (i == shown && changes.size() > 2 * shown) {
      text += fmt::format(", ... ({} changes)", changes.size());
      i = changes.size() - shown;
    }
    text += fmt::format("{} t = {:.6g}", changes[i].stiff ? (i == 0 ? " from" : ", from") : " to",
                        changes[i].t);
  }
  report.choices.push_back(
      {where_stiff, text, false,
       fmt::format("stability, not accuracy, held the steps of {} there", nonstiff)});
}

bool was_stiff(const Report& report) {
  return std::any_of(report.choices.begin(), report.choices.end(),
                     [](const Choice& one) { return one.name == where_stiff; });
}

StiffChange::StiffChange(NonstiffStep& nonstiff, CollocationStep& collocation, OdeSystem& system,
                         PivotWatch* pivots)
    : nonstiff_(nonstiff),
      collocation_(collocation),
      system_(system),
      pivots_(pivots),
      taken_(&nonstiff),
      failing_(&nonstiff),
      collocation_control_(collocation.control(), collocation.error_order()),
      first_try_(first_try),
      next_try_(first_try),
      between_tries_(first_try) {
  nonstiff_.watch_stiffness(true);
}

int StiffChange::dense_degree() const {
  return std::max(nonstiff_.dense_degree(), collocation_.dense_degree());
}

bool StiffChange::start(double t, const VecX& z) {
  moved_ = slope_ = z;
  direction_.setZero(z.size());
  const double rows = static_cast<double>(z.size());
  first_try_ = std::max(first_try, std::lround(steps_of_matrix * rows * rows));
  if (steps_ == 0) between_tries_ = next_try_ = std::max(between_tries_, first_try_);
  length_ = 0;
  failing_ = &now();
  return failing_->start(t, z);
}

double StiffChange::attempt(double h) {
  trial_h_ = h;
  failing_ = &now();
  error_ = failing_->attempt(h);
  if (!(error_ <= 1)) {
    // After a change too the length is for who controls the formula to choose.
    length_ = stiff_ ? std::abs(h) * collocation_control_.after_rejected(error_) : 0;
  }
  return error_;
}

bool StiffChange::accept() {
  if (!now().accept()) {
    length_ = stiff_ ? std::abs(trial_h_) * collocation_control_.after_rejected(NAN) : 0;
    return false;
  }
  taken_ = &now();
  ++steps_;
  length_ = 0;
  if (stiff_) {
    length_ = std::abs(trial_h_) * collocation_control_.after_accepted(error_);
    look_for_its_end(std::abs(trial_h_));
  } else {
    look_for_stiffness();
  }
  return true;
}

void StiffChange::look_for_stiffness() {
  if (stiff_steps_ == 0 && steps_ % between_looks != 0) return;
  if (steps_ >= next_try_ && nonstiff_.stiffness() > maybe_stiff && may_be_longer()) return;
  if (nonstiff_.stiffness() > bound) {
    others_ = 0;
    if (++stiff_steps_ < most_stiff) return;
    change(true);
  } else if (stiff_steps_ > 0 && ++others_ == enough_others) {
    stiff_steps_ = others_ = 0;
  }
}

/// Changes where the collocation formula is accurate with steps that are worth it.
bool StiffChange::may_be_longer() {
  next_try_ = steps_ + between_tries_;
  between_tries_ = std::min(2 * between_tries_, most_between_tries);
  const VecX z = state();
  const Unseen trial(pivots_);
  if (!collocation_.start(t(), z)) return false;
  return collocation_.attempt(tried_length * trial_h_) <= 1 && change(true);
}

void StiffChange::look_for_its_end(double h) {
  if (steps_ < least_steps_ || steps_ % between_rates != 0) return;
  mild_ = h * largest_rate() < mild_below ? mild_ + 1 : 0;
  if (mild_ < enough_mild) return;
  change(false);
}

/// The formula begins anew where the other one is; where it cannot, that goes on.
bool StiffChange::change(bool stiff) {
  Step& next = stiff ? static_cast<Step&>(collocation_) : nonstiff_;
  const VecX z = state();
  stiff_steps_ = others_ = mild_ = 0;
  if (!next.start(t(), z)) return false;
  // Where it comes back at once, it was left too early.
  if (stiff && !changes_.empty()) {
    least_steps_ = steps_ < 200 ? std::min(2 * least_steps_, 100'000L) : 20;
  }
  between_tries_ = next_try_ = first_try_;
  stiff_ = stiff;
  steps_ = 0;
  length_ = std::abs(trial_h_);
  if (stiff) collocation_control_ = StepControl(collocation_.control(), collocation_.error_order());
  changes_.push_back({t(), stiff});
  return true;
}

/// The size of the largest eigenvalue, by a few iterations of the power method; infinite where
/// nothing can be evaluated.
double StiffChange::largest_rate() {
  const Unseen looks(pivots_);
  const VecX& z = state();
  const double size = 1e-7 * (1 + z.norm());
  VecX& rhs = slope_;
  if (!system_.rhs(t(), z, rhs)) return INFINITY;
  ++looks_;
  if (direction_.squaredNorm() == 0) direction_ = rhs;
  const VecX here = rhs;
  double rate = 0;
  for (int pass = 0; pass < 4; ++pass) {
    const double length = direction_.norm();
    if (!(length > 0)) return 0;
    moved_ = z + (size / length) * direction_;
    if (!system_.rhs(t(), moved_, rhs)) return INFINITY;
    ++looks_;
    direction_ = (rhs - here) / size;
    rate = std::max(rate, direction_.norm());
  }
  return rate;
}

}  // namespace daewave::ivp
