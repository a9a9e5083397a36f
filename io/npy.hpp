#pragma once
// The NPY format, version 1.0: a text header, then the rows as little-endian float64.

#include <string>

#include "core/report/table.hpp"

namespace daewave::io {

/// Writes a one-dimensional array of records, one field per column: `np.load(path)["x1"]`.
///
/// @throws Error when the table has no columns or they differ in length; FileError, and then `path`
/// is as it was. Memory is constant.
void write_npy(const std::string& path, const Table& table);

}  // namespace daewave::io
