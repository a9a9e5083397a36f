#pragma once
// The evaluation of a problem of functions. Where calls are dear, what follows from g by
// differences is asked for in one call of it, and what is known at the points of the call before is
// kept.

#include <memory>

#include "core/adapt/foreseen.hpp"
#include "core/adapt/problem_from_functions.hpp"

namespace daewave {

/// @param pattern   of G; null where it is dense.
/// @param foreseen  what may be known of single points; null where calls are not dear.
std::unique_ptr<Evaluation> function_evaluation(std::shared_ptr<const ProblemFunctions> of,
                                                SparsePatternPtr pattern,
                                                std::shared_ptr<const Foreseen> foreseen);

/// Terms of these points, for evaluations that will be asked for them one by one.
std::shared_ptr<const ForeseenPoints> foreseen_points(const ProblemFunctions& of, Ask what,
                                                      const Points& at, const Terms& terms);

}  // namespace daewave
