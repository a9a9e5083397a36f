#include "bvp/residual/unresolved.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "bvp/curve/collocation_values.hpp"

namespace daewave::bvp {
namespace {

constexpr double rounding = residual_rounding;
/// Of residuals that change their sign within an interval, the least that is believed to be left.
constexpr double not_cancelled = 0.3;
constexpr double closest = closest_sides;
double scale_of_time(const Mesh& mesh, double t) {
  return std::max(std::abs(t), mesh.end() - mesh.begin());
}

/// How points in [0, 1] are looked at: the part of smooth right sides, and gaps between points.
struct Pattern {
  std::vector<double> theta;  ///< Increasing.
  VecX gaps;                  ///< Between points, and to both ends; one more than points.
  VecX parts;                 ///< Of the interval that points stand for.
  MatX smooth, fit;           ///< points x 2, both.
  Places places;              ///< In an interval; t is that of the one asked last.
};

class Search {
 public:
  Search(const Mesh& mesh, const Collocation& scheme, const StagePolynomials& polynomials,
         const Residual& residual, const ResidualLimits& limits, int samples, int most,
         LookFor wanted)
      : mesh_(mesh),
        scheme_(scheme),
        polynomials_(polynomials),
        residual_(residual),
        limits_(limits),
        per_time_(samples / (mesh.end() - mesh.begin())),
        most_(most),
        wanted_(wanted) {
    stage_ends_.push_back(0);
    for (const double c : scheme.c) {
      if (c > 0 && c < 1) stage_ends_.push_back(c);
    }
    stage_ends_.push_back(1);
  }

