#include "core/stages/constraint_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/eigenvalues.hpp"
#include "core/error.hpp"

namespace daewave {
namespace {

/// B and C, each side by side, at the points looked at, and what A is like there.
struct Samples {
  std::vector<double> t;
  MatX B, C;
  double largest_A = 0;
  MatX entries_of_A;

  Samples(const LinearDae& problem, int count) : t(count) {
    const Interval& interval = problem.interval();
    const int nx = problem.nx(), ny = problem.ny();
    B.resize(nx, static_cast<Eigen::Index>(ny) * count);
    C.resize(ny, static_cast<Eigen::Index>(nx) * count);
    entries_of_A = MatX::Zero(nx, nx);
    CoefficientBatch batch(nx, ny, false);
    constexpr int together = 64;
    for (int first = 0; first < count; first += together) {
      const int last = std::min(count, first + together);
      for (int i = first; i < last; ++i) {
        t[i] = i + 1 == count ? interval.end : interval.begin + interval.length() * i / (count - 1);
      }
      problem.evaluate(&t[first], last - first, batch);
      for (int i = first; i < last; ++i) {
        const int point = i - first;
        B.middleCols(static_cast<Eigen::Index>(ny) * i, ny) = batch.B(point);
        C.middleCols(static_cast<Eigen::Index>(nx) * i, nx) = batch.C(point);
        const auto A = batch.A(point);
        for (int r = 0; r < nx; ++r) {
          double sum = 0;
          for (int c = 0; c < nx; ++c) {
            const double size = std::abs(A(r, c));
            entries_of_A(r, c) = std::max(entries_of_A(r, c), size);
            sum += size;
          }
          largest_A = std::max(largest_A, sum);
        }
      }
    }
  }

  ConstraintUnits units(int ny) const {
    VecX of_B = VecX::Zero(ny);
    for (Eigen::Index j = 0; j < B.cols(); ++j) {
      of_B[j % ny] = std::max(of_B[j % ny], B.col(j).cwiseAbs().maxCoeff());
    }
    const VecX of_C = C.cwiseAbs().rowwise().maxCoeff();
    return {of_B.unaryExpr(&power_of_two), of_C.unaryExpr(&power_of_two)};
  }

 private:
  /// Of what is zero everywhere: one. Within what has an inverse.
  static double power_of_two(double largest) {
    return largest > 0 ? std::ldexp(1.0, std::clamp(std::ilogb(largest), -1000, 1000)) : 1.0;
  }
};

/// Evaluates the pivots at single points, keeping its memory.
class PivotProbe {
 public:
  PivotProbe(const LinearDae& problem, const ConstraintUnits& units)
      : problem_(problem),
        batch_(problem.nx(), problem.ny(), false),
        bases_(problem.nx(), problem.ny(), units),
        unused_(problem.ny(), 0) {}

  ConstraintPivots operator()(double t) {
    problem_.evaluate(&t, 1, batch_);
    return bases_.find(batch_.B(0), batch_.C(0), unused_);
  }
  /// At point i of those looked at.
  ConstraintPivots operator()(const Samples& samples, int i) {
    const Eigen::Index nx = samples.B.rows(), ny = unused_.rows();
    const auto B = samples.B.middleCols(ny * i, ny);
    const auto C = samples.C.middleCols(nx * i, nx);
    return ny == 1 ? bases_.pivots(B.data(), C.data()) : bases_.find(B, C, unused_);
  }

  const CoefficientBatch& coefficients() const { return batch_; }

