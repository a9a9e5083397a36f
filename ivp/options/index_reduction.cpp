#include "ivp/options/index_reduction.hpp"

#include "ivp/options/names.hpp"
#include "ivp/options/number_rules.hpp"

namespace daewave::ivp {
namespace {

void check_one(const Baumgarte& method) {
  detail::require_not_negative("alpha1", method.alpha1);
  detail::require_not_negative("alpha0", method.alpha0);
  if (method.alpha1 > 0 || method.alpha0 > 0) return;
  throw InvalidOption(
      "alpha1 = 0 and alpha0 = 0 with method = baumgarte: nothing is damped; give them, of "
      "a rate a, in 1/time, 2 a and a^2 (index 2: alpha0 alone); or leave "
      "method open, which needs no rate");
}

void check_one(const StabilizedOde& method) {
  detail::require_not_negative("gamma", method.gamma);
  if (method.gamma > 0) return;
  throw InvalidOption(
      "gamma = 0 with method = stabilized-ode: must be > 0, in 1/time; give it, such as 1/h for "
      "steps of about h; or leave method open, which needs no rate");
}

void check_one(const SymmetricProjection& method) {
  detail::require_at_least_one("stages", method.stages);
}

void check_one(const LocalStateSpace& method) {
  detail::require(method.bound >= 1 && std::isfinite(method.bound), "bound", method.bound,
                  ">= 1 and finite");
}

template <class Other>
void check_one(const Other& method) {
  if constexpr (requires { method.factor; }) {
    detail::require(method.factor > 0 && method.factor < 2, "factor", method.factor, "> 0 and < 2");
  }
}

}  // namespace

const char* name_of(StageIteration iteration) {
  return iteration == StageIteration::newton ? "newton" : "fixed-point";
}

StageIteration stage_iteration_named(const std::string& name) {
  static const std::vector<StageIteration> all{StageIteration::fixed_point, StageIteration::newton};
  return detail::named("stage_iteration", name, all);
}

void check(const IndexReduction& method) {
  std::visit([](const auto& one) { check_one(one); }, method);
}

}  // namespace daewave::ivp
