#pragma once
// The Jacobian of constraints of which each knows a few coordinates only, in any pattern: rods of a
// net, springs without mass, networks. Memory and products are linear in the entries.

#include <concepts>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/kkt/sparse_pattern.hpp"
#include "core/types.hpp"

namespace daewave {

/// A pattern, and the values of its entries in the order that they have there.
class SparseJacobian {
 public:
  /// Without rows and columns.
  SparseJacobian() = default;
  /// All values zero.
  explicit SparseJacobian(SparsePatternPtr pattern) { reset(std::move(pattern)); }

  /// The same, later; keeps its values where the pattern is the one at hand.
  void reset(SparsePatternPtr pattern);
  /// Copies the values. Without memory where `other` has entries in the same places as before: true
  /// then, and the pattern at hand is kept.
  bool take(const SparseJacobian& other);

  const SparsePatternPtr& pattern() const { return pattern_; }
  int rows() const { return pattern_ ? pattern_->rows() : 0; }
  int cols() const { return pattern_ ? pattern_->columns() : 0; }
  int entries() const { return static_cast<int>(values_.size()); }

  double& operator[](int entry) { return values_[static_cast<std::size_t>(entry)]; }
  double operator[](int entry) const { return values_[static_cast<std::size_t>(entry)]; }
  double* values() { return values_.data(); }
  const double* values() const { return values_.data(); }
  const SparseEntry& place(int entry) const {
    return pattern_->entries()[static_cast<std::size_t>(entry)];
  }

  /// One for all: finite where all entries are (or where they add up to more than a double holds).
  double sum() const;
  MatX dense() const;

 private:
  SparsePatternPtr pattern_;
  std::vector<double> values_;
};

/// out = G v.
void apply(const SparseJacobian& G, const VecX& v, VecX& out);
/// out = G^T lambda.
void apply_transposed(const SparseJacobian& G, const VecX& lambda, VecX& out);

/// False where an entry is not finite; `failure` then tells the row of the first such one.
bool all_finite(const char* equation, const SparseJacobian& G, double t, std::string& failure);

/// A matrix of Eigen's with compressed columns, which a struct may return as its G: told without
/// Eigen's sparse headers.
template <class T>
concept CompressedColumns = requires(const T& G) {
  { G.valuePtr() } -> std::convertible_to<const double*>;
  G.innerIndexPtr();
  G.outerIndexPtr();
  G.outerSize();
}
&&!bool(T::IsRowMajor);

/// Copies G; the pattern at hand is kept where G has it.
template <CompressedColumns T>
void take_columns(const T& G, SparseJacobian& to) {
  const int columns = static_cast<int>(G.cols());
  // Of a matrix that is not compressed columns have gaps behind them.
  const auto end = [&G](int j) {
    return G.isCompressed() ? G.outerIndexPtr()[j + 1]
                            : G.outerIndexPtr()[j] + G.innerNonZeroPtr()[j];
  };
  const auto each = [&](auto function) {
    int entry = 0;
    for (int j = 0; j < columns; ++j) {
      for (auto k = G.outerIndexPtr()[j]; k < end(j); ++k) {
        function(entry++, SparseEntry{static_cast<int>(G.innerIndexPtr()[k]), j}, G.valuePtr()[k]);
      }
    }
  };
  bool known = to.rows() == G.rows() && to.cols() == G.cols() && to.entries() == G.nonZeros();
  each([&](int entry, const SparseEntry& place, double value) {
    known = known && to.place(entry) == place;
    if (known) to[entry] = value;
  });
  if (known && to.pattern()) return;
  std::vector<SparseEntry> places;
  each([&](int, const SparseEntry& place, double) { places.push_back(place); });
  to.reset(std::make_shared<const SparsePattern>(static_cast<int>(G.rows()), columns, places));
  each([&](int entry, const SparseEntry&, double value) { to[entry] = value; });
}

}  // namespace daewave
