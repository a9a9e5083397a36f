#include "ivp/run/output_times.hpp"

#include <algorithm>
#include <vector>

#include "core/error.hpp"
#include "core/report/motion.hpp"
#include "ivp/estimate/samples.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {

TEST_CASE("times are given out as the run passes them, forward and backward", "[ivp]") {
  const std::vector<double> times{0, 0.5, 1, 2};
  OutputTimes forward(times, {0, 2});
  CHECK_FALSE(forward.has_until(0.4));  // The start is given out in any case.
  CHECK(forward.has_until(0.5));
  CHECK(forward.take() == 0.5);
  CHECK_FALSE(forward.has_until(0.9));
  CHECK(forward.has_until(2));
  CHECK(forward.take() == 1);
  CHECK(forward.take() == 2);
  CHECK_FALSE(forward.has_until(2));
  OutputTimes backward(times, {2, 0});
  CHECK_FALSE(backward.has_until(1.1));
  CHECK(backward.has_until(1));
  CHECK(backward.take() == 1);
  CHECK(backward.has_until(0));
  CHECK(backward.take() == 0.5);
  CHECK(backward.take() == 0);
  CHECK_FALSE(backward.has_until(0));
  const std::vector<double> none;
  CHECK_FALSE(OutputTimes(none, {0, 1}).has_until(1));
}

TEST_CASE("times outside of the interval are refused with their place", "[ivp]") {
  const std::vector<double> early{-0.1, 1}, late{0.5, 2.1};
  CHECK_THROWS_WITH(OutputTimes(early, {0, 2}),
                    contains_text("times[0] = -0.1") && contains_text("[0, 2]"));
  CHECK_THROWS_WITH(OutputTimes(late, {2, 0}),
                    contains_text("times[1] = 2.1") && contains_text("[0, 2]"));
}

TEST_CASE("samples are spread evenly over what was given out, and hold the begin and the end",
          "[ivp]") {
  for (const int given : {1, 2, 15, 16, 17, 199, 400, 401, 1000, 5000}) {
    CAPTURE(given);
    Samples samples(2);
    for (int i = 0; i < given; ++i) {
      const double state[] = {1.0 * i, -2.0 * i};
      samples.see(0.5 * i, state);
    }
    samples.see_end(0.5 * (given - 1), VecX{{1.0 * (given - 1), -2.0 * (given - 1)}});
    const std::size_t count = samples.count();
    CHECK(count <= 401);
    CHECK(count >= static_cast<std::size_t>(std::min(given, 100)));
    for (std::size_t i = 0; i < count; ++i) {
      CHECK(samples.state(i)[0] == 2 * samples.t(i));
      CHECK(samples.state(i)[1] == -4 * samples.t(i));
    }
    CHECK(samples.t(0) == 0);
    CHECK(samples.t(count - 1) == 0.5 * (given - 1));
    // Of the first none is left out; of others all but the last are as far apart.
    constexpr std::size_t first = 16;
    for (std::size_t i = 1; i < std::min(first, count); ++i)
      CHECK(samples.t(i) == 0.5 * static_cast<double>(i));
    for (std::size_t i = first + 2; i + 1 < count; ++i) {
      CHECK(samples.t(i) - samples.t(i - 1) == samples.t(first + 1) - samples.t(first));
    }
  }
}

TEST_CASE("the range of a motion is between the least and the greatest of each entry", "[report]") {
  Motion motion;
  const double states[][2] = {{1, -1}, {3, -4}, {-2, -2}};
  for (const double* state : states) motion.see(state, 2);
  CHECK(motion.least == VecX{{-2, -4}});
  CHECK(motion.greatest == VecX{{3, -1}});
  CHECK(motion.range() == VecX{{5, 3}});
}

}  // namespace daewave::ivp
