#include "bvp/linear/parasitic_growth.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace daewave::bvp {
namespace {

/// log of sum_{j<m} x^j / j!, for x >= 0.
double log_partial_exponential(double x, int m) {
  if (!(x > 0)) return 0;
  double term = 0, sum = 0;  // Both logarithms.
  for (int j = 1; j < m; ++j) {
    term += std::log(x / j);
    sum = std::max(sum, term) + std::log1p(std::exp(-std::abs(sum - term)));
  }
  return sum;
}

}  // namespace

namespace {

constexpr int most_samples = 20000, most_kept = 200;

/// Samples in the middle of `parts` equal parts of every interval, or of every so many of them
/// where these are more than enough.
ParasiticMode sampled(const LinearDae& problem, const ConstraintScan& scan, const Mesh& mesh,
                      int parts) {
  const int stride = (mesh.intervals() + most_samples - 1) / most_samples;
  const int samples = (mesh.intervals() + stride - 1) / stride * parts;
  const int keep_every = (samples + most_kept - 1) / most_kept;
  const int nx = problem.nx(), ny = problem.ny();
  CoefficientBatch batch(nx, ny, false);
  ConstraintBases bases(nx, ny, scan.reference.units);
  MatX unused(ny, 0);
  MatX V(nx, ny);                         // Basis at the last usable sample,
  MatX carried = MatX::Identity(ny, ny);  // and the transported error in it.
  carried /= carried.norm();
  double logarithm = 0;
  bool started = false;
  ParasiticMode mode;
  for (int sample = 0; sample < samples; ++sample) {
    const int i = sample / parts * stride;
    const double h = mesh.step(i), t = mesh.node(i) + (sample % parts + 0.5) / parts * h;
    problem.evaluate(&t, 1, batch);
    const ConstraintPivots pivots = bases.find(batch.B(0), batch.C(0), unused);
    if (relative_pivot(pivots, scan.reference) < 1e-4) continue;
    if (started) {
      carried = bases.WV().partialPivLu().solve(MatX(bases.W() * V)) * carried;
      const double size = std::max(carried.norm(), 1e-300);
      logarithm += std::log(size);
      carried /= size;
    }
    started = true;
    V = bases.V();
    if (sample % keep_every == 0 || sample + 1 == samples) {
      mode.t.push_back(t);
      mode.logarithm.push_back(logarithm);
      mode.step.push_back(h);
    }
  }
  return mode;
}

double most_growth(const ParasiticMode& mode) {
  double least = INFINITY, most = 0;
  for (const double logarithm : mode.logarithm) {
    least = std::min(least, logarithm);
    most = std::max(most, logarithm - least);
  }
  return most;
}

}  // namespace

ParasiticMode parasitic_mode(const LinearDae& problem, const ConstraintScan& scan,
                             const Mesh& mesh) {
  // Smooth in t, but steps may be long beside it: a constraint that turns by more than a right
  // angle within one seems to shrink the mode.
  constexpr double same = 0.1;
  ParasiticMode mode = sampled(problem, scan, mesh, 1);
  for (int parts = 2; parts * mesh.intervals() <= most_samples; parts *= 2) {
    ParasiticMode finer = sampled(problem, scan, mesh, parts);
    const double growth = most_growth(finer);
    const bool agrees = std::abs(growth - most_growth(mode)) <= same * (1 + growth);
    if (agrees && parts * mesh.intervals() >= most_kept) return mode;
    mode = std::move(finer);
  }
  return mode;
}

double ParasiticGrowth::factor() const { return std::exp(std::min(logarithm, 700.0)); }

ParasiticGrowth parasitic_growth(const ParasiticMode& mode, double damping_numerator,
                                 double epsilon, int iterates) {
  std::vector<double> damping(mode.t.size(), 0.0);  // Integral of D up to each point.
  for (std::size_t i = 1; i < mode.t.size(); ++i) {
    const double h = mode.step[i];
    const double rate = std::min(damping_numerator * epsilon / (h * h), 1 / epsilon);
    damping[i] = damping[i - 1] + rate * (mode.t[i] - mode.t[i - 1]);
  }
  ParasiticGrowth growth;
  for (std::size_t from = 0; from < mode.t.size(); ++from) {
    for (std::size_t to = from + 1; to < mode.t.size(); ++to) {
      const double undamped = mode.logarithm[to] - mode.logarithm[from];
      if (undamped <= growth.logarithm) continue;  // Sweeps never amplify more than no damping.
      const double damped = damping[to] - damping[from];
      const double logarithm = undamped - damped + log_partial_exponential(damped, iterates);
      if (logarithm <= growth.logarithm) continue;
      growth.logarithm = logarithm;
      growth.rate = undamped / (mode.t[to] - mode.t[from]);
    }
  }
  return growth;
}

double epsilon_against_growth(const ParasiticMode& mode, double damping_numerator, int iterates,
                              double limit) {
  if (mode.t.empty()) return 0;
  const double h = *std::max_element(mode.step.begin(), mode.step.end());
  const double rate = parasitic_growth(mode, damping_numerator, 1e-300, 1).rate;
  for (double epsilon = rate * h * h / damping_numerator; epsilon > 0 && epsilon < h;
       epsilon *= 1.5) {
    if (parasitic_growth(mode, damping_numerator, epsilon, iterates).factor() <= limit) {
      return epsilon;
    }
  }
  return 0;
}

}  // namespace daewave::bvp
