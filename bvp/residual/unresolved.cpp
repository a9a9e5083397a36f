#include "bvp/residual/unresolved.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "bvp/residual/look_kernel.hpp"
#include "core/time/closest_nodes.hpp"

namespace daewave::bvp {
namespace {

constexpr double rounding = residual_rounding;
/// Of residuals that change their sign within an interval, the least that is believed to be left.
constexpr double not_cancelled = 0.3;

class Search {
 public:
  Search(const Mesh& mesh, const Collocation& scheme, const StagePolynomials& polynomials,
         const Residual& residual, const ResidualLimits& limits, int samples, int most,
         LookFor wanted, const MeshPart& part)
      : mesh_(mesh),
        part_(part),
        scheme_(scheme),
        polynomials_(polynomials),
        residual_(residual),
        limits_(limits),
        most_(most),
        wanted_(wanted),
        patterns_(scheme, polynomials, samples / part.length, wanted) {}

  Unresolved run(const FirstLooks& first_looks) {
    const auto [begin, end] = part_.intervals;
    result_.integral.setZero(end - begin);
    result_.value.setZero(end - begin);
    if (first_looks) tell(first_looks);
    for (int i = begin; i < end; ++i) {
      const double left = mesh_.node(i), h = mesh_.step(i);
      if (is_between_sides(mesh_, i, part_.length)) {
        measure_sides(i);
        continue;
      }
      const LookPattern& pattern = patterns_.of(h);
      places_.t.resize(pattern.theta.size());
      std::transform(pattern.theta.begin(), pattern.theta.end(), places_.t.begin(),
                     [&](double theta) { return left + h * theta; });
      places_.polynomials = &pattern.at;
      places_.with_stages = &pattern.with_stages;
      residual_(i, places_, found_);
      measure(pattern, h, i - begin);
      const double excess = excess_of(pattern, h);
      if (excess > result_.worst) {
        result_.worst = excess;
        result_.at = left + 0.5 * h;
      }
      if (excess > 1) split(i, left, mesh_.node(i + 1), 0);
    }
    std::sort(result_.nodes.begin(), result_.nodes.end());
    std::sort(result_.jumps.begin(), result_.jumps.end());
    return std::move(result_);
  }

 private:
  void tell(const FirstLooks& first_looks) {
    std::vector<FirstLook> looks;
    for (int i = part_.intervals.begin; i < part_.intervals.end; ++i) {
      if (is_between_sides(mesh_, i, part_.length)) continue;
      const LookPattern& pattern = patterns_.of(mesh_.step(i));
      looks.push_back({i, &pattern.theta, &pattern.at});
    }
    first_looks(std::move(looks));
  }

  double closest_at(double t) const { return closest_nodes(t, part_.length); }

  /// The residual at some times of interval i, into found_.
  void look_at(int i, const std::vector<double>& t) {
    theta_.resize(static_cast<Eigen::Index>(t.size()));
    for (std::size_t p = 0; p < t.size(); ++p) {
      theta_[static_cast<Eigen::Index>(p)] = (t[p] - mesh_.node(i)) / mesh_.step(i);
    }
    places_.t = t;
    at_times_.set(polynomials_, theta_);
    places_.polynomials = &at_times_;
    places_.with_stages = nullptr;
    residual_(i, places_, found_);
  }

  ResidualRow row(Eigen::Index r) {
    return {&found_.values(r, 0), &found_.sizes(r, 0), static_cast<int>(found_.values.cols()),
            rounding};
  }

  /// Of the values found on a pattern in interval i of those looked at, of length h.
  void measure(const LookPattern& pattern, double h, int i) {
    if (found_.values.cols() == 0) return;
    for (Eigen::Index r = 0; r < limits_.smooth; ++r) {
      const double of_integral = limits_.integral[r], of_value = limits_.value[r];
      if (!std::isfinite(of_integral) && !std::isfinite(of_value)) continue;
      const RowMeasure found = measure_row(row(r), pattern.parts.data());
      if (std::isfinite(of_value)) {
        result_.value[i] = std::max(result_.value[i], found.largest / of_value);
      }
      if (!std::isfinite(of_integral)) continue;
      const double integral = std::max(found.most, not_cancelled * found.sum);
      result_.integral[i] = std::max(result_.integral[i], h * integral / of_integral);
    }
  }

