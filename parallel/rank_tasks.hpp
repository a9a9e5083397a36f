#pragma once
// Many tasks that know nothing of each other, given out to ranks as these become free.

#include <functional>
#include <string>
#include <vector>

#include "core/ranks/communicator.hpp"

namespace daewave::parallel {

/// Calls run(i) for each i of `tasks`, on some rank, and take(i, what it returned) on rank 0, in
/// the order in which they end. Rank 0 does tasks too, on a thread of its own, so that it has
/// always time for what comes from others. Where take returns false no further task begins. All
/// ranks call it, with the same number of tasks.
/// @param run  throws nothing that others need to know: what it throws ends all.
void give_out(const Communicator& ranks, const std::vector<int>& tasks,
              const std::function<std::string(int)>& run,
              const std::function<bool(int, std::string&&)>& take);

}  // namespace daewave::parallel
