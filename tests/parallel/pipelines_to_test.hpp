#pragma once
// The pipelines a test can be run with.

#include <string>
#include <vector>

#include "parallel/pipelines.hpp"
#include "tests/parallel/executors_to_test.hpp"

/// All names; under the thread sanitizer those whose threads it can follow.
inline std::vector<std::string> pipelines_to_test() {
#ifdef DAEWAVE_UNDER_THREAD_SANITIZER
  return {"serial", "threads"};
#else
  return daewave::parallel::pipeline_names();
#endif
}