  /// Between the sides of a jump there is nothing to be resolved. But it is an error where rounding
  /// of times, far from zero, keeps them that far apart.
  void measure_sides(int i) {
    constexpr double negligible = 1e-11;
    const double left = mesh_.node(i), h = mesh_.step(i);
    if (h <= negligible * part_.length) return;
    look_at(i, {left + 0.25 * h, left + 0.5 * h, left + 0.75 * h});
    for (Eigen::Index r = 0; r < limits_.smooth && found_.values.cols() > 0; ++r) {
      const double most = found_.values.row(r).cwiseAbs().maxCoeff();
      double& error = result_.integral[i - part_.intervals.begin];
      if (most < INFINITY) error = std::max(error, h * most / limits_.integral[r]);
    }
  }

  /// Of the values found on a pattern, in an interval of length h, in units of the limits. Leaves
  /// them without their smooth part.
  double excess_of(const LookPattern& pattern, double h) {
    if (found_.values.cols() == 0) return 0;
    here_.resize(found_.values.cols() + 2);
    double excess = 0;
    for (Eigen::Index r = 0; r < found_.values.rows(); ++r) {
      const double of_integral = limits_.integral[r], of_value = limits_.value[r];
      if (!std::isfinite(of_integral) && !std::isfinite(of_value)) continue;
      forget_unknown(row(r));
      if (r < limits_.smooth) take_smooth(row(r), pattern.fit.data(), pattern.smooth.data());
      if (std::isfinite(of_value)) excess = std::max(excess, largest_of_row(row(r)) / of_value);
      if (!std::isfinite(of_integral)) continue;
      const double integral = bound_of_integral(row(r), pattern.gaps.data(), here_.data());
      excess = std::max(excess, h * integral / of_integral);
    }
    return excess;
  }

  /// Adds nodes within [left, right] of interval i, which is not resolved.
  void split(int i, double left, double right, int depth) {
    constexpr int deepest = 40;
    if (depth > deepest || static_cast<int>(result_.nodes.size()) >= most_) return;
    double low = left, high = right;
    double before = 0.5 * (left + right), behind = before;  // Ends of the two parts.
    const double apart = closest_at(left);
    if (find_jump(i, low, high)) {
      // A stage on a node sees what is on one side of the jump: two nodes where both ends have one.
      behind = scheme_.starts_at_node() || !scheme_.ends_at_node() ? high : low;
      before = scheme_.starts_at_node() ? high - apart : behind;
      if (before != behind) add_jump(before, left, right);
      add_jump(behind, left, right);
    } else if (right - left > 8 * apart && wanted_ == LookFor::everything) {
      result_.nodes.push_back(before);
    }
    if (wanted_ == LookFor::jumps) return;
    halve(i, left, before, depth + 1);
    halve(i, behind, right, depth + 1);
  }

  void add_jump(double t, double left, double right) {
    if (t > left && t < right) result_.nodes.push_back(t);
    result_.jumps.push_back(t);
  }

  /// Looks at a part of interval i as if it had stages of its own.
  void halve(int i, double left, double right, int depth) {
    const double h = right - left;
    if (h <= 8 * closest_at(left)) return;
    const LookPattern& pattern = patterns_.of(h);
    std::vector<double> t;
    for (const double theta : pattern.theta) t.push_back(left + h * theta);
    for (const double c : scheme_.c) t.push_back(left + h * c);
    look_at(i, t);
    const auto points = static_cast<Eigen::Index>(pattern.theta.size());
    const StagePolynomials through_stages(scheme_.c);
    MatX weights(scheme_.stages, points);
    for (Eigen::Index p = 0; p < points; ++p) {
      weights.col(p) = through_stages.values(pattern.theta[static_cast<std::size_t>(p)]);
    }
    const Eigen::Index rows = limits_.smooth;
    RowsOfPoints values = found_.values.leftCols(points), sizes = found_.sizes.leftCols(points);
    values.topRows(rows) -= found_.values.topRightCorner(rows, scheme_.stages) * weights;
    // A constraint that is not met is no matter of this right side.
    values.bottomRows(values.rows() - rows).setZero();
    found_.values = std::move(values);
    found_.sizes = std::move(sizes);
    if (excess_of(pattern, h) > 1) split(i, left, right, depth);
  }

