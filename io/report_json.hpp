#pragma once
// A report as JSON: every field under its own name, for programs.

#include <string>

#include "core/report/report.hpp"

namespace daewave::io {

/// The number under "schema_version"; it grows when a field is renamed or removed.
inline constexpr int report_schema_version = 2;

/// Every field of the report and `usable`, indented, fields in the order of the struct; numbers
/// that are not finite are null. @throws nothing but for lack of memory.
std::string report_json(const Report& report);

/// Writes `report_json` and a newline. @throws FileError, and then `path` is as it was.
void write_report_json(const std::string& path, const Report& report);

}  // namespace daewave::io
