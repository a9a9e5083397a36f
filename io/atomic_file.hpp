#pragma once
// A file that appears complete or not at all, whatever happens while it is written.

#include <string>
#include <string_view>

namespace daewave::io {

/// Bytes on their way to a file; `commit` makes them the file, anything else leaves no trace.
///
/// They go to a temporary in the same directory, which replaces the file in one step: a reader sees
/// the old file or the new one, never a part. Permissions of an existing file are kept, links are
/// followed. Temporaries of processes that were killed are removed by the next that writes there.
/// "-", /dev/stdout, /dev/stderr, /dev/fd/N and files that are not regular (devices, pipes) are
/// written directly.
class AtomicFile {
 public:
  /// @throws FileError when the file could not be created or may not be replaced.
  explicit AtomicFile(std::string path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  /// Appends. @throws FileError when the system refuses, such as on a full disk.
  void write(std::string_view bytes);

  /// Makes what was written the file. @throws FileError when the system refuses.
  void commit();

 private:
  void open_temporary();
  void discard() noexcept;
  [[noreturn]] void fail(std::string_view what, int error);

  std::string path_;       // as given, for messages
  std::string target_;     // what is replaced; links followed
  std::string temporary_;  // empty: written directly
  int descriptor_ = -1;
  bool borrowed_ = false;  // the descriptor was open before us and stays so
};

/// Removes the temporaries of all files that are being written: for an end that unwinds nothing.
/// What is written after is lost. Takes no lock that a thread could hold for long.
void remove_temporaries() noexcept;

/// The descriptor that a path names without opening it, such as "-" or /dev/stdout; -1 for others.
int open_descriptor(std::string_view path);

/// What a path stands for where it is a link, also where that does not exist yet.
std::string follow_links(const std::string& path);

/// Writes all of `contents` to `path`. @throws FileError; the old file is then unchanged.
void write_file(const std::string& path, std::string_view contents);

}  // namespace daewave::io