  /// Times on both sides of what may be a jump, and the residual there.
  struct Sides {
    double low, high;
    VecX of_low, of_high;
    double least;  ///< By which the residual jumps, if it does.
  };

  /// Whether the residual jumps in [low, high], then the two numbers between which it does.
  bool find_jump(int i, double& low, double& high) {
    if (limits_.smooth == 0) return false;
    const double h = high - low;
    unit_ = limits_.integral.head(limits_.smooth).cwiseMin(h * limits_.value.head(limits_.smooth));
    std::vector<Sides> suspects = suspected(i, low, high);
    if (suspects.empty()) return false;
    // Mostly two bisections tell that there is none: those of all in one call.
    times_.clear();
    for (const Sides& one : suspects) {
      const double middle = 0.5 * (one.low + one.high);
      times_.insert(times_.end(), {0.5 * (one.low + middle), middle, 0.5 * (middle + one.high)});
    }
    look_at(i, times_);
    const std::vector<double> quarters = times_;
    const MatX at_quarters = found_.values.topRows(limits_.smooth);
    for (std::size_t k = 0; k < suspects.size(); ++k) {
      Sides& one = suspects[k];
      const auto first = static_cast<Eigen::Index>(3 * k);
      const auto halves = [&](Eigen::Index quarter) {
        return halve_sides(one, quarters[static_cast<std::size_t>(first + quarter)],
                           at_quarters.col(first + quarter));
      };
      if (!halves(1) || !halves(one.low < quarters[3 * k + 1] ? 0 : 2) || !narrow(i, one)) continue;
      low = one.low;
      high = one.high;
      if (is_quiet(i, one.of_low, one.of_high, low, high)) return true;
      step_aside(i, one.of_low, one.of_high, low, high);
      if (is_quiet(i, one.of_low, one.of_high, low, high)) return true;
    }
    return false;
  }

  /// Neighbours among points and stages of [low, high] between which the residual changes most.
  std::vector<Sides> suspected(int i, double low, double high) {
    const double h = high - low;
    times_.clear();
    for (const double theta : patterns_.of(h).theta) times_.push_back(low + h * theta);
    for (const double c : scheme_.c) times_.push_back(c == 1 ? high : low + h * c);
    std::sort(times_.begin(), times_.end());
    look_at(i, times_);
    const auto values = found_.values.topRows(limits_.smooth);
    double size = 0;
    for (Eigen::Index r = 0; r < limits_.smooth; ++r) {
      size = std::max(size, found_.sizes.row(r).maxCoeff() / unit_[r]);
    }
    // p' turns from one side to the other too, within the neighbours of where f jumps.
    std::vector<std::pair<double, Eigen::Index>> pairs;
    for (Eigen::Index p = 0; p + 1 < values.cols(); ++p) {
      pairs.emplace_back(-distance(values.col(p), values.col(p + 1)), p);
    }
    std::sort(pairs.begin(), pairs.end());
    if (pairs.size() > 4) pairs.resize(4);
    std::vector<Sides> suspects;
    for (const auto& [negative, p] : pairs) {
      const double first = -negative;
      if (first < 0.2 * -pairs[0].first || !(first > 1e3 * rounding * size)) break;
      const auto left = static_cast<std::size_t>(p);
      suspects.push_back(
          {times_[left], times_[left + 1], values.col(p), values.col(p + 1), 0.25 * first});
    }
    return suspects;
  }

  /// Of residuals at two times, in the unit of what is small.
  template <class A, class B>
  double distance(const A& a, const B& b) const {
    const double most = (a - b).cwiseAbs().cwiseQuotient(unit_).maxCoeff();
    return std::isfinite(most) ? most : 0;
  }

