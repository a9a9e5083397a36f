#include "cli/output/output_path.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "cli/options/problem_named.hpp"
#include "core/error.hpp"
#include "io/atomic_file.hpp"

namespace daewave::cli {
namespace {

namespace fs = std::filesystem;

void check_output_path(const NamedPath& output) {
  const auto& [option, path] = output;
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

std::string identity_of(const struct stat& file) {
  return fmt::format("{}:{}", file.st_dev, file.st_ino);
}

/// Equal for all names of a file. Empty for devices, such as /dev/null, which keep nothing.
std::string identity_of(const std::string& path) {
  struct stat file {};
  if (const int descriptor = io::open_descriptor(path); descriptor >= 0) {
    const bool regular = ::fstat(descriptor, &file) == 0 && S_ISREG(file.st_mode);
    return regular ? identity_of(file) : fmt::format("descriptor {}", descriptor);
  }
  if (::stat(path.c_str(), &file) == 0) return S_ISCHR(file.st_mode) ? "" : identity_of(file);
  const fs::path target = io::follow_links(path);
  const fs::path folder = target.parent_path().empty() ? "." : target.parent_path();
  std::error_code ignored;
  return (fs::weakly_canonical(folder, ignored) / target.filename()).string();
}

std::string text_of(const NamedPath& named) {
  return named.option.empty() ? "standard output" : named.option + " " + named.path;
}

void check_different(const NamedPath& one, const NamedPath& other, const char* why) {
  if (one.path.empty() || other.path.empty()) return;
  const std::string identity = identity_of(one.path);
  if (identity.empty() || identity != identity_of(other.path)) return;
  throw InvalidOption(fmt::format("{} and {} are the same file, {}; give each its own",
                                  text_of(one), text_of(other), why));
}

/// Where standard output is a file, and what it is given is not asked for as data.
bool talks_to_file(const std::vector<NamedPath>& outputs) {
  for (const NamedPath& output : outputs) {
    if (io::open_descriptor(output.path) == STDOUT_FILENO) return false;
  }
  struct stat file {};
  return ::fstat(STDOUT_FILENO, &file) == 0 && S_ISREG(file.st_mode);
}

}  // namespace

void check_output_paths(const std::vector<NamedPath>& outputs) {
  for (const NamedPath& output : outputs) check_output_path(output);
  const char* const why = "in which only one would be left";
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (std::size_t j = i + 1; j < outputs.size(); ++j)
      check_different(outputs[i], outputs[j], why);
  }
  if (!talks_to_file(outputs)) return;
  for (const NamedPath& output : outputs) check_different(output, {"", "-"}, why);
}

void check_input_path(const NamedPath& input, const std::vector<NamedPath>& outputs) {
  for (const NamedPath& output : outputs) check_different(input, output, "which would be replaced");
}

void check_model_path(const std::string& problem, const std::vector<NamedPath>& outputs) {
  if (is_model_file(problem)) check_input_path({"model file", problem}, outputs);
}

}  // namespace daewave::cli
