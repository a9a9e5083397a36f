#pragma once
// --shard K/N: a part of the members of a sweep, for N runs of the program that know nothing of
// each other, such as those of an array job.

#include <string>

namespace daewave::cli {

/// Every N-th of what is given out, from the K-th on: what takes long often lies side by side.
struct Shard {
  int number = 1, of = 1;

  /// How many of `count` are in it.
  int size(int count) const { return (count - number + of) / of; }
  /// The i-th of them.
  int at(int i) const { return number - 1 + i * of; }
};

/// @param text  "K/N"; empty: all. @throws InvalidOption unless 1 <= K <= N.
Shard shard_from(const std::string& text);

}  // namespace daewave::cli
