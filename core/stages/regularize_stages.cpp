#include "core/stages/regularize_stages.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/stages/singular_limit.hpp"

namespace daewave {
namespace {

/// What rounding of the coefficients is at the most, and of P where it may be taken as it is.
constexpr double rounding_of_terms = 4e-16, acceptable = 1e-6;

}  // namespace

StageRegularizer::StageRegularizer(const LinearDae& problem, const Regularization& regularization,
                                   const ConstraintReference& reference)
    : problem_(problem),
      regularization_(regularization),
      reference_(reference),
      regularizer_(problem.nx(), problem.ny(), regularization, reference.units) {}

StagePassage StageRegularizer::regularize(const CoefficientBatch& in, int i, double t,
                                          StageBatch& out) {
  StagePassage passage;
  const ConstraintPivots pivots = regularizer_.regularize(in, i, out);
  if (regularization_.weight != Weight::inverse) return passage;
  const double pivot = relative_pivot(pivots, reference_);
  if (pivot >= singular_pivot) return passage;
  if (regularization_.alpha1 != 0) {
    passage.failure = fmt::format(
        "stage t = {:.10g}: relative pivot of C B is {:.1e}, and alpha1 = {} needs C B to be "
        "regular; use alpha1 = 0",
        t, pivot, regularization_.alpha1);
    return passage;
  }
  const ProjectorLimit limit = projector_limit(problem_, t);
  // Where limits agree less than rounding allows what is there already is better: features narrower
  // than the distances at which a limit is taken.
  const double of_rounding = pivot > 0 ? rounding_of_terms / pivot : INFINITY;
  const double size = 1 + (limit.finite ? limit.BEr.cwiseAbs().maxCoeff() : 0.0);
  if (of_rounding < acceptable && !(limit.finite && limit.uncertainty < of_rounding * size)) {
    return passage;
  }
  if (!limit.finite) {
    passage.failure = fmt::format(
        "stage t = {:.10g}: relative pivot of C B is {:.1e} and B (C B)^-1 C has no limit there; "
        "move the nodes",
        t, pivot);
    return passage;
  }
  regularizer_.regularize_from_projector(limit.P, limit.BEr, i, out);
  passage.point.emplace();
  passage.point->t = t;
  passage.point->pivot = pivot;
  passage.point->kind = "stage";
  passage.point->passed_by = fmt::format("symmetric limit with d = {:.1e}", limit.distance);
  return passage;
}

}  // namespace daewave
