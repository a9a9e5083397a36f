#include "bvp/continuation/by_parameter.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include "bvp/continuation/affine.hpp"
#include "bvp/continuation/crossing.hpp"
#include "bvp/continuation/predicted.hpp"
#include "bvp/continuation/stays_on_branch.hpp"

namespace daewave::bvp {
namespace {

constexpr double ten = 10;

/// The parameter stays of one sign and changes tenfold or more.
bool goes_far(const Way& way) {
  return way.end() * way.begin() > 0 &&
         std::abs(std::log(way.end() / way.begin())) >= 0.999 * std::log(ten);
}

class ByParameter {
 public:
  explicit ByParameter(Way& way)
      : way_(way), geometric_(way.how().geometric.value_or(goes_far(way))) {}

  void run() {
    double part = 0, before_part = 0, step = first_step();
    Solution before;
    bool grows = true;
    knows_one_branch_ = way_.family().unknown.empty() &&
                        is_affine(way_.family().member(way_.family().p), way_.last());
    orientation_ = orientation(way_.begin(), way_.last());
    while (true) {
      bool is_tight = true;  // Of the last one, which has the tolerance that is asked for.
      if (way_.is_exhausted()) return;
      // No last step that is a sliver.
      const double left = 1 - part;
      const double next = step >= 0.99 * left ? 1
                          : step > 0.6 * left ? part + left / 2
                                              : part + step;
      // Layers that become thinner are not where a line through two of them is.
      const bool on_line = before.has_values() && !geometric_;
      const Solution from =
          on_line ? predicted(before, way_.last(), (next - part) / (part - before_part))
                  : way_.last();
      Solution solution =
          way_.solved(value_at(next), &from, next == 1 ? way_.tolerance() : way_.loosely());
      if (way_.is_stopped(solution)) return;
      if (next == 1 && !solution.report.usable() && way_.loosely() > way_.tolerance()) {
        solution = way_.solved(way_.end(), &from, way_.loosely());
        if (way_.is_stopped(solution)) return;
        is_tight = false;
      }
      std::optional<Secant> behind;
      if (solution.report.usable() &&
          may_leap(way_.family(), way_.entry(), value_at(next), ends(solution))) {
        const double reach = beside * (next - part);
        if (!tangent_) tangent_ = secant(way_.last(), part, reach);
        if (!is_stopped_) behind = secant(solution, next, -reach);
        if (is_stopped_) return;
        if (!tangent_ || !behind ||
            !stays_on_branch(ends(solution), next - part, *tangent_, *behind, geometric_) ||
            !has_middle(solution, part, next, *behind)) {
          if (is_stopped_) return;
          tell_leap(solution);
        }
      }
      const int orientation_at_next =
          solution.report.usable() ? orientation(value_at(next), solution) : 0;
      if (orientation_at_next * orientation_ < 0 && leaps(solution)) {
        if (is_stopped_) return;
        tell_leap(solution);
      }
      if (!solution.report.usable()) {
        step = Way::shorter * (next - part);
        grows = false;
        way_.step_rejected();
        if (step >= Way::least_step) continue;
        way_.fails_after_last(solution.report, fmt::format("at {:.10g}", value_at(next)));
        if (!may_go_by_arclength(value_at(next))) return;
        way_.advise(
            "where a branch turns or ends no step is short enough: arclength = true follows it "
            "around a fold");
        return;
      }
      if (!is_tight && !tighten(solution)) return;
      way_.step_taken();
      tangent_ = std::move(behind);
      if (orientation_at_next != 0) orientation_ = orientation_at_next;
      before = way_.last();
      before_part = part;
      step = grows ? Way::longer * (next - part) : next - part;
      grows = true;
      part = next;
      if (!way_.take(value_at(part), std::move(solution))) return;
      if (part == 1) return way_.reaches_end("reached");
    }
  }

 private:
  double first_step() const {
    const double length = geometric_ ? std::abs(std::log(way_.end() / way_.begin())) : way_.range();
    if (way_.how().first_step) return *way_.how().first_step / length;
    return geometric_ ? std::log(ten) / length : 0.25;
  }

