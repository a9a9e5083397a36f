#pragma once
// Methods that bring their own formula: Radau IIA and BDF with multipliers or projections for the
// invariants, and the beta-blocked formulas of index 2.

#include <optional>
#include <variant>

#include "ivp/options/formula.hpp"
#include "ivp/options/projection.hpp"

namespace daewave::ivp {

/// z' = f - H^T mu, 0 = h, by Radau IIA: its last stage is the end of the step. [ACPR] (3.3), (4.8)
struct ProjectedInvariants {
  static constexpr const char* name = "projected-invariants";
  Onto onto = Onto::both;
  bool energy = false;  ///< Keep the energy of the start too.                     [Eich] (2.2)
  Formula formula{};    ///< radau, or backward_euler.
};

/// Multipliers of BDF: solved for in every evaluation, or together with the step.
enum class MultiplierForm { eliminated, index_1 };

/// A projection after steps of a BDF of variable order.                       [Eich] section 2
struct BdfProjection {
  static constexpr const char* name = "bdf-projection";
  std::optional<int> order{};  ///< The highest one, 1..6; with h fixed the one that is used, or 4.
  MultiplierForm form = MultiplierForm::eliminated;
  Onto onto = Onto::both;
  /// Open: weighted, which does not depend on the unit of time; with h orthogonal, as printed.
  std::optional<ProjectionMetric> metric{};
  bool energy = false;    ///< Keep the energy of the start too.                   [Eich] (2.2)
  bool estimate = false;  ///< Test the part of the error that lies in the manifold only. 4.1
};

/// ProjectedInvariants by that BDF.                                          [ACPR] (3.3), (4.8)
struct BdfProjectedInvariants {
  static constexpr const char* name = "bdf-projected-invariants";
  std::optional<int> order{};  ///< As of BdfProjection.
  MultiplierForm form = MultiplierForm::eliminated;
  Onto onto = Onto::both;
  bool energy = false;  ///< Keep the energy of the start too.
};

/// BDF of variable order and step, for index 1 with invariants.
using VariableBdf = std::variant<BdfProjection, BdfProjectedInvariants>;

/// What the difference tau that stabilizes the multiplier acts on.                        [AFS]
enum class Blocking {
  multiplier,  ///< B(x_n) tau lambda_n, (2.4): order k + 1 of x, k of lambda.
  term,        ///< tau (B lambda)_n, (2.6): order k of both.
};

/// Difference-corrected BDF of index 2, beta-blocked.                              [AFS] (3.3)
struct Dcbdf {
  static constexpr const char* name = "dcbdf";
  std::optional<int> order{};  ///< 1..6; 3 where it is open.
  Blocking blocking = Blocking::multiplier;
  bool control_multiplier = false;  ///< The error of lambda too, without h.
};

/// The same for f alone, BDF for B lambda.                                         [AFS] (3.2)
struct DcbdfBdf {
  static constexpr const char* name = "dcbdf-bdf";
  std::optional<int> order{};       ///< 1..6; 3 where it is open.
  bool control_multiplier = false;  ///< The error of lambda too, without h.
};

/// Adams-Moulton of index 2, beta-blocked.                                    [AFS] section 4
struct AdamsMoulton {
  static constexpr const char* name = "adams-moulton";
  std::optional<int> order{};  ///< 1..3; 3 where it is open.
  std::optional<double> c{};   ///< tau = c nabla^k.                            [AFS] Fig. 4.1
  Blocking blocking = Blocking::multiplier;
  bool control_multiplier = false;  ///< The error of lambda too, without h.
};

/// BDF of index 2.                                                                 [AFS] (1.2)
struct Bdf {
  static constexpr const char* name = "bdf";
  std::optional<int> order{};       ///< 1..6; 3 where it is open.
  bool control_multiplier = false;  ///< The error of lambda too, without h.
};

/// Those of [AFS], for index 2.
using BlockedMultistep = std::variant<Dcbdf, DcbdfBdf, AdamsMoulton, Bdf>;

/// @param fixed  h is given: no error is controlled.
/// @throws InvalidOption for numbers out of their range, and what does not go with a fixed h.
void check(const VariableBdf& method);
void check(const BlockedMultistep& method, bool fixed);

}  // namespace daewave::ivp
