#pragma once
// Where results may go: looked at before work starts, so that an hour's solve is not lost to a
// typo.

#include <string>

namespace daewave::cli {

/// @param path  empty (nothing is written) and "-" are fine.
/// @throws InvalidOption when the directory does not exist, cannot be written to, or `path` is one.
void check_output_path(const std::string& option, const std::string& path);

}  // namespace daewave::cli
