#include "bvp/residual/kinks.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "bvp/curve/collocation_values.hpp"

namespace daewave::bvp {
namespace {

constexpr int sampled = 33;
/// Of fourth differences: times their rounding, and times what they are mostly, where one is more
/// than either; at first and later.
constexpr double above_rounding = 4, above_others_first = 3, above_others = 12;
/// What is left of one around it falls with the distance to a power between these.
constexpr double of_jump = 0.3, of_smooth = 3.6;
/// Distances at which one has been seen.
constexpr int often = 4;
constexpr double as_close = 1e-13;  ///< Points, of the time.

class KinkSearch {
 public:
  KinkSearch(const Mesh& mesh, double length, const StagePolynomials& polynomials,
             const Residual& residual)
      : mesh_(mesh), length_(length), polynomials_(polynomials), residual_(residual) {
    places_.t.resize(sampled);
    places_.polynomials = &at_places_;
  }

  std::optional<double> in(int interval) {
    const double left = mesh_.node(interval), h = mesh_.step(interval);
    const double scale = std::max(std::abs(left), length_);
    double from = beside_nodes, to = 1 - beside_nodes, before = 0, step_before = 0, at = 0;
    int seen = 0;
    bool beside_node = false;
    rounding_.resize(0);
    while (true) {
      const double step = (to - from) / (sampled - 1);
      if (step * h < as_close * scale) break;
      look(interval, from, step);
      if (!find_largest()) return {};
      if (largest_ < above_rounding) break;
      if (largest_ < (seen == 0 ? above_others_first : above_others) * usual_) return {};
      if (seen > 0) {
        const double power = std::log(before / around_) / std::log(step_before / step);
        if (power > of_smooth || (power < of_jump && !beside_node)) return {};
      }
      ++seen;
      // Some of its differences are not there.
      beside_node = from == beside_nodes || to == 1 - beside_nodes;
      at = from + step * largest_at_;
      before = around_;
      step_before = step;
      // The five points of a difference, and one more on both sides.
      from = std::max(beside_nodes, at - 3 * step);
      to = std::min(1 - beside_nodes, at + 3 * step);
    }
    if (seen < often) return {};
    return left + h * at;
  }

 private:
  void look(int interval, double from, double step) {
    const VecX theta = VecX::LinSpaced(sampled, from, from + step * (sampled - 1));
    at_places_.set(polynomials_, theta);
    for (int p = 0; p < sampled; ++p) {
      places_.t[static_cast<std::size_t>(p)] =
          mesh_.node(interval) + mesh_.step(interval) * theta[p];
    }
    residual_(interval, places_, found_);
  }

  /// In units of what rounding makes of a fourth difference. False where the residual is not known
  /// everywhere.
  bool find_largest() {
    constexpr double coefficients = 16;
    if (!found_.values.allFinite() || !found_.sizes.allFinite()) return false;
    // One unit for all distances.
    if (rounding_.size() == 0) {
      rounding_ = coefficients * residual_rounding * found_.sizes.rowwise().maxCoeff();
    }
    VecX differences = VecX::Zero(sampled - 4);
    for (Eigen::Index row = 0; row < found_.values.rows(); ++row) {
      if (!(rounding_[row] > 0)) continue;
      for (int p = 2; p + 2 < sampled; ++p) {
        const auto v = [&](int shift) { return found_.values(row, p + shift); };
        const double fourth = v(-2) - 4 * v(-1) + 6 * v(0) - 4 * v(1) + v(2);
        differences[p - 2] = std::max(differences[p - 2], std::abs(fourth) / rounding_[row]);
      }
    }
    // What is added up does not depend on where between two points it is.
    Eigen::Index p = 0;
    largest_ = differences.maxCoeff(&p);
    around_ = largest_at_ = 0;
    for (Eigen::Index i = std::max<Eigen::Index>(p - 3, 0); i < std::min(p + 4, differences.size());
         ++i) {
      around_ += differences[i];
      largest_at_ += differences[i] * static_cast<double>(i + 2);
    }
    largest_at_ /= around_;
    const auto middle = differences.data() + differences.size() / 2;
    std::nth_element(differences.data(), middle, differences.data() + differences.size());
    usual_ = *middle;
    return true;
  }

  const Mesh& mesh_;
  double length_;  ///< Of the interval of the problem.
  const StagePolynomials& polynomials_;
  const Residual& residual_;
  PolynomialsAt at_places_;
  Places places_;
  ResidualValues found_;
  VecX rounding_;                                ///< Of fourth differences, by row of the residual.
  double largest_ = 0, usual_ = 0, around_ = 0;  ///< Fourth differences.
  double largest_at_ = 0;                        ///< Of the points.
};

}  // namespace

std::vector<double> kinks(const Mesh& mesh, const StagePolynomials& polynomials,
                          const Residual& residual, const std::vector<int>& intervals) {
  return kinks(mesh, mesh.end() - mesh.begin(), polynomials, residual, intervals);
}

std::vector<double> kinks(const Mesh& mesh, double length, const StagePolynomials& polynomials,
                          const Residual& residual, const std::vector<int>& intervals) {
  KinkSearch search(mesh, length, polynomials, residual);
  std::vector<double> found;
  for (const int interval : intervals) {
    if (const auto t = search.in(interval)) found.push_back(*t);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace daewave::bvp
