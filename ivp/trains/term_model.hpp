#pragma once
// The terms of a motion as points nearby know them, to first order, and to second where G is the
// derivative of g:
//
//   f = f0 + f_q dq + f_v dv + f_t dt,  M and G the same,  g = g0 + G dq + g_t dt + dq^T g_qq dq /
//   2, c = c0 + c_q dq + c_t dt + (v^T g_qq v - v0^T g_qq v0) + 2 g_qt (v - v0)
//
// Accelerations are eliminated from these, and so are exact where the terms are linear: in
// Cartesian coordinates with springs, gravity and distances they are, however long the way.

#include "ivp/trains/known_terms.hpp"
#include "ivp/trains/term_slopes.hpp"

namespace daewave::ivp {

/// The mathematics of a window's nodes, for sweeps over it; kept by reference are what is known and
/// its slopes.
class TermModel final : public Evaluation {
 public:
  /// @param from  terms at as many points as are asked for; point p is modelled from point p.
  void look_at(const KnownTerms& from, const TermSlopes& slopes) {
    from_ = &from;
    slopes_ = &slopes;
  }
  const Terms& evaluate(Ask what, const Points& at) override;
  /// With g and g_t too.
  const KnownTerms& at(const Points& points);

 private:
  void model(const Points& at, bool residuals);

  const KnownTerms* from_ = nullptr;
  const TermSlopes* slopes_ = nullptr;
  KnownTerms now_;
  AlignedVector moved_;  ///< dq, dv, dt.
  Terms terms_;
};

}  // namespace daewave::ivp
