#pragma once
// Sequential regularization of x'' = f(x, v, t) - B(x, t) y, 0 = g(x, t).   [AL2] section 4
//
// One class for each thing that is carried, each an ordinary problem of z = (x, v). A Point answers
// what they ask: SecondOrderPoint, or MultibodyPoint, for which B = M^-1 G^T.

#include <cmath>
#include <string>
#include <type_traits>

#include "core/eigen_memory.hpp"
#include "core/kkt/square_lu.hpp"
#include "core/not_finite.hpp"
#include "core/regularize/second_order_point.hpp"

namespace daewave {

namespace detail {

/// double, or one time in each lane (core/regularize/lane_multibody_point.hpp).
template <class Point>
struct TimeTrait {
  using type = double;
};
template <class Point>
requires requires { typename Point::Time; }
struct TimeTrait<Point> {
  using type = typename Point::Time;
};

/// True where an entry is not zero, in any lane.
template <class V>
bool any_of(const V& values) {
  if constexpr (std::is_same_v<typename V::Scalar, double>) {
    return !values.isZero(0);
  } else {
    auto any = values[0] != 0;
    for (int i = 1; i < values.size(); ++i) any = any | (values[i] != 0);
    return any.any();
  }
}

/// What the three have in common: z in two halves, and what is said when it goes wrong. A copy has
/// the problem and the form of the original, and a memory of its own.
///
/// Their evaluate(z, t, before, slope, carried) takes vectors or maps of the sizes of State and
/// Carried; vectors whose size is not fixed get theirs.
template <class Point>
class SecondOrderForm {
 public:
  using State = typename Point::State;
  using Position = typename Point::Position;
  using Multiplier = typename Point::Multiplier;
  using Time = typename TimeTrait<Point>::type;
  static constexpr bool in_lanes = !std::is_same_v<Time, double>;

  const Point& point() const { return point_; }
  const std::string& failure() const { return point_.failure(); }
  const Regularization& form() const { return form_; }
  /// Evaluations in which the rank guard dropped a row of G.
  long guarded() const { return point_.guarded(); }
  /// Largest |g| and |G v + g_t| at the state last evaluated.
  void residuals(double& position, double& velocity) {
    position = largest_size(point_.terms().position);
    point_.velocity_residual(v_, h_);
    velocity = largest_size(h_);
  }
  /// The same in each lane.
  void largest_residuals(Time& position, Time& velocity) requires in_lanes {
    point_.velocity_residual(v_, h_);
    position = abs(point_.terms().position[0]);
    velocity = abs(h_[0]);
    for (int i = 1; i < h_.size(); ++i) {
      position = larger(position, abs(point_.terms().position[i]));
      velocity = larger(velocity, abs(h_[i]));
    }
  }

 protected:
  template <class P>
  SecondOrderForm(const P& problem, const Regularization& form)
      : form_(form), point_(problem, form.rank_tolerance), rate_(1 / form.epsilon) {
    check_index_3(form, Point::reducible);
  }

  /// nl.
  int constraints(const State& z, const Time& t) {
    begin(z, t);
    return static_cast<int>(point_.terms().position.size());
  }
  /// nx, fixed where it is: halves are in registers then.
  template <class X>
  static auto half(const X& z) {
    if constexpr (Position::RowsAtCompileTime != Dynamic) {
      return Eigen::fix<Position::RowsAtCompileTime>;
    } else {
      return z.size() / 2;
    }
  }
  template <class X>
  bool begin(const X& z, const Time& t) {
    const auto n = half(z);
    x_ = z.head(n);
    v_ = z.tail(n);
    return point_.evaluate(x_, v_, t);
  }
  template <class Slope>
  bool end(const Slope& slope) {
    if constexpr (in_lanes) {
      return true;  // Whoever steps them looks at each.
    } else {
      return std::isfinite(slope.sum()) || slope.allFinite() || point_.finite();
    }
  }

