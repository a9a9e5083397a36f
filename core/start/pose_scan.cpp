#include "core/start/pose_scan.hpp"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

namespace daewave {
namespace {

constexpr double step = 0.04;
constexpr int steps = 500;
/// Singular values below this part of the largest are zero; beside such a pose they grow like the
/// distance from it.
constexpr double is_zero = 1e-6, may_be_zero = 0.1;

/// How far a pose is moved to see the sizes of rows that vanish in it, and how often.
constexpr double aside = 0.3;
constexpr int poses_aside = 3;

/// Units of rows and coordinates in which the entries of G are of one size: it mixes lengths and
/// angles, so that its singular values, and what is straight, depend on the units of both.
struct OwnUnits {
  VecX rows, coordinates;

  /// @param sizes  of the entries of G.
  OwnUnits(MatX sizes, const VecX& q)
      : rows(VecX::Ones(sizes.rows())), coordinates(VecX::Ones(sizes.cols())) {
    constexpr int passes = 5;
    for (int pass = 0; pass < passes; ++pass) {
      for (int j = 0; j < sizes.cols(); ++j) scale(sizes.col(j), coordinates[j]);
      for (int i = 0; i < sizes.rows(); ++i) scale(sizes.row(i), rows[i]);
    }
    const double size = usual_size(q.cwiseQuotient(coordinates));
    coordinates *= size;
    rows /= size;
  }

 private:
  template <class Line>
  static void scale(Line&& line, double& unit) {
    const double length = line.norm();
    if (!(length > 0)) return;
    line /= length;
    unit /= length;
  }

  /// The middle one of those that are not 0: of a mechanism positions or quaternions, which are as
  /// large as it is, and not angles, which may have any size.
  static double usual_size(const VecX& q) {
    std::vector<double> sizes;
    const double least = 1e-6 * q.lpNorm<Eigen::Infinity>();
    for (const double one : q) {
      if (std::abs(one) > least) sizes.push_back(std::abs(one));
    }
    if (sizes.empty()) return 1;
    const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
    std::nth_element(sizes.begin(), middle, sizes.end());
    return *middle;
  }
};

/// Coordinates and rows are in their own units.
class Scan {
 public:
  Scan(const DaeProblem& problem, double t)
      : problem_(problem), evaluation_(problem.evaluation()), t_(t), v_(VecX::Zero(size())) {
    row_unit_.setOnes(problem.sizes().ny);
    unit_.setOnes(size());
  }

  PoseScan all(const VecX& start) {
    take_units(start);
    const VecX q = start.cwiseQuotient(unit_);
    look_at(q);
    note(q);
    constexpr int most_directions = 6;
    const MatX free = svd_.matrixV().rightCols(size() - rank());
    found_.directions = std::min(most_directions, static_cast<int>(free.cols()));
    for (int k = 0; k < found_.directions; ++k) {
      follow(q, free.col(k));
      follow(q, -free.col(k));
    }
    found_.units = unit_;
    return std::move(found_);
  }

 private:
  int size() const { return problem_.sizes().nq; }

  void take_units(const VecX& q) {
    evaluate(q);
    MatX most = G_.cwiseAbs();
    if (!most.allFinite()) return;
    const VecX moves = aside * OwnUnits(most, q).coordinates;
    for (int k = 1; k <= poses_aside; ++k) {
      VecX away = q;
      for (int i = 0; i < size(); ++i) away[i] += std::sin(1.0 + k * (2.3 * i + 0.7)) * moves[i];
      evaluate(away);
      if (G_.allFinite()) most = most.cwiseMax(G_.cwiseAbs());
    }
    const OwnUnits own(most, q);
    unit_ = own.coordinates;
    row_unit_ = own.rows;
  }

