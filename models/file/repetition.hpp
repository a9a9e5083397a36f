#pragma once
// What stands once in a file and is there many times: repeat = N, with i from 1 to N.

#include "models/file/parameters.hpp"

namespace daewave::models {

/// A copy in which every {...} of texts and of keys is replaced by the whole number it means with
/// this i.
Value with_index(const TextSource& source, const Value& value, const Parameters& parameters, int i);

/// How often a table is there: its key `repeat`, 1 where it has none.
int repeats_of(TableReader& table, Parameters& parameters);

inline constexpr int most_repeats = 50'000;

}  // namespace daewave::models
