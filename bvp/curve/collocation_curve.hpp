#pragma once
// A collocation solution as functions of t.

#include <functional>
#include <utility>
#include <vector>

#include "bvp/curve/collocation_values.hpp"
#include "bvp/curve/stage_polynomials.hpp"
#include "core/time/collocation_scheme.hpp"
#include "core/time/mesh.hpp"

namespace daewave::bvp {

/// Points of a curve, by interval and the part of its step behind its left node.
struct CurvePoints {
  std::vector<int> intervals;
  VecX theta;

  explicit CurvePoints(Eigen::Index count)
      : intervals(static_cast<std::size_t>(count)), theta(count) {}
  Eigen::Index count() const { return theta.size(); }
  int interval(Eigen::Index p) const { return intervals[static_cast<std::size_t>(p)]; }
  void set(Eigen::Index p, int interval, double part) {
    intervals[static_cast<std::size_t>(p)] = interval;
    theta[p] = part;
  }
};

/// Piecewise polynomials on a mesh. @throws InvalidOption for t outside of it.
class CollocationCurve {
 public:
  CollocationCurve() = default;
  /// @param borders  of parts of the mesh that know nothing of each other, from 0 to the number of
  ///                 intervals; empty: there are none.
  CollocationCurve(Mesh mesh, Collocation scheme, CollocationValues values,
                   std::vector<int> borders = {})
      : mesh_(std::move(mesh)),
        scheme_(std::move(scheme)),
        values_(std::move(values)),
        polynomials_(points_of(scheme_, values_)),
        borders_(std::move(borders)) {}

  /// The collocation polynomial; of degree k, with the values at nodes of the order of the scheme.
  /// Where slopes at the ends are known it passes through them too, with a degree of k + 2.
  VecX x(double t) const;
  /// The same at many times, a column for each: polynomials of all of them are evaluated at once.
  MatX x(const VecX& times) const;
  /// The same in interval i, at theta in [0, 1] of its step.
  VecX x_in(int i, double theta) const;
  void x_in(int i, double theta, VecX& x) const;
  MatX x_at(const CurvePoints& points) const;
  /// Its derivative; of degree k - 1.
  VecX slope(double t) const;
  MatX slope(const VecX& times) const;
  VecX slope_in(int i, double theta) const;
  void slope_in(int i, double theta, VecX& slope) const;
  MatX slope_at(const CurvePoints& points) const;
  /// What is carried, from the polynomial through the stages of the interval; of degree k - 1. With
  /// one stage per interval, from the line through the stages of two neighbouring intervals of one
  /// part.
  VecX carried(double t) const;
  VecX carried_in(int i, double theta) const;
  void carried_in(int i, double theta, VecX& carried) const;
  MatX carried_at(const CurvePoints& points) const;

  /// Without slopes there is x at nodes only.
  bool has_slopes() const { return values_.slopes.cols() > 0; }
  /// t of stage j of interval i; exactly the node where the stage lies on one.
  double stage_time(int i, int j) const {
    const double c = scheme_.c[j];
    return c == 1 ? mesh_.node(i + 1) : mesh_.node(i) + c * mesh_.step(i);
  }

  const Mesh& mesh() const { return mesh_; }
  const Collocation& scheme() const { return scheme_; }
  const CollocationValues& values() const { return values_; }
  const std::vector<int>& borders() const { return borders_; }
  /// Through the stages of an interval, and its ends where they are known.
  const StagePolynomials& polynomials() const { return polynomials_; }
  bool has_ends() const { return values_.end_slopes.cols() > 0; }
  /// What these polynomials are multiplied by; one column for each point.
  MatX slopes_of(int i) const { return joined(values_.slopes, values_.end_slopes, i); }
  MatX carried_of(int i) const { return joined(values_.carried, values_.end_carried, i); }

  /// The same curve on other stages: a guess there.
  CollocationValues on(const Mesh& mesh, const Collocation& scheme) const;

 private:
  using Weights = StagePolynomials::Weights;

  static VecX points_of(const Collocation& scheme, const CollocationValues& values);
  MatX joined(const MatX& at_stages, const MatX& at_ends, int i) const;
  void weighed(const MatX& at_stages, const MatX& at_ends, int i, const Weights& weights,
               VecX& sum) const;
  /// Columns of stages, and of ends, times what polynomials are at points.
  using Polynomials = void (StagePolynomials::*)(const Eigen::Ref<const VecX>& theta,
                                                 MatX& found) const;
  MatX weighed_at(const MatX& at_stages, const MatX& at_ends, const CurvePoints& points,
                  Polynomials what) const;
  CurvePoints points_at(const VecX& times) const;
  std::pair<int, int> part_of(int interval) const;

  Mesh mesh_;
  Collocation scheme_;
  CollocationValues values_;
  StagePolynomials polynomials_;
  std::vector<int> borders_;
};

/// A curve in the time that runs from the other end of the interval.
///
/// @param mesh          its nodes there, as many as the curve has.
/// @param turned        a state of the curve as one of that time, and back.
/// @param carried_sign  of what is carried there.
CollocationCurve time_reversed(const CollocationCurve& curve, const Mesh& mesh,
                               const std::function<VecX(const VecX&)>& turned, double carried_sign);

}  // namespace daewave::bvp
