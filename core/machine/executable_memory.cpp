#include "core/machine/executable_memory.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace daewave {

#if defined(__linux__)

class ExecutablePages {
 public:
  static constexpr std::size_t least = std::size_t{1} << 18;

  explicit ExecutablePages(std::size_t size) : size_(std::max(size, least)) {
    const int file = ::memfd_create("daewave", MFD_CLOEXEC);
    if (file < 0) return;
    if (::ftruncate(file, static_cast<off_t>(size_)) == 0) {
      written_ = map(file, PROT_READ | PROT_WRITE);
      executed_ = map(file, PROT_READ | PROT_EXEC);
    }
    ::close(file);
  }
  ~ExecutablePages() {
    for (std::uint8_t* const one : {written_, executed_}) {
      if (one != nullptr) ::munmap(one, size_);
    }
  }
  ExecutablePages(const ExecutablePages&) = delete;
  ExecutablePages& operator=(const ExecutablePages&) = delete;

  bool usable() const { return written_ != nullptr && executed_ != nullptr; }
  bool has_room(std::size_t size) const { return size <= size_ - used_; }
  /// Not after a fork: pages are of both processes then, where either would write. For the same
  /// reason nothing is ever written over.
  bool ours() const { return owner_ == ::getpid(); }

  const void* put(const std::vector<std::uint8_t>& code) {
    constexpr std::size_t line = 64;
    const std::size_t begin = used_;
    std::memcpy(written_ + begin, code.data(), code.size());
    used_ = std::min(size_, (begin + code.size() + line - 1) / line * line);
    return executed_ + begin;
  }

 private:
  std::uint8_t* map(int file, int use) const {
    void* const pages = ::mmap(nullptr, size_, use, MAP_SHARED | MAP_POPULATE, file, 0);
    return pages == MAP_FAILED ? nullptr : static_cast<std::uint8_t*>(pages);
  }

  std::size_t size_, used_ = 0;
  pid_t owner_ = ::getpid();
  std::uint8_t *written_ = nullptr, *executed_ = nullptr;
};

ExecutableMemory::ExecutableMemory(const std::vector<std::uint8_t>& code) {
  static std::mutex mutex;
  static std::shared_ptr<ExecutablePages> now;
  const std::lock_guard lock(mutex);
  if (!now || !now->ours() || !now->has_room(code.size())) {
    now = std::make_shared<ExecutablePages>(code.size());
    if (!now->usable()) {
      now.reset();
      return;
    }
  }
  pages_ = now;
  begin_ = now->put(code);
}

#else

class ExecutablePages {};
ExecutableMemory::ExecutableMemory(const std::vector<std::uint8_t>&) {}

#endif

}  // namespace daewave
