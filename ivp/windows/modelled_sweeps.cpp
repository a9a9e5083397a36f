#include "ivp/windows/modelled_sweeps.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/machine/simd.hpp"
#include "core/problem/dear_calls.hpp"
#include "ivp/windows/compiled_windows.hpp"

namespace daewave::ivp {
namespace {

constexpr int nodes = WindowFormula::nodes;
/// Sweeps of the model go on until that is left to change, in units of the tolerance.
constexpr double enough_of_model = 0.02;
constexpr int most_of_model = 30;
/// Where they contract slower, the model is left.
constexpr double slow_of_model = 0.8;

}  // namespace

std::unique_ptr<ModelledSweeps> ModelledSweeps::of(const DaeProblem& problem,
                                                   double rank_tolerance) {
  const Structure& structure = problem.structure();
  if (!calls_are_dear(problem) || !has_sweeps_in_lanes(problem)) return nullptr;
  if (structure.constraints != Structure::Constraints::dense) return nullptr;
  const WindowTask task{problem.sizes(),
                        structure.mass == Structure::Mass::diagonal,
                        structure.mass_constant,
                        false,
                        rank_tolerance,
                        pivots_of_windows,
                        false};
  const auto compiled = [&task](Evaluation* evaluation) {
    return std::unique_ptr<WindowSweeps>(
        best_of([&](auto set) { return compiled_windows(set, evaluation, task); }, best_simd()));
  };
  std::unique_ptr<ModelledSweeps> made(new ModelledSweeps());
  made->remembered_ = new RememberedTerms(problem.evaluation(), problem.sizes(), structure);
  made->sweeps_ = compiled(made->remembered_);
  made->of_model_ = compiled(new TermModel(*made->remembered_));
  return made;
}

/// Whether it is another window than that of the sweep before.
bool ModelledSweeps::begins(const WindowBegin& from) {
  const auto nq = static_cast<std::size_t>(from.nq);
  const bool same = known_ && t_ == from.t && h_ == from.h && z_.size() == 2 * nq &&
                    std::equal(from.q, from.q + nq, z_.begin()) &&
                    std::equal(from.v, from.v + nq, z_.begin() + from.nq);
  t_ = from.t;
  h_ = from.h;
  z_.resize(2 * nq);
  std::copy_n(from.q, nq, z_.begin());
  std::copy_n(from.v, nq, z_.begin() + from.nq);
  return !same;
}

Sweep ModelledSweeps::sweep(const WindowBegin& from, const double* weight, double* a) {
  if (begins(from)) {
    remembered_->ask_for_slopes();
    rate_ = 0;
  } else {
    sweep_model(from, weight, a);
  }
  known_ = false;  // As long as it throws.
  const Sweep swept = sweeps_->sweep(from, weight, a);
  known_ = swept.evaluated && std::isfinite(swept.change);
  return swept;
}

void ModelledSweeps::sweep_model(const WindowBegin& from, const double* weight, double* a) {
  before_.assign(a, a + from.nq * nodes);
  double change = 0, rate = 0;
  for (int k = 1; k <= most_of_model; ++k) {
    const Sweep swept = of_model_->sweep(from, weight, a);
    if (!swept.evaluated || !std::isfinite(swept.change)) break;
    if (k > 1) rate = std::max(change > 0 ? swept.change / change : 0, k > 2 ? 0.5 * rate : 0);
    change = swept.change;
    if (change == 0 || (k > 1 && rate < 1 && rate / (1 - rate) * change <= enough_of_model)) {
      rate_ = std::max(rate_, rate);
      return;
    }
    if (k > 3 && rate > slow_of_model) break;
  }
  rate_ = 1;
  std::copy(before_.begin(), before_.end(), a);
}

}  // namespace daewave::ivp
