#include "core/stages/constraint_scan.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace daewave {
namespace {

/// Evaluates the pivots at single points, keeping its memory.
class PivotProbe {
 public:
  explicit PivotProbe(const LinearDae& problem)
      : problem_(problem),
        batch_(problem.nx(), problem.ny(), false),
        bases_(problem.nx(), problem.ny()),
        unused_(problem.ny(), 0) {}

  ConstraintPivots operator()(double t) {
    problem_.evaluate(&t, 1, batch_);
    return bases_.find(batch_.B(0), batch_.C(0), unused_);
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
                    const ConstraintPivots& reference) {
  const double small = 1e-6;
  std::vector<std::string> kinds;
  if (pivots.C < small * reference.C) {
    double least = at.C(0).row(0).norm();
    for (int i = 1; i < at.C(0).rows(); ++i) least = std::min(least, at.C(0).row(i).norm());
    kinds.push_back(least < small * reference.C ? "vanishing row of C" : "dependent rows of C");
  }
  if (pivots.B < small * reference.B) kinds.push_back("rank-deficient B, y may be unbounded");
  if (kinds.empty()) return "projector unbounded: range B meets the null space of C";
  return kinds.size() == 1 ? kinds[0] : kinds[0] + "; " + kinds[1];
}

double ratio(double value, double reference) { return reference > 0 ? value / reference : 0; }

}  // namespace

double relative_pivot(const ConstraintPivots& pivots, const ConstraintPivots& reference) {
  return std::min({ratio(pivots.B, reference.B), ratio(pivots.C, reference.C),
                   ratio(pivots.transversality, reference.transversality)});
}

ConstraintScan scan_constraint(const LinearDae& problem, int samples) {
  const Interval& interval = problem.interval();
  PivotProbe probe(problem);
  ConstraintScan scan;
  std::vector<double> t(samples + 1);
  std::vector<ConstraintPivots> pivots(samples + 1);
  for (int i = 0; i <= samples; ++i) {
    t[i] = i == samples ? interval.end : interval.begin + interval.length() * i / samples;
    pivots[i] = probe(t[i]);
    scan.reference.B = std::max(scan.reference.B, pivots[i].B);
    scan.reference.C = std::max(scan.reference.C, pivots[i].C);
    scan.reference.transversality =
        std::max(scan.reference.transversality, pivots[i].transversality);
    const double norm = probe.coefficients().A(0).cwiseAbs().rowwise().sum().maxCoeff();
    scan.largest_A = std::max(scan.largest_A, norm);
  }
  const ConstraintPivots& reference = scan.reference;
  if (!(std::min({reference.B, reference.C, reference.transversality}) > 1e-12)) {
    throw InvalidProblem(fmt::format(
        "C B is singular on the whole interval (largest pivots: B {:.1e}, C {:.1e}, C B {:.1e}): "
        "the index is not 2; differentiate the constraint, or remove redundant constraints",
        reference.B, reference.C, reference.transversality));
  }
  const auto relative = [&](double at) { return relative_pivot(probe(at), reference); };
  double typical = 0;
  for (int i = 0; i <= samples; ++i) {
    const double value = relative_pivot(pivots[i], reference);
    typical = std::max(typical, value);
    const double before = i > 0 ? relative_pivot(pivots[i - 1], reference) : INFINITY;
    const double after = i < samples ? relative_pivot(pivots[i + 1], reference) : INFINITY;
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
    if (p.transversality > 1e-3 * reference.transversality) {
      scan.obliqueness = std::max(scan.obliqueness, 1 / p.transversality);
    }
  }
  return scan;
}

void check_weight(const LinearDae& problem, const Regularization& regularization, int samples) {
  if (regularization.weight != Weight::identity && regularization.weight != Weight::shifted) return;
  const Interval& interval = problem.interval();
  CoefficientBatch batch(problem.nx(), problem.ny(), false);
  for (int i = 0; i <= samples; ++i) {
    const double t = i == samples ? interval.end : interval.begin + interval.length() * i / samples;
    problem.evaluate(&t, 1, batch);
    const MatX CB = batch.C(0) * batch.B(0);
    const Eigen::EigenSolver<MatX> eigen(CB, false);
    const double least = eigen.eigenvalues().real().minCoeff();
    if (least < -1e-10 * std::max(1.0, CB.cwiseAbs().maxCoeff())) {
      throw InvalidOption(fmt::format(
          "weight = {}: C B has the eigenvalue {:.3g} at t = {:.6g}, so the regularized equation "
          "grows like exp({:.3g} t / epsilon); use weight inverse or transpose",
          name_of(regularization.weight), least, t, -least));
    }
  }
}

}  // namespace daewave
