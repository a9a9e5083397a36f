#pragma once
// Methods that reduce the index, and what keeps their solutions on the constraints.       [ACPR]

#include <optional>
#include <string>
#include <variant>

#include "ivp/options/formula.hpp"
#include "ivp/options/projection.hpp"

namespace daewave::ivp {

/// The metric of a correction back to the constraints.
enum class Metric {
  mass,        ///< F = M^-1 G^T (G M^-1 G^T)^-1; B (G B)^-1 without M.   [ACPR] (5.5)
  orthogonal,  ///< F = G^T (G G^T)^-1.                                   [ACPR] (5.6)
};

/// Which F the second step of SBoth2 uses.
enum class SecondStep {
  frozen,      ///< F at the unstabilized state, as printed.
  half_fresh,  ///< G^T at the corrected position, (G G^T)^-1 kept: what Tables 6.1, 6.2 show.
};

/// Index reduction alone: drifts.                                         [ACPR] (1.6)
struct Underlying {
  static constexpr const char* name = "underlying";
  Formula formula{};
};

/// g'' + alpha1 g' + alpha0 g = 0; one of them at least must be given.    [ACPR] (2.1)
struct Baumgarte {
  static constexpr const char* name = "baumgarte";
  double alpha1 = 0;  ///< >= 0, of g'; 1/time. None of index 2.
  double alpha0 = 0;  ///< >= 0, of g; 1/time^2 (index 2: of g; 1/time).
  Formula formula{};
};

/// After each step one z -= factor F h with D = H^T.                      [ACPR] (4.4)
struct SFull {
  static constexpr const char* name = "s-full";
  double factor = 1;  ///< alpha of (5.4), in (0, 2).
  Formula formula{};
};

/// One step on position and velocity.                                     [ACPR] (5.5), (5.6)
struct SBoth {
  static constexpr const char* name = "s-both";
  Metric metric = Metric::mass;
  double factor = 1;  ///< In (0, 2).
  Formula formula{};
};

/// Two of them with one factorization: drift O(h^{2p}).                   [ACPR] section 5
struct SBoth2 {
  static constexpr const char* name = "s-both2";
  Metric metric = Metric::mass;
  double factor = 1;  ///< In (0, 2).
  SecondStep second_step = SecondStep::frozen;
  Formula formula{};
};

/// On the velocity alone.                                                 [ACPR] section 6
struct SVel {
  static constexpr const char* name = "s-vel";
  Metric metric = Metric::mass;
  double factor = 1;  ///< In (0, 2).
  Formula formula{};
};

/// On the position alone.                                                 [ACPR] section 6
struct SPos {
  static constexpr const char* name = "s-pos";
  Metric metric = Metric::mass;
  double factor = 1;  ///< In (0, 2).
  Formula formula{};
};

/// z' = f(z) - gamma F h(z); gamma must be given.                         [ACPR] (4.3)
struct StabilizedOde {
  static constexpr const char* name = "stabilized-ode";
  /// D: H^T, (4.5) without and (4.6) with the curvature term.
  enum class Direction { full, both, both_curved };

  double gamma = 0;  ///< > 0; 1/time.
  Metric metric = Metric::mass;
  Direction direction = Direction::both;
  Formula formula{};
};

/// After each step onto h = 0, to the end.                                [Eich] (2.5)-(2.6)
struct ProjectEachStep {
  static constexpr const char* name = "projection";
  Onto onto = Onto::both;
  ProjectionMetric metric = ProjectionMetric::orthogonal;
  bool energy = false;  ///< Keep the energy of the start too.            [Eich] (2.2)
  Formula formula{};
};

/// How the stages of SymmetricProjection are found.
enum class StageIteration {
  fixed_point,  ///< Sweeps over the stages; for problems that are not stiff.
  newton,       ///< Simplified Newton's method, with differences.
};

const char* name_of(StageIteration iteration);
/// @throws InvalidOption naming the known ones. "fixed-point", with - for _.
StageIteration stage_iteration_named(const std::string& name);

/// Gauss steps between two equal projections; fixed h.                    [HLW] V.4.1
struct SymmetricProjection {
  static constexpr const char* name = "symmetric-projection";
  std::optional<int> stages{};                      ///< >= 1; 4, of order 8.
  std::optional<StageIteration> stage_iteration{};  ///< Fixed-point.
};

/// Parameters u = R q, the rest from the constraints.                     [ACPR] 3.1
struct LocalStateSpace {
  static constexpr const char* name = "local-state-space";
  enum class Parameters {
    coordinates,  ///< Entries of q, the others being dependent on them.
    tangent,      ///< R G^T = 0 at the state where R is chosen.
  };

  Parameters parameters = Parameters::coordinates;
  double bound = 2;  ///< R is chosen anew where max |D (G D)^-1 G| exceeds it; >= 1. (3.2)
  Formula formula{};
};

/// Windows of 8 Gauss nodes solved as waveforms, brought back as by SBoth2 at their ends.
struct GaussWindows {
  static constexpr const char* name = "gauss-windows";
};

using IndexReduction =
    std::variant<Underlying, Baumgarte, SFull, SBoth, SBoth2, SVel, SPos, StabilizedOde,
                 ProjectEachStep, SymmetricProjection, LocalStateSpace, GaussWindows>;

/// @throws InvalidOption for numbers out of their range, and those that must be given.
void check(const IndexReduction& method);

}  // namespace daewave::ivp
