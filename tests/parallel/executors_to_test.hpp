#pragma once
// The executors a test can be run with.

#include <string>
#include <vector>

#include "parallel/executors.hpp"

#if defined(__SANITIZE_THREAD__)
#define DAEWAVE_UNDER_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define DAEWAVE_UNDER_THREAD_SANITIZER
#endif
#endif

/// All names; under the thread sanitizer those whose threads it can follow.
inline std::vector<std::string> executors_to_test() {
#ifdef DAEWAVE_UNDER_THREAD_SANITIZER
  return {"serial", "threads"};
#else
  return daewave::parallel::executor_names();
#endif
}
