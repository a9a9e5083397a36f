#pragma once
// How the DAE becomes an ordinary problem, and what keeps it on its constraints. Each method has
// what it can be told, and nothing else:
//
//   {.method = ivp::Srm{.epsilon = 1e-3, .iterates = 3}, .h = 1e-3}
//   {.method = ivp::Baumgarte{.alpha1 = 20, .alpha0 = 100}}

#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "ivp/options/formula.hpp"
#include "ivp/options/index_reduction.hpp"
#include "ivp/options/multistep.hpp"
#include "ivp/options/srm.hpp"

namespace daewave::ivp {

/// Left to the solver: index reduction where the problem lets it, see choose_method().
struct Automatic {
  static constexpr const char* name = "automatic";
  Formula formula{};
};

using Method = std::variant<Automatic, Srm, Underlying, Baumgarte, SFull, SBoth, SBoth2, SVel, SPos,
                            StabilizedOde, ProjectEachStep, SymmetricProjection, LocalStateSpace,
                            GaussWindows, ProjectedInvariants, BdfProjection,
                            BdfProjectedInvariants, Dcbdf, DcbdfBdf, AdamsMoulton, Bdf>;

const char* name_of(const Method& method);
/// With nothing given but which it is. @throws InvalidOption naming the known methods. "s-both2".
Method method_named(const std::string& name);
/// All but Automatic, with nothing given.
const std::vector<Method>& all_methods();

/// The method as one of a family, such as VariableBdf; empty where it is none of it.
template <class Family>
std::optional<Family> as(const Method& method) {
  return std::visit(
      [](const auto& one) -> std::optional<Family> {
        if constexpr (std::is_constructible_v<Family, decltype(one)>) {
          return Family(one);
        } else {
          return {};
        }
      },
      method);
}

/// Null for methods with a formula of their own.
const Formula* formula_of(const Method& method);
Formula* formula_of(Method& method);
/// False also for ProjectedInvariants, whose last stage must be the end.
bool takes_every_stepper(const Method& method);

/// @param fixed  h is given.
/// @throws InvalidOption for what can be told to be wrong without the problem.
void check(const Method& method, bool fixed);

}  // namespace daewave::ivp
