// When a matrix is used again: as long as that is the first step of the cheapest way.

#include "bvp/newton/same_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// Changes that a matrix makes until one is small enough, counted one by one.
int changes(double size, double contraction, double tolerance) {
  int count = 0;
  for (; size > tolerance; size *= contraction) {
    if (++count > 1000) break;
  }
  return count;
}

constexpr int new_matrix = 2;

int with_new_matrix(double size, const NewtonCourse& course) {
  return new_matrix + std::max(1, changes(size, course.curvature * size, course.tolerance));
}

/// Of all ways: this matrix to the end, or a new one after so many changes.
int cheapest_that_goes_on(const NewtonCourse& course) {
  int least = changes(course.size, course.contraction, course.tolerance);
  double size = course.size;
  for (int before = 1; before < 60 && size > course.tolerance; ++before) {
    size *= course.contraction;
    least = std::min(least, before + with_new_matrix(size, course));
  }
  return least;
}

}  // namespace

TEST_CASE("a matrix is kept where no other way to the tolerance costs less", "[newton]") {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(0, 1);
  int kept = 0, given_up = 0;
  for (int i = 0; i < 5000; ++i) {
    NewtonCourse course;
    course.tolerance = std::pow(10, -4 - 9 * uniform(random));
    course.size = course.tolerance * std::pow(10, 8 * uniform(random));
    course.contraction = std::pow(10, -1 - uniform(random));
    course.curvature = std::pow(10, -8 * uniform(random)) / course.size;
    CAPTURE(course.tolerance, course.size, course.contraction, course.curvature);
    const bool pays = cheapest_that_goes_on(course) <= with_new_matrix(course.size, course);
    CHECK(same_matrix_pays(course) == pays);
    (pays ? kept : given_up) += 1;
  }
  CHECK(std::min(kept, given_up) > 500);
}

TEST_CASE("changes that shrink slowly, grow, or are no numbers ask for a new matrix", "[newton]") {
  const double tolerance = 1e-10;
  for (const double contraction : {0.11, 0.5, 1.0, 2.0, double{NAN}}) {
    CAPTURE(contraction);
    CHECK_FALSE(same_matrix_pays({1e-3, contraction, 1, tolerance}));
    CHECK_FALSE(same_matrix_pays({1e-9, contraction, 1, tolerance}));
  }
  CHECK_FALSE(same_matrix_pays({1e-3, 0.09, 0, tolerance}));
  CHECK(same_matrix_pays({1e-9, 0.09, 1, tolerance}));
  // Where a new one would not shrink them, there is nothing to be had of it.
  CHECK(same_matrix_pays({1e-3, 0.09, 1e6, tolerance}));
}

TEST_CASE("a change that is small already costs nothing more by the same matrix", "[newton]") {
  CHECK(same_matrix_pays({1e-11, 0.05, 1, 1e-10}));
  CHECK(same_matrix_pays({0, 0, 0, 1e-10}));
}

}  // namespace daewave::bvp
