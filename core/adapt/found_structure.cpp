#include "core/adapt/found_structure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <exception>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "core/kkt/chain_jacobian.hpp"
#include "core/kkt/sparse_jacobian.hpp"

namespace daewave {

namespace detail {

std::unique_ptr<Evaluation> FoundProblem::evaluation_of(
    const std::vector<const DaeProblem*>& members) const {
  // Of the members as they were stated only where none has a structure that an array does not hold.
  if (structure().constraints != Structure::Constraints::dense ||
      structure().mass != stated_->structure().mass) {
    return DaeProblem::evaluation_of(members);
  }
  std::vector<const DaeProblem*> stated;
  for (const DaeProblem* member : members) {
    const auto* const one = dynamic_cast<const FoundProblem*>(member);
    if (one == nullptr) return DaeProblem::evaluation_of(members);
    stated.push_back(one->stated_.get());
  }
  return stated_->evaluation_of(stated);
}

}  // namespace detail

namespace {

using Constraints = Structure::Constraints;
using Mass = Structure::Mass;

std::size_t as_index(int i) { return static_cast<std::size_t>(i); }

/// A matrix at all points looked at: an entry that is the same at all of them, or is not.
class Looks {
 public:
  Looks(int rows, int columns) : rows_(rows), columns_(columns) {}

  void see(const double* matrix) {
    const std::size_t size = as_index(rows_) * as_index(columns_);
    if (first_.empty()) {
      first_.assign(matrix, matrix + size);
      varies_.assign(size, false);
    }
    for (std::size_t i = 0; i < size; ++i) {
      if (!(matrix[i] == first_[i])) varies_[i] = true;
    }
  }

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  bool is(int row, int column, double value) const {
    return !varies_[at(row, column)] && first_[at(row, column)] == value;
  }
  bool is_zero(int row, int column) const { return is(row, column, 0); }
  bool is_constant() const {
    return std::none_of(varies_.begin(), varies_.end(), [](bool varies) { return varies; });
  }
  bool is_diagonal() const {
    for (int j = 0; j < columns_; ++j) {
      for (int i = 0; i < rows_; ++i) {
        if (i != j && !is_zero(i, j)) return false;
      }
    }
    return true;
  }
  const std::vector<double>& first() const { return first_; }

 private:
  std::size_t at(int row, int column) const {
    return as_index(row) + as_index(column) * as_index(rows_);
  }

  int rows_, columns_;
  std::vector<double> first_;
  std::vector<bool> varies_;
};

/// What was found.
struct Found {
  Structure structure;
  SparsePatternPtr pattern;    ///< Of G, by columns; also of a chain.
  std::vector<double> mass;    ///< All of it, where it is constant.
  bool diagonal_here = false;  ///< Dense as stated, and diagonal.
};

constexpr int body_entries = 3, joint_rows = 2;

/// Body i of three coordinates, its joint with the one before it: core/kkt/chain_jacobian.hpp.
bool is_chain(const Looks& G) {
  const int bodies = G.columns() / body_entries;
  if (G.columns() != body_entries * bodies || G.rows() != joint_rows * bodies) return false;
  for (int row = 0; row < G.rows(); ++row) {
    const int i = row / joint_rows, k = row % joint_rows;
    for (int column = 0; column < G.columns(); ++column) {
      const int body = column / body_entries, coordinate = column % body_entries;
      const bool near = body == i || body == i - 1;
      if (near && coordinate == 2) continue;
      const double wanted = !near || coordinate != k ? 0 : body == i ? 1 : -1;
      if (!G.is(row, column, wanted)) return false;
    }
  }
  return true;
}

SparsePatternPtr pattern_of(const Looks& G) {
  std::vector<SparseEntry> entries;
  for (int j = 0; j < G.columns(); ++j) {
    for (int i = 0; i < G.rows(); ++i) {
      if (!G.is_zero(i, j)) entries.push_back({i, j});
    }
  }
  return std::make_shared<const SparsePattern>(G.rows(), G.columns(), std::move(entries));
}

/// Takes the structure out of dense matrices, and looks whether it is still there.
class FoundEvaluation final : public Evaluation {
 public:
  /// @param lost  told before StructureLost is thrown.
  FoundEvaluation(std::unique_ptr<Evaluation> stated, const Sizes& sizes, const Found& found,
                  std::atomic<bool>& lost)
      : stated_(std::move(stated)), sizes_(sizes), found_(&found), lost_(&lost) {
    if (found.structure.constraints == Constraints::sparse) sparse_.reset(found.pattern);
    if (found.structure.constraints == Constraints::chain) chain_.resize(sizes.nq / body_entries);
  }

  const Terms& evaluate(Ask what, const Points& at) override {
    // A mass that is constant is asked for once by who solves: it is looked at with every force.
    const bool watched = !found_->mass.empty() && asks(what, Ask::f);
    const Ask asked = watched ? what | Ask::M : what;
    const Terms& dense = stated_->evaluate(asked, at);
    terms_ = dense;
    if (asks(asked, Ask::M)) take_mass(dense, at);
    const bool structured = found_->structure.constraints != Constraints::dense;
    if (asks(what, Ask::G) && structured) {
      terms_.G = nullptr;
      if (at.count == 1) take_constraints(dense.G, *at.t);
      if (at.count > 1 && found_->structure.constraints == Constraints::chain)
        take_chains(dense, at);
    }
    return terms_;
  }

