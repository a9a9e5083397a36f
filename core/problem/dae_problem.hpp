#pragma once
// A nonlinear problem as every method sees it: sizes, structure, and an evaluation of a batch of
// points in one call. Where the mathematics comes from (a struct, functions, a file) is hidden
// behind it, and methods are compiled once.
//
//   ordinary      x' = f(x, t)
//   index_2       x' = f(x, t) - B(x, t) y,            0 = g(x, t)                [AL2] (2.1)
//   second_order  x'' = f(x, v, t) - B(x, t) y,        0 = g(x, t), v = x'        [AL2] (4.1)
//   multibody     M(q) v' = f(q, v, t) - G^T lambda,   0 = g(q, t),
//                 and perhaps 0 = w = K(q, t) v + k(q, t), v = q'                 [AL2] (5.1)
//   invariants    z' = f(z, w, t), 0 = r(z, w, t), and 0 = h(z, t) along solutions [Eich] (2.1),
//                 of which there may be none: index 1
//
// problem_of.hpp makes one of any struct, problem_from_functions.hpp one of functions.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace daewave {

class JointPattern;
template <int N>
struct ChainJacobianOf;
template <int B, int R>
class JointJacobian;
class SparseJacobian;
template <int B>
struct BodyMass;

enum class Kind { ordinary, index_2, second_order, multibody, invariants };

const char* name_of(Kind kind);

/// Numbers of unknowns and of equations; zero for what a kind does not have.
struct Sizes {
  int nq = 0;  ///< x, or the position q, or z with invariants.
  int ny = 0;  ///< Rows of g and of its multiplier.
  int nk = 0;  ///< Rows of w = K v + k, whose multipliers follow those of g.
  int nw = 0;  ///< Unknowns without a derivative, and rows of r.
  int nh = 0;  ///< Invariants h, those of positions first.

  int nl() const { return ny + nk; }  ///< Rows of G.
  friend bool operator==(const Sizes&, const Sizes&) = default;
};

/// What is known of the matrices beforehand, and what a problem can tell.
struct Structure {
  enum class Mass { dense, diagonal, bodies };
  enum class Constraints { dense, chain, joints, sparse };

  Mass mass = Mass::dense;
  Constraints constraints = Constraints::dense;
  bool mass_constant = false;  ///< M is asked for once, not in each step.
  bool has_jacobian = true;    ///< G and g_t; no method for constraints does without.
  bool has_curvature = true;   ///< Index reduction is possible.
  /// f_q, with velocities f_v, with unknowns w f_w and r_q are known: for Newton's methods of
  /// ordinary problems and of those of index 1, with invariants or without, whose Jacobian they
  /// are. That of a motion with constraints has second derivatives of g too: it is taken by
  /// differences.
  bool has_f_jacobian = false;
  bool has_mass = false;  ///< With invariants: mass() of the state is known.
  bool has_energy = false;
  int position_invariants = 0;  ///< Rows of h of positions, which depend on
  int positions = 0;            ///< that many leading entries of z alone.
};

/// What of a problem is to be evaluated; a set of them. More may be evaluated than was asked for.
enum class Ask : std::uint32_t {
  f = 1,           ///< nq; of (z, w) with invariants.
  M = 2,           ///< nq x nq.
  B = 4,           ///< nq x ny.
  G = 8,           ///< dg/dq with K below, nl x nq.
  g = 16,          ///< ny, followed by nk zeros.
  g_t = 32,        ///< dg/dt, followed by k; nl: G v + g_t is the residual of velocities.
  curvature = 64,  ///< nl, so that G v' + curvature is the derivative of that residual.
  r = 128,         ///< nw.
  h = 256,         ///< nh.
  r_w = 512,       ///< dr/dw, nw x nw.
  H = 1024,        ///< dh/dz, nh x nq.
  f_q = 2048,      ///< df/dq, nq x nq; this and the following where has_f_jacobian.
  f_v = 4096,      ///< df/dv, nq x nq.
  f_w = 8192,      ///< df/dw, nq x nw.
  r_q = 16384,     ///< dr/dq, nw x nq.
};
constexpr Ask operator|(Ask a, Ask b) {
  return static_cast<Ask>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}
constexpr Ask without(Ask all, Ask one) {
  return static_cast<Ask>(static_cast<std::uint32_t>(all) & ~static_cast<std::uint32_t>(one));
}
constexpr bool asks(Ask all, Ask one) {
  return (static_cast<std::uint32_t>(all) & static_cast<std::uint32_t>(one)) != 0;
}