  Unresolved run(const FirstLooks& first_looks) {
    result_.integral.setZero(mesh_.intervals());
    result_.value.setZero(mesh_.intervals());
    if (first_looks) tell(first_looks);
    for (int i = 0; i < mesh_.intervals(); ++i) {
      const double left = mesh_.node(i), h = mesh_.step(i);
      if (is_between_sides(mesh_, i)) continue;
      Pattern& pattern = pattern_of(h);
      Places& places = pattern.places;
      for (std::size_t p = 0; p < pattern.theta.size(); ++p) {
        places.t[p] = left + h * pattern.theta[p];
      }
      residual_(i, places, found_);
      measure(pattern, h, i);
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
    for (int i = 0; i < mesh_.intervals(); ++i) {
      if (is_between_sides(mesh_, i)) continue;
      const Pattern& pattern = pattern_of(mesh_.step(i));
      looks.push_back({i, &pattern.theta, &pattern.places});
    }
    first_looks(std::move(looks));
  }

  double time_scale(double t) const { return scale_of_time(mesh_, t); }

  /// Points that are looked at between two stages in any case. What is wrong between some of many
  /// stages the polynomial through them shows everywhere; close to the nodes is looked always.
  int least_in(int gap) const {
    const auto gaps = static_cast<int>(stage_ends_.size()) - 1;
    if (scheme_.stages == 1) return 2;
    const bool outer = gap == 0 || gap + 1 == gaps, with_ends = polynomials_.count() > gaps;
    if (with_ends && outer) return 1;
    return gaps <= 4 || (wanted_ == LookFor::jumps && !with_ends) ? 1 : gap % 2;
  }

  /// Few patterns serve all intervals of a mesh: of three binary digits.
  static int rounded_up(double wanted) {
    const double unit = std::exp2(std::max(0, std::ilogb(wanted) - 2));
    return static_cast<int>(unit * std::ceil(wanted / unit));
  }

  /// Places for an interval of length h; those of the last one where they serve.
  Pattern& pattern_of(double h) {
    in_gap_.clear();
    for (std::size_t g = 0; g + 1 < stage_ends_.size(); ++g) {
      const double wanted = 0.999 * per_time_ * h * (stage_ends_[g + 1] - stage_ends_[g]);
      const int least = least_in(static_cast<int>(g));
      in_gap_.push_back(std::max(least, wanted > 1 ? rounded_up(wanted) : 0));
    }
    if (last_ != nullptr && last_->first == in_gap_) return last_->second;
    const auto [found, fresh] = patterns_.try_emplace(in_gap_);
    last_ = &*found;
    if (fresh) make(found->second, found->first);
    return found->second;
  }

  void make(Pattern& pattern, const std::vector<int>& in_gap) const {
    std::vector<double>& theta = pattern.theta;
    // Where equations are satisfied nothing is seen.
    const bool at_ends = polynomials_.count() == scheme_.stages || wanted_ == LookFor::everything;
    if (at_ends) theta.push_back(beside_nodes);
    for (std::size_t g = 0; g + 1 < stage_ends_.size(); ++g) {
      const int count = in_gap[g];
      const double from = stage_ends_[g], gap = stage_ends_[g + 1] - from;
      // No symmetric places: some errors have zeros there.
      for (int p = 0; p < count; ++p) {
        theta.push_back(from + gap * (p + 0.4142135623730951) / count);
      }
    }
    if (at_ends) theta.push_back(1 - beside_nodes);
    const auto points = static_cast<Eigen::Index>(theta.size());
    pattern.gaps.resize(points + 1);
    for (Eigen::Index p = 0; p <= points; ++p) {
      const double from = p > 0 ? theta[p - 1] : 0, to = p < points ? theta[p] : 1;
      pattern.gaps[p] = to - from;
    }
    pattern.smooth.resize(points, 2);
    const Eigen::Map<const Eigen::ArrayXd> at(theta.data(), points);
    pattern.smooth.col(0).setOnes();
    for (const double c : polynomials_.points()) pattern.smooth.col(0).array() *= at - c;
    pattern.smooth.col(1) = pattern.smooth.col(0).array() * (2 * at - 1);
    pattern.smooth /= pattern.smooth.cwiseAbs().maxCoeff();
    pattern.parts = 0.5 * (pattern.gaps.head(points) + pattern.gaps.tail(points));
    const MatX weighted = pattern.parts.asDiagonal() * pattern.smooth;
    const Mat<2, 2> normal = weighted.transpose().lazyProduct(pattern.smooth);
    pattern.fit = weighted.lazyProduct(normal.inverse());  // It is symmetric.
    pattern.places = places_at(theta);
    pattern.places.t.resize(theta.size());
  }

  /// The polynomials at theta; t is left out.
  Places places_at(const std::vector<double>& theta) const {
    Places places;
    const Eigen::Map<const VecX> at(theta.data(), static_cast<Eigen::Index>(theta.size()));
    polynomials_.values(at, places.values);
    polynomials_.integrals(at, places.integrals);
    return places;
  }
  /// The residual at some times of interval i, into found_.
  void look_at(int i, const std::vector<double>& t) {
    theta_.resize(static_cast<Eigen::Index>(t.size()));
    for (std::size_t p = 0; p < t.size(); ++p) {
      theta_[static_cast<Eigen::Index>(p)] = (t[p] - mesh_.node(i)) / mesh_.step(i);
    }
    places_.t = t;
    polynomials_.values(theta_, places_.values);
    polynomials_.integrals(theta_, places_.integrals);
    residual_(i, places_, found_);
  }

  /// Of the values found on a pattern in interval i, of length h.
  void measure(const Pattern& pattern, double h, int i) {
    const Eigen::Index points = found_.values.cols();
    for (Eigen::Index r = 0; r < limits_.smooth; ++r) {
      const double *const value = &found_.values(r, 0), *const size = &found_.sizes(r, 0);
      if (std::isfinite(limits_.value[r])) {
        const double most = largest_beyond_rounding(value, size, points);
        result_.value[i] = std::max(result_.value[i], most / limits_.value[r]);
      }
      if (!std::isfinite(limits_.integral[r])) continue;
      double sum = 0, from_left = 0, integral = 0;
      for (Eigen::Index p = 0; p < points; ++p) {
        const double here = std::abs(value[p]) - rounding * size[p];
        if (!(here > 0)) continue;
        const double here_alone = pattern.parts[p] * here;
        sum += here_alone;
        from_left += value[p] > 0 ? here_alone : -here_alone;
        integral = std::max(integral, std::abs(from_left));
      }
      integral = std::max(integral, not_cancelled * sum);
      result_.integral[i] = std::max(result_.integral[i], h * integral / limits_.integral[r]);
    }
  }

  /// 0 where all is rounding; what is not a number does not count.
  static double largest_beyond_rounding(const double* value, const double* size,
                                        Eigen::Index points) {
    constexpr int together = 4;  // None waits for the one before.
    double most[together] = {};
    Eigen::Index p = 0;
    for (; p + together <= points; p += together) {
      for (int e = 0; e < together; ++e) {
        const double here = std::abs(value[p + e]) - rounding * size[p + e];
        most[e] = here > most[e] ? here : most[e];
      }
    }
    for (; p < points; ++p) most[0] = std::max(most[0], std::abs(value[p]) - rounding * size[p]);
    return std::max(std::max(most[0], most[1]), std::max(most[2], most[3]));
  }

  /// Of the values found on a pattern, in an interval of length h, in units of the limits. Leaves
  /// them without their smooth part.
  double excess_of(const Pattern& pattern, double h) {
    using Row = Eigen::Map<Eigen::ArrayXd>;
    const Eigen::Index points = found_.values.cols();
    here_.resize(points + 1);
    double excess = 0;
    for (Eigen::Index r = 0; r < found_.values.rows(); ++r) {
      const double of_integral = limits_.integral[r], of_value = limits_.value[r];
      if (!std::isfinite(of_integral) && !std::isfinite(of_value)) continue;
      Row value(&found_.values(r, 0), points), size(&found_.sizes(r, 0), points);
      value = value.isNaN().select(0.0, value);
      if (r < limits_.smooth) {
        const double first = pattern.fit.col(0).dot(value.matrix());
        const double second = pattern.fit.col(1).dot(value.matrix());
        value -= first * pattern.smooth.col(0).array() + second * pattern.smooth.col(1).array();
      }
      if (std::isfinite(of_value)) {
        excess =
            std::max(excess, largest_beyond_rounding(value.data(), size.data(), points) / of_value);
      }
      if (!std::isfinite(of_integral)) continue;
      here_[0] = 0;
      here_.tail(points) = (value.abs() - rounding * size).max(0.0);
      const double integral =
          (pattern.gaps.head(points).array() * here_.head(points).max(here_.tail(points))).sum() +
          pattern.gaps[points] * here_[points];
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
    const double apart = closest * time_scale(left);
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
    if (h <= 8 * closest * time_scale(left)) return;
    const Pattern& pattern = pattern_of(h);
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

  /// Whether the residual jumps in [low, high], then the two numbers between which it does.
  bool find_jump(int i, double& low, double& high) {
    if (limits_.smooth == 0) return false;
    const double h = high - low;
    std::vector<double> t;
    for (const double theta : pattern_of(h).theta) t.push_back(low + h * theta);
    for (const double c : scheme_.c) t.push_back(c == 1 ? high : low + h * c);
    std::sort(t.begin(), t.end());
    look_at(i, t);
    const VecX unit =
        limits_.integral.head(limits_.smooth).cwiseMin(h * limits_.value.head(limits_.smooth));
    const auto distance = [&](const auto& a, const auto& b) {
      const double most = (a - b).cwiseAbs().cwiseQuotient(unit).maxCoeff();
      return std::isfinite(most) ? most : 0;
    };
    const MatX values = found_.values.topRows(limits_.smooth);
    const double size = found_.sizes.topRows(limits_.smooth)
                            .cwiseQuotient(unit.replicate(1, values.cols()))
                            .maxCoeff();
    // p' turns from one side to the other too, within the neighbours of where f jumps.
    std::vector<std::pair<double, Eigen::Index>> pairs;
    for (Eigen::Index p = 0; p + 1 < values.cols(); ++p) {
      pairs.emplace_back(-distance(values.col(p), values.col(p + 1)), p);
    }
    std::sort(pairs.begin(), pairs.end());
    if (pairs.size() > 4) pairs.resize(4);
    for (const auto& [negative, p] : pairs) {
      const double first = -negative;
      if (first < 0.2 * -pairs[0].first || !(first > 1e3 * rounding * size)) break;
      const auto left = static_cast<std::size_t>(p);
      low = t[left];
      high = t[left + 1];
      VecX of_low = values.col(p), of_high = values.col(p + 1);
      if (!narrow(i, distance, 0.25 * first, of_low, of_high, low, high)) continue;
      if (is_quiet(i, distance, of_low, of_high, low, high)) return true;
      step_aside(i, of_low, of_high, low, high);
      if (is_quiet(i, distance, of_low, of_high, low, high)) return true;
    }
    return false;
  }

  /// Bisects down to two neighbouring numbers; false where the residual is continuous between.
  template <class Distance>
  bool narrow(int i, const Distance& distance, double least, VecX& of_low, VecX& of_high,
              double& low, double& high) {
    while (true) {
      const double middle = 0.5 * (low + high);
      if (!(middle > low && middle < high)) return true;
      middle_.assign(1, middle);
      look_at(i, middle_);
      const auto here = found_.values.col(0).head(limits_.smooth);
      if (distance(of_low, here) >= distance(here, of_high)) {
        high = middle;
        of_high = here;
      } else {
        low = middle;
        of_low = here;
      }
      if (!(distance(of_low, of_high) > least)) return false;
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
  template <class Distance>
  bool is_quiet(int i, const Distance& distance, const VecX& of_low, const VecX& of_high,
                double low, double high) {
    const double apart = 8 * std::numeric_limits<double>::epsilon() * time_scale(low);
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
  const Collocation& scheme_;
  const StagePolynomials& polynomials_;
  const Residual& residual_;
  const ResidualLimits& limits_;
  double per_time_;
  int most_;
  LookFor wanted_;
  std::vector<double> stage_ends_;
  std::vector<int> in_gap_;
  std::map<std::vector<int>, Pattern> patterns_;  ///< By points between two stages.
  std::pair<const std::vector<int>, Pattern>* last_ = nullptr;
  ResidualValues found_;
  Eigen::ArrayXd here_;
  VecX theta_;  ///< Of the times looked at last.
  Places places_;
  std::vector<double> middle_;
  Unresolved result_;
};

}  // namespace

bool is_between_sides(const Mesh& mesh, int i) {
  return mesh.step(i) <= 8 * closest * scale_of_time(mesh, mesh.node(i));
}

Unresolved unresolved(const Mesh& mesh, const Collocation& scheme,
                      const StagePolynomials& polynomials, const Residual& residual,
                      const ResidualLimits& limits, int samples, int most, LookFor wanted,
                      const FirstLooks& first_looks) {
  return Search(mesh, scheme, polynomials, residual, limits, samples, most, wanted)
      .run(first_looks);
}

}  // namespace daewave::bvp
