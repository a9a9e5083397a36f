#include "core/regularize/regularized_batch.hpp"

#include "core/not_finite.hpp"
#include "core/regularize/compiled_batches.hpp"

namespace daewave {
namespace {

bool in_lanes(const DaeProblem& problem, const Regularization& form) {
  const Sizes& n = problem.sizes();
  const Structure& structure = problem.structure();
  if (problem.kind() != Kind::multibody && problem.kind() != Kind::index_2) return false;
  if (structure.constraints != Structure::Constraints::dense ||
      structure.mass == Structure::Mass::bodies || !structure.has_jacobian) {
    return false;
  }
  if (n.nq > most_on_stack || n.nk > 0 || n.ny < 1 || n.ny > n.nq) return false;
  return problem.kind() == Kind::index_2 || form.variant != Variant::baumgarte_form ||
         form.alpha1 == 0 || form.weight == Weight::inverse;
}

}  // namespace

RegularizedBatch::~RegularizedBatch() = default;

std::unique_ptr<RegularizedBatch> regularized_batch(const DaeProblem& problem,
                                                    RegularizedOde& ode) {
  if (!in_lanes(problem, ode.form())) return {};
  const BatchTask task{problem.kind(), problem.sizes(),
                       problem.structure().mass == Structure::Mass::diagonal, ode.form(), &ode};
  const Simd simd = best_simd();
  if (!supported(simd)) return {};
  Evaluation* const evaluation = problem.evaluation().release();
  return std::unique_ptr<RegularizedBatch>(
      best_of([&](auto set) { return compiled_batch(set, evaluation, task); }, simd));
}

bool rescue_point(RegularizedOde& ode, const RegularizedPoints& at, int point, double* slope,
                  double* carried, std::string& failure) {
  const auto take = [&](const double* from, int rows) {
    VecX to(rows);
    for (int i = 0; i < rows; ++i) to[i] = from[i * at.stride + point];
    return to;
  };
  VecX rate(ode.size()), left(ode.carried());
  const double t = at.t[point];
  if (!ode.evaluate(take(at.x, ode.size()), t, take(at.before, ode.carried()), rate, left)) {
    failure = ode.failure();
    return false;
  }
  if (!all_finite("x'", rate, t, failure)) return false;
  for (int i = 0; i < rate.size(); ++i) slope[i * at.stride + point] = rate[i];
  for (int i = 0; i < left.size(); ++i) carried[i * at.stride + point] = left[i];
  return true;
}

}  // namespace daewave
