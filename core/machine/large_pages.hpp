#pragma once
// Large pages of the system under memory that many intervals fill: with pages of 4 kB a solve of a
// long mesh spends up to half of its time on having them handed out one by one.

#include <cstddef>

namespace daewave {

/// Asks for large pages under memory that was not written to yet. What the system does not give, or
/// does not know, is left as it is, and memory of less than 1 MB; what is in it never depends on
/// it.
void prefer_large_pages(void* memory, std::size_t bytes);

}  // namespace daewave
