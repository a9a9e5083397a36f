// The nonlinear problems that are checked. A new one is a line in `MultibodyProblems` or
// `Index2Problems`, and one in `instances` where its members choose between cases.

#include "tests/problems/any_problem.hpp"

#include <tuple>

#include "core/problem/dae.hpp"
#include "core/problem/terms.hpp"
#include "problems/acpr.hpp"
#include "problems/al2.hpp"
#include "problems/andrews.hpp"
#include "problems/car_axis.hpp"
#include "problems/chain.hpp"
#include "problems/pendulum.hpp"
#include "problems/scissors.hpp"
#include "problems/slider_crank.hpp"
#include "problems/truck.hpp"
#include "problems/velocity_pendulum.hpp"

namespace daewave::problems {
namespace {

using MultibodyProblems = std::tuple<Al2Example64, SliderCrank, Andrews, CarAxis, AcprCase1,
                                     AcprCase2, Pendulum, Truck, Chain, ChainOf<3>, Scissors>;
using Index2Problems =
    std::tuple<Al2Example31, Al2Example61, Al2Example62, Al2Example63, VelocityPendulum>;

template <class P>
std::vector<P> instances() {
  return {P{}};
}
template <>
std::vector<AcprCase2> instances() {
  return {AcprCase2{}, AcprCase2{.omega = 1.7}};
}
// Not the bumps of the source, which are too fast for differences of that length.
template <>
std::vector<CarAxis> instances() {
  return {CarAxis{.omega = 2}};
}
template <>
std::vector<Chain> instances() {
  return {Chain{.rods = 1}, Chain{.rods = 2}, Chain{.rods = 5}};
}
template <>
std::vector<Scissors> instances() {
  return {Scissors(1), Scissors(2), Scissors(4)};
}
template <>
std::vector<Pendulum> instances() {
  return {Pendulum{.g0 = 1, .t_end = 7}, Pendulum::of_period(5)};
}
template <>
std::vector<Truck> instances() {
  return {Truck{}, Truck{.pace = 15, .moment = ChassisMoment::as_published}};
}
template <>
std::vector<SliderCrank> instances() {
  return {SliderCrank{}, SliderCrank{.from = SliderCrankStart::turning},
          SliderCrank{.L = 0.7, .m = 2, .g0 = 1.6}};
}

template <class P>
class Wrapped final : public AnyProblem {
  using X = ConfigurationOf<P>;
  using L = typename P::Multiplier;

 public:
  explicit Wrapped(const P& problem) : problem_(problem) {}

  std::string name() const override { return problem_.name(); }
  Interval interval() const override { return problem_.interval(); }
  VecX start() const override { return problem_.start(); }
  bool multibody() const override { return Multibody<P>; }
  VecX g(const VecX& x, double t) const override { return problem_.g(X(x), t); }
  VecX g_t(const VecX& x, double t) const override { return problem_.g_t(X(x), t); }
  MatX G(const VecX& x, double t) const override { return dense(problem_.G(X(x), t), x, t); }
  MatX G_by_rows(const VecX& x, double t) const override {
    const auto G = problem_.G(X(x), t);
    L lambda = problem_.g(X(x), t);
    MatX all(lambda.size(), x.size());
    X out = x;
    for (int i = 0; i < all.rows(); ++i) {
      lambda.setZero();
      lambda[i] = 1;
      apply_transposed(G, lambda, out);
      all.row(i) = out.transpose();
    }
    return all;
  }
  VecX f(const Point& at) const override {
    if constexpr (Multibody<P>) {
      return problem_.f(X(at.x), X(at.v), at.t);
    } else {
      return problem_.f(X(at.x), at.t);
    }
  }
  Values one_by_one([[maybe_unused]] const Point& at) const override {
    if constexpr (Multibody<P>) {
      const X q = at.x, v = at.v;
      return {dense_mass(problem_.M(q), at.x), G(at.x, at.t), f(at), g(at.x, at.t), g_t(at.x, at.t),
              problem_.curvature(q, v, at.t)};
    }
    return {};
  }
  Values together([[maybe_unused]] const Point& at) const override {
    if constexpr (Multibody<P>) {
      const X q = at.x, v = at.v;
      MultibodyTerms<P> terms;
      evaluate(problem_, q, v, at.t, terms);
      return {dense_mass(terms.M, at.x),
              dense(terms.G, at.x, at.t),
              terms.f,
              terms.position,
              terms.g_t,
              terms.curvature};
    }
    return {};
  }
  std::optional<Values> of_constraints([[maybe_unused]] const Point& at) const override {
    if constexpr (HasConstraintTerms<P>) {
      MultibodyTerms<P> terms;
      problem_.constraint_terms(X(at.x), at.t, terms);
      return Values{{}, dense(terms.G, at.x, at.t), {}, terms.position, terms.g_t, {}};
    }
    return {};
  }
  std::optional<double> energy([[maybe_unused]] const VecX& x,
                               [[maybe_unused]] const VecX& v) const override {
    if constexpr (Multibody<P> && HasEnergy<P>) return problem_.energy(X(x), X(v));
    return {};
  }
  MatX B([[maybe_unused]] const VecX& x, [[maybe_unused]] double t) const override {
    if constexpr (SemiExplicitDae<P>) return problem_.B(X(x), t);
    return {};
  }
  VecX By_exact([[maybe_unused]] double t) const override {
    if constexpr (SemiExplicitDae<P>) return problem_.By_exact(t);
    return {};
  }
  std::optional<VecX> z_exact([[maybe_unused]] double t) const override {
    if constexpr (HasExactState<P>) return VecX(problem_.z_exact(t));
    return {};
  }
  std::optional<VecX> y_exact([[maybe_unused]] double t) const override {
    if constexpr (HasExactMultiplier<P>) return VecX(problem_.y_exact(t));
    return {};
  }

 private:
  template <class Jacobian>
  MatX dense(const Jacobian& G, const VecX& x, double t) const {
    L column = problem_.g(X(x), t);
    MatX all(column.size(), x.size());
    for (int j = 0; j < x.size(); ++j) {
      apply(G, X(VecX::Unit(x.size(), j)), column);
      all.col(j) = column;
    }
    return all;
  }
  template <class Mass>
  static MatX dense_mass(const Mass& M, const VecX& x) {
    return M * MatX::Identity(x.size(), x.size());
  }

  P problem_;
};

template <class P>
void add_instances(Problems& all) {
  for (const P& problem : instances<P>()) all.push_back(std::make_unique<Wrapped<P>>(problem));
}

template <class... P>
Problems all_of(std::tuple<P...>*) {
  Problems all;
  (add_instances<P>(all), ...);
  return all;
}

}  // namespace

const Problems& multibody_problems() {
  static const Problems all = all_of(static_cast<MultibodyProblems*>(nullptr));
  return all;
}

const Problems& index_2_problems() {
  static const Problems all = all_of(static_cast<Index2Problems*>(nullptr));
  return all;
}

}  // namespace daewave::problems
