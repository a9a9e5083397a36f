// When a matrix is used again: as long as that is the first step of the cheapest way.

#include "bvp/newton/cheapest_way.hpp"

#include <algorithm>
#include <cmath>
#include <map>
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

constexpr double new_matrix = 2, evaluation = 0.4;

double with_new_matrix(double size, const NewtonCourse& course) {
  return new_matrix + changes(size, course.curvature * size, course.tolerance);
}

double with_step(const NewtonCourse& course, double size) {
  return evaluation + with_new_matrix(course.contraction * size, course);
}

/// Of all ways: this matrix to the end, or a new one after so many changes, and perhaps a step.
double cheapest_that_goes_on(const NewtonCourse& course) {
  double least = changes(course.size, course.contraction, course.tolerance);
  double size = course.size;
  for (int before = 1; before < 60 && size > course.tolerance; ++before) {
    size *= course.contraction;
    least =
        std::min({least, before + with_new_matrix(size, course), before + with_step(course, size)});
  }
  return least;
}

NewtonWay cheapest(const NewtonCourse& course) {
  const double same = cheapest_that_goes_on(course);
  const double step = with_step(course, course.size), now = with_new_matrix(course.size, course);
  if (same <= std::min(step, now)) return NewtonWay::same_matrix;
  return step <= now ? NewtonWay::step_then_new_matrix : NewtonWay::new_matrix;
}

}  // namespace

TEST_CASE("a matrix is kept where no other way to the tolerance costs less", "[newton]") {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::map<NewtonWay, int> taken;
  for (int i = 0; i < 5000; ++i) {
    NewtonCourse course;
    course.tolerance = std::pow(10, -4 - 9 * uniform(random));
    course.size = course.tolerance * std::pow(10, 8 * uniform(random));
    course.contraction = std::pow(10, -1 - uniform(random));
    course.curvature = std::pow(10, -8 * uniform(random)) / course.size;
    CAPTURE(course.tolerance, course.size, course.contraction, course.curvature);
    const NewtonWay way = cheapest_way(course);
    CHECK(way == cheapest(course));
    ++taken[way];
  }
  CHECK(taken[NewtonWay::same_matrix] > 500);
  CHECK(taken[NewtonWay::step_then_new_matrix] > 500);
  CHECK(taken[NewtonWay::new_matrix] > 50);
}

TEST_CASE("changes that shrink slowly, grow, or are no numbers ask for a new matrix", "[newton]") {
  const double tolerance = 1e-10;
  for (const double contraction : {0.11, 0.5, 1.0, 2.0, double{NAN}}) {
    CAPTURE(contraction);
    CHECK(cheapest_way({1e-3, contraction, 1, tolerance}) == NewtonWay::new_matrix);
    CHECK(cheapest_way({1e-9, contraction, 1, tolerance}) == NewtonWay::new_matrix);
  }
  CHECK(cheapest_way({1e-3, 0.09, 0, tolerance}) == NewtonWay::new_matrix);
  CHECK(cheapest_way({1e-9, 0.09, 1, tolerance}) == NewtonWay::same_matrix);
  // Where a new one would not shrink them, there is nothing to be had of it.
  CHECK(cheapest_way({1e-3, 0.09, 1e6, tolerance}) == NewtonWay::same_matrix);
}

TEST_CASE("a change that is small already costs nothing more by the same matrix", "[newton]") {
  CHECK(cheapest_way({1e-11, 0.05, 1, 1e-10}) == NewtonWay::same_matrix);
  CHECK(cheapest_way({0, 0, 0, 1e-10}) == NewtonWay::same_matrix);
}

}  // namespace daewave::bvp
