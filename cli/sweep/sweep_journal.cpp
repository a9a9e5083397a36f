#include "cli/sweep/sweep_journal.hpp"

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

SweepJournal::SweepJournal(std::string path, bool must_exist, const std::string& what,
                           const SweptTable& table)
    : path_(std::move(path)) {
  if (path_.empty()) return;
  file_ = ::open(path_.c_str(), O_RDWR | O_CLOEXEC | (must_exist ? 0 : O_CREAT), 0666);
  if (file_ < 0 && must_exist) {
    throw InvalidOption(
        fmt::format("--resume {}: cannot be read (give --checkpoint to begin it): {}", path_,
                    std::strerror(errno)));
  }
  if (file_ < 0) fail("be written");
  struct stat status {};
  if (::fstat(file_, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(file_);
    throw InvalidOption(fmt::format(
        "{}: is a device, a pipe or a socket, of which nothing can be read again; take a file",
        path_));
  }
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
    ::close(file_);
    throw FileError(fmt::format(
        "{}: another sweep is at work on it; wait for that, or take another file", path_));
  }
  try {
    read(what, table);
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

void SweepJournal::read(const std::string& what, const SweptTable& table) {
  std::ifstream in(path_, std::ios::binary);
  SweepFile found = read_sweep(in, path_);
  if (found.whole > 0 && (found.what != what || found.table != table)) {
    throw InvalidOption(fmt::format(
        "{}: is of another sweep, or of another version of the program or a model file: {}; this "
        "one is {}; take another file, or remove that",
        path_, found.what, what));
  }
  records_ = std::move(found.records);
  if (::ftruncate(file_, found.whole) != 0 || ::lseek(file_, found.whole, SEEK_SET) < 0) {
    fail("be written");
  }
  if (found.whole == 0) write(head_of(what, table));
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
  return found == records_.end() || !found->second.run ? nullptr : &found->second;
}

void SweepJournal::add(const SweepRecord& record) {
  if (file_ < 0) return;
  const std::lock_guard lock(mutex_);
  const auto [at, is_new] = records_.try_emplace(record.number, record);
  // One that threw before may have ended now, or may have thrown the same.
  if (!is_new && (at->second.run || (!record.run && record.error == at->second.error))) return;
  at->second = record;
  write(text_of(record));
}

}  // namespace daewave::cli
