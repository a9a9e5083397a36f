#include "bvp/continuation/by_arclength.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "bvp/continuation/predicted.hpp"
#include "bvp/continuation/secant_plane.hpp"
#include "core/error.hpp"

namespace daewave::bvp {
namespace {

class ByArclength {
 public:
  explicit ByArclength(Way& way) : way_(way), metric_(way.entry(), way.range()) {}

  void run() {
    Solution before = way_.last();
    if (!step_by_parameter()) return;
    double step = 0;  // 0: as long as the last.
    while (true) {
      if (way_.is_exhausted()) return;
      const VecX sizes = sizes_of(way_.last());
      const double last_length = metric_.distance(way_.last(), before, sizes);
      if (step == 0) step = Way::longer * last_length;
      const Solution guess = predicted(before, way_.last(), step / last_length);
      Solution next = solved_on_plane(guess, before, way_.last(), sizes, way_.loosely());
      if (way_.is_stopped(next)) return;
      double cosine = -1;
      if (next.report.usable()) {
        cosine = metric_.product_of(next, way_.last(), way_.last(), before, sizes) /
                 (metric_.distance(next, way_.last(), sizes) * last_length);
      }
      constexpr double too_curved = 0.8, straight = 0.98, curved = 0.94;
      if (!(cosine > too_curved)) {
        way_.step_rejected();
        step *= Way::shorter;
        if (step >= Way::least_step) continue;
        return way_.fails_after_last(next.report, "beyond it");
      }
      way_.step_taken();
      const double value = value_of(next), last = value_of(way_.last());
      if (is_outside(value)) return ends_at_border(next);
      const bool turns = (value - last) * (last - value_of(before)) < 0;
      if (turns && !find_fold(before, way_.last(), next, sizes)) return;
      before = way_.last();
      if (!way_.take(value, std::move(next))) return;
      step *= cosine > straight ? Way::longer : cosine > curved ? 1 : 0.6;
      step = std::min(step, longest_step);
    }
  }

 private:
  static constexpr double longest_step = 0.5;

  double value_of(const Solution& solution) const { return metric_.value_of(solution); }

  Solution solved_on_plane(const Solution& guess, const Solution& a, const Solution& b,
                           const VecX& sizes, double tolerance) {
    return way_.solved(on_plane(way_.family(), metric_, guess, a, b, sizes), &guess, tolerance);
  }

  void check_interval(double value) const {
    ProblemFamily member = way_.family();
    member.p[way_.entry()] = value;
    Interval interval;
    try {
      interval = member.member(member.p).interval;
    } catch (const Error&) {
      return;  // A value that the family does not have: a shorter step is taken.
    }
    const Mesh& mesh = way_.last().mesh_of_all();
    if (interval.begin == mesh.begin() && interval.end == mesh.end()) return;
    throw InvalidOption(
        fmt::format("arclength: the interval depends on {0}, so that it cannot be unknown; leave "
                    "arclength out, or state the problem on [0, 1] with {0} in its equations",
                    way_.parameter()));
  }

  /// A first step by the parameter gives the direction. False where the way ends there.
  bool step_by_parameter() {
    const double begin = way_.begin(), all = way_.end() - begin;
    const auto& given = way_.how().first_step;
    double first = given ? std::min(0.5, *given / way_.range()) : 0.02;
    const Solution from = way_.last();
    check_interval(begin + first * all);
    while (!way_.is_exhausted()) {
      const double value = begin + first * all;
      Solution solution = way_.solved(value, &from, way_.loosely());
      if (way_.is_stopped(solution)) return false;
      if (solution.report.usable()) {
        way_.step_taken();
        return way_.take(value, std::move(solution));
      }
      way_.step_rejected();
      first *= 0.1;
      if (first < Way::least_step) {
        way_.fails(solution.report, fmt::format("no solution beside {} = {:g}, at {:.10g}",
                                                way_.parameter(), begin, value));
        return false;
      }
    }
    return false;
  }

  bool is_outside(double value) const {
    const double all = way_.end() - way_.begin();
    return (value - way_.end()) * all >= 0 || (value - way_.begin()) * all <= 0;
  }

  /// The parameter passes an end of its range between the last solution and the next.
  void ends_at_border(const Solution& next) {
    const bool at_end = (value_of(next) - way_.end()) * (way_.end() - way_.begin()) >= 0;
    const double value = at_end ? way_.end() : way_.begin();
    const double step = value_of(next) - value_of(way_.last());
    const Solution guess =
        predicted(way_.last(), next, (value - value_of(next)) / (step == 0 ? 1 : step));
    Solution last = way_.solved(value, &guess, way_.tolerance());
    if (way_.is_stopped(last)) return;
    if (!last.report.usable()) {
      return way_.fails_after_last(last.report, fmt::format("at {:.10g}", value));
    }
    if (way_.take(value, std::move(last))) {
      way_.reaches_end(at_end ? "reached"
                              : "where it began reached again, on another part of the branch,");
    }
  }

  /// Where the parameter is largest or least between three solutions: vertices of parabolas over
  /// the length along their secant. @return false where the observer stops.
  bool find_fold(const Solution& before, const Solution& last, const Solution& next,
                 const VecX& sizes) {
    constexpr int most = 6;
    const double length = metric_.distance(next, before, sizes);
    struct Place {
      double s, value;
    };
    const auto place_of = [&](const Solution& solution) {
      return Place{metric_.product_of(solution, last, next, before, sizes) / length,
                   value_of(solution)};
    };
    std::array<Place, 3> places{place_of(before), {0, value_of(last)}, place_of(next)};
    Solution fold;
    for (int i = 0; i < most; ++i) {
      const auto [a, b, c] = places;
      const double left = (b.value - a.value) / (b.s - a.s),
                   right = (c.value - b.value) / (c.s - b.s);
      const double bend = (right - left) / (c.s - a.s);
      const double s = 0.5 * (a.s + b.s) - 0.5 * left / bend;
      if (!(s > a.s && s < c.s) || std::abs(s - b.s) < 1e-6 * length) break;
      const Solution& beside = s > 0 ? next : before;
      const Solution guess = predicted(beside, last, -s / place_of(beside).s);
      Solution found = solved_on_plane(guess, before, next, sizes, way_.tolerance());
      if (!found.report.usable()) break;
      const Place at = place_of(found);
      const bool is_beyond = (at.value - b.value) * bend <= 0;
      const double change = std::abs(at.value - b.value);
      if (is_beyond) {
        fold = std::move(found);
        places = at.s < b.s ? std::array{a, at, b} : std::array{b, at, c};
      } else {
        places = at.s < b.s ? std::array{at, b, c} : std::array{a, b, at};
      }
      if (change <= 0.1 * way_.tolerance() * (std::abs(at.value) + way_.range())) break;
    }
    if (!fold.has_values()) fold = last;
    const double at = value_of(fold);
    return way_.take(at, std::move(fold), true);
  }

  Way& way_;
  BranchMetric metric_;
};

}  // namespace

void follow_by_arclength(Way& way) { ByArclength(way).run(); }

}  // namespace daewave::bvp
