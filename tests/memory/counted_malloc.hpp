#pragma once
// Whether memory is asked for anywhere in a program: by the library too, where Eigen asks malloc
// unseen by tests/memory/counted_allocations.hpp. For programs that compile counted_malloc.cpp.

namespace daewave::testing {

/// False where malloc belongs to a sanitizer, or is not that of glibc: nothing is seen then.
bool malloc_is_watched();

/// Calls of malloc until now.
long malloc_calls();

template <class Work>
bool asks_for_malloc(const Work& work) {
  const long before = malloc_calls();
  work();
  return malloc_calls() > before;
}

}  // namespace daewave::testing
