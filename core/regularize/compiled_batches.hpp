#pragma once
// What core/regularize/regularized_batch.hpp is compiled to for one instruction set.

#include <string>
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

/// Points that lanes cannot do, by scalar code, together: where calls are dear their terms are not
/// asked for again. In a file that is compiled once.
class RescuingBatch : public RegularizedBatch {
 public:
  explicit RescuingBatch(const BatchTask& task);
  ~RescuingBatch() override;

 protected:
  bool is_dear() const;
  void lose_none();
  void lose(int point);
  bool has_lost() const;
  /// Those that were lost. @param what, terms  of all points, which are known; or null.
  /// @param drift  where it is not null, raised to the largest of them; NaN stays.
  /// @return false with why; finite where it is true.
  bool rescue(const RegularizedPoints& at, Ask what, const Terms* terms, double* slope,
              double* carried, double* drift, std::string& failure);

 private:
  BatchTask task_;
  std::vector<int> lost_;
};

/// @param evaluation  becomes its own.
RegularizedBatch* compiled_batch(Sse2, Evaluation* evaluation, const BatchTask& task);
RegularizedBatch* compiled_batch(Avx2, Evaluation* evaluation, const BatchTask& task);
RegularizedBatch* compiled_batch(Avx512, Evaluation* evaluation, const BatchTask& task);

}  // namespace daewave
