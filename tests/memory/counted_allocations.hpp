#pragma once
// Whether memory is asked for: operator new is counted, and Eigen, which asks malloc, throws. For
// programs of their own, and included before anything of Eigen's: what is defined here changes how
// Eigen is compiled. They compile counted_allocations.cpp too.

#include <stdexcept>

#ifdef EIGEN_CORE_H
#error "tests/memory/counted_allocations.hpp comes before anything that includes Eigen"
#endif
#define EIGEN_RUNTIME_NO_MALLOC
#define eigen_assert(condition)                           \
  do {                                                    \
    if (!(condition)) throw std::logic_error(#condition); \
  } while (false)

#include <Eigen/Core>
#include <new>

namespace daewave::testing {

/// Calls of operator new until now.
long allocations();

/// While one lives an allocation of Eigen's throws std::logic_error.
struct EigenMayNotAllocate {
  EigenMayNotAllocate() { Eigen::internal::set_is_malloc_allowed(false); }
  ~EigenMayNotAllocate() { Eigen::internal::set_is_malloc_allowed(true); }
  EigenMayNotAllocate(const EigenMayNotAllocate&) = delete;
  EigenMayNotAllocate& operator=(const EigenMayNotAllocate&) = delete;
};

template <class Work>
bool asks_for_memory(const Work& work) {
  const long before = allocations();
  try {
    const EigenMayNotAllocate guard;
    work();
  } catch (const std::logic_error&) {
    return true;
  }
  return allocations() != before;
}

/// Of both kinds: what a test of memory says is worth nothing where this does not hold.
inline bool memory_is_watched() {
  double sum = 0;
  const bool eigen = asks_for_memory([&] { sum += Eigen::VectorXd::Ones(3).eval().sum(); });
  const bool own = asks_for_memory([&] { ::operator delete(::operator new(8)); });
  const bool none = asks_for_memory([&] { sum += Eigen::Vector3d::Ones().eval().sum(); });
  return eigen && own && !none && sum >= 3;
}

}  // namespace daewave::testing
