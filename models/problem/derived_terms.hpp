#pragma once
// What methods ask of a problem, as expressions: what was stated and the derivatives of it.

#include <map>
#include <vector>

#include "core/kkt/sparse_pattern.hpp"
#include "models/problem/equations.hpp"

namespace daewave::models {

/// Entries by columns, as Terms have them; those of a sparse G alone where there is a pattern.
struct DerivedTerms {
  Sizes sizes;
  Structure structure;
  SparsePatternPtr pattern;
  std::map<Ask, std::vector<Ref>> of;
};

/// Adds them to the graph. @throws InvalidProblem
DerivedTerms derive_terms(Equations& equations);

}  // namespace daewave::models
