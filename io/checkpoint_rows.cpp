#include "io/checkpoint_rows.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <random>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "io/checksum.hpp"

namespace daewave::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_gathered = 1 << 16;
constexpr const char* between = ".rows-";

[[noreturn]] void fail(const std::string& path, const char* what, int error) {
  throw FileError(fmt::format(
      "file \"{}\", which keeps the rows before a checkpoint, {}: {}; free some space, or choose "
      "another path for the checkpoint",
      path, what, std::generic_category().message(error)));
}

fs::path folder_of(const std::string& checkpoint) {
  const fs::path folder = fs::path(checkpoint).parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

void append(std::string& bytes, double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<char>(bits >> (8 * i) & 0xFFu));
}

double number_at(const unsigned char* bytes) {
  std::uint64_t bits = 0;
  for (int i = 0; i < 8; ++i) bits |= static_cast<std::uint64_t>(bytes[i]) << (8 * i);
  return std::bit_cast<double>(bits);
}

}  // namespace

/// The file of one run. It is locked as long as the run lives.
class CheckpointRows::File {
 public:
  explicit File(const std::string& checkpoint) {
    std::random_device random;
    for (int tries = 0; tries < 100 && descriptor_ < 0; ++tries) {
      name_ = fmt::format("{}{}{:08x}", fs::path(checkpoint).filename().string(), between,
                          static_cast<std::uint32_t>(random()));
      path_ = (folder_of(checkpoint) / name_).string();
      descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (descriptor_ < 0 && errno != EEXIST) break;
    }
    if (descriptor_ < 0) fail(path_, "cannot be created", errno);
    ::flock(descriptor_, LOCK_EX | LOCK_NB);
  }
  ~File() { ::close(descriptor_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  void add(std::span<const double> row) {
    const auto width = static_cast<int>(row.size());
    if (count_ > 0 && width != width_) {
      throw Error(fmt::format("a row of {} values: those before have {}", width, width_));
    }
    width_ = width;
    ++count_;
    const std::size_t first = gathered_.size();
    for (const double value : row) append(gathered_, value);
    sum_.add({gathered_.data() + first, gathered_.size() - first});
    if (gathered_.size() >= most_gathered) write();
  }
  RowsBefore mark() {
    write();
    if (::fsync(descriptor_) != 0 && errno != EINVAL) fail(path_, "cannot be flushed", errno);
    return {name_, count_, width_, sum_.text()};
  }
  const std::string& name() const { return name_; }
  void remove() const noexcept { ::unlink(path_.c_str()); }

 private:
  void write() {
    std::string_view left = gathered_;
    while (!left.empty()) {
      const ssize_t count = ::write(descriptor_, left.data(), left.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail(path_, "cannot be written", errno);
      left.remove_prefix(static_cast<std::size_t>(count));
    }
    gathered_.clear();
  }

  std::string name_, path_, gathered_;
  int descriptor_ = -1, width_ = 0;
  long count_ = 0;
  Checksum sum_;
};

CheckpointRows::CheckpointRows(std::string checkpoint) : checkpoint_(std::move(checkpoint)) {}
CheckpointRows::~CheckpointRows() {
  if (file_ && !marked_) file_->remove();
}

void CheckpointRows::add(std::span<const double> row) {
  if (!file_) file_ = std::make_unique<File>(checkpoint_);
  file_->add(row);
}

RowsBefore CheckpointRows::mark() {
  if (!file_) return {};
  marked_ = true;
  return file_->mark();
}

void CheckpointRows::clear_others() noexcept {
  try {
    const std::string begin = fs::path(checkpoint_).filename().string() + between;
    std::error_code ignored;
    for (const fs::directory_entry& entry :
         fs::directory_iterator(folder_of(checkpoint_), ignored)) {
      const std::string name = entry.path().filename().string();
      if (!name.starts_with(begin) || name.size() != begin.size() + 8) continue;
      if (file_ && name == file_->name()) continue;
      const int other = ::open(entry.path().c_str(), O_RDONLY | O_CLOEXEC);
      if (other < 0) continue;
      // One that is locked is of a run that lives.
      if (::flock(other, LOCK_EX | LOCK_NB) == 0) fs::remove(entry.path(), ignored);
      ::close(other);
    }
  } catch (...) {
    // Files that stay take space, and no more.
  }
}

class RowsOfCheckpoint::File {
 public:
  File(const std::string& checkpoint, const RowsBefore& rows)
      : path_((folder_of(checkpoint) / fs::path(rows.file).filename()).string()),
        left_(rows.count),
        bytes_(8 * static_cast<std::size_t>(rows.width)) {
    file_ = std::fopen(path_.c_str(), "rb");
    if (file_ == nullptr) refuse(std::generic_category().message(errno));
    Checksum sum;
    for (long i = 0; i < rows.count; ++i) {
      read();
      sum.add({reinterpret_cast<const char*>(bytes_.data()), bytes_.size()});
    }
    if (sum.text() != rows.checksum) refuse("they were changed");
    std::rewind(file_);
  }
  ~File() {
    if (file_ != nullptr) std::fclose(file_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  bool next(std::vector<double>& row) {
    if (left_ == 0) return false;
    --left_;
    read();
    row.clear();
    for (std::size_t i = 0; i < bytes_.size(); i += 8) row.push_back(number_at(&bytes_[i]));
    return true;
  }

 private:
  void read() {
    if (std::fread(bytes_.data(), 1, bytes_.size(), file_) != bytes_.size())
      refuse("some are gone");
  }
  [[noreturn]] void refuse(const std::string& why) {
    if (file_ != nullptr) std::fclose(std::exchange(file_, nullptr));
    throw FileError(fmt::format(
        "file \"{}\": the rows before the checkpoint cannot be read from it: {}; bring it back "
        "beside the checkpoint, or start anew",
        path_, why));
  }

  std::string path_;
  std::FILE* file_ = nullptr;
  long left_;
  std::vector<unsigned char> bytes_;
};

RowsOfCheckpoint::RowsOfCheckpoint(const std::string& checkpoint, const RowsBefore& rows)
    : file_(rows.file.empty() || rows.count == 0 ? nullptr
                                                 : std::make_unique<File>(checkpoint, rows)) {}
RowsOfCheckpoint::~RowsOfCheckpoint() = default;

bool RowsOfCheckpoint::next(std::vector<double>& row) { return file_ && file_->next(row); }

}  // namespace daewave::io
