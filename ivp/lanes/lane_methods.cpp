#include "ivp/lanes/lane_methods.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "ivp/lanes/compiled_lanes.hpp"

namespace daewave::ivp {

namespace {

/// Why lanes are not for what a problem is, apart from how it is evaluated.
std::string why_not(const DaeProblem& problem) {
  const Sizes& sizes = problem.sizes();
  const Structure& structure = problem.structure();
  if (problem.kind() != Kind::multibody && problem.kind() != Kind::index_2) {
    return fmt::format("is for index 2 and multibody systems, not {}", name_of(problem.kind()));
  }
  if (structure.constraints != Structure::Constraints::dense ||
      structure.mass == Structure::Mass::bodies) {
    return "is for dense G and dense or diagonal M, not for chains, joints and bodies";
  }
  if (!structure.has_jacobian) return "needs G and g_t";
  if (sizes.nq > most_on_stack || sizes.nl() < 1 || sizes.nl() > sizes.nq) {
    return fmt::format("is for at most {} coordinates and 1 to nq constraints; this has {} and {}",
                       most_on_stack, sizes.nq, sizes.nl());
  }
  return {};
}

bool has_form(const DaeProblem& problem, const Regularization& form) {
  return problem.kind() == Kind::index_2 || form.variant != Variant::baumgarte_form ||
         form.alpha1 == 0 || form.weight == Weight::inverse;
}

LaneTask task_of(const DaeProblem& problem, Simd simd, const Regularization& form,
                 const LaneFormula& formula, int iterates, const LaneRescue& rescue) {
  const std::string why = why_not(problem);
  if (!why.empty()) throw InvalidProblem("loops = lanes: " + why);
  check_supported(simd);
  return {problem.kind(),
          problem.sizes(),
          problem.structure().mass == Structure::Mass::diagonal,
          form,
          formula,
          iterates,
          rescue,
          {}};
}

}  // namespace

int members_in(Simd simd) {
  return best_of([](auto set) { return decltype(set)::numbers; }, simd);
}

std::string why_no_lanes(const DaeProblem& problem) {
  std::string why = why_not(problem);
  if (why.empty() && problem.lanes() == 1) {
    why =
        "this problem is evaluated point by point; have f, g, M and B as templates on the scalar "
        "(core/adapt/lane_terms.hpp)";
  }
  return why.empty() ? why : why + "; or take loops = step-local or pipelined";
}

std::unique_ptr<SkewedIterates> skewed_iterates(const DaeProblem& problem, Simd simd,
                                                const Regularization& form,
                                                const LaneFormula& formula, int iterates,
                                                const LaneRescue& rescue) {
  const LaneTask task = task_of(problem, simd, form, formula, iterates, rescue);
  if (!has_form(problem, form)) return {};
  Evaluation* const evaluation = problem.evaluation().release();
  return std::unique_ptr<SkewedIterates>(
      best_of([&](auto set) { return compiled_iterates(set, evaluation, task); }, simd));
}

std::unique_ptr<MembersInLanes> members_in_lanes(const std::vector<const DaeProblem*>& problems,
                                                 Simd simd, const Regularization& form,
                                                 const LaneFormula& formula, int iterates,
                                                 const LaneRescue& rescue,
                                                 const LaneEnergy& energy) {
  const DaeProblem& kind = *problems.front();
  LaneTask task = task_of(kind, simd, form, formula, iterates, rescue);
  task.energy = energy;
  if (!has_form(kind, form)) return {};
  Evaluation* const evaluation = kind.evaluation_of(problems).release();
  return std::unique_ptr<MembersInLanes>(
      best_of([&](auto set) { return compiled_members(set, evaluation, task); }, simd));
}

}  // namespace daewave::ivp
