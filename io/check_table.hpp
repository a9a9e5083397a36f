#pragma once
// A table is a plain aggregate: before it is written, its shape is checked once.

#include "core/report/table.hpp"

namespace daewave::io {

/// @throws Error unless there is a column, every column has one name of its own, and all have the
/// same number of rows.
void check_table(const Table& table);

}  // namespace daewave::io
