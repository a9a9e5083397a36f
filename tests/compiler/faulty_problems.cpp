// Structs that are no problems, and what the compiler has to say of each: one error, in words.
// What it says is held against the comments by messages_test.py.

#include <daewave/bvp.hpp>
#include <daewave/ivp.hpp>
#include <daewave/problem.hpp>

using namespace daewave;

namespace {

struct Pendulum {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position&, const Position&, double) const { return {0, -9.81}; }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& q, T) const {
    return VecOf<T, 1>((q.squaredNorm() - 1) / 2);
  }
};

/// Right ones, which name more types than they need.
struct PendulumWithState : Pendulum {
  using State = Vec<4>;
};
struct InvariantWithPosition {
  using State = Vec<2>;
  using Position = Vec<1>;
  using Algebraic = Vec<1>;
  using Invariant = Vec<1>;
  State f(const State& x, const Algebraic&, double) const { return x; }
  Algebraic r(const State&, const Algebraic& w, double) const { return w; }
  Invariant h(const State& x, double) const { return Invariant(x[0]); }
};
struct OrdinaryWithPosition {
  using State = Vec<2>;
  using Position = Vec<1>;
  State f(const State& x, double) const { return x; }
};

struct WithoutTypes {
  Vec<2> f(const Vec<2>&, const Vec<2>&, double) const { return {0, -9.81}; }
};
struct WithoutMultiplier {
  using Position = Vec<2>;
  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position&, const Position&, double) const { return {0, -9.81}; }
  Vec<1> g(const Position& q, double) const { return Vec<1>(q[0]); }
};
struct WithoutConstraint {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position&, const Position&, double) const { return {0, -9.81}; }
};
struct ForcesNotConst : WithoutConstraint {
  Position f(const Position&, const Position&, double) { return {0, -9.81}; }
  Multiplier g(const Position& q, double) const { return Multiplier(q[0]); }
};
struct ForcesWithoutVelocity : WithoutConstraint {
  Position f(const Position&, double) const { return {0, -9.81}; }
  Multiplier g(const Position& q, double) const { return Multiplier(q[0]); }
};
struct ForcesTooLong : Pendulum {
  Vec<3> f(const Position&, const Position&, double) const { return {0, -9.81, 0}; }
};
struct MassTooLarge : Pendulum {
  Mat<3, 3> M(const Position&) const { return Mat<3, 3>::Identity(); }
};
struct WithoutMass {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  Position f(const Position&, const Position&, double) const { return {0, -9.81}; }
  Multiplier g(const Position& q, double) const { return Multiplier(q[0]); }
};
struct MassNotConst : WithoutMass {
  Mat<2, 2> M(const Position&) { return Mat<2, 2>::Identity(); }
};
struct ConstraintTooLong : Pendulum {
  Vec<2> g(const Position& q, double) const { return q; }
};
struct WithoutTime : Pendulum {
  Mat<1, 2> G(const Position& q, double) const { return q.transpose(); }
};
struct JacobianTransposed : WithoutTime {
  Vec<2> G(const Position& q, double) const { return q; }
  Multiplier g_t(const Position&, double) const { return Multiplier(0.0); }
};
struct ConstraintOfDoubles : WithoutConstraint {
  Multiplier g(const Position& q, double) const { return Multiplier(q[0]); }
};
struct Skate : Pendulum {
  using VelocityMultiplier = Vec<1>;
};
struct SkateWithoutType : Pendulum {
  Vec<1> w(const Position&, const Position& v, double) const { return Vec<1>(v[0]); }
};
struct Turning {
  using State = Vec<2>;
  using Multiplier = Vec<1>;
  State f(const State& x, double) const { return x; }
  Multiplier g(const State& x, double) const { return Multiplier(x[0]); }
};
struct TurningWithoutG {
  using State = Vec<2>;
  using Multiplier = Vec<1>;
  State f(const State& x, double) const { return x; }
  Mat<2, 1> B(const State& x, double) const { return x; }
};
struct Implicit {
  using State = Vec<2>;
  using Algebraic = Vec<1>;
  State f(const State& x, const Algebraic&, double) const { return x; }
};
struct Ordinary {
  using State = Vec<2>;
  State f(const State& x, double) const { return x; }
};
struct OrdinaryByIndex : Ordinary {
  double f(const State& x, double, int i) const { return x[i]; }
};
struct Ends : Ordinary {
  VecX conditions(const State& left, const State& right) const { return left - right; }
};
struct EndsNotConst : Ordinary {
  VecX conditions(const State& left, const State& right) { return left - right; }
  Interval interval() const { return {0, 1}; }
};
struct Linear {
  Mat<2, 2> A(double) const { return Mat<2, 2>::Identity(); }
  Mat<2, 1> B(double) const { return {1, 0}; }
  Vec<2> q(double) const { return {0, 0}; }
  Interval interval() const { return {0, 1}; }
};

}  // namespace

