#include "core/machine/large_pages.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

#include <cstdint>

namespace daewave {
namespace {

/// Less is not worth a call of the system.
[[maybe_unused]] constexpr std::size_t least_bytes = std::size_t{1} << 20;

}  // namespace

void prefer_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  if (bytes < least_bytes) return;
  const long size = ::sysconf(_SC_PAGESIZE);
  if (size <= 0) return;
  // With those at its ends, which other memory shares: what is asked for beside it then joins it.
  const auto page = static_cast<std::uintptr_t>(size);
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t begin = address / page * page;
  const std::uintptr_t end = (address + bytes + page - 1) / page * page;
  // An error is an answer, too: not every system has them.
  ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

}  // namespace daewave
