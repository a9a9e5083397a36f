#pragma once
// Shapes of what a struct gives out, where its types leave them open: methods read as many entries
// as the sizes of the problem say.

#include "core/types.hpp"

namespace daewave::detail {

/// @throws InvalidProblem
[[noreturn]] void refuse_shape(const char* name, long rows, long columns, long right_rows,
                               long right_columns);

/// @throws InvalidProblem where `value` has not this shape.
template <class T>
void check_shape(const char* name, const T& value, long rows, long columns) {
  if constexpr (requires { T::RowsAtCompileTime; }) {
    if constexpr (T::RowsAtCompileTime != Dynamic && T::ColsAtCompileTime != Dynamic) return;
  }
  if (value.rows() == rows && value.cols() == columns) return;
  refuse_shape(name, value.rows(), value.cols(), rows, columns);
}

}  // namespace daewave::detail