 private:
  void take_mass(const Terms& dense, const Points& at) {
    const auto rows = as_index(sizes_.nq), stride = as_index(dense.stride);
    const std::vector<double>& known = found_->mass;
    for (std::size_t i = 0; i < known.size(); ++i) {
      for (std::size_t p = 0; p < as_index(at.count); ++p) {
        if (dense.M[i * stride + p] == known[i]) continue;
        lost("M", known[i], dense.M[i * stride + p], i, rows, at.t[p]);
      }
    }
    if (!found_->diagonal_here) return;
    if (mass_.size() < rows * stride) mass_.resize(rows * stride);
    for (std::size_t i = 0; i < rows * rows; ++i) {
      const bool on_diagonal = i % (rows + 1) == 0;
      for (std::size_t p = 0; p < as_index(at.count); ++p) {
        const double value = dense.M[i * stride + p];
        if (on_diagonal) {
          mass_[i / (rows + 1) * stride + p] = value;
        } else if (!(value == 0)) {
          lost("M", 0, value, i, rows, at.t[p]);
        }
      }
    }
    terms_.M = mass_.data();
  }

  void take_constraints(const double* G, double t) {
    const auto rows = as_index(sizes_.nl());
    const std::vector<SparseEntry>& entries = found_->pattern->entries();
    // As many entries are not zero in all as in the pattern.
    const std::size_t size = rows * as_index(sizes_.nq);
    int others = 0;
    for (std::size_t i = 0; i < size; ++i) others += G[i] == 0 ? 0 : 1;
    for (const SparseEntry& place : entries) {
      others -= G[as_index(place.row) + as_index(place.column) * rows] == 0 ? 0 : 1;
    }
    if (others != 0) tell_other_entry(G, t);
    if (found_->structure.constraints == Constraints::chain) return take_chain(G, t);
    for (int e = 0; e < sparse_.entries(); ++e) {
      const SparseEntry& place = entries[as_index(e)];
      sparse_[e] = G[as_index(place.row) + as_index(place.column) * rows];
    }
    terms_.sparse = &sparse_;
  }

  void take_chain(const double* G, double t) {
    const auto rows = as_index(sizes_.nl());
    for (int i = 0; i < chain_.bodies(); ++i) {
      for (int k = 0; k < joint_rows; ++k) {
        const std::size_t row = as_index(joint_rows * i + k);
        const auto at = [&](int body, int coordinate) {
          const std::size_t index = row + as_index(body_entries * body + coordinate) * rows;
          const double wanted = body == i ? 1 : -1;
          if (coordinate != 2 && !(G[index] == wanted)) lost("G", wanted, G[index], index, rows, t);
          return G[index];
        };
        at(i, k);
        chain_.own[as_index(i)][k] = at(i, 2);
        if (i > 0) at(i - 1, k);
        chain_.before[as_index(i)][k] = i > 0 ? at(i - 1, 2) : 0;
      }
    }
    terms_.chain = &chain_;
  }

  /// Of many points, point by point, laid out as core/problem/dae_problem.hpp says.
  void take_chains(const Terms& dense, const Points& at) {
    const std::size_t size = as_index(sizes_.nl()) * as_index(sizes_.nq),
                      stride = as_index(dense.stride);
    one_.resize(size);
    blocks_.resize(4 * as_index(chain_.bodies()) * stride);
    for (std::size_t p = 0; p < as_index(at.count); ++p) {
      for (std::size_t i = 0; i < size; ++i) one_[i] = dense.G[i * stride + p];
      take_constraints(one_.data(), at.t[p]);
      for (std::size_t i = 0; i < as_index(chain_.bodies()); ++i) {
        const Vec<2>&own = chain_.own[i], &before = chain_.before[i];
        const double values[] = {own[0], own[1], before[0], before[1]};
        for (std::size_t k = 0; k < 4; ++k) blocks_[(4 * i + k) * stride + p] = values[k];
      }
    }
    terms_.chain = nullptr;
    terms_.G = blocks_.data();
  }

  [[noreturn]] void tell_other_entry(const double* G, double t) const {
    const auto rows = as_index(sizes_.nl());
    std::vector<bool> known(rows * as_index(sizes_.nq), false);
    for (const SparseEntry& place : found_->pattern->entries()) {
      known[as_index(place.row) + as_index(place.column) * rows] = true;
    }
    std::size_t i = 0;
    while (i + 1 < known.size() && (known[i] || G[i] == 0)) ++i;
    lost("G", 0, G[i], i, rows, t);
  }

  [[noreturn]] void lost(const char* matrix, double was, double is, std::size_t index,
                         std::size_t rows, double t) const {
    *lost_ = true;
    throw StructureLost(fmt::format(
        "row {}, column {} of {} was {:.3g} at all states looked at, and is {:.3g} at t = {:.9g}",
        index % rows + 1, index / rows + 1, matrix, was, is, t));
  }

