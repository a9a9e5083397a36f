#pragma once
// What core/regularize/regularized_batch.hpp is compiled to for one instruction set.

#include "core/lanes/instruction_set.hpp"
#include "core/regularize/regularized_batch.hpp"

namespace daewave {

struct BatchTask {
  Kind kind = Kind::multibody;
  Sizes sizes;
  bool diagonal = false;  ///< M.
  Regularization form;
  RegularizedOde* rescue = nullptr;
};

/// @param evaluation  becomes its own.
RegularizedBatch* compiled_batch(Sse2, Evaluation* evaluation, const BatchTask& task);
RegularizedBatch* compiled_batch(Avx2, Evaluation* evaluation, const BatchTask& task);
RegularizedBatch* compiled_batch(Avx512, Evaluation* evaluation, const BatchTask& task);

/// A point that lanes cannot do, by scalar code; in a file that is compiled once.
/// @return false with why; finite where it is true.
bool rescue_point(RegularizedOde& ode, const RegularizedPoints& at, int point, double* slope,
                  double* carried, std::string& failure);

}  // namespace daewave
