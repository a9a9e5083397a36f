#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>

#include "core/error.hpp"

namespace daewave::io {

namespace {

namespace fs = std::filesystem;

const char* way_out(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "free some space or choose another directory";
    case EFBIG:
      return "raise the limit on file sizes or write fewer rows";
    case EACCES:
    case EPERM:
    case EROFS:
      return "choose a path you may write to";
    case ENOENT:
    case ENOTDIR:
      return "create the directory first";
    case EISDIR:
      return "give the name of a file in it";
    case ENAMETOOLONG:
      return "choose a shorter name";
    default:
      return "choose another path";
  }
}

/// Names of the temporaries of this process, so that an early end can remove them.
class Temporaries {
 public:
  static Temporaries& all() {
    static Temporaries* const those = new Temporaries;  // Lives as long as any thread.
    return *those;
  }
  void add(const std::string& name) {
    const std::lock_guard lock(mutex_);
    names_.insert(name);
  }
  void forget(const std::string& name) {
    const std::lock_guard lock(mutex_);
    names_.erase(name);
  }
  void remove() {
    const std::lock_guard lock(mutex_);
    for (const std::string& name : names_) ::unlink(name.c_str());
    names_.clear();
  }

 private:
  std::mutex mutex_;
  std::set<std::string> names_;
};

std::string directory_of(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

constexpr const char *name_begin = ".daewave-", *name_end = ".tmp";

/// Locks a new temporary, which tells others that who writes it lives. False where another took it
/// for one left over before: it has removed it, or has locked it and is about to. File systems
/// without locks take it for locked.
bool is_held(int descriptor) {
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
  struct stat file {};
  return ::fstat(descriptor, &file) != 0 || file.st_nlink > 0;
}

/// Removes temporaries of runs that were killed; once for a folder. Those that are locked are of
/// runs that live, on this machine or in a container.
void clear_leftovers(const std::string& folder) {
  static std::mutex mutex;
  static std::set<std::string>& seen = *new std::set<std::string>;
  const std::lock_guard lock(mutex);
  if (!seen.insert(folder).second) return;
  std::error_code ignored;
  for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(name_begin) || !name.ends_with(name_end)) continue;
    const int left = ::open(entry->path().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (left < 0) continue;
    if (::flock(left, LOCK_EX | LOCK_NB) == 0) ::unlink(entry->path().c_str());
    ::close(left);
  }
}

}  // namespace

// Opening /dev/stdout anew would start at offset 0 of a redirected output and overwrite what is
// there.
int open_descriptor(std::string_view path) {
  if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  constexpr std::string_view prefix = "/dev/fd/";
  if (!path.starts_with(prefix)) return -1;
  path.remove_prefix(prefix.size());
  int number = -1;
  const auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), number);
  return error == std::errc() && end == path.data() + path.size() ? number : -1;
}

// Replacing a link would separate it from its target: what it points to is replaced instead, also
// when that does not exist yet.
std::string follow_links(const std::string& path) {
  fs::path target = path;
  std::error_code error;
  for (int i = 0; i < 40 && fs::is_symlink(fs::symlink_status(target, error)); ++i) {
    const fs::path next = fs::read_symlink(target, error);
    if (error) break;
    target = target.parent_path() / next;
  }
  return target.string();
}

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  if (path_.empty()) fail("no file name was given", EINVAL);
  descriptor_ = open_descriptor(path_);
  if (descriptor_ >= 0) {
    borrowed_ = true;
    // What was printed before must come before.
    std::cout.flush();
    std::fflush(stdout);
    return;
  }
  target_ = follow_links(path_);
  open_temporary();
}

void AtomicFile::open_temporary() {
  struct stat old {};
  const bool exists = ::stat(target_.c_str(), &old) == 0;
  if (!exists && errno != ENOENT) fail("cannot be written", errno);
  if (exists && S_ISDIR(old.st_mode)) fail("cannot be written", EISDIR);
  if (target_.back() == '/') fail("cannot be written", exists ? ENOTDIR : EISDIR);
  if (exists && !S_ISREG(old.st_mode)) {
    descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor_ < 0) fail("cannot be opened", errno);
    return;
  }
  // Renaming asks for the right to write the directory only: a write-protected file is respected.
  if (exists && ::access(target_.c_str(), W_OK) != 0) fail("cannot be replaced", errno);

  clear_leftovers(directory_of(target_));
  static std::atomic<unsigned> serial{0};
  // Private at first when the old file may be; a new file gets what the umask leaves.
  const mode_t mode = exists ? 0600 : 0666;
  do {
    temporary_ = fmt::format("{}/{}{}-{}{}", directory_of(target_), name_begin, ::getpid(),
                             serial++, name_end);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor_ < 0 || is_held(descriptor_)) continue;
    ::close(std::exchange(descriptor_, -1));  // Taken for one left over, before it was locked.
    errno = EEXIST;
  } while (descriptor_ < 0 && errno == EEXIST);
  if (descriptor_ < 0) {
    const int error = errno;
    temporary_.clear();
    fail("cannot be created", error);
  }
  Temporaries::all().add(temporary_);
  if (exists) {
    // Best effort: some file systems have neither owners nor modes.
    [[maybe_unused]] const int owned = ::fchown(descriptor_, old.st_uid, old.st_gid);
    [[maybe_unused]] const int permitted = ::fchmod(descriptor_, old.st_mode & 0777);
  }
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("cannot be written", errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void AtomicFile::commit() {
  if (borrowed_) return;
  // Some file systems cannot flush a single file and say so with EINVAL.
  if (!temporary_.empty() && ::fsync(descriptor_) != 0 && errno != EINVAL) {
    fail("cannot be flushed", errno);
  }
  if (temporary_.empty()) {
    if (::close(std::exchange(descriptor_, -1)) != 0) fail("cannot be closed", errno);
    return;
  }
  // Locked until it has its name, or another would take it for one left over. What closing tells
  // has to come before, so a second descriptor keeps the lock.
  const int locked = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
  const int error = ::close(std::exchange(descriptor_, -1)) != 0 ? errno : 0;
  const bool renamed = error == 0 && ::rename(temporary_.c_str(), target_.c_str()) == 0;
  const int refused = errno;
  if (locked >= 0) ::close(locked);
  if (error != 0) fail("cannot be closed", error);
  if (!renamed) fail("cannot be replaced", refused);
  Temporaries::all().forget(temporary_);
  temporary_.clear();

  // The new name survives a power cut only when the directory is flushed too. The file is in place
  // already, so a refusal is no failure.
  const int directory = ::open(directory_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory >= 0) {
    ::fsync(directory);
    ::close(directory);
  }
}

void AtomicFile::discard() noexcept {
  if (descriptor_ >= 0 && !borrowed_) ::close(std::exchange(descriptor_, -1));
  if (!temporary_.empty()) {
    ::unlink(temporary_.c_str());
    Temporaries::all().forget(temporary_);
    temporary_.clear();
  }
}

void AtomicFile::fail(std::string_view what, int error) {
  discard();
  const std::string name = path_ == "-" ? "standard output" : fmt::format("file \"{}\"", path_);
  throw FileError(fmt::format("{} {}: {}; {}", name, what, std::generic_category().message(error),
                              way_out(error)));
}

void remove_temporaries() noexcept { Temporaries::all().remove(); }

void write_file(const std::string& path, std::string_view contents) {
  AtomicFile file(path);
  file.write(contents);
  file.commit();
}

}  // namespace daewave::io
