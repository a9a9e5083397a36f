#include "ivp/options/multistep.hpp"

#include "ivp/options/number_rules.hpp"

namespace daewave::ivp {
namespace {

void check_order(const std::optional<int>& order) {
  if (order) detail::require(*order >= 1 && *order <= 6, "order", *order, "between 1 and 6");
}

}  // namespace

void check(const VariableBdf& method) {
  std::visit([](const auto& one) { check_order(one.order); }, method);
}

void check(const BlockedMultistep& method, bool fixed) {
  const auto check_one = [fixed](const auto& one) {
    check_order(one.order);
    if (!one.control_multiplier || !fixed) return;
    throw InvalidOption(
        fmt::format("control_multiplier = true with method = {}: with a fixed h no error is "
                    "controlled; leave out one of them",
                    one.name));
  };
  std::visit(check_one, method);
  const auto* adams = std::get_if<AdamsMoulton>(&method);
  if (adams && adams->c) detail::require(std::isfinite(*adams->c), "c", *adams->c, "finite");
}

}  // namespace daewave::ivp
