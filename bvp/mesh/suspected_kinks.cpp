#include "bvp/mesh/suspected_kinks.hpp"

#include <algorithm>
#include <cmath>

#include "core/not_finite.hpp"

namespace daewave::bvp {

std::vector<int> suspected_kinks(const IntervalErrors& errors, double tolerance) {
  // Neither a small mesh nor one without end is searched for long.
  constexpr std::size_t most_intervals = 16;
  constexpr double alone = 4, of_largest = 0.1;
  const VecX here = errors.x.cwiseMax(errors.carried);
  const auto intervals = static_cast<int>(here.size());
  const double least = std::max(tolerance, of_largest * largest_size(here));
  std::vector<int> suspects;
  for (int i = 0; i < intervals && suspects.size() < most_intervals; ++i) {
    const double beside =
        std::min(i > 0 ? here[i - 1] : INFINITY, i + 1 < intervals ? here[i + 1] : INFINITY);
    if (here[i] >= least && here[i] > alone * beside) suspects.push_back(i);
  }
  return suspects;
}

void smooth_over(const Mesh& mesh, const std::vector<double>& times, IntervalErrors& errors) {
  for (const double t : times) {
    const int i = mesh.locate(t);
    for (VecX* of : {&errors.x, &errors.carried}) {
      (*of)[i] = std::min((*of)[i], std::max(i > 0 ? (*of)[i - 1] : 0.0,
                                             i + 1 < mesh.intervals() ? (*of)[i + 1] : 0.0));
    }
  }
}

}  // namespace daewave::bvp
