#include "bvp/statement/problem_family.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"

namespace daewave::bvp {

std::string parameter_name(const ProblemFamily& family, int i) {
  return family.names.empty() ? fmt::format("p{}", i + 1)
                              : family.names[static_cast<std::size_t>(i)];
}

int parameter_named(const ProblemFamily& family, const std::string& name) {
  std::string known;
  for (int i = 0; i < family.p.size(); ++i) {
    if (parameter_name(family, i) == name) return i;
    known += (i > 0 ? ", " : "") + parameter_name(family, i);
  }
  throw InvalidOption(known.empty() ? fmt::format("parameter {}: the problem has none", name)
                                    : fmt::format("parameter {}: unknown; known: {}", name, known));
}

void check(const ProblemFamily& family) {
  if (!family.member) throw InvalidProblem("member: there is none");
  const auto size = static_cast<std::size_t>(family.p.size());
  if (!family.names.empty() && family.names.size() != size) {
    throw InvalidProblem(fmt::format("names: {} of {} parameters; give one for each, or none",
                                     family.names.size(), size));
  }
  for (int i = 0; i < family.p.size(); ++i) {
    if (std::isfinite(family.p[i])) continue;
    throw InvalidProblem(
        fmt::format("{} = {:g}: must be finite", parameter_name(family, i), family.p[i]));
  }
  std::vector<bool> taken(size, false);
  for (const int i : family.unknown) {
    if (i < 0 || i >= family.p.size()) {
      throw InvalidProblem(
          fmt::format("unknown: {} is no entry of p, which has {}", i, family.p.size()));
    }
    if (taken[static_cast<std::size_t>(i)]) {
      throw InvalidProblem(fmt::format("unknown: {} is there twice", parameter_name(family, i)));
    }
    taken[static_cast<std::size_t>(i)] = true;
  }
}

}  // namespace daewave::bvp
