#pragma once
// What methods can be told, by the names of the options: for who reads them, as from a command line
// or from another language.

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "ivp/options/method.hpp"

namespace daewave::ivp {

/// As it was read; a whole number is a number too.
using OptionValue = std::variant<bool, int, double, std::string>;

/// An option that some methods have.
struct MethodOption {
  std::string name;  ///< "keep_energy".
  std::function<bool(const Method&)> is_of;
  /// To a method that has it; nothing for others. @throws InvalidOption for a value that it does
  /// not take.
  std::function<void(const OptionValue&, Method&)> give;
};

const std::vector<MethodOption>& method_options();
/// Names of the methods that have it.
std::vector<std::string> methods_with(const MethodOption& option);

}  // namespace daewave::ivp