 private:
  const LinearDae& problem_;
  CoefficientBatch batch_;
  ConstraintBases bases_;
  MatX unused_;
};

/// Golden section for the minimum of a function that dips once in [left, right].
template <class F>
double minimizer(F f, double left, double right) {
  const double ratio = 0.6180339887498949;
  double a = right - ratio * (right - left), b = left + ratio * (right - left);
  double fa = f(a), fb = f(b);
  for (int step = 0; step < 80 && a < b; ++step) {
    if (fa <= fb) {
      right = b;
      b = a;
      fb = fa;
      a = right - ratio * (right - left);
      fa = f(a);
    } else {
      left = a;
      a = b;
      fa = fb;
      b = left + ratio * (right - left);
      fb = f(b);
    }
  }
  return fa <= fb ? a : b;
}

/// How the constraint loses rank at t: read off B and C there.
std::string kind_of(const CoefficientBatch& at, const ConstraintPivots& pivots,
                    const ConstraintReference& reference) {
  const double small = 1e-6;
  std::vector<std::string> kinds;
  if (pivots.C < small * reference.pivots.C) {
    double least = INFINITY;
    for (int i = 0; i < at.C(0).rows(); ++i) {
      least = std::min(least, (at.C(0).row(i) / reference.units.C[i]).norm());
    }
    const bool vanishes = least < small * reference.pivots.C;
    kinds.push_back(vanishes ? "vanishing row of C" : "dependent rows of C");
  }
  if (pivots.B < small * reference.pivots.B)
    kinds.push_back("rank-deficient B, y may be unbounded");
  if (kinds.empty()) return "projector unbounded: range B meets the null space of C";
  return kinds.size() == 1 ? kinds[0] : kinds[0] + "; " + kinds[1];
}

double ratio(double value, double reference) { return reference > 0 ? value / reference : 0; }

}  // namespace

double relative_pivot(const ConstraintPivots& pivots, const ConstraintReference& reference) {
  const ConstraintPivots& most = reference.pivots;
  return std::min({ratio(pivots.B, most.B), ratio(pivots.C, most.C),
                   ratio(pivots.transversality, most.transversality)});
}

ConstraintScan scan_constraint(const LinearDae& problem, int samples) {
  const Samples sampled(problem, samples + 1);
  const std::vector<double>& t = sampled.t;
  ConstraintScan scan;
  scan.largest_A = sampled.largest_A;
  scan.entries_of_A = sampled.entries_of_A;
  ConstraintReference& reference = scan.reference;
  reference.units = sampled.units(problem.ny());
  PivotProbe probe(problem, reference.units);
  std::vector<ConstraintPivots> pivots(samples + 1);
  ConstraintPivots& most = reference.pivots;
  for (int i = 0; i <= samples; ++i) {
    pivots[i] = probe(sampled, i);
    most.B = std::max(most.B, pivots[i].B);
    most.C = std::max(most.C, pivots[i].C);
    most.transversality = std::max(most.transversality, pivots[i].transversality);
  }
  if (!(std::min({most.B, most.C, most.transversality}) > 1e-12)) {
    throw InvalidProblem(fmt::format(
        "C B is singular on the whole interval (largest pivots, in units of the largest entries: "
        "B {:.1e}, C {:.1e}, C B {:.1e}): the index is not 2; differentiate the constraint, or "
        "remove redundant constraints",
        most.B, most.C, most.transversality));
  }
  const auto relative = [&](double at) { return relative_pivot(probe(at), reference); };
  std::vector<double> values(samples + 1);
  for (int i = 0; i <= samples; ++i) values[i] = relative_pivot(pivots[i], reference);
  for (int i = 0; i <= samples; ++i) {
    const double value = values[i], before = i > 0 ? values[i - 1] : INFINITY;
    const double after = i < samples ? values[i + 1] : INFINITY;
    // A zero between two samples is seen at both and their neighbours; rounding is not. Beside an
    // end there are neighbours on one side only, of which the second one tells.
    const double left = values[i > 0 ? i - 1 : std::min(2, samples)];
    const double right = values[i < samples ? i + 1 : std::max(samples - 2, 0)];
    if (value > 0.75 * std::max(left, right)) continue;
    if (value > before || value >= after) continue;  // A dip ends at its right-most point.
    double low = t[i];
    if (value > 0) {
      low = minimizer(relative, t[std::max(i - 1, 0)], t[std::min(i + 1, samples)]);
      if (relative(low) > value) low = t[i];
    }
    // A zero of any order is met to rounding by the search; a dip that is none stays far above.
    const double depth = relative(low);
    if (depth > 1e-6) continue;
    SingularPoint point;
    point.t = low;
    point.pivot = depth;
    point.kind = kind_of(probe.coefficients(), probe(low), reference);
    scan.singular_points.push_back(std::move(point));
  }
  for (const ConstraintPivots& p : pivots) {
    if (p.transversality > 1e-3 * most.transversality) {
      scan.obliqueness = std::max(scan.obliqueness, 1 / p.transversality);
    }
  }
  return scan;
}

void check_weight(const LinearDae& problem, const Regularization& regularization, int samples) {
  if (regularization.weight != Weight::identity && regularization.weight != Weight::shifted) return;
  const Interval& interval = problem.interval();
  CoefficientBatch batch(problem.nx(), problem.ny(), false);
  std::vector<double> t(samples + 1), least(samples + 1);
  double largest = 0;
  for (int i = 0; i <= samples; ++i) {
    t[i] = i == samples ? interval.end : interval.begin + interval.length() * i / samples;
    problem.evaluate(&t[i], 1, batch);
    const MatX CB = batch.C(0) * batch.B(0);
    least[i] = eigenvalues(CB).real().minCoeff();
    largest = std::max(largest, CB.cwiseAbs().maxCoeff());
  }
  for (int i = 0; i <= samples; ++i) {
    // Where C B vanishes its sign is that of rounding: what is small is told by the whole interval.
    if (!(least[i] < -1e-10 * largest)) continue;
    throw InvalidOption(fmt::format(
        "weight = {}: C B has the eigenvalue {:.3g} at t = {:.6g}, so the regularized equation "
        "grows like exp({:.3g} t / epsilon); use weight inverse or transpose",
        name_of(regularization.weight), least[i], t[i], -least[i]));
  }
}

}  // namespace daewave
