#include "bvp/newton/same_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daewave::bvp {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Of a new matrix, in changes by one at hand with the evaluation that each needs: derivatives,
/// elimination of slopes and of nodes.
constexpr double new_matrix = 2;

/// Changes that shrink by so much each, until one of them is small enough.
double changes(double size, double contraction, double tolerance) {
  if (size <= tolerance) return 0;
  if (!(contraction < 1)) return infinity;
  return std::max(1.0, std::ceil(std::log(tolerance / size) / std::log(contraction)));
}

double with_new_matrix(double size, const NewtonCourse& course) {
  return new_matrix + changes(size, course.curvature * size, course.tolerance);
}

}  // namespace

bool same_matrix_pays(const NewtonCourse& course) {
  // What shrinks more slowly is far from where the matrix was made, and forecasts are worth little.
  constexpr double slow = 0.1;
  if (!(course.contraction <= slow)) return false;
  double best = changes(course.size, course.contraction, course.tolerance);
  double size = course.size;
  for (int before = 1; before + new_matrix < best; ++before) {
    size *= course.contraction;
    best = std::min(best, before + with_new_matrix(size, course));
  }
  return best <= with_new_matrix(course.size, course);
}

}  // namespace daewave::bvp
