// The one source that knows of it: all others are compiled alike wherever the tree is.

#include "tests/source_folder.hpp"

namespace daewave::testing {

std::string in_source(const std::string& path) { return DAEWAVE_SOURCE_DIR "/" + path; }

}  // namespace daewave::testing
