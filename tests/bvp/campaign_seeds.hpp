#pragma once
// Which random problems a campaign draws: the same thousand, unless the environment names others,
//
//   DAEWAVE_CAMPAIGN=5000:7000 daewave_test_bvp "[campaign]"
//
// so that what was mended with one thousand in view can be seen with another.

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace daewave::testing {

inline std::vector<unsigned> campaign_seeds() {
  unsigned from = 1000, to = 2000;
  if (const char* asked = std::getenv("DAEWAVE_CAMPAIGN")) {
    if (std::sscanf(asked, "%u:%u", &from, &to) != 2 || from >= to) {
      throw std::invalid_argument("DAEWAVE_CAMPAIGN=" + std::string(asked) +
                                  ": must be FROM:TO, two numbers, the second larger");
    }
  }
  std::vector<unsigned> seeds(to - from);
  std::iota(seeds.begin(), seeds.end(), from);
  return seeds;
}

}  // namespace daewave::testing
