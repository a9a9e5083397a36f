#include "cli/sweep_journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "core/error.hpp"

namespace daewave::cli {
namespace {

constexpr const char* kind = "daewave sweep 1: ";

}  // namespace

SweepJournal::SweepJournal(std::string path, bool must_exist, const std::string& what)
    : path_(std::move(path)) {
  if (path_.empty()) return;
  file_ = ::open(path_.c_str(), O_RDWR | O_CLOEXEC | (must_exist ? 0 : O_CREAT), 0666);
  if (file_ < 0) fail(must_exist ? "be read (give --checkpoint to begin it)" : "be written");
  struct stat status {};
  if (::fstat(file_, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(file_);
    throw FileError(fmt::format(
        "{}: is a device, a pipe or a socket, of which nothing can be read again; take a file",
        path_));
  }
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
    ::close(file_);
    throw FileError(fmt::format(
        "{}: another sweep is at work on it; wait for that, or take another file", path_));
  }
  try {
    read(what);
  } catch (...) {
    ::close(file_);
    throw;
  }
}

SweepJournal::~SweepJournal() {
  if (file_ < 0) return;
  ::fdatasync(file_);
  ::close(file_);
}

void SweepJournal::fail(const char* doing) const {
  throw FileError(fmt::format("{}: cannot {}: {}", path_, doing, std::strerror(errno)));
}

void SweepJournal::read(const std::string& what) {
  std::ifstream in(path_, std::ios::binary);
  std::string line;
  off_t whole = 0;
  if (std::getline(in, line) && !in.eof()) {
    if (line.rfind(kind, 0) != 0) {
      throw FileError(
          fmt::format("{}: is no file of a sweep, and is left as it is; take another name", path_));
    }
    if (line != kind + what) {
      throw FileError(fmt::format(
          "{}: is of another sweep, or of another version of the program or a model file: {}; this "
          "one is {}; take another file, or remove that",
          path_, line.substr(std::strlen(kind)), what));
    }
    whole = static_cast<off_t>(line.size()) + 1;
    while (std::getline(in, line) && !in.eof()) {
      std::optional<SweepRecord> record = record_from(line);
      if (!record) break;  // What is behind it may be of anything.
      const int number = record->number;
      records_.insert_or_assign(number, *std::move(record));
      whole += static_cast<off_t>(line.size()) + 1;
    }
  } else if (!line.empty() && std::string(kind + what).rfind(line, 0) != 0) {
    throw FileError(
        fmt::format("{}: is no file of a sweep, and is left as it is; take another name", path_));
  }
  if (::ftruncate(file_, whole) != 0 || ::lseek(file_, whole, SEEK_SET) < 0) fail("be written");
  if (whole == 0) write(kind + what);
}

void SweepJournal::write(const std::string& line) {
  const std::string text = line + "\n";
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = ::write(file_, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("be written");
    done += static_cast<std::size_t>(written);
  }
}

const SweepRecord* SweepJournal::find(int number) const {
  const std::lock_guard lock(mutex_);
  const auto found = records_.find(number);
  return found == records_.end() ? nullptr : &found->second;
}

void SweepJournal::add(const SweepRecord& record) {
  if (file_ < 0 || !record.run) return;
  const std::lock_guard lock(mutex_);
  if (!records_.emplace(record.number, record).second) return;
  write(text_of(record));
}

}  // namespace daewave::cli
