#pragma once
// The evaluation of a problem of functions. Where calls are dear, what follows from g by
// differences is asked for in one call of it, and what is known at the points of the call before is
// kept.

#include <memory>

#include "core/adapt/problem_from_functions.hpp"

namespace daewave {

/// @param pattern  of G; null where it is dense.
std::unique_ptr<Evaluation> function_evaluation(std::shared_ptr<const ProblemFunctions> of,
                                                SparsePatternPtr pattern);

}  // namespace daewave
