#pragma once
// How much memory there is left, so that what is known to be large is refused before it is taken:
// a system that hands out more than it has ends the program when that is used.

#include <string>

namespace daewave {

/// Bytes that can be taken now: the least of what the machine has available, of what is left of the
/// limits of the control group, and of those of the process. Infinite where nothing tells.
double free_memory();

/// "1.3 GB".
std::string text_of_bytes(double bytes);

/// Refuses what would not fit into nine tenths of the free memory.
/// @param what  takes it, such as "intervals = 2000000000". @param way_out  said after it.
/// @throws InvalidOption naming both numbers.
void refuse_beyond_memory(double bytes, const std::string& what, const std::string& way_out);

/// Of things of `bytes` each: as many as fit into nine tenths of the free memory.
double count_that_fits(double bytes);

namespace detail {

/// Bytes that a control group may still take; infinite where it has no limit.
/// @param folder  its files. @param unified  those of version 2.
double left_of_group(const std::string& folder, bool unified);

}  // namespace detail

}  // namespace daewave
