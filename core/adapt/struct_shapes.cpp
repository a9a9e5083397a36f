#include "core/adapt/struct_shapes.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace daewave::detail {

void refuse_shape(const char* name, long rows, long columns, long right_rows, long right_columns) {
  throw InvalidProblem(
      fmt::format("{}: has {} x {} entries, must have {} x {}, by the sizes of the start and of g; "
                  "mend it or them",
                  name, rows, columns, right_rows, right_columns));
}

}  // namespace daewave::detail
