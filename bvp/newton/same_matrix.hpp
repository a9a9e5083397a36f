#pragma once
// When Newton's method goes on with the matrix at hand. A change by it costs a part of one by a new
// matrix, but shrinks linearly; a new one shrinks them quadratically.

namespace daewave::bvp {

/// What is known of the changes of Newton's method on its way, in one unit.
struct NewtonCourse {
  double size = 0;         ///< Of the change that the matrix at hand makes next, > 0.
  double contraction = 0;  ///< That part it is of the one before.
  double curvature = 0;    ///< A new matrix makes changes shrink by curvature size.
  double tolerance = 0;    ///< Where a change is small enough, > 0.
};

/// Whether a further change by the matrix at hand is the first step of the cheapest way to the
/// tolerance: with it alone, or with a new one later. [Deuflhard] section 2.1, with costs.
bool same_matrix_pays(const NewtonCourse& course);

}  // namespace daewave::bvp
