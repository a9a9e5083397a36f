#include "cli/output_path.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "core/error.hpp"

namespace daewave::cli {

void check_output_path(const std::string& option, const std::string& path) {
  namespace fs = std::filesystem;
  if (path.empty() || path == "-") return;
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    throw InvalidOption(fmt::format("{} {}: is a directory; name a file in it", option, path));
  }
  fs::path folder = fs::path(path).parent_path();
  if (folder.empty()) folder = ".";
  if (!fs::is_directory(folder, ignored)) {
    throw InvalidOption(fmt::format("{} {}: there is no directory {}; create it first", option,
                                    path, folder.string()));
  }
  const bool special = fs::exists(path, ignored) && !fs::is_regular_file(path, ignored);
  if (!special && access(folder.c_str(), W_OK) != 0) {
    throw InvalidOption(
        fmt::format("{} {}: directory {} cannot be written to", option, path, folder.string()));
  }
}

}  // namespace daewave::cli
