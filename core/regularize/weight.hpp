#pragma once
// The weights E of a regularization (core/regularize/regularization.hpp).

#include <string>
#include <vector>

namespace daewave {

/// The weight E.                                                        [AL1] section 3
enum class Weight {
  inverse,    ///< (C B)^-1; B E C is the projector P, also through singular points.
  transpose,  ///< (C B)^T
  identity,   ///< I; for C B symmetric positive semi-definite.
  shifted,    ///< (C B + delta I)^-1; for C B symmetric positive semi-definite.
};

const char* name_of(Weight weight);

/// @throws InvalidOption naming the known weights.
Weight weight_named(const std::string& name);

const std::vector<Weight>& all_weights();

}  // namespace daewave
