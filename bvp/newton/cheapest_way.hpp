#pragma once
// How Newton's method goes on from a change that the matrix at hand has made. A change by it costs
// a part of a new matrix, but shrinks linearly; a new one shrinks them quadratically.

namespace daewave::bvp {

/// What is known of the changes of Newton's method on its way, in one unit.
struct NewtonCourse {
  double size = 0;         ///< Of the change that the matrix at hand makes next, > 0.
  double contraction = 0;  ///< That part it is of the one before.
  double curvature = 0;    ///< A new matrix makes changes shrink by curvature size.
  double tolerance = 0;    ///< Where a change is small enough, > 0.
};

enum class NewtonWay {
  same_matrix,           ///< The change is made, and another one by the same matrix looked at.
  step_then_new_matrix,  ///< It is made, and a new matrix there.
  new_matrix,            ///< Where the change was looked at.
};

/// The first step of the cheapest way to the tolerance, with the matrix at hand alone or with a new
/// one somewhere. [Deuflhard] section 2.1, with costs.
NewtonWay cheapest_way(const NewtonCourse& course);

}  // namespace daewave::bvp