  Regularization form_;
  Point point_;
  double rate_;  ///< 1 / epsilon.
  Position x_, v_, a_, b_;
  Multiplier h_, Eh_;
};

}  // namespace detail

/// Carries y. The invariant's form, [AL2] (4.14)-(4.16), (5.3)-(5.4):
///
///   x' = v - (1/eps) B E g,   v' = f - B y_s,   y_s = y_{s-1} + (1/eps) E g',   g' = G v + g_t
///
/// and Baumgarte's, [AL2] (4.4)-(4.5):
///
///   x' = v,   v' = f - B y_s,   y_s = y_{s-1} + (1/eps) E (a1 g'' + a2 g' + a3 g).
template <class Point>
class RegularizedIndex3 : public detail::SecondOrderForm<Point> {
  using Base = detail::SecondOrderForm<Point>;
  using Base::form_, Base::point_, Base::rate_, Base::x_, Base::v_, Base::a_, Base::b_, Base::h_,
      Base::Eh_;

 public:
  using typename Base::Time;
  using State = typename Point::State;
  using Carried = typename Point::Multiplier;

  /// @throws InvalidOption where the form is none of index 3 or its numbers are wrong.
  template <class P>
  RegularizedIndex3(const P& problem, const Regularization& form) : Base(problem, form) {}
  RegularizedIndex3(const RegularizedIndex3& other) : Base(other.point_.problem(), other.form_) {}

  /// y_0 = 0.
  Carried none(const State& z, const Time& t) { return Carried::Zero(this->constraints(z, t)); }

  template <class X, class Before, class Slope, class Out>
  bool evaluate(const X& z, const Time& t, const Before& before, Slope& slope, Out& y) {
    if (!this->begin(z, t) || !point_.weigh(form_.weight)) return false;
    const auto n = this->half(z);
    point_.acceleration(a_);
    point_.velocity_residual(v_, h_);
    slope.resize(z.size());
    slope.head(n) = v_;
    if (form_.variant == Variant::invariant) {
      point_.weighted(h_, Eh_);
      y_ = before + rate_ * Eh_;
      point_.weighted(point_.terms().position, Eh_);
      point_.apply_B(Eh_, b_);
      slope.head(n) -= rate_ * b_;
    } else {
      baumgarte(before);
    }
    y = y_;
    point_.apply_B(y_, b_);
    slope.tail(n) = a_ - b_;
    return this->end(slope);
  }

 private:
  /// With v' = f - B y_s inserted: (eps + a1 E GB) y_s = eps y_{s-1} + E (a1 (G f + curvature) +
  /// ..)
  template <class Before>
  void baumgarte(const Before& before) {
    h_ = form_.alpha2 * h_ + form_.alpha3 * point_.terms().position;
    if (form_.alpha1 == 0) {
      point_.weighted(h_, Eh_);
      y_ = before + rate_ * Eh_;
      return;
    }
    point_.apply_G(a_, Eh_);
    h_ += form_.alpha1 * (Eh_ + point_.terms().curvature);
    point_.weighted(h_, Eh_);
    y_ = form_.epsilon * before + Eh_;
    if (form_.weight == Weight::inverse) {
      y_ /= form_.epsilon + form_.alpha1;
      return;
    }
    if constexpr (!Base::in_lanes) {
      solve_differentiated();
    }
  }

  void solve_differentiated() {
    point_.form_GB();
    auto& matrix = differentiated_.matrix;
    if (form_.weight == Weight::identity) {
      matrix = form_.alpha1 * point_.GB();
    } else {
      matrix.noalias() = form_.alpha1 * point_.GB().transpose() * point_.GB();
    }
    matrix.diagonal().array() += form_.epsilon;
    differentiated_.factor.compute(matrix);
    differentiated_.factor.solve(y_, Eh_);
    y_ = Eh_;
  }

  static constexpr int ny_ = detail::rows<Carried>, my_ = detail::most_rows<Carried>;
  using Square = Eigen::Matrix<double, ny_, ny_, Eigen::ColMajor, my_, my_>;
  struct Differentiated {
    Square matrix;
    SquareLu<Square> factor;
  };
  struct Nothing {};
  /// Lanes have no such forms.
  [[no_unique_address]] std::conditional_t<Base::in_lanes, Nothing, Differentiated> differentiated_;
  Carried y_;
};

/// The reduced problem with its invariants as constraints, [AL2] (4.11)-(4.12); carries
/// zeta = (zeta1, zeta2), 2 ny, which is zero in the exact solution:
///
///   x' = v - B zeta1_s,   v' = f - B y(x, v) - B zeta2_s,   y(x, v) = (GB)^-1 (G f + curvature),
///   zeta1_s = zeta1_{s-1} + (1/eps) E g,   zeta2_s = zeta2_{s-1} + (1/eps) E g'.
template <class Point>
class RegularizedReduced : public detail::SecondOrderForm<Point> {
  using Base = detail::SecondOrderForm<Point>;
  using Base::form_, Base::point_, Base::rate_, Base::x_, Base::v_, Base::a_, Base::b_, Base::h_,
      Base::Eh_;
  static constexpr int ny_ = detail::rows<typename Point::Multiplier>,
                       my_ = detail::most_rows<typename Point::Multiplier>;

