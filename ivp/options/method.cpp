#include "ivp/options/method.hpp"

#include <type_traits>
#include <utility>

#include "ivp/options/names.hpp"

namespace daewave::ivp {
namespace {

template <std::size_t... i>
std::vector<Method> methods_after_automatic(std::index_sequence<i...>) {
  return {Method(std::in_place_index<i + 1>)...};
}

/// Of a method, constant or not.
constexpr auto formula_in = [](auto& method) {
  using Found = std::conditional_t<std::is_const_v<std::remove_reference_t<decltype(method)>>,
                                   const Formula*, Formula*>;
  if constexpr (requires { method.formula; }) {
    return Found(&method.formula);
  } else {
    return Found(nullptr);
  }
};

/// By the rules of its family.
struct FamilyCheck {
  bool fixed;

  void operator()(const Automatic&) const {}
  void operator()(const Srm& method) const { check(method); }
  void operator()(const ProjectedInvariants&) const {}
  void operator()(const IndexReduction& method) const { check(method); }
  void operator()(const VariableBdf& method) const { check(method); }
  void operator()(const BlockedMultistep& method) const { check(method, fixed); }
};

}  // namespace

const char* name_of(const Method& method) {
  return std::visit([](const auto& one) { return one.name; }, method);
}

Method method_named(const std::string& name) {
  return detail::named("method", name, all_methods());
}

const std::vector<Method>& all_methods() {
  static const std::vector<Method> methods =
      methods_after_automatic(std::make_index_sequence<std::variant_size_v<Method> - 1>());
  return methods;
}

const Formula* formula_of(const Method& method) { return std::visit(formula_in, method); }

Formula* formula_of(Method& method) { return std::visit(formula_in, method); }

bool takes_every_stepper(const Method& method) {
  return formula_of(method) != nullptr && !std::holds_alternative<ProjectedInvariants>(method);
}

void check(const Method& method, bool fixed) {
  if (const Formula* formula = formula_of(method)) check(*formula, fixed);
  std::visit(FamilyCheck{fixed}, method);
}

}  // namespace daewave::ivp
