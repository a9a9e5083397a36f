#pragma once
// The forms of sequential regularization of a nonlinear DAE.
//
//   x_s' = f(x_s, t) - B(x_s, t) y_s,   y_s = y_{s-1} + (1/epsilon) E (alpha1 g' + alpha2 g)
//
// is the one of index 2, [AL2] (2.4)-(2.5); the others differ in what of g they feed back, and in
// whether y or B y is carried from one iterate to the next.

#include <string>
#include <vector>

namespace daewave {

/// Form of the sequential regularization; which ones a problem has follows from its index.
enum class Variant {
  direct,             ///< Index 2: (2.4)-(2.5).                                     [AL2]
  singular,           ///< Carries B y and projects it: (3.2), (4.23), (5.5)-(5.6).
  singular_linear,    ///< Carries B y unprojected, for P = P(t) alone.       [AL1] (3.16)
  baumgarte_form,     ///< Index 3: (4.4)-(4.5).
  invariant_reduced,  ///< Index 3: (4.11)-(4.12), the reduced problem with zeta.
  invariant,          ///< Index 3: (4.14)-(4.16), multibody (5.3)-(5.4); no curvature.
};

const char* name_of(Variant variant);
/// "direct, singular", for messages.
std::string names_of(const std::vector<Variant>& variants);
/// @throws InvalidOption naming the known variants. "singular-linear", with - for _.
Variant variant_named(const std::string& name);
const std::vector<Variant>& all_variants();

/// Variants of a DAE of index 2, and of one of index 3 or a multibody system.
const std::vector<Variant>& variants_of_index_2();
const std::vector<Variant>& variants_of_index_3();

/// True where B y is carried, and P(x) = B (GB)^-1 G decides: E is the inverse there.
bool carries_By(Variant variant);

}  // namespace daewave