  /// Of the last solution, which was found loosely alone: where it is not found tightly either, no
  /// shorter step would help. @return false where the way ends with that.
  bool tighten(Solution& last) {
    Solution tight = way_.solved(way_.end(), &last, way_.tolerance());
    if (way_.is_stopped(tight)) return false;
    if (!tight.report.usable()) {
      way_.fails_after_last(tight.report, fmt::format("at {:.10g}", way_.end()));
      way_.advise(tight.report.advice);
      return false;
    }
    last = std::move(tight);
    return true;
  }

  double value_at(double part) const {
    const double begin = way_.begin(), end = way_.end();
    if (part >= 1) return end;
    return geometric_ ? begin * std::pow(end / begin, part) : begin + part * (end - begin);
  }

  /// Around a fold where one may be: not at values that the family does not have.
  bool may_go_by_arclength(double value) const {
    return !way_.is_refused() && way_.is_on_interval_of_last(value);
  }

  double part_at(double value) const {
    const double begin = way_.begin(), end = way_.end();
    return geometric_ ? std::log(value / begin) / std::log(end / begin)
                      : (value - begin) / (end - begin);
  }

  /// From a solution to one beside it. None where that is not found, or the way is stopped.
  std::optional<Secant> secant(const Solution& from, double part, double reach) {
    Solution to = way_.solved(value_at(part + reach), &from, way_.loosely());
    is_stopped_ = way_.is_stopped(to);
    if (!to.report.usable()) return {};
    return Secant{from, std::move(to), reach};
  }

  /// Of a step from `part` on that ends on the branch, as tangents have it.
  bool has_middle(const Solution& solution, double part, double next, const Secant& behind) {
    if (geometric_) return true;
    const Solution guess = predicted(way_.last(), solution, -0.5);
    const Solution middle = way_.solved(value_at(0.5 * (part + next)), &guess, way_.loosely());
    is_stopped_ = way_.is_stopped(middle);
    return middle.report.usable() &&
           is_between(ends(solution), next - part, *tangent_, behind, middle);
  }

  ProblemFamily member(double value) const {
    ProblemFamily family = way_.family();
    family.p[way_.entry()] = value;
    return family;
  }

  /// Of linear problems, which have one solution, it is of no interest.
  int orientation(double value, const Solution& solution) const {
    return knows_one_branch_ ? 0 : way_.orientation(member(value), solution);
  }

  /// Of a step to a solution at which the branch is the other way round. A fold would have ended
  /// it.
  bool leaps(const Solution& solution) {
    if (!are_on_one_interval(ends(solution))) return false;
    const VecX sizes = sizes_of(ends(solution));
    const auto part_of = [&](const Solution& of) { return part_at(of.parameters[way_.entry()]); };
    const TurnedStep step{
        .last = way_.last(),
        .next = solution,
        .at_last = orientation_,
        .between =
            [&](const Solution& from, const Solution& to, double of_way) {
              const double there = part_of(from) + of_way * (part_of(to) - part_of(from));
              const Solution guess = predicted(from, to, of_way - 1);
              Solution found = way_.solved(value_at(there), &guess, way_.loosely());
              is_stopped_ = way_.is_stopped(found);
              return found;
            },
        .orientation =
            [&](const Solution& at) { return orientation(at.parameters[way_.entry()], at); },
        .distance = [&](const Solution& a,
                        const Solution& b) { return std::sqrt(product(a, b, a, b, sizes)); },
        .error = [&](const Solution& a, const Solution& b) { return errors_of(a, b, sizes); }};
    return crossing(step, Way::least_step) != Crossing::passed;
  }

  BranchStepEnds ends(const Solution& solution) const {
    return {way_.last(), solution, way_.tolerance()};
  }

  static void tell_leap(Solution& solution) {
    solution.report.termination = Termination::step_too_small;
    solution.report.message =
        "what is found there is far from the last one, as if on another branch";
  }

  static constexpr double beside = 0.1;  ///< Of a step: the length of secants for tangents.

  Way& way_;
  bool geometric_;
  bool knows_one_branch_ = false;
  int orientation_ = 0;              ///< At the last solution where it is known.
  std::optional<Secant> tangent_{};  ///< At the last solution, where it was asked for.
  bool is_stopped_ = false;
};

}  // namespace

void follow_by_parameter(Way& way) { ByParameter(way).run(); }

}  // namespace daewave::bvp