/// Points in structure of arrays: entry i of q at point p is q[i * stride + p].
struct Points {
  int count = 1;
  int stride = 1;             ///< >= count.
  const double* t = nullptr;  ///< One time for each point.
  const double* q = nullptr;  ///< nq.
  const double* v = nullptr;  ///< nq, of second_order and multibody.
  const double* w = nullptr;  ///< nw, of invariants.
};

/// What was evaluated, in memory of the Evaluation: entry (i, j) at point p of a matrix with n rows
/// is at [(i + j n) * stride + p]. Null is what was not asked for, or is not of this kind.
struct Terms {
  int stride = 1;
  const double* f = nullptr;
  const double* M = nullptr;  ///< Dense, or the diagonal alone; null for bodies.
  const double* B = nullptr;
  const double* G = nullptr;  ///< Of a structure: null at one point; of chains see below.
  const double* g = nullptr;
  const double* g_t = nullptr;
  const double* curvature = nullptr;
  const double* r = nullptr;
  const double* h = nullptr;
  const double* r_w = nullptr;
  const double* H = nullptr;
  const double* f_q = nullptr;
  const double* f_v = nullptr;
  const double* f_w = nullptr;
  const double* r_q = nullptr;

  // Structured matrices, of one point; a chain may be swapped for another one of its size, which is
  // then written over. Of many points G has own_i, before_i of a chain's bodies, 4 entries of each.
  const BodyMass<3>* bodies = nullptr;
  ChainJacobianOf<Dynamic>* chain = nullptr;
  const JointJacobian<3, 2>* joints = nullptr;
  const SparseJacobian* sparse = nullptr;
};

/// Evaluates a problem and owns the memory of what it evaluates: one for each thread.
class Evaluation {
 public:
  virtual ~Evaluation();
  /// Terms hold until the next call. Allocates where a batch is larger than all before, or where
  /// the mathematics of the problem does. What is not finite is given out as it is.
  virtual const Terms& evaluate(Ask what, const Points& at) = 0;
};

/// Immutable; may be used from several threads at once.
class DaeProblem {
 public:
  virtual ~DaeProblem() = default;

  Kind kind() const { return kind_; }
  const Sizes& sizes() const { return sizes_; }
  const Structure& structure() const { return structure_; }
  /// Entries of the state that is integrated: (q, v) where there are velocities.
  int state_size() const { return has_velocity() ? 2 * sizes_.nq : sizes_.nq; }
  bool has_velocity() const { return kind_ == Kind::second_order || kind_ == Kind::multibody; }
  /// Multipliers, or unknowns without a derivative.
  int multipliers() const { return kind_ == Kind::invariants ? sizes_.nw : sizes_.nl(); }

  virtual std::unique_ptr<Evaluation> evaluation() const = 0;

  /// How many points an evaluation takes at once for the price of little more than one; 1 where
  /// each is by itself.
  virtual int lanes() const { return 1; }
  /// Evaluates batches whose point p is one of members[p], which are of the sizes and structure of
  /// this one; a batch has as many points as there are members, which must outlive it.
  virtual std::unique_ptr<Evaluation> evaluation_of(
      const std::vector<const DaeProblem*>& members) const;

  virtual std::string name() const { return {}; }
  /// What the entries of the state are called in tables, state_size(); empty: q1, v1 or x1.
  virtual std::vector<std::string> state_names() const { return {}; }
  /// Kinetic and potential, in the problem's unit; only where structure().has_energy.
  virtual double energy(const double* q, const double* v) const;
  /// max |g|, or |w|, of constraints that others implied where the problem starts, and which are
  /// none of its rows for that: what they are off tells whether they still do. 0 without any.
  virtual double implied(const double* /*q*/, const double* /*v*/, double /*t*/) const { return 0; }
  /// Names of these constraints; empty without any.
  virtual std::string implied_names() const { return {}; }
  /// Where the problem starts when nothing else is said, state_size(); and its interval.
  virtual std::optional<VecX> start() const { return {}; }
  virtual std::optional<VecX> start_algebraic() const { return {}; }
  virtual std::optional<Interval> interval() const { return {}; }
  /// Why f or r is not finite at a point, in words; empty where the problem does not know.
  virtual std::string failure(const VecX& z, const VecX& w, double t) const;

 protected:
  /// @throws InvalidProblem for sizes that make no problem of this kind.
  DaeProblem(Kind kind, const Sizes& sizes, const Structure& structure);

 private:
  Kind kind_;
  Sizes sizes_;
  Structure structure_;
};

using DaeProblemPtr = std::shared_ptr<const DaeProblem>;

}  // namespace daewave