  void evaluate(const VecX& own) {
    const VecX q = own.cwiseProduct(unit_);
    const Points at{1, 1, &t_, q.data(), v_.data(), nullptr};
    const Terms& terms = evaluation_->evaluate(Ask::G | Ask::g, at);
    const Sizes& sizes = problem_.sizes();
    G_ = Eigen::Map<const MatX>(terms.G, sizes.nl(), sizes.nq).topRows(sizes.ny);
    G_ = row_unit_.asDiagonal() * G_ * unit_.asDiagonal();
    g_ = row_unit_.cwiseProduct(Eigen::Map<const VecX>(terms.g, sizes.ny));
  }
  /// @return  the smallest singular value over the largest.
  double look_at(const VecX& q) {
    evaluate(q);
    if (!G_.allFinite()) return 1;
    svd_.compute(G_, Eigen::ComputeThinU | Eigen::ComputeFullV);
    const VecX& values = svd_.singularValues();
    return values[0] > 0 ? values[values.size() - 1] / values[0] : 0;
  }
  int rank() const {
    const VecX& values = svd_.singularValues();
    return static_cast<int>((values.array() > is_zero * values[0]).count());
  }

  /// By Newton's method, along what changes constraints by more than rounding.
  bool correct(VecX& q) {
    for (int k = 0; k < 15; ++k) {
      look_at(q);
      if (!g_.allFinite()) return false;
      if (g_.lpNorm<Eigen::Infinity>() < 1e-12 * (1 + q.lpNorm<Eigen::Infinity>())) return true;
      svd_.setThreshold(1e-4);
      const VecX d = svd_.solve(g_);
      svd_.setThreshold(Eigen::Default);
      if (d.norm() > 2 * step) return false;
      q -= d;
    }
    return g_.lpNorm<Eigen::Infinity>() < 1e-8;
  }

  /// Where the smallest value is the least between two poses.
  void refine(VecX low, VecX high) {
    const auto value_at = [&](double part, VecX& q) {
      q = (1 - part) * low + part * high;
      return correct(q) ? look_at(q) : 1.0;
    };
    constexpr double golden = 0.3819660112501051;
    double a = 0, b = 1;
    VecX q;
    for (int k = 0; k < 45; ++k) {
      const double x = a + golden * (b - a), y = b - golden * (b - a);
      if (value_at(x, q) < value_at(y, q)) {
        b = y;
      } else {
        a = x;
      }
    }
    value_at((a + b) / 2, q);
    note(q);
  }

  void note(const VecX& q) {
    if (look_at(q) > is_zero) return;
    for (const MatX& known : known_) {
      if ((known - G_).lpNorm<Eigen::Infinity>() < 1e-4) return;
    }
    known_.push_back(G_);
    found_.poses.push_back({q.cwiseProduct(unit_), rank()});
  }

  void follow(VecX q, VecX direction) {
    constexpr std::size_t most_poses = 50;
    VecX before = q, two_before = q;
    double value = look_at(q), value_before = value;
    for (int k = 0; k < steps && found_.poses.size() < most_poses; ++k) {
      const MatX reached = svd_.matrixV().leftCols(rank());
      direction -= (reached * (reached.transpose() * direction)).eval();
      if (!(direction.norm() > 1e-3)) return;
      direction.normalize();
      two_before = before;
      before = q;
      q += step * direction;
      if (!correct(q)) return;
      const double now = look_at(q);
      if (value <= value_before && value < now && value < may_be_zero) refine(two_before, q);
      value_before = value;
      value = now;
      look_at(q);
    }
  }

  const DaeProblem& problem_;
  std::unique_ptr<Evaluation> evaluation_;
  double t_;
  VecX v_, g_;
  VecX row_unit_, unit_;
  MatX G_;
  Eigen::JacobiSVD<MatX> svd_;
  std::vector<MatX> known_;
  PoseScan found_;
};

}  // namespace

PoseScan scan_poses(const DaeProblem& problem, const VecX& state, double t) {
  constexpr int most_coordinates = 100;
  const Sizes& sizes = problem.sizes();
  const bool fits = problem.has_velocity() && sizes.ny > 0 && sizes.nq <= most_coordinates &&
                    problem.structure().constraints == Structure::Constraints::dense;
  if (!fits) return {};
  return Scan(problem, t).all(state.head(sizes.nq));
}

}  // namespace daewave
