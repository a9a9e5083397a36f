#include "core/equations/derived_terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/equations/jacobian_structure.hpp"
#include "core/error.hpp"
#include "core/expression/derivative.hpp"
#include "core/expression/substitution.hpp"
#include "core/types.hpp"

namespace daewave::expression {
namespace {

class Derivation {
 public:
  explicit Derivation(Equations& equations)
      : e_(equations), graph_(equations.graph), variables_(equations.variables()) {}

  DerivedTerms all() {
    check_sizes();
    const int ny = static_cast<int>(e_.g.size()), nk = static_cast<int>(e_.w.size());
    out_.sizes = {e_.nq, ny, nk, variables_.nw, static_cast<int>(e_.h.size())};
    if (e_.parts.f) out_.of[Ask::f] = e_.f;
    if (e_.kind == Kind::multibody) add_mass();
    if (e_.kind == Kind::index_2 || e_.kind == Kind::second_order) out_.of[Ask::B] = e_.B;
    if (e_.kind == Kind::invariants) add_algebraic();
    if (e_.kind != Kind::ordinary && e_.kind != Kind::invariants) add_constraints();
    add_f_jacobian();
    out_.structure.has_energy = e_.energy.has_value();
    return std::move(out_);
  }

 private:
  using Place = int (Variables::*)(int) const;

  void check_size(const char* what, std::size_t given, std::size_t wanted) const {
    if (given == wanted) return;
    throw InvalidProblem(
        fmt::format("{}: {} has {} entries, {} are wanted", e_.name, what, given, wanted));
  }

  void check_sizes() const {
    const auto nq = static_cast<std::size_t>(e_.nq);
    if (e_.parts.f) check_size("f", e_.f.size(), nq);
    if (e_.kind == Kind::multibody && e_.parts.M && e_.M.size() != nq)
      check_size("M", e_.M.size(), nq * nq);
    if (e_.kind == Kind::index_2 || e_.kind == Kind::second_order) {
      check_size("B", e_.B.size(), nq * e_.g.size());
    }
    if (e_.kind != Kind::multibody) check_size("w", e_.w.size(), 0);
    if (e_.kind != Kind::invariants) {
      check_size("r", e_.r.size(), 0);
      check_size("h", e_.h.size(), 0);
    }
  }

  /// Those of `count` variables.
  RefRows rows_of(const std::vector<std::vector<Partial>>& gradients, Place place, int count) {
    RefRows matrix{count, {}};
    for (const std::vector<Partial>& gradient : gradients) {
      std::vector<RefRows::Entry>& entries = matrix.rows.emplace_back();
      for (const Partial& partial : gradient) {
        const int j = partial.variable - (variables_.*place)(0);
        if (j >= 0 && j < count) entries.push_back({j, partial.value});
      }
    }
    return matrix;
  }
  /// Rows `of` by `count` variables.
  RefRows jacobian(const std::vector<Ref>& of, Place place, int count) {
    return rows_of(gradients_of(graph_, of), place, count);
  }
  std::vector<Ref> dense_jacobian(const std::vector<Ref>& of, Place place, int count) {
    return jacobian(of, place, count).dense(graph_);
  }

  void add_mass() {
    if (!e_.parts.M) {
      out_.structure.mass = e_.parts.mass;
      return;
    }
    const auto nq = static_cast<std::size_t>(e_.nq);
    bool diagonal = e_.M.size() == nq;
    if (!diagonal) {
      diagonal = true;
      for (std::size_t k = 0; k < e_.M.size(); ++k) {
        diagonal = diagonal && (k % (nq + 1) == 0 || graph_.is_number(e_.M[k], 0));
      }
      if (diagonal) {
        for (std::size_t i = 0; i < nq; ++i) e_.M[i] = e_.M[i * (nq + 1)];
        e_.M.resize(nq);
      }
    }
    out_.structure.mass = diagonal ? Structure::Mass::diagonal : Structure::Mass::dense;
    out_.structure.mass_constant = std::all_of(
        e_.M.begin(), e_.M.end(), [this](Ref entry) { return graph_.is_number(entry); });
    out_.of[Ask::M] = e_.M;
  }

  void add_algebraic() {
    out_.of[Ask::r] = e_.r;
    out_.of[Ask::r_w] = dense_jacobian(e_.r, &Variables::w, variables_.nw);
    out_.of[Ask::r_q] = dense_jacobian(e_.r, &Variables::q, e_.nq);
    out_.of[Ask::f_w] = dense_jacobian(e_.f, &Variables::w, variables_.nw);
    out_.of[Ask::h] = e_.h;
    out_.of[Ask::H] = dense_jacobian(e_.h, &Variables::q, e_.nq);
    out_.structure.position_invariants = e_.position_invariants;
    out_.structure.positions = e_.positions;
  }