  /// Takes the half in which the residual changes more; false where it is continuous between.
  template <class Values>
  bool halve_sides(Sides& sides, double middle, const Values& here) const {
    if (distance(sides.of_low, here) >= distance(here, sides.of_high)) {
      sides.high = middle;
      sides.of_high = here;
    } else {
      sides.low = middle;
      sides.of_low = here;
    }
    return distance(sides.of_low, sides.of_high) > sides.least;
  }

  /// Bisects down to two neighbouring numbers; false where the residual is continuous between.
  bool narrow(int i, Sides& sides) {
    while (true) {
      const double middle = 0.5 * (sides.low + sides.high);
      if (!(middle > sides.low && middle < sides.high)) return true;
      times_.assign(1, middle);
      look_at(i, times_);
      if (!halve_sides(sides, middle, found_.values.col(0).head(limits_.smooth))) return false;
    }
  }

  /// At the jump itself f may be something between, as sign(0) is.
  void step_aside(int i, VecX& of_low, VecX& of_high, double& low, double& high) {
    low = std::max(std::nextafter(low, -INFINITY), mesh_.node(i));
    high = std::min(std::nextafter(high, INFINITY), mesh_.node(i + 1));
    look_at(i, {low, high});
    of_low = found_.values.col(0).head(limits_.smooth);
    of_high = found_.values.col(1).head(limits_.smooth);
  }

  /// Whether the residual is much the same on either side: rounding jumps too, but everywhere.
  bool is_quiet(int i, const VecX& of_low, const VecX& of_high, double low, double high) {
    const double apart =
        8 * std::numeric_limits<double>::epsilon() * std::max(std::abs(low), part_.length);
    std::vector<double> t;
    for (const int steps : {1, 3, 6, 10}) {
      t.push_back(std::max(low - steps * apart, mesh_.node(i)));
      t.push_back(std::min(high + steps * apart, mesh_.node(i + 1)));
    }
    look_at(i, t);
    const double noise = 0.2 * distance(of_low, of_high);
    for (Eigen::Index p = 0; p < found_.values.cols(); ++p) {
      const auto here = found_.values.col(p).head(limits_.smooth);
      if (distance(here, p % 2 == 0 ? of_low : of_high) > noise) return false;
    }
    return true;
  }

  const Mesh& mesh_;
  const MeshPart& part_;
  const Collocation& scheme_;
  const StagePolynomials& polynomials_;
  const Residual& residual_;
  const ResidualLimits& limits_;
  int most_;
  LookFor wanted_;
  LookPatterns patterns_;
  ResidualValues found_;
  VecX here_;
  VecX theta_;  ///< Of the times looked at last.
  PolynomialsAt at_times_;
  Places places_;
  std::vector<double> times_;
  VecX unit_;  ///< Of the residual, where a jump is looked for.
  Unresolved result_;
};

}  // namespace

bool is_between_sides(const Mesh& mesh, int i, double length) {
  return mesh.step(i) <= 8 * closest_nodes(mesh.node(i), length);
}

bool is_between_sides(const Mesh& mesh, int i) {
  return is_between_sides(mesh, i, mesh.end() - mesh.begin());
}

Unresolved unresolved(const Mesh& mesh, const Collocation& scheme,
                      const StagePolynomials& polynomials, const Residual& residual,
                      const ResidualLimits& limits, int samples, int most, LookFor wanted,
                      const FirstLooks& first_looks) {
  return unresolved(mesh, {{0, mesh.intervals()}, mesh.end() - mesh.begin()}, scheme, polynomials,
                    residual, limits, samples, most, wanted, first_looks);
}

Unresolved unresolved(const Mesh& mesh, const MeshPart& part, const Collocation& scheme,
                      const StagePolynomials& polynomials, const Residual& residual,
                      const ResidualLimits& limits, int samples, int most, LookFor wanted,
                      const FirstLooks& first_looks) {
  return Search(mesh, scheme, polynomials, residual, limits, samples, most, wanted, part)
      .run(first_looks);
}

}  // namespace daewave::bvp
