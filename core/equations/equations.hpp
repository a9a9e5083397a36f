#pragma once
// A problem as expressions say it; derivatives follow from them.

#include <optional>
#include <string>
#include <vector>

#include "core/equations/variables.hpp"
#include "core/expression/graph.hpp"
#include "core/problem/dae_problem.hpp"

namespace daewave::expression {

/// What is among the expressions, where someone else evaluates the rest.
struct Parts {
  bool f = true;
  bool M = true;
  Structure::Mass mass = Structure::Mass::dense;  ///< Where M is elsewhere.
  bool f_jacobian = true;                         ///< Of multibody: worth deriving.
};

/// Of the kinds of core/problem/dae_problem.hpp, in its terms. Variables of the graph are those of
/// variables(), and no others.
struct Equations {
  Kind kind = Kind::multibody;
  Graph graph{};
  int nq = 0;

  std::vector<Ref> f{};  ///< nq.
  /// The diagonal, nq, or all, nq x nq by columns; of multibody.
  std::vector<Ref> M{};
  std::vector<Ref> B{};         ///< nq x ny by columns, of index_2 and second_order.
  std::vector<Ref> g{};         ///< Constraints on positions, or on x.
  std::vector<Ref> w{};         ///< On velocities, linear in v, of multibody.
  std::vector<Ref> r{};         ///< Algebraic equations of index 1, as many as unknowns w.
  std::vector<Ref> h{};         ///< Invariants of index 1, those of positions first.
  int position_invariants = 0;  ///< Rows of h that depend on the
  int positions = 0;            ///< leading entries of z alone.
  std::optional<Ref> energy{};
  std::vector<Ref> implied{};   ///< Constraints that follow from g and w where the problem starts.
  std::string implied_names{};  ///< Where they come from.
  bool seek_structure = true;   ///< False: constraints are dense whatever is seen in them.
  Parts parts{};

  std::string name{};
  std::vector<std::string> state_names{};
  std::optional<VecX> start{};  ///< x, (q, v); z.
  std::optional<VecX> start_algebraic{};
  std::optional<Interval> interval{};

  bool has_velocity() const { return kind == Kind::second_order || kind == Kind::multibody; }
  Variables variables() const {
    return {nq, has_velocity() ? nq : 0, kind == Kind::invariants ? static_cast<int>(r.size()) : 0};
  }
};

/// G, g_t and curvature exact; pattern of G, constant and diagonal mass found by themselves.
/// @throws InvalidProblem  sizes that do not fit the kind, constraints on velocities that are not
///                         linear in them.
DaeProblemPtr problem_of(Equations equations);

}  // namespace daewave::expression
