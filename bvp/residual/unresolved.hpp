#pragma once
// What a collocation solution does not see. It satisfies its equations at the stages; between them
// the residual
//
//   delta(t) = p'(t) - F(p(t), t)
//
// tells whether the right side is anything like what the stages saw. Of a smooth one it is, as the
// step goes to zero, a multiple of prod (theta - c_j), and two meshes estimate what it does. What
// is left without that part is a jump, a kink, a narrow feature, or a mesh that is too coarse.

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "bvp/residual/look_patterns.hpp"
#include "core/ranks/mesh_share.hpp"
#include "core/time/collocation_scheme.hpp"
#include "core/time/mesh.hpp"

namespace daewave::bvp {

/// What rounding makes of a residual, in units of its terms.
inline constexpr double residual_rounding = 64 * std::numeric_limits<double>::epsilon();

/// One quantity at many points side by side.
using RowsOfPoints = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The residual at points of an interval of the mesh.
struct ResidualValues {
  RowsOfPoints values;  ///< rows x points; NaN where it cannot be told.
  RowsOfPoints sizes;   ///< What its terms are like, whose rounding it contains.
};
using Residual = std::function<void(int interval, const Places& at, ResidualValues& found)>;

/// Of a mesh that may be a part of another one: the intervals of it that are looked at, and the
/// length of the interval of the problem.
struct MeshPart {
  IntervalRange intervals{};
  double length = 0;
};

/// Whether a mesh has interval i for nothing but a jump, one side of which is on either node.
bool is_between_sides(const Mesh& mesh, int i);
/// The same of a part of a mesh. @param length  of the interval of the problem.
bool is_between_sides(const Mesh& mesh, int i, double length);

/// Where an interval is looked at first.
struct FirstLook {
  int interval = 0;
  const std::vector<double>* theta = nullptr;  ///< Increasing, in [0, 1].
  const PolynomialsAt* at = nullptr;
};
/// Is told where all intervals will be looked at first, in their order, before any of them is: for
/// residuals whose calls are dear. What is pointed to lives as long as the search.
using FirstLooks = std::function<void(std::vector<FirstLook>)>;

/// Of limits, in units of the tolerance: of the integral over an interval, where the residual is an
/// error of x, and of its values, where they are errors of what is carried.
inline constexpr double limit_of_integral = 0.25, limit_of_value = 4;

/// What is small, by row of the residual; infinite where there is no such limit.
struct ResidualLimits {
  VecX integral;   ///< Of its size, over one interval.
  VecX value;      ///< Of its size at a point.
  int smooth = 0;  ///< The first rows, from which the part of a smooth right side is taken.
};

struct Unresolved {
  double worst = 0;  ///< Of an interval, in units of the limits: more than 1 is not resolved.
  double at = 0;     ///< The middle of that interval.
  std::vector<double> nodes;  ///< Increasing; with them the right side would be resolved.
  std::vector<double> jumps;  ///< Increasing; of them those where it jumps.
  /// Of each interval, the residual itself with its smooth part, in units of the limits.
  VecX integral, value;
  bool any() const { return worst > 1; }
};

/// What was seen of a solution between its stages.
struct Look {
  Unresolved seen;       ///< In units of the limits of `tolerance`.
  double tolerance = 0;  ///< Of those limits.
  VecX turns;            ///< Angles of residual/turning_modes.hpp, where everything was looked at.
  std::string failure;   ///< Why it could not be looked everywhere; else empty.
  /// Steps are long for the problem somewhere: what residuals become there is told for one J. Of
  /// nonlinear problems; of linear ones not asked.
  bool is_stiff = false;
};

/// Looks at every interval between its stages, close to its nodes, and no less than `samples` times
/// in all. Jumps are found to rounding; where stages lie on both nodes, between two of them.
/// @param polynomials  through the points of an interval at which the equations are satisfied.
/// @param most         nodes at most.
/// @param first_looks  may be empty.
Unresolved unresolved(const Mesh& mesh, const Collocation& scheme,
                      const StagePolynomials& polynomials, const Residual& residual,
                      const ResidualLimits& limits, int samples, int most,
                      LookFor wanted = LookFor::everything, const FirstLooks& first_looks = {});

/// The same of some intervals; what is told of each interval is told of these.
Unresolved unresolved(const Mesh& mesh, const MeshPart& part, const Collocation& scheme,
                      const StagePolynomials& polynomials, const Residual& residual,
                      const ResidualLimits& limits, int samples, int most, LookFor wanted,
                      const FirstLooks& first_looks = {});

}  // namespace daewave::bvp