 public:
  using typename Base::Time;
  using State = typename Point::State;
  using Carried = Eigen::Matrix<typename Point::Multiplier::Scalar, detail::twice(ny_), 1,
                                Eigen::ColMajor, detail::twice(my_), 1>;

  template <class P>
  RegularizedReduced(const P& problem, const Regularization& form) : Base(problem, form) {}
  RegularizedReduced(const RegularizedReduced& other) : Base(other.point_.problem(), other.form_) {}

  Carried none(const State& z, const Time& t) { return Carried::Zero(2 * this->constraints(z, t)); }

  template <class X, class Before, class Slope, class Out>
  bool evaluate(const X& z, const Time& t, const Before& before, Slope& slope, Out& zeta) {
    if (!this->begin(z, t) || !point_.weigh(Weight::inverse)) return false;
    const auto n = this->half(z);
    const auto ny = point_.terms().position.size();
    point_.acceleration(a_);
    point_.apply_G(a_, h_);
    h_ += point_.terms().curvature;
    point_.weighted(h_, y_);
    if (form_.weight != Weight::inverse && !point_.weigh(form_.weight)) return false;
    zeta.resize(2 * ny);
    point_.weighted(point_.terms().position, Eh_);
    zeta.head(ny) = before.head(ny) + rate_ * Eh_;
    point_.velocity_residual(v_, h_);
    point_.weighted(h_, Eh_);
    zeta.tail(ny) = before.tail(ny) + rate_ * Eh_;
    slope.resize(z.size());
    Eh_ = zeta.head(ny);
    point_.apply_B(Eh_, b_);
    slope.head(n) = v_ - b_;
    Eh_ = y_ + zeta.tail(ny);
    point_.apply_B(Eh_, b_);
    slope.tail(n) = a_ - b_;
    return this->end(slope);
  }

 private:
  typename Point::Multiplier y_;
};

/// For constraints that become singular, [AL2] (4.23), (5.5)-(5.6); carries w = B y, nx:
///
///   x' = v - (1/eps) B (GB)^-1 g,   v' = f - w_s,
///   w_s = P (w_{s-1} + (1/eps) v) + (1/eps) B (GB)^-1 g_t,   P = B (GB)^-1 G.
template <class Point>
class RegularizedSingular3 : public detail::SecondOrderForm<Point> {
  using Base = detail::SecondOrderForm<Point>;
  using Base::form_, Base::point_, Base::rate_, Base::x_, Base::v_, Base::a_, Base::b_;

 public:
  using typename Base::Time;
  using State = typename Point::State;
  using Carried = typename Point::Position;

  template <class P>
  RegularizedSingular3(const P& problem, const Regularization& form) : Base(problem, form) {}
  RegularizedSingular3(const RegularizedSingular3& other)
      : Base(other.point_.problem(), other.form_) {}

  Carried none(const State& z, const Time&) { return Carried::Zero(z.size() / 2); }

  template <class X, class Before, class Slope, class Out>
  bool evaluate(const X& z, const Time& t, const Before& before, Slope& slope, Out& By) {
    if (!this->begin(z, t) || !point_.split()) return false;
    const auto n = this->half(z);
    a_ = before + rate_ * v_;
    point_.forbidden(a_, By_);
    if (detail::any_of(point_.terms().g_t)) {
      point_.correct(point_.terms().g_t, b_);
      By_ += rate_ * b_;
    }
    By = By_;
    point_.correct(point_.terms().position, b_);
    slope.resize(z.size());
    slope.head(n) = v_ - rate_ * b_;
    point_.acceleration(a_);
    slope.tail(n) = a_ - By_;
    return this->end(slope);
  }

 private:
  Carried By_;
};

}  // namespace daewave
