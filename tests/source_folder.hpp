#pragma once
// Where the tree is that the tests were built from.

#include <string>

namespace daewave::testing {

/// @param path  from the root of the tree.
std::string in_source(const std::string& path);

}  // namespace daewave::testing
