#pragma once
// Threads for a solve, where this build has them.

#include <memory>

#include "core/threads/executor.hpp"
#include "core/threads/pipeline.hpp"

namespace daewave::cli {

/// @param threads  0: all cores. @throws InvalidOption for an impossible number, or more than one
///                 in a build without threads.
std::shared_ptr<const Pipeline> pipeline_of(int threads);
std::shared_ptr<const Executor> executor_of(int threads);

}  // namespace daewave::cli
