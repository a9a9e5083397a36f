#pragma once
// Sequential regularization, and what it can be told.                                       [AL2]

#include <optional>

#include "core/regularize/variant.hpp"
#include "core/regularize/weight.hpp"
#include "ivp/options/formula.hpp"
#include "ivp/options/loops.hpp"

namespace daewave::ivp {

using daewave::all_variants;
using daewave::Variant;
using daewave::variant_named;

/// What is open is chosen, from h or the tolerance and the problem at its start.
struct Srm {
  static constexpr const char* name = "srm";
  std::optional<Variant> variant{};
  std::optional<double> epsilon{};  ///< > 0.
  std::optional<int> iterates{};    ///< >= 1; the error is O(epsilon^iterates).
  std::optional<Weight> weight{};   ///< E: identity, transpose or inverse.
  std::optional<double> alpha1{};   ///< >= 0; of the highest derivative of g in the form used.
  std::optional<double> alpha2{};
  std::optional<double> alpha3{};  ///< Of g in (4.5).
  /// y_0 agrees at the start with y to this derivative, -1..2; -1: y_0 = 0, which leaves an initial
  /// layer. Open: -1 with a fixed h, as in the source; else 1, where y follows from the state there.
  std::optional<int> exact_start{};
  Loops loops{};
  Formula formula{};
};

/// @throws InvalidOption for numbers out of their range.
void check(const Srm& srm);

}  // namespace daewave::ivp
