#include "python/module/words.hpp"

#include <regex>
#include <utility>
#include <vector>

namespace daewave::python {
namespace {

/// A text without the sign is not looked at closer, which takes longer.
struct Word {
  const char* sign;
  std::regex said;
  const char* in_python;
};

const std::vector<Word>& words() {
  // Sentences before the names that are in them.
  static const std::vector<Word> all{
      {"residual_tolerance",
       std::regex("loosen residual_tolerance, or leave it out: the tolerance is that of errors"),
       "loosen tol, which is that of residuals too"},
      {"with_autodiff",
       std::regex(
           "leave it out and use with_autodiff\\(problem\\); if by differences, g moves faster "
           "than they see: use with_autodiff\\(problem\\), or units"),
       "leave it out: differences are taken then; if by differences, the constraint moves faster "
       "than "
       "they see: give constraint_jac, or units"},
      {"G is by differences",
       std::regex("; G is by differences: give it, or use with_autodiff\\(problem\\)"),
       "; derivatives of the constraint are by differences: give constraint_jac"},
      {"with_autodiff", std::regex("leave it out and use with_autodiff\\(problem\\)"),
       "leave it out: differences are taken then"},
      {"check_derivatives", std::regex("; check_derivatives\\(\\) looks at all of them"), ""},
      {"check_derivatives",
       std::regex("; where G or curvature is given, check_derivatives\\(\\) tells whether it is "
                  "that of g"),
       "; where constraint_jac is given, it may not be that of constraint"},
      {"with_autodiff",
       std::regex("; with it, or with_autodiff\\(problem\\), nothing would be stiff"), ""},
      {"with_autodiff", std::regex("; or give it, or use with_autodiff\\(problem\\)"), ""},
      {"with_autodiff", std::regex(", or (use )?with_autodiff\\(problem\\)"), ""},
      {"with_autodiff", std::regex(" given or with_autodiff\\(problem\\)"), " given"},
      {"repair_start()",
       std::regex("or project it with repair_start\\(\\)(, or by repair_start = true)?"),
       "or project it by repair_start = true"},
      {"algebraic unknowns", std::regex("give algebraic unknowns nearer"),
       "give algebraic unknowns, z0, nearer"},
      {"lower and upper", std::regex("; or bounds of x, within which it can, lower and upper"), ""},
      {"further_conditions", std::regex("; further_conditions.*"), ""},
      {"dense", std::regex("\\bdense = true\\b"), "dense_output = true"},
      {"bvp::follow",
       std::regex("bvp::follow\\(family, \\{\\.parameter = \"([^\"]*)\", \\.to = ([^}]*)\\}\\)"),
       "follow_bvp(..., parameter=\"$1\", to=$2)"},
      {"by radau", std::regex("tanh\\(v / v0\\), by radau"), "tanh(v / v0), by stepper = radau"},
      {"max_intervals", std::regex("\\bmax_intervals\\b"), "max_nodes"},
      {"residual_tolerance", std::regex("\\bresidual_tolerance\\b"), "tol"},
      {"tolerance = ", std::regex("\\btolerance = "), "tol = "},
      {"largest_step", std::regex("\\blargest_step\\b"), "max_step"},
      {"atol_each", std::regex("\\batol_each\\b"), "atol"},
      {"energy", std::regex("\\benergy = true\\b"), "keep_energy = true"},
      {"span", std::regex("\\bspan( = |: )"), "t_span$1"},
      {"must be true", std::regex("\\bmust be true or false"), "must be True or False"},
      {" = true", std::regex(" = true\\b"), " = True"},
      {" = false", std::regex(" = false\\b"), " = False"},
  };
  return all;
}

/// Of a table of settings.
std::string name_in_python(const std::string& name) {
  if (name == "tolerance") return "tol";
  return in_python(name);
}

}  // namespace

std::string in_python(std::string text) {
  for (const Word& word : words()) {
    if (text.find(word.sign) == std::string::npos) continue;
    text = std::regex_replace(text, word.said, word.in_python);
  }
  return text;
}

Report in_python(Report report) {
  report.message = in_python(std::move(report.message));
  report.advice = in_python(std::move(report.advice));
  for (std::string& warning : report.warnings) warning = in_python(std::move(warning));
  for (Choice& choice : report.choices) {
    choice.name = name_in_python(choice.name);
    choice.reason = in_python(std::move(choice.reason));
  }
  return report;
}

}  // namespace daewave::python