  void add_f_jacobian() {
    const bool worth = e_.kind == Kind::ordinary || e_.kind == Kind::invariants ||
                       (e_.nq <= most_on_stack && e_.parts.f && e_.parts.f_jacobian);
    if (!worth) return;
    out_.structure.has_f_jacobian = true;
    out_.of[Ask::f_q] = dense_jacobian(e_.f, &Variables::q, e_.nq);
    if (variables_.nv > 0) out_.of[Ask::f_v] = dense_jacobian(e_.f, &Variables::v, e_.nq);
  }

  void add_constraints() {
    const Ref zero = graph_.number(0), one = graph_.number(1);
    // With a motion: q' = v. Without, rows of g_t are partial derivatives by t.
    Derivative along(graph_, [&](int variable) {
      if (variable == Variables::t) return one;
      return variables_.nv > 0 && variables_.is_q(variable)
                 ? graph_.variable(variables_.v(variable - variables_.q(0)))
                 : -1;
    });
    std::vector<Ref> g = e_.g, g_t, curvature;
    const std::vector<std::vector<Partial>> gradients = gradients_of(graph_, e_.g);
    RefRows G = rows_of(gradients, &Variables::q, e_.nq);
    for (const std::vector<Partial>& gradient : gradients) {
      const bool moves = !gradient.empty() && gradient.front().variable == Variables::t;
      g_t.push_back(moves ? gradient.front().value : zero);
    }
    for (const Ref row : e_.g) {
      if (variables_.nv > 0) curvature.push_back(along.of(along.of(row)));
    }
    if (!e_.w.empty()) {
      add_velocity_rows(G);
      Substitution at_rest(graph_,
                           [&](int variable) { return variables_.is_v(variable) ? zero : -1; });
      for (const Ref row : e_.w) {
        g.push_back(zero);
        g_t.push_back(at_rest.in(row));
        curvature.push_back(along.of(row));
      }
    }
    out_.of[Ask::g] = std::move(g);
    out_.of[Ask::g_t] = std::move(g_t);
    if (variables_.nv > 0) out_.of[Ask::curvature] = std::move(curvature);
    out_.structure.has_curvature = variables_.nv > 0;
    find_structure(G);
  }

  /// K below dg/dq.
  void add_velocity_rows(RefRows& G) {
    for (std::vector<RefRows::Entry>& row : jacobian(e_.w, &Variables::v, e_.nq).rows) {
      for (const RefRows::Entry& entry : row) {
        for (const int variable : graph_.variables_of(entry.value)) {
          if (!variables_.is_v(variable)) continue;
          throw InvalidProblem(fmt::format(
              "{}: a constraint on velocities must be linear in them, as K(q, t) v + k(q, t)",
              e_.name));
        }
      }
      G.rows.push_back(std::move(row));
    }
  }

  /// A chain from three bodies on; joints, or entries, where there are many coordinates of which
  /// each constraint knows a few.
  void find_structure(const RefRows& G) {
    using Constraints = Structure::Constraints;
    const bool may_be_structured = e_.seek_structure && e_.kind == Kind::multibody &&
                                   e_.w.empty() && out_.structure.mass == Structure::Mass::diagonal;
    const bool large = e_.nq > most_on_stack;
    constexpr int fewest_of_chain = 9;
    std::vector<Ref>& values = out_.of[Ask::G];
    Constraints& found = out_.structure.constraints;
    if (may_be_structured && e_.nq >= fewest_of_chain) {
      values = chain_columns(graph_, G);
      if (!values.empty()) found = Constraints::chain;
    }
    if (may_be_structured && large && found == Constraints::dense) {
      if (std::optional<JointBlocks> joints = joint_blocks(graph_, G)) {
        found = Constraints::joints;
        out_.joints = std::move(joints->pattern);
        values = std::move(joints->blocks);
      } else {
        SparseRefs sparse = sparse_entries(G);
        found = Constraints::sparse;
        out_.pattern = std::move(sparse.pattern);
        values = std::move(sparse.values);
      }
    }
    if (found == Constraints::dense) values = G.dense(graph_);
  }

  Equations& e_;
  Graph& graph_;
  Variables variables_;
  DerivedTerms out_;
};

}  // namespace

DerivedTerms derive_terms(Equations& equations) { return Derivation(equations).all(); }

}  // namespace daewave::expression
