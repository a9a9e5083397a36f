#include "bvp/nonlinear/guess_at_times.hpp"

#include <cstddef>
#include <vector>

#include "bvp/curve/times_of_ranks.hpp"
#include "bvp/nonlinear/nonlinear_values.hpp"
#include "bvp/result/solution.hpp"

namespace daewave::bvp {

MatX guess_at_times(const std::function<VecX(double t)>& guess, const Options& options,
                    const Interval& interval, int components) {
  // What swings faster than these tell is seen to swing about as fast as they tell.
  constexpr int samples = 400;
  // One of another size is refused where it is taken.
  const bool is_solution = options.from && !options.guess &&
                           options.from->values().curve().values().x.rows() >= components;
  Interval of = interval;  // A solution is stretched to the interval.
  if (is_solution) {
    const Mesh& mesh = options.from->mesh_of_all();
    of = {mesh.begin(), mesh.end()};
  }
  std::vector<double> times;
  for (int i = 0; i < samples; ++i) times.push_back(of.begin + i * of.length() / samples);
  times.push_back(of.end);
  if (is_solution) {
    const SolutionValues& from = options.from->values();
    return at_times(from.share(), from.curve().mesh(), components, times,
                    [&](double t) -> VecX { return from.curve().x(t).head(components); });
  }
  MatX x(components, samples + 1);
  for (int i = 0; i <= samples; ++i) {
    x.col(i) = guess(times[static_cast<std::size_t>(i)]).head(components);
  }
  return x;
}

}  // namespace daewave::bvp
