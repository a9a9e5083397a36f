#include "tests/memory/counted_malloc.hpp"

#include <atomic>
#include <cstddef>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define DAEWAVE_OWN_MALLOC 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define DAEWAVE_OWN_MALLOC 0
#endif
#endif
#ifndef DAEWAVE_OWN_MALLOC
#ifdef __GLIBC__
#define DAEWAVE_OWN_MALLOC 1
#else
#define DAEWAVE_OWN_MALLOC 0
#endif
#endif

namespace {
std::atomic<long> calls{0};
}  // namespace

#if DAEWAVE_OWN_MALLOC
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* malloc(std::size_t size) noexcept {
  ++calls;
  return __libc_malloc(size);
}
#endif

bool daewave::testing::malloc_is_watched() { return DAEWAVE_OWN_MALLOC; }

long daewave::testing::malloc_calls() { return calls; }
