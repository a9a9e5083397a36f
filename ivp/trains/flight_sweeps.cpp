#include "ivp/trains/flight_sweeps.hpp"

#include <algorithm>
#include <cmath>

#include "core/machine/simd.hpp"
#include "ivp/windows/compiled_windows.hpp"

namespace daewave::ivp {
namespace {

/// Sweeps cost little: they go on until that is left to change, in units of the tolerance.
constexpr double enough_of_model = 0.02;
constexpr int most_of_model = 30;
constexpr double slow_of_model = 0.9, rounding_of_model = 1e-11;

Points point_at(const double* t, const VecX& z, int nq) {
  return {1, 1, t, z.data(), z.data() + nq, nullptr};
}

}  // namespace

FlightSweeps::FlightSweeps(const DaeProblem& problem, const Tolerance& tolerance,
                           double rank_tolerance)
    : tolerance_(tolerance), rank_tolerance_(rank_tolerance), nq_(problem.sizes().nq) {}

std::unique_ptr<FlightSweeps> FlightSweeps::of(const DaeProblem& problem,
                                               const Tolerance& tolerance, double rank_tolerance) {
  const Sizes& n = problem.sizes();
  const Structure& structure = problem.structure();
  const Simd simd = best_simd();
  const bool fits = problem.kind() == Kind::multibody && n.nk == 0 &&
                    structure.constraints == Structure::Constraints::dense &&
                    structure.mass != Structure::Mass::bodies && structure.has_jacobian &&
                    structure.has_curvature && n.nq <= most_on_stack && n.nl() >= 1 &&
                    n.nl() <= n.nq;
  if (!fits || !supported(simd)) return {};
  std::unique_ptr<FlightSweeps> made(new FlightSweeps(problem, tolerance, rank_tolerance));
  const WindowTask task{n, structure.mass == Structure::Mass::diagonal, rank_tolerance};
  auto model = std::make_unique<TermModel>();
  made->model_ = model.get();
  Evaluation* const evaluation = model.release();
  made->sweeps_.reset(
      best_of([&](auto set) { return compiled_windows(set, evaluation, task); }, simd));
  return made;
}

void FlightSweeps::extend(const WindowPolynomial& from, double begin, double ratio,
                          AlignedVector& a) const {
  a.resize(static_cast<std::size_t>(nq_ * nodes));
  sweeps_->extend(from.series.data(), nq_, begin, ratio, a.data());
}

/// As WindowStep does.
void FlightSweeps::weigh(Flight& w) const {
  const double h = w.h, size = std::abs(h);
  w.weight.resize(static_cast<std::size_t>(nq_));
  for (int i = 0; i < nq_; ++i) {
    const double q = w.motion.begin[i], v = w.motion.begin[nq_ + i];
    const double* const a = w.a.data() + i * nodes;
    const double v_middle = v + 0.25 * h * (a[0] + a[3]), v_end = v + 0.5 * h * (a[3] + a[4]);
    const double v_most = std::max(std::abs(v), std::abs(v_middle));
    const double of_v = tolerance_.weight(nq_ + i, v_most, v_end);
    const double of_q = tolerance_.weight(i, q, q + h * v_middle);
    w.weight[static_cast<std::size_t>(i)] = std::max(size / of_v, 0.5 * size * size / of_q);
  }
}

Spectrum FlightSweeps::spectrum(const Flight& w) const {
  Spectrum all;
  for (int i = 0; i < nq_; ++i) {
    const double* const L = w.motion.series.data() + i * nodes;
    const double weight = w.weight[static_cast<std::size_t>(i)];
    const auto size = [&](int k) { return weight * std::max(std::abs(L[k]), std::abs(L[k + 1])); };
    all.top = std::max(all.top, size(6) - weight * 8e-15 * std::abs(L[0]));
    all.upper = std::max(all.upper, size(4));
    all.middle = std::max(all.middle, size(2));
  }
  return all;
}

double FlightSweeps::disagreement(const Flight& w) {
  model_->look_at(w.nodes, *w.slopes);
  again_ = w.a;
  const WindowBegin from{nq_, w.t, w.h, w.motion.begin.data(), w.motion.begin.data() + nq_};
  const Sweep swept = sweeps_->sweep(from, w.weight.data(), again_.data());
  return swept.evaluated && swept.change < INFINITY ? swept.change : -1;
}

bool FlightSweeps::settle(Flight& w, const VecX& begin, const KnownTerms& known,
                          const TermSlopes& slopes) {
  w.motion.begin = begin;
  w.motion.h = w.h;
  weigh(w);
  model_->look_at(known, slopes);
  const WindowBegin from{nq_, w.t, w.h, begin.data(), begin.data() + nq_};
  double before = 0, rate = 0.2, first = 0;
  bool settled = false;
  for (int k = 1; k <= most_of_model && !settled; ++k) {
    const Sweep swept = sweeps_->sweep(from, w.weight.data(), w.a.data());
    if (!swept.evaluated || !(swept.change < INFINITY)) return false;
    w.pivot = swept.pivot;
    if (k == 1) first = swept.change;
    if (k > 1) {
      const double now = before > 0 ? swept.change / before : 0;
      rate = k > 2 ? std::max(now, std::sqrt(now * rate)) : now;
    }
    before = swept.change;
    const double left = rate < 1 ? rate / (1 - rate) * swept.change : INFINITY;
    settled = swept.change == 0 || (k > 1 && left <= enough_of_model) ||
              (k > 2 && rate > 0.5 && swept.change * tolerance_.relative() < rounding_of_model);
    if (k > 3 && !settled && rate > slow_of_model) return false;
  }
  if (!settled) return false;
  w.rate = rate;
  w.change = first * tolerance_.relative();
  w.motion.set_series(w.a);
  const Spectrum decay = spectrum(w);
  w.error = end_error(decay);
  w.inner_error = inner_error(decay);
  return true;
}

bool FlightSweeps::finish(Flight& w, const KnownTerms& nearby, const TermSlopes& slopes,
                          bool on_constraints) {
  const WindowFormula& formula = window_formula();
  const VecX& z = w.motion.begin;
  w.free_end.resize(2 * nq_);
  for (int i = 0; i < nq_; ++i) {
    const double* const a = w.a.data() + i * nodes;
    double once = 0, twice = 0;
    for (int j = 0; j < nodes; ++j) {
      once += formula.b[j] * a[j];
      twice += formula.end[j] * a[j];
    }
    w.free_end[i] = z[i] + w.h * (z[nq_ + i] + w.h * twice);
    w.free_end[nq_ + i] = z[nq_ + i] + w.h * once;
  }
  w.end = w.free_end;
  if (!w.end.allFinite()) return false;
  if (!on_constraints) return true;
  end_model_.look_at(nearby, slopes);
  const double t = w.t + w.h;
  // S-both, twice with one matrix.
  for (int pass = 0; pass < 2; ++pass) {
    const KnownTerms& there = end_model_.at(point_at(&t, w.end, nq_));
    if (pass == 0 && !at_point_.factorize(there, rank_tolerance_)) return false;
    residuals_of(there, position_, velocity_);
    at_point_.correction(position_, move_);
    w.end.head(nq_) -= move_;
    at_point_.correction(velocity_, move_);
    w.end.tail(nq_) -= move_;
  }
  return w.end.allFinite();
}

double FlightSweeps::land(Flight& w) {
  if (!at_point_.factorize(w.at_end, rank_tolerance_)) return -1;
  at_point_.multiplier(w.at_end, w.multiplier);
  residuals_of(w.at_end, position_, velocity_);
  w.drift_position = position_.cwiseAbs().maxCoeff();
  w.drift_velocity = velocity_.cwiseAbs().maxCoeff();
  double most = 0;
  for (const bool of_v : {false, true}) {
    at_point_.correction(of_v ? velocity_ : position_, move_);
    for (int i = 0; i < nq_; ++i) {
      const int entry = of_v ? nq_ + i : i;
      const double off = std::abs(move_[i]) / tolerance_.weight(entry, w.end[entry], w.end[entry]);
      if (!(off <= most)) most = off;
    }
  }
  return most < INFINITY ? most : -1;
}

}  // namespace daewave::ivp
