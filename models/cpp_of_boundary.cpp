#include "models/cpp_of_boundary.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "models/convert/cpp_expressions.hpp"

namespace daewave::models {
namespace {

/// " left" where it is used: arguments that are not have no name.
std::string argument(const std::string& body, const char* name) {
  return is_named_in(body, name) ? std::string(" ") + name : std::string();
}

/// A vector over the time. Vectors of any size have to be told theirs.
std::string over_time(const OverTime& of, bool any_size, const std::string& type,
                      const char* name) {
  std::vector<Assignment> assignments;
  for (std::size_t i = 0; i < of.values.size(); ++i) {
    if (of.graph.is_number(of.values[i], 0)) continue;
    assignments.push_back({fmt::format("out[{}]", i), of.values[i]});
  }
  const std::string body =
      cpp_statements(of.graph, assignments, [](int) { return std::string("t"); });
  return fmt::format(
      "  {0} {1}(double{2}) const {{\n    {0} out = {0}::Zero({3});\n{4}    "
      "return out;\n  }}\n",
      type, name, argument(body, "t"), any_size ? std::to_string(of.values.size()) : "", body);
}

std::string bound_of_state(const VecX& of, bool any_size, const std::string& type,
                           const char* name) {
  if (of.size() == 0) return {};
  std::string entries;
  for (Eigen::Index i = 0; i < of.size(); ++i) {
    if (std::isfinite(of[i])) entries += fmt::format("    out[{}] = {};\n", i, cpp_number(of[i]));
  }
  return fmt::format(
      "  {0} {1}() const {{\n    {0} out = "
      "{0}::Constant({2}{3}std::numeric_limits<double>::infinity());\n"
      "{4}    return out;\n  }}\n",
      type, name, any_size ? std::to_string(of.size()) + ", " : "",
      name == std::string("lower") ? "-" : "", entries);
}

std::string condition_body(const Model& model) {
  const ConditionExpressions& of = *model.boundary->expressions;
  const int n = model.problem->state_size();
  std::vector<Assignment> assignments;
  for (std::size_t i = 0; i < of.rows.size(); ++i) {
    assignments.push_back({fmt::format("out[{}]", i), of.rows[i]});
  }
  return cpp_statements(of.graph, assignments, [&](int k) {
    const int place = k / n, entry = k % n;
    if (place == 0) return fmt::format("left[{}]", entry);
    if (place == 1) return fmt::format("right[{}]", entry);
    return fmt::format("inside[{}][{}]", of.order[static_cast<std::size_t>(place - 2)], entry);
  });
}

std::string conditions(const Model& model) {
  const BoundaryConditions& of = *model.boundary;
  const std::string body = condition_body(model);
  const std::string ends = fmt::format("const daewave::VecX&{}, const daewave::VecX&{}",
                                       argument(body, "left"), argument(body, "right"));
  if (of.inside.empty()) {
    return fmt::format(
        "  daewave::VecX conditions({}) const {{\n    daewave::VecX out({});\n{}    "
        "return out;\n  }}\n",
        ends, of.count, body);
  }
  return fmt::format(
      "  daewave::VecX conditions(const daewave::VecX&, const daewave::VecX&) const {{ return "
      "daewave::VecX(0); }}\n  daewave::VecX further_conditions({}, const "
      "std::vector<daewave::VecX>& inside) const {{\n    daewave::VecX out({});\n{}    return "
      "out;\n  }}\n",
      ends, of.count, body);
}

/// A problem that knows its conditions inside of the interval.
std::string problem_with_inside(const std::vector<double>& inside, const std::string& struct_name) {
  std::string times;
  for (const double t : inside) times += (times.empty() ? "" : ", ") + cpp_number(t);
  return fmt::format(
      "\n/// With its conditions inside of the interval.\n"
      "inline daewave::bvp::BoundaryProblem boundary_problem_of_{0}() {{\n"
      "  daewave::bvp::BoundaryProblem problem = daewave::bvp::boundary_problem_of({0}{{}});\n"
      "  problem.inside = {{{1}}};\n"
      "  problem.further_conditions = [](const daewave::bvp::Observed& of) {{\n"
      "    return {0}{{}}.further_conditions(of.left, of.right, of.inside);\n  }};\n"
      "  return problem;\n}}\n",
      struct_name, times);
}

}  // namespace

BoundaryText cpp_of_boundary(const Model& model, const std::string& struct_name,
                             const std::string& type) {
  const BoundaryConditions& of = *model.boundary;
  const bool any_size = is_named_in(type, "Dynamic");
  BoundaryText text;
  text.of_struct = conditions(model);
  if (!of.inside.empty()) text.behind = problem_with_inside(of.inside, struct_name);
  if (of.guess_said) text.of_struct += over_time(*of.guess_said, any_size, type, "guess");
  if (of.guess_algebraic_said && model.problem->sizes().nw > 0) {
    text.of_struct += over_time(*of.guess_algebraic_said, any_size, "Algebraic", "guess_algebraic");
  }
  text.of_struct += bound_of_state(of.lower, any_size, type, "lower");
  text.of_struct += bound_of_state(of.upper, any_size, type, "upper");
  if (of.exact_said) text.of_struct += over_time(*of.exact_said, any_size, type, "exact");
  return text;
}

}  // namespace daewave::models
