#pragma once
// What core/regularize/regularized_batch.hpp is compiled to for one instruction set.

#include <vector>

#include "core/lanes/instruction_set.hpp"
#include "core/problem/dae_problem.hpp"
#include "core/regularize/regularized_batch.hpp"

namespace daewave {

struct BatchTask {
  Kind kind = Kind::multibody;
  Sizes sizes;
  bool diagonal = false;  ///< M.
  Regularization form;
  RegularizedOde* rescue = nullptr;
  const DaeProblem* problem = nullptr;
  bool dear = false;  ///< Its calls are.
};

/// Terms of all points of a batch.
struct BatchTerms {
  Ask what{};
  const Terms* terms = nullptr;  ///< Null where they are not known.
};

/// @param evaluation  becomes its own.
RegularizedBatch* compiled_batch(Sse2, Evaluation* evaluation, const BatchTask& task);
RegularizedBatch* compiled_batch(Avx2, Evaluation* evaluation, const BatchTask& task);
RegularizedBatch* compiled_batch(Avx512, Evaluation* evaluation, const BatchTask& task);

/// Points that lanes cannot do, by scalar code; in a file that is compiled once.
/// @param known  where calls are dear they are not asked for again.
/// @param drift  where it is not null, raised to the largest of them; NaN stays.
/// @return false with why; finite where it is true.
bool rescue_points(const BatchTask& task, const RegularizedPoints& at,
                   const BatchTerms& known, const std::vector<int>& points, double* slope,
                   double* carried, double* drift, std::string& failure);

}  // namespace daewave
