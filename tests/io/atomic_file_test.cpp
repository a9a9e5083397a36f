#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/io/scratch_directory.hpp"

namespace {

int flushes_of_files = 0, flushes_of_folders = 0;

/// What another process does in between; nothing mostly.
std::function<void()> before_locking, before_renaming;

void now(const std::function<void()>& other) {
  if (other) other();
}

}  // namespace

/// In place of that of the system, which it calls: what was written is on the disk before it
/// becomes the file, or a power cut leaves an empty one.
extern "C" int fsync(int descriptor) {
  struct stat file {};
  if (::fstat(descriptor, &file) == 0) {
    ++(S_ISDIR(file.st_mode) ? flushes_of_folders : flushes_of_files);
  }
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

/// In place of that of the system, which it calls, as the next.
extern "C" int flock(int descriptor, int operation) noexcept {
  now(before_locking);
  return static_cast<int>(::syscall(SYS_flock, descriptor, operation));
}

extern "C" int rename(const char* from, const char* to) noexcept {
  now(before_renaming);
  return static_cast<int>(::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

namespace daewave::io {

namespace {

/// What a process that clears leftovers does with each, in two steps.
class Clearing {
 public:
  explicit Clearing(const ScratchDirectory& scratch) : folder_(scratch.file("")) {}
  Clearing(const Clearing&) = delete;
  Clearing& operator=(const Clearing&) = delete;
  ~Clearing() {
    before_locking = before_renaming = nullptr;
    remove();
  }
  /// False where the one temporary that is there is locked.
  bool lock() {
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      if (entry.path().extension() != ".tmp") continue;
      path_ = entry.path();
      descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    }
    return ::syscall(SYS_flock, descriptor_, LOCK_EX | LOCK_NB) == 0;
  }
  void remove() {
    if (descriptor_ < 0) return;
    ::unlink(path_.c_str());
    ::close(std::exchange(descriptor_, -1));
  }

 private:
  std::string folder_, path_;
  int descriptor_ = -1;
};

// Makes every file end at `bytes`, as a full disk would; the limit holds for one scope.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit limited{bytes, old_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limited);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit old_{};
  void (*handler_)(int);
};

mode_t mode_of(const std::string& path) {
  struct stat status {};
  ::stat(path.c_str(), &status);
  return status.st_mode & 07777;
}

}  // namespace

TEST_CASE("a file holds what was written and nothing is left beside it", "[io]") {
  const ScratchDirectory scratch;
  write_file(scratch.file("a"), "old");
  write_file(scratch.file("a"), std::string("n\0w", 3));
  CHECK(contents_of(scratch.file("a")) == std::string("n\0w", 3));
  CHECK(scratch.entries() == 1);
}

TEST_CASE("without commit the old file stays and the temporary goes", "[io]") {
  const ScratchDirectory scratch;
  write_file(scratch.file("a"), "old");
  {
    AtomicFile file(scratch.file("a"));
    file.write("half of the ");
    CHECK(contents_of(scratch.file("a")) == "old");
  }
  CHECK(contents_of(scratch.file("a")) == "old");
  CHECK(scratch.entries() == 1);
}

TEST_CASE("a disk that fills up leaves the old file and no temporary", "[io]") {
  const ScratchDirectory scratch;
  write_file(scratch.file("a"), "old");
  {
    const FileSizeLimit limit(1000);
    CHECK_THROWS_AS(write_file(scratch.file("a"), std::string(5000, 'x')), FileError);
    CHECK_THROWS_AS(write_file(scratch.file("new"), std::string(5000, 'x')), FileError);
  }
  CHECK(contents_of(scratch.file("a")) == "old");
  CHECK(scratch.entries() == 1);
}

TEST_CASE("/dev/full tells the path, the reason and the way out", "[io]") {
  if (!std::filesystem::exists("/dev/full")) return;
  CHECK_THROWS_AS(write_file("/dev/full", "x"), FileError);
  CHECK_THROWS_WITH(write_file("/dev/full", "x"), contains_text("/dev/full") &&
                                                      contains_text("No space left") &&
                                                      contains_text("free some space"));
  CHECK(std::filesystem::is_character_file("/dev/full"));
}

TEST_CASE("devices are written directly and stay devices", "[io]") {
  write_file("/dev/null", "x");
  CHECK(std::filesystem::is_character_file("/dev/null"));
}

TEST_CASE("a directory, a missing directory and no name are refused", "[io]") {
  const ScratchDirectory scratch;
  CHECK_THROWS_WITH(write_file(scratch.file(""), "x"), contains_text("Is a directory"));
  CHECK_THROWS_WITH(write_file(scratch.file("new/"), "x"), contains_text("directory"));
  CHECK_THROWS_WITH(write_file(scratch.file("no/such"), "x"),
                    contains_text("create the directory first"));
  CHECK_THROWS_WITH(write_file(scratch.file(std::string(5000, 'n')), "x"),
                    contains_text("choose a shorter name"));
  CHECK_THROWS_WITH(write_file("", "x"), contains_text("no file name"));
  CHECK(scratch.entries() == 0);
}

TEST_CASE("a file below a file is refused", "[io]") {
  const ScratchDirectory scratch;
  write_file(scratch.file("a"), "old");
  CHECK_THROWS_AS(write_file(scratch.file("a/b"), "x"), FileError);
  CHECK(contents_of(scratch.file("a")) == "old");
}

TEST_CASE("an unwritable directory and a protected file are refused", "[io]") {
  if (::geteuid() == 0) return;  // to whom everything is permitted
  const ScratchDirectory scratch;
  write_file(scratch.file("a"), "old");
  ::chmod(scratch.file("a").c_str(), 0444);
  CHECK_THROWS_WITH(write_file(scratch.file("a"), "x"), contains_text("Permission denied"));
  ::chmod(scratch.file("").c_str(), 0555);
  CHECK_THROWS_WITH(write_file(scratch.file("b"), "x"), contains_text("you may write to"));
  CHECK(contents_of(scratch.file("a")) == "old");
  CHECK(scratch.entries() == 1);
}

TEST_CASE("an existing file keeps its permissions, a new one follows the umask", "[io]") {
  const ScratchDirectory scratch;
  const mode_t old = ::umask(027);
  write_file(scratch.file("new"), "x");
  ::umask(old);
  CHECK(mode_of(scratch.file("new")) == 0640);
  ::chmod(scratch.file("new").c_str(), 0604);
  write_file(scratch.file("new"), "y");
  CHECK(mode_of(scratch.file("new")) == 0604);
  // Whose file it becomes may be another: who may read it goes along, whose rights it runs with
  // not.
  ::chmod(scratch.file("new").c_str(), 06755);
  write_file(scratch.file("new"), "z");
  CHECK(mode_of(scratch.file("new")) == 0755);
}

TEST_CASE("links are followed, also to a file that does not exist yet", "[io]") {
  const ScratchDirectory scratch;
  std::filesystem::create_symlink("target", scratch.file("link"));
  for (const std::string text : {"first", "second"}) {
    write_file(scratch.file("link"), text);
    CHECK(std::filesystem::is_symlink(scratch.file("link")));
    CHECK(contents_of(scratch.file("target")) == text);
  }
}

TEST_CASE("an open descriptor is appended to and stays open", "[io]") {
  const ScratchDirectory scratch;
  std::FILE* out = std::fopen(scratch.file("a").c_str(), "w");
  const std::string name = "/dev/fd/" + std::to_string(::fileno(out));
  write_file(name, "one ");
  write_file(name, "two");
  CHECK(std::fclose(out) == 0);
  CHECK(contents_of(scratch.file("a")) == "one two");
}

TEST_CASE("the first descriptor is one like the others, though it is mostly read from", "[io]") {
  const ScratchDirectory scratch;
  const int input = ::dup(STDIN_FILENO);
  const int file = ::open(scratch.file("a").c_str(), O_WRONLY | O_CREAT, 0666);
  REQUIRE(file >= 0);
  REQUIRE(::dup2(file, STDIN_FILENO) == STDIN_FILENO);
  write_file("/dev/fd/0", "one ");
  write_file("/dev/fd/0", "two");
  if (input >= 0) {
    ::dup2(input, STDIN_FILENO);
    ::close(input);
  } else {
    ::close(STDIN_FILENO);
  }
  ::close(file);
  CHECK(contents_of(scratch.file("a")) == "one two");
}

TEST_CASE("a path names an open descriptor where it is one of theirs from end to end", "[io]") {
  CHECK(open_descriptor("-") == STDOUT_FILENO);
  CHECK(open_descriptor("/dev/stdout") == STDOUT_FILENO);
  CHECK(open_descriptor("/dev/stderr") == STDERR_FILENO);
  CHECK(open_descriptor("/dev/fd/0") == 0);
  CHECK(open_descriptor("/dev/fd/17") == 17);
  for (const char* other : {"", "/dev/fd/", "/dev/fd/x", "/dev/fd/3x", "/dev/fd/3/", "/dev/fd/ 3",
                            "/dev/fd/99999999999", "/dev/fd", "/dev/stdin", "x/dev/fd/3", "--"}) {
    CAPTURE(other);
    CHECK(open_descriptor(other) == -1);
  }
}

TEST_CASE("chains of links are followed to their end, also from other folders, circles are left",
          "[io]") {
  const ScratchDirectory scratch;
  std::filesystem::create_directory(scratch.file("sub"));
  std::filesystem::create_symlink("sub/b", scratch.file("a"));
  std::filesystem::create_symlink("c", scratch.file("sub/b"));
  CHECK(follow_links(scratch.file("a")) == scratch.file("sub/c"));
  CHECK(follow_links(scratch.file("plain")) == scratch.file("plain"));
  std::filesystem::create_symlink(scratch.file("plain"), scratch.file("absolute"));
  CHECK(follow_links(scratch.file("absolute")) == scratch.file("plain"));
  std::filesystem::create_symlink("round", scratch.file("round"));
  CHECK_THROWS_AS(write_file(scratch.file("round"), "x"), FileError);
}

TEST_CASE("an early end removes all temporaries, and no file", "[io]") {
  const ScratchDirectory scratch;
  write_file(scratch.file("a"), "old");
  AtomicFile one(scratch.file("a")), other(scratch.file("b"));
  one.write("half");
  other.write("half");
  CHECK(scratch.entries() == 3);
  remove_temporaries();
  CHECK(scratch.entries() == 1);
  CHECK(contents_of(scratch.file("a")) == "old");
}

TEST_CASE("a file is flushed before it is in place, and its folder after", "[io]") {
  const ScratchDirectory scratch;
  flushes_of_files = flushes_of_folders = 0;
  AtomicFile file(scratch.file("a"));
  file.write("text");
  CHECK(flushes_of_files == 0);
  file.commit();
  CHECK(flushes_of_files == 1);
  CHECK(flushes_of_folders == 1);
}

TEST_CASE("temporaries of processes that were killed are removed by the next, others are not",
          "[io]") {
  const ScratchDirectory scratch;
  const std::string of_living = scratch.file(".daewave-1-0.tmp");
  const int living = ::open(of_living.c_str(), O_WRONLY | O_CREAT, 0600);
  REQUIRE(living >= 0);
  REQUIRE(::flock(living, LOCK_EX) == 0);
  const std::string others[] = {scratch.file(".daewave-notes"), scratch.file("a.tmp")};
  for (const std::string& other : others) write_file(other, "mine");
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {  // Of a folder that it has not seen yet.
    std::filesystem::create_directory(scratch.file("sub"));
    AtomicFile file(scratch.file("sub/b"));
    file.write("half");
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  REQUIRE(WIFSIGNALED(status));
  const auto count = [&](const std::string& folder) {
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      files += entry.path().filename().string().ends_with(".tmp");
    }
    return files;
  };
  REQUIRE(count(scratch.file("sub")) == 1);
  write_file(scratch.file("sub/c"), "whole");
  CHECK(count(scratch.file("sub")) == 0);
  CHECK(std::filesystem::exists(of_living));
  for (const std::string& other : others) CHECK(contents_of(other) == "mine");
  ::close(living);
}

TEST_CASE("a file that is written by another process at the same time is no leftover", "[io]") {
  const ScratchDirectory scratch;
  std::filesystem::create_directory(scratch.file("sub"));
  int ready[2], go[2];
  REQUIRE(::pipe(ready) == 0);
  REQUIRE(::pipe(go) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  char byte = 0;
  if (child == 0) {
    AtomicFile file(scratch.file("sub/b"));
    file.write("whole");
    if (::write(ready[1], "r", 1) != 1 || ::read(go[0], &byte, 1) != 1) ::_exit(1);
    try {
      file.commit();
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);
  }
  REQUIRE(::read(ready[0], &byte, 1) == 1);
  write_file(scratch.file("sub/c"), "other");
  REQUIRE(::write(go[1], "g", 1) == 1);
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  CHECK(contents_of(scratch.file("sub/b")) == "whole");
  for (const int end : {ready[0], ready[1], go[0], go[1]}) ::close(end);
}

TEST_CASE("a temporary that another clears before it is locked is made again", "[io]") {
  const ScratchDirectory scratch;
  Clearing other(scratch);
  const bool removed_first = GENERATE(true, false);
  before_locking = [&] {
    before_locking = nullptr;
    REQUIRE(other.lock());
    if (removed_first) other.remove();
  };
  AtomicFile file(scratch.file("a"));
  other.remove();
  file.write("whole");
  file.commit();
  CHECK(contents_of(scratch.file("a")) == "whole");
  CHECK(scratch.entries() == 1);
}

TEST_CASE("a temporary is locked until it is in place", "[io]") {
  const ScratchDirectory scratch;
  Clearing other(scratch);
  bool taken = false;
  before_renaming = [&] {
    taken = other.lock();
    if (taken) other.remove();
  };
  write_file(scratch.file("a"), "whole");
  CHECK_FALSE(taken);
  CHECK(contents_of(scratch.file("a")) == "whole");
}

}  // namespace daewave::io