void initial_values(const DaeProblemPtr& pointer) {
  ivp::solve(with_autodiff(Pendulum{}), {1, 0, 0, 0}, {0, 1}, {.rtol = 1e-8});
  ivp::solve(with_autodiff(PendulumWithState{}), {1, 0, 0, 0}, {0, 1});
  ivp::solve(InvariantWithPosition{}, {0, 0}, Vec<1>(0.0), {0, 1});
  problem_of(OrdinaryWithPosition{});
  ivp::solve(Ordinary{}, {1, 0}, {0, 1});
  // says: it names neither its Position
  ivp::solve(WithoutTypes{}, {1, 0, 0, 0}, {0, 1});
  // says: does not name the type of its multipliers
  ivp::solve(WithoutMultiplier{}, {1, 0, 0, 0}, {0, 1}, {.rtol = 1e-8});
  // says: lacks the constraint g(q, t)
  ivp::solve(with_autodiff(WithoutConstraint{}), {1, 0, 0, 0}, {0, 1});
  // says: f(q, v, t) is not const
  ivp::solve(with_differences(ForcesNotConst{}), {1, 0, 0, 0}, {0, 1});
  // says: lacks f(q, v, t)
  ivp::solve(with_differences(ForcesWithoutVelocity{}), VecX::Zero(4), {0, 1});
  // says: f(q, v, t) returns another shape
  ivp::solve(with_autodiff(ForcesTooLong{}), {1, 0, 0, 0}, {0, 1});
  // says: M(q) returns another shape
  ivp::solve(with_autodiff(MassTooLarge{}), {1, 0, 0, 0}, {0, 1});
  // says: lacks its mass matrix, or B
  ivp::solve(with_autodiff(WithoutMass{}), {1, 0, 0, 0}, {0, 1});
  // says: M(q) is not const
  ivp::solve(with_autodiff(MassNotConst{}), {1, 0, 0, 0}, {0, 1});
  // says: the constraint g(q, t) returns another shape
  ivp::solve(with_differences(ConstraintTooLong{}), {1, 0, 0, 0}, {0, 1});
  // says: lacks G (the derivative of g by the coordinates)
  ivp::solve(Pendulum{}, {1, 0, 0, 0}, {0, 1});
  // says: lacks g_t (the derivative of g by t)
  ivp::solve(WithoutTime{}, {1, 0, 0, 0}, {0, 1});
  // says: G (the derivative of g by the coordinates) returns another shape
  ivp::solve(with_autodiff(JacobianTransposed{}), {1, 0, 0, 0}, {0, 1});
  // says: with_autodiff: write g as a template
  ivp::solve(with_autodiff(ConstraintOfDoubles{}), {1, 0, 0, 0}, {0, 1});
  // says: lacks the constraint w(q, v, t)
  ivp::solve(with_autodiff(Skate{}), {1, 0, 0, 0}, {0, 1});
  // says: does not name the type of its multipliers. Write, for one row: using VelocityMultiplier
  ivp::solve(with_autodiff(SkateWithoutType{}), {1, 0, 0, 0}, {0, 1});
  // says: lacks B(x, t)
  ivp::solve(with_differences(Turning{}), {1, 0}, {0, 1});
  // says: lacks the constraint g(x, t)
  ivp::solve(with_differences(TurningWithoutG{}), {1, 0}, {0, 1});
  // says: lacks r(x, w, t)
  ivp::solve(Implicit{}, {1, 0}, {0}, {0, 1});
  // says: this points at a problem. Write: *problem
  ivp::solve(pointer, {1, 0}, {0, 1});
  // says: has no start() and interval()
  ivp::solve(with_autodiff(Pendulum{}), {.rtol = 1e-8});
}

void boundary_values() {
  // says: lacks f(x, t)
  bvp::solve(OrdinaryByIndex{});
  // says: lacks its conditions at the ends
  bvp::solve(Ordinary{}, {.tolerance = 1e-8});
  // says: this problem lacks interval()
  bvp::solve(Ends{});
  // says: conditions(left, right) is not const
  bvp::solve(EndsNotConst{});
  // says: this linear problem lacks C(t)
  bvp::solve(Linear{});
}
