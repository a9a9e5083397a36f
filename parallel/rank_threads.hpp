#pragma once
// Ranks that are threads of one process: what runs over processes of many machines, on one and
// without MPI.

#include <functional>

#include "core/ranks/communicator.hpp"

namespace daewave::parallel {

/// Runs work(ranks) on as many threads, each a rank of its own, and returns when all are done.
///
/// Where one throws, the others throw RankFailed where they would wait for it.
/// @param size  >= 1. @throws InvalidOption for another; else what the first rank threw that did
/// not
///              merely wait for others.
void run_ranks(int size, const std::function<void(const Communicator& ranks)>& work);

}  // namespace daewave::parallel
