#pragma once
// How many threads an executor runs.

namespace daewave::parallel {

/// Above it a number of threads is taken for a slip.
inline constexpr int most_threads = 1024;

/// `asked`, or the number of cores for 0. @throws InvalidOption unless 0 <= asked <= most_threads.
int thread_count(int asked);

}  // namespace daewave::parallel
