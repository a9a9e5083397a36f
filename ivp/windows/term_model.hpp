#pragma once
// The terms of a motion at the nodes of a window, as points nearby know them: to first order, and
// to second where G is the derivative of g,
//
//   f = f0 + f_q dq + f_v dv,   M and G the same,
//   c = c0 + c_q dq + (v^T g_qq v - v0^T g_qq v0) + 2 g_qt dv,   g_qq = G_q.
//
// Of terms that are linear in q and v, and constraints that are quadratic in q, nothing is missing:
// mechanisms in Cartesian coordinates with gravity, springs and distances have no others.

#include <memory>
#include <vector>

#include "core/machine/aligned.hpp"
#include "core/problem/dae_problem.hpp"
#include "ivp/windows/window_formula.hpp"

namespace daewave::ivp {

/// Entry i at node p is [i * nodes + p], of a matrix with n rows (i, j) is [(i + j n) * nodes + p].
struct NodeTerms {
  static constexpr int nodes = WindowFormula::nodes;

  AlignedVector q, v;                ///< Where.
  AlignedVector f, M, G, curvature;  ///< M: dense, or the diagonal alone.

  Terms terms() const;
};

/// d(entry) / d(variable), of those that are not zero; variables are q and then v.
struct TermSlope {
  int entry = 0, variable = 0;
  double value = 0;
};

struct TermSlopes {
  std::vector<TermSlope> f, M, G, curvature;
  /// 2 g_qt, of constraints that depend on time: row and column of G.
  std::vector<TermSlope> mixed;
};

/// Evaluates the problem, and keeps what it was at the nodes; where that is asked for, with points
/// around one of them, in the same call, from which slopes follow.
class RememberedTerms final : public Evaluation {
 public:
  /// @param evaluation  of the problem.
  RememberedTerms(std::unique_ptr<Evaluation> evaluation, const Sizes& sizes,
                  const Structure& structure);

  /// Of the next evaluation.
  void ask_for_slopes() { with_slopes_ = true; }
  const NodeTerms& at_nodes() const { return nodes_; }
  const TermSlopes& slopes() const { return slopes_; }

  const Terms& evaluate(Ask what, const Points& at) override;

 private:
  void place(const Points& at, int count);
  void find_slopes(const Terms& all);

  std::unique_ptr<Evaluation> evaluation_;
  Sizes sizes_;
  bool mass_constant_;
  int of_M_;  ///< Entries.
  bool with_slopes_ = false;
  NodeTerms nodes_;
  TermSlopes slopes_;
  AlignedVector t_, q_, v_;
  double step_q_ = 0, step_v_ = 0;
  Terms terms_;
};

/// The model, in place of the problem; what it is made of is kept by reference.
class TermModel final : public Evaluation {
 public:
  explicit TermModel(const RememberedTerms& from) : from_(from) {}

  /// At the nodes.
  const Terms& evaluate(Ask what, const Points& at) override;

 private:
  void add_motion_of_curvature(int nq, int nl);

  const RememberedTerms& from_;
  NodeTerms now_;
  AlignedVector moved_;  ///< dq, dv.
  Terms terms_;
};

}  // namespace daewave::ivp
