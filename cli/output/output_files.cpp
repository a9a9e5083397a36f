#include "cli/output/output_files.hpp"

#include "core/error.hpp"

namespace daewave::cli {

void OutputFiles::write(const std::string& path,
                        const std::function<void(const std::string& path)>& write) {
  if (!path.empty()) commit([&] { write(path); });
}

void OutputFiles::commit(const std::function<void()>& commit) {
  try {
    commit();
  } catch (const FileError& error) {
    failures_ += failures_.empty() ? "" : "; ";
    failures_ += error.what();
  }
}

void OutputFiles::end() const {
  if (!failures_.empty()) throw FileError(failures_);
}

}  // namespace daewave::cli