  std::unique_ptr<Evaluation> stated_;
  Sizes sizes_;
  const Found* found_;
  std::atomic<bool>* lost_;
  SparseJacobian sparse_;
  ChainJacobian chain_;
  std::vector<double> mass_, one_, blocks_;
  Terms terms_;
};

class ProblemOfPoints final : public detail::FoundProblem {
 public:
  ProblemOfPoints(DaeProblemPtr stated, Found found)
      : FoundProblem(std::move(stated), found.structure, "zero at all states looked at"),
        found_(std::move(found)) {}

  std::unique_ptr<Evaluation> evaluation() const override {
    return std::make_unique<FoundEvaluation>(stated()->evaluation(), sizes(), found_, lost_);
  }
  bool lost() const override { return lost_; }

 private:
  Found found_;
  mutable std::atomic<bool> lost_ = false;
};

/// States around one, each coordinate moved by an amount of its own.
std::vector<VecX> around(const VecX& q) {
  std::mt19937 random(20);
  std::vector<VecX> states{q};
  for (const double far : {1e-3, 0.1, 1.0}) {
    VecX moved = q;
    for (int i = 0; i < q.size(); ++i) {
      const double part = static_cast<double>(random()) / static_cast<double>(random.max());
      moved[i] += far * (0.5 + part) * (random() % 2 == 0 ? 1 : -1);
    }
    states.push_back(std::move(moved));
  }
  return states;
}

}  // namespace

DaeProblemPtr with_structure_of_points(const DaeProblem& stated, const VecX& state, double t) {
  const Sizes& n = stated.sizes();
  const Structure& as = stated.structure();
  // Smaller ones are faster dense.
  constexpr int fewest_of_chain = 9;
  if (stated.kind() != Kind::multibody || n.nk > 0 || n.nq < fewest_of_chain) return {};
  if (as.constraints != Constraints::dense || as.mass == Mass::bodies || !as.has_jacobian) {
    return {};
  }
  if (state.size() != 2 * n.nq) return {};
  const auto evaluation = stated.evaluation();
  Looks M(n.nq, as.mass == Mass::diagonal ? 1 : n.nq), G(n.nl(), n.nq);
  const VecX v = state.tail(n.nq);
  try {
    for (const VecX& q : around(state.head(n.nq))) {
      const Terms& terms = evaluation->evaluate(Ask::M | Ask::G, {1, 1, &t, q.data(), v.data()});
      if (terms.M == nullptr || terms.G == nullptr) return {};
      M.see(terms.M);
      G.see(terms.G);
    }
  } catch (const std::exception&) {
    return {};  // Not defined there; at the start it will be thrown again, where it belongs.
  }
  Found found{as, {}, {}, as.mass == Mass::dense && M.is_diagonal()};
  if (as.mass == Mass::dense && !found.diagonal_here) return {};
  found.structure.mass = Mass::diagonal;
  if (is_chain(G)) {
    found.structure.constraints = Constraints::chain;
  } else if (n.nq > most_on_stack) {
    found.structure.constraints = Constraints::sparse;
  } else {
    return {};
  }
  found.pattern = pattern_of(G);
  // Of half the entries and more nothing is gained.
  if (2 * found.pattern->entries().size() > as_index(n.nl()) * as_index(n.nq)) return {};
  if (!as.mass_constant && M.is_constant()) {
    found.structure.mass_constant = true;
    found.mass = M.first();
  }
  return std::make_shared<const ProblemOfPoints>(DaeProblemPtr(DaeProblemPtr(), &stated),
                                                 std::move(found));
}

std::string what_is_found_in(const DaeProblem& problem) {
  const auto* const found = dynamic_cast<const detail::FoundProblem*>(&problem);
  if (found == nullptr) return {};
  const Structure &is = problem.structure(), &was = found->stated()->structure();
  std::vector<std::string> parts;
  if (is.constraints != was.constraints) {
    const int nq = problem.sizes().nq;
    parts.push_back(
        is.constraints == Constraints::chain    ? fmt::format("a chain of {} bodies", nq / 3)
        : is.constraints == Constraints::joints ? fmt::format("joints of {} bodies", nq / 3)
                                                : "a sparse G, its pattern kept");
  }
  if (is.mass != was.mass) parts.push_back("M diagonal");
  if (is.mass_constant && !was.mass_constant) parts.push_back("M constant");
  if (parts.empty()) return {};
  return fmt::format("{}: {}", fmt::join(parts, ", "), found->how());
}

bool has_lost_structure(const DaeProblem& problem) {
  const auto* const found = dynamic_cast<const detail::FoundProblem*>(&problem);
  return found != nullptr && found->lost();
}

DaeProblemPtr as_stated(const DaeProblem& problem) {
  const auto* const found = dynamic_cast<const detail::FoundProblem*>(&problem);
  return found == nullptr ? DaeProblemPtr() : found->stated();
}

}  // namespace daewave
