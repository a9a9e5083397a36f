#include "bvp/newton/cheapest_way.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daewave::bvp {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Of a new matrix, with derivatives and the elimination of slopes and of nodes; and of the
/// evaluation alone that each change begins with. In changes by a matrix at hand.
constexpr double new_matrix = 2, evaluation_alone = 0.4;

/// Changes that shrink by so much each, until one of them is small enough.
double changes(double size, double contraction, double tolerance) {
  if (size <= tolerance) return 0;
  if (!(contraction < 1)) return infinity;
  return std::max(1.0, std::ceil(std::log(tolerance / size) / std::log(contraction)));
}

double with_new_matrix(double size, const NewtonCourse& course) {
  return new_matrix + changes(size, course.curvature * size, course.tolerance);
}

double with_step_and_new_matrix(double size, const NewtonCourse& course) {
  return evaluation_alone + with_new_matrix(course.contraction * size, course);
}

}  // namespace

NewtonWay cheapest_way(const NewtonCourse& course) {
  // What shrinks more slowly is far from where the matrix was made, and forecasts are worth little.
  constexpr double slow = 0.1;
  if (!(course.contraction <= slow)) return NewtonWay::new_matrix;
  double same = changes(course.size, course.contraction, course.tolerance);
  double size = course.size;
  for (int before = 1; before + new_matrix < same; ++before) {
    size *= course.contraction;
    same = std::min({same, before + with_new_matrix(size, course),
                     before + with_step_and_new_matrix(size, course)});
  }
  const double with_step = with_step_and_new_matrix(course.size, course);
  const double with_new = with_new_matrix(course.size, course);
  if (same <= std::min(with_step, with_new)) return NewtonWay::same_matrix;
  return with_step <= with_new ? NewtonWay::step_then_new_matrix : NewtonWay::new_matrix;
}

}  // namespace daewave::bvp
