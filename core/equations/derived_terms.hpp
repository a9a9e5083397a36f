#pragma once
// What methods ask of a problem, as expressions: what was stated and the derivatives of it.

#include <map>
#include <vector>

#include "core/equations/equations.hpp"
#include "core/kkt/joint_pattern.hpp"
#include "core/kkt/sparse_pattern.hpp"

namespace daewave::expression {

/// Entries by columns, as Terms have them; of G with a structure what jacobian_structure.hpp says.
struct DerivedTerms {
  Sizes sizes;
  Structure structure;
  SparsePatternPtr pattern;  ///< Where constraints are sparse.
  JointPatternPtr joints;    ///< Where they are joints.
  std::map<Ask, std::vector<Ref>> of;
};

/// What a problem of problem_of() consists of; null pointers of another problem. They live as long
/// as that.
struct ProblemExpressions {
  const Equations* equations = nullptr;
  const DerivedTerms* derived = nullptr;
};
ProblemExpressions expressions_of(const DaeProblem& problem);

/// Adds them to the graph. @throws InvalidProblem
DerivedTerms derive_terms(Equations& equations);

}  // namespace daewave::expression
