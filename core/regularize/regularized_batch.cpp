#include "core/regularize/regularized_batch.hpp"

#include <cstddef>
#include <optional>

#include "core/not_finite.hpp"
#include "core/problem/foreseen_terms.hpp"
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

Points points_of(const DaeProblem& problem, const RegularizedPoints& at) {
  const std::ptrdiff_t nq = problem.sizes().nq;
  const double* const v = problem.state_size() > nq ? at.x + nq * at.stride : nullptr;
  return {at.count, at.stride, at.t, at.x, v, nullptr};
}

RegularizedBatch::~RegularizedBatch() = default;

std::unique_ptr<RegularizedBatch> regularized_batch(const DaeProblem& problem,
                                                    RegularizedOde& ode) {
  if (!in_lanes(problem, ode.form())) return {};
  const BatchTask task{problem.kind(),
                       problem.sizes(),
                       problem.structure().mass == Structure::Mass::diagonal,
                       ode.form(),
                       &ode,
                       &problem,
                       calls_are_dear(problem)};
  const Simd simd = best_simd();
  if (!supported(simd)) return {};
  Evaluation* const evaluation = problem.evaluation().release();
  return std::unique_ptr<RegularizedBatch>(
      best_of([&](auto set) { return compiled_batch(set, evaluation, task); }, simd));
}

RescuingBatch::RescuingBatch(const BatchTask& task) : task_(task) {}
RescuingBatch::~RescuingBatch() = default;

bool RescuingBatch::is_dear() const { return task_.dear; }
void RescuingBatch::lose_none() { lost_.clear(); }
void RescuingBatch::lose(int point) { lost_.push_back(point); }
bool RescuingBatch::has_lost() const { return !lost_.empty(); }

bool RescuingBatch::rescue(const RegularizedPoints& at, Ask what, const Terms* terms, double* slope,
                           double* carried, double* drift, std::string& failure) {
  std::optional<ForeseenTerms> foreseen;
  if (task_.dear && terms != nullptr) {
    foreseen.emplace(*task_.problem, what, points_of(*task_.problem, at), *terms);
  }
  RegularizedOde& ode = *task_.rescue;
  VecX x(ode.size()), before(ode.carried()), rate(ode.size()), left(ode.carried());
  const auto take = [&at](const double* from, int point, VecX& to) {
    for (int i = 0; i < to.size(); ++i) to[i] = from[i * at.stride + point];
  };
  for (const int point : lost_) {
    take(at.x, point, x);
    take(at.before, point, before);
    if (!ode.evaluate(x, at.t[point], before, rate, left)) {
      failure = ode.failure();
      return false;
    }
    if (!all_finite("x'", rate, at.t[point], failure)) return false;
    for (int i = 0; i < rate.size(); ++i) slope[i * at.stride + point] = rate[i];
    for (int i = 0; i < left.size(); ++i) carried[i * at.stride + point] = left[i];
    if (drift == nullptr) continue;
    double position = 0, velocity = 0;
    ode.residuals(position, velocity);
    *drift = larger(*drift, larger(position, velocity));
  }
  return true;
}

}  // namespace daewave
