#pragma once
// A collocation solution as functions of t.

#include <functional>

#include "bvp/nonlinear/collocation_newton.hpp"
#include "bvp/nonlinear/stage_polynomials.hpp"

namespace daewave::bvp {

/// Piecewise polynomials on a mesh. @throws InvalidOption for t outside of it.
class CollocationCurve {
 public:
  CollocationCurve() = default;
  CollocationCurve(Mesh mesh, Collocation scheme, CollocationValues values)
      : mesh_(std::move(mesh)),
        scheme_(std::move(scheme)),
        polynomials_(scheme_),
        values_(std::move(values)) {}

  /// The collocation polynomial; of degree k, with the values at nodes of the order of the scheme.
  VecX x(double t) const;
  /// The same in interval i, at theta in [0, 1] of its step.
  VecX x_in(int i, double theta) const;
  /// Its derivative; of degree k - 1.
  VecX slope(double t) const;
  /// What is carried, from the polynomial through the stages of the interval; of degree k - 1. With
  /// one stage per interval, from the line through the stages of two neighbouring intervals.
  VecX carried(double t) const;
  VecX carried_in(int i, double theta) const;

  const Mesh& mesh() const { return mesh_; }
  const Collocation& scheme() const { return scheme_; }
  const CollocationValues& values() const { return values_; }
  const StagePolynomials& polynomials() const { return polynomials_; }

  /// The same curve on other stages: a guess there.
  CollocationValues on(const Mesh& mesh, const Collocation& scheme) const;

 private:
  Mesh mesh_;
  Collocation scheme_;
  StagePolynomials polynomials_;
  CollocationValues values_;
};

/// A curve in the time that runs from the other end of the interval.
///
/// @param mesh          its nodes there, as many as the curve has.
/// @param turned        a state of the curve as one of that time, and back.
/// @param carried_sign  of what is carried there.
CollocationCurve time_reversed(const CollocationCurve& curve, const Mesh& mesh,
                               const std::function<VecX(const VecX&)>& turned, double carried_sign);

}  // namespace daewave::bvp
