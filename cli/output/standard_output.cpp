#include "cli/output/standard_output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>

namespace daewave::cli {
namespace {

/// Of the first write that failed; 0: none has.
int first_error = 0;

void note_error(int error) {
  if (first_error == 0) first_error = error != 0 ? error : EIO;
}

}  // namespace

void fill_standard_streams() {
  for (int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest free number is this one. Writing to it fails.
    if (::open("/dev/null", O_RDONLY) < 0) break;
  }
  std::signal(SIGPIPE, SIG_IGN);
}

void say_text(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) < text.size()) note_error(errno);
}

void complain_text(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

void flush_standard_output() {
  struct pollfd reader {
    STDOUT_FILENO, POLLOUT, 0
  };
  if (::poll(&reader, 1, 0) != 1 || ::ftrylockfile(stdout) != 0) return;
  ::fflush_unlocked(stdout);
}

std::string end_standard_output() {
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) note_error(errno);
  // Some file systems tell at the end only that the disk is full.
  if (std::fclose(stdout) != 0) note_error(errno);
  return first_error == 0 ? "" : std::generic_category().message(first_error);
}

}  // namespace daewave::cli
