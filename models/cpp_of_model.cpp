#include "models/cpp_of_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>

#include "core/equations/derived_terms.hpp"
#include "core/error.hpp"
#include "models/convert/cpp_expressions.hpp"
#include "models/cpp_of_boundary.hpp"
#include "models/expression/derivative.hpp"

namespace daewave::models {
namespace {

/// An argument of a function, with its type.
struct Argument {
  std::string type, name;
};

/// The entries of a matrix or vector that are not zero.
struct Entry {
  int row = 0, column = 0;
  Ref value = -1;
};

/// What a comment can hold: whatever would end its line is a space.
std::string comment_of(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0; }, ' ');
  return text;
}

/// Names of members of the structs and of what they are made of, and those of the C library that
/// are no functions: a struct cannot be called so.
bool is_taken(const std::string& name) {
  static constexpr std::string_view taken[] = {
      "Algebraic",  "Dynamic",  "Eigen",    "Mass", "Mat",
      "Multiplier", "Position", "State",    "Vec",  "VelocityMultiplier",
      "B",          "G",        "K",        "M",    "BUFSIZ",
      "EOF",        "FILE",     "INFINITY", "NAN",  "NULL",
      "WEOF"};
  if (std::find(std::begin(taken), std::end(taken), name) != std::end(taken)) return true;
  // Errors, which the C standard lets begin so and go on as it likes.
  return name.size() > 1 && name.front() == 'E' &&
         std::none_of(name.begin(), name.end(),
                      [](unsigned char c) { return std::islower(c) != 0; });
}

class Writing {
 public:
  Writing(const Model& model, const ProblemExpressions& of)
      : model_(model),
        e_(*of.equations),
        derived_(*of.derived),
        graph_(e_.graph),
        variables_(e_.variables()),
        sizes_(model.problem->sizes()),
        is_fixed_(e_.nq <= most_on_stack) {}

  std::string all() {
    write_types();
    write_ends();
    write_equations();
    BoundaryText boundary;
    if (model_.boundary) {
      boundary = cpp_of_boundary(model_, struct_name(), vector(model_.problem->state_size()));
    }
    return heading() + text_ + boundary.of_struct + "};\n" + boundary.behind;
  }

 private:
  bool has_velocity() const { return e_.has_velocity(); }
  const char* state() const { return has_velocity() ? "Position" : "State"; }
  std::string struct_name() const { return cpp_name_of(model_.name); }

  std::string size_text(int n) const { return is_fixed_ ? std::to_string(n) : "Dynamic"; }
  std::string vector(int n) const { return fmt::format("Vec<{}>", size_text(n)); }
  std::string matrix(int rows, int columns) const {
    return fmt::format("Mat<{}, {}>", size_text(rows), size_text(columns));
  }

  /// q[0], v[0], w[0], t by their places.
  std::string variable(int which) const {
    const char* const first = has_velocity() ? "q" : "x";
    if (which == Variables::t) return "t";
    if (variables_.is_q(which)) return fmt::format("{}[{}]", first, which - variables_.q(0));
    if (variables_.is_v(which)) return fmt::format("v[{}]", which - variables_.v(0));
    return fmt::format("w[{}]", which - variables_.w(0));
  }

  std::string heading() const {
    std::string names;
    std::size_t width = 0;
    for (const std::string& name : model_.state_names) {
      if (width + name.size() > 85) {
        names += "\n//   ";
        width = 0;
      }
      width += name.size() + 2;
      names += name + (&name == &model_.state_names.back() ? "" : ", ");
    }
    std::string parameters;
    for (const auto& [name, value] : model_.parameters) {
      parameters += fmt::format("//   {} = {}\n", name, cpp_number(value));
    }
    const char* const door = model_.boundary ? "bvp" : "ivp";
    return fmt::format(
        "// {}{}{}\n//\n//   #include \"...\"  // this file\n//   const auto solution = "
        "daewave::{}::solve({});\n//\n// The state is\n//   {}\n{}{}"
        "#pragma once\n\n#include <algorithm>\n#include <cmath>\n#include <limits>\n#include "
        "<memory>\n#include <string>\n#include <vector>\n\n#include <daewave/{}.hpp>\n\nstruct {} "
        "{{\n",
        comment_of(model_.title), model_.title.empty() ? "" : ": ", comment_of(model_.name), door,
        call(), names, parameters.empty() ? "" : "// Made with\n", parameters, door, struct_name());
  }

  std::string call() const {
    const std::string made = struct_name() + "{}";
    if (model_.boundary) {
      return model_.boundary->inside.empty() ? made : "boundary_problem_of_" + struct_name() + "()";
    }
    return made;
  }

  void add(const std::string& lines) { text_ += lines; }

  void write_types() {
    add("  template <int n>\n  using Vec = daewave::Vec<n>;\n"
        "  template <int n, int m>\n  using Mat = daewave::Mat<n, m>;\n"
        "  static constexpr int Dynamic = daewave::Dynamic;\n");
    add(fmt::format("  using {} = {};\n", state(), vector(e_.nq)));
    if (e_.kind == Kind::invariants) {
      add(fmt::format("  using Algebraic = {};\n", vector(sizes_.nw)));
    } else if (e_.kind != Kind::ordinary) {
      add(fmt::format("  using Multiplier = {};\n", vector(sizes_.ny)));
      if (sizes_.nk > 0) add(fmt::format("  using VelocityMultiplier = {};\n", vector(sizes_.nk)));
    }
  }

  std::string list(const VecX& of) const {
    std::string text;
    for (Eigen::Index i = 0; i < of.size(); ++i) text += (i > 0 ? ", " : "") + cpp_number(of[i]);
    return text;
  }

  void write_start(const std::string& type, const char* name, const VecX& of) {
    add(fmt::format("  {0} {1}() const {{ return {0}{{{{{2}}}}}; }}\n", type, name, list(of)));
  }

  void write_ends() {
    const Interval& t = model_.interval;
    add(fmt::format("\n  std::string name() const {{ return \"{}\"; }}\n", struct_name()));
    add(fmt::format("  daewave::Interval interval() const {{ return {{{}, {}}}; }}\n",
                    cpp_number(t.begin), cpp_number(t.end)));
    if (model_.boundary) return;
    write_start(vector(model_.problem->state_size()), "start", model_.start);
    if (const auto w = model_.problem->start_algebraic()) {
      write_start("Algebraic", "start_algebraic", *w);
    }
  }

  std::vector<Argument> arguments(bool with_second) const {
    std::vector<Argument> all{{state(), has_velocity() ? "q" : "x"}};
    if (with_second && has_velocity()) all.push_back({state(), "v"});
    if (with_second && e_.kind == Kind::invariants) all.push_back({"Algebraic", "w"});
    return all;
  }

  /// A function that returns a vector or matrix, of which the entries are given.
  void write_function(const std::string& type, const std::string& name,
                      const std::vector<Argument>& arguments, bool of_t,
                      const std::vector<Entry>& entries, int rows, int columns) {
    std::vector<Assignment> assignments;
    for (const Entry& one : entries) {
      assignments.push_back({columns == 0 ? fmt::format("out[{}]", one.row)
                                          : fmt::format("out({}, {})", one.row, one.column),
                             one.value});
    }
    const std::string body =
        cpp_statements(graph_, assignments, [this](int which) { return variable(which); });
    const std::string zero = is_fixed_      ? ""
                             : columns == 0 ? std::to_string(rows)
                                            : fmt::format("{}, {}", rows, columns);
    add(
        fmt::format("  {0} {1}({2}) const {{\n    {0} out = {0}::Zero({3});\n{4}    return out;\n"
                    "  }}\n",
                    type, name, signature(arguments, of_t, body), zero, body));
  }

  static std::string signature(const std::vector<Argument>& arguments, bool of_t,
                               const std::string& body) {
    std::string text;
    for (const Argument& one : arguments) {
      text += fmt::format("{}const {}&{}", text.empty() ? "" : ", ", one.type,
                          is_named_in(body, one.name) ? " " + one.name : "");
    }
    if (of_t) text += std::string(", double") + (is_named_in(body, "t") ? " t" : "");
    return text;
  }

  std::vector<Entry> not_zero(const std::vector<Ref>& of, int rows, int first = 0) const {
    std::vector<Entry> entries;
    for (int k = 0; k < static_cast<int>(of.size()); ++k) {
      const Ref value = of[static_cast<std::size_t>(k)];
      if (k % rows < first || graph_.is_number(value, 0)) continue;
      entries.push_back({k % rows - first, k / rows, value});
    }
    return entries;
  }

  void write_vector(const std::string& type, const std::string& name, bool with_second,
                    const std::vector<Ref>& of) {
    const int rows = static_cast<int>(of.size());
    write_function(type, name, arguments(with_second), true, not_zero(of, std::max(1, rows)), rows,
                   0);
  }
  void write_matrix(const std::string& name, bool with_second, const std::vector<Ref>& of, int rows,
                    int columns) {
    write_function(matrix(rows, columns), name, arguments(with_second), true, not_zero(of, rows),
                   rows, columns);
  }

  /// Derivatives of rows by the variables from `first` on.
  std::vector<Entry> jacobian(const std::vector<Ref>& of, int first, int count) {
    std::vector<Entry> entries;
    for (int i = 0; i < static_cast<int>(of.size()); ++i) {
      const Ref row = of[static_cast<std::size_t>(i)];
      for (const int which : graph_.variables_of(row)) {
        if (which < first || which >= first + count) continue;
        const Ref value = partial_derivative(graph_, row, which);
        if (!graph_.is_number(value, 0)) entries.push_back({i, which - first, value});
      }
    }
    return entries;
  }

  void write_mass() {
    const int n = e_.nq;
    const std::vector<Ref>& M = derived_.of.at(Ask::M);
    const bool diagonal = derived_.structure.mass == Structure::Mass::diagonal;
    if (derived_.structure.mass_constant) {
      add("  static constexpr bool mass_constant = true;\n");
    }
    if (!diagonal) {
      write_function(matrix(n, n), "M", arguments(false), false, not_zero(M, n), n, n);
      return;
    }
    std::vector<Assignment> assignments;
    for (int i = 0; i < n; ++i) {
      assignments.push_back({fmt::format("out.diagonal()[{}]", i), M[static_cast<std::size_t>(i)]});
    }
    const std::string body =
        cpp_statements(graph_, assignments, [this](int which) { return variable(which); });
    add(
        fmt::format("  using Mass = Eigen::DiagonalMatrix<double, {}>;\n"
                    "  Mass M({}) const {{\n    Mass out{};\n{}    return out;\n  }}\n",
                    size_text(n), signature(arguments(false), false, body),
                    is_fixed_ ? "" : fmt::format("({})", n), body));
  }

  /// Entries alone where the mass is diagonal and there are many.
  void write_constraint_jacobian() {
    const std::vector<Entry> entries = jacobian(e_.g, variables_.q(0), e_.nq);
    const bool sparse = !is_fixed_ && e_.w.empty() &&
                        derived_.structure.mass == Structure::Mass::diagonal &&
                        e_.kind == Kind::multibody;
    if (!sparse) {
      write_function(matrix(sizes_.ny, e_.nq), "G", arguments(false), true, entries, sizes_.ny,
                     e_.nq);
      return;
    }
    std::string places;
    std::vector<Assignment> assignments;
    for (std::size_t k = 0; k < entries.size(); ++k) {
      places += fmt::format("{}{{{}, {}}}",
                            k == 0        ? "\n        "
                            : k % 10 == 0 ? ",\n        "
                                          : ", ",
                            entries[k].row, entries[k].column);
      assignments.push_back({fmt::format("out[{}]", k), entries[k].value});
    }
    const std::string body =
        cpp_statements(graph_, assignments, [this](int which) { return variable(which); });
    add(
        fmt::format("  daewave::SparseJacobian G({}) const {{\n"
                    "    static const auto pattern = std::make_shared<const daewave::SparsePattern>"
                    "(\n        {}, {}, std::vector<daewave::SparseEntry>{{{}}});\n"
                    "    daewave::SparseJacobian out(pattern);\n{}    return out;\n  }}\n",
                    signature(arguments(false), true, body), sizes_.ny, e_.nq, places, body));
  }

  void write_constraints() {
    write_vector("Multiplier", "g", false, e_.g);
    write_constraint_jacobian();
    const auto ny = static_cast<std::ptrdiff_t>(e_.g.size());
    const auto part = [ny](const std::vector<Ref>& of, bool of_positions) {
      return of_positions ? std::vector<Ref>(of.begin(), of.begin() + ny)
                          : std::vector<Ref>(of.begin() + ny, of.end());
    };
    const std::vector<Ref>& g_t = derived_.of.at(Ask::g_t);
    write_vector("Multiplier", "g_t", false, part(g_t, true));
    const auto curvature = derived_.of.find(Ask::curvature);
    if (curvature != derived_.of.end()) {
      write_vector("Multiplier", "curvature", true, part(curvature->second, true));
    }
    if (e_.w.empty()) return;
    write_vector("VelocityMultiplier", "w", true, e_.w);
    write_function(matrix(sizes_.nk, e_.nq), "K", arguments(false), true,
                   jacobian(e_.w, variables_.v(0), e_.nq), sizes_.nk, e_.nq);
    write_vector("VelocityMultiplier", "k", false, part(g_t, false));
    write_vector("VelocityMultiplier", "w_curvature", true, part(curvature->second, false));
  }

  void write_f_jacobian() {
    if (!derived_.structure.has_f_jacobian) return;
    const int n = e_.nq, nw = sizes_.nw;
    const char* const by_state = e_.kind == Kind::multibody ? "f_q" : "f_x";
    const bool second = has_velocity() || e_.kind == Kind::invariants;
    write_matrix(by_state, second, derived_.of.at(Ask::f_q), n, n);
    if (has_velocity()) write_matrix("f_v", second, derived_.of.at(Ask::f_v), n, n);
    if (e_.kind != Kind::invariants) return;
    write_matrix("f_w", second, derived_.of.at(Ask::f_w), n, nw);
    write_matrix("r_x", second, derived_.of.at(Ask::r_q), nw, n);
    write_matrix("r_w", second, derived_.of.at(Ask::r_w), nw, nw);
  }

  void write_equations() {
    add("\n");
    if (e_.kind == Kind::multibody) write_mass();
    write_vector(state(), "f", has_velocity() || e_.kind == Kind::invariants, e_.f);
    if (e_.kind == Kind::invariants) write_vector("Algebraic", "r", true, e_.r);
    if (!e_.B.empty()) write_matrix("B", false, e_.B, e_.nq, sizes_.ny);
    if (e_.kind != Kind::ordinary && e_.kind != Kind::invariants) write_constraints();
    write_f_jacobian();
    if (e_.energy) write_energy();
  }

  void write_energy() {
    const std::string body = cpp_statements(graph_, {{"const double out", *e_.energy}},
                                            [this](int which) { return variable(which); });
    add(fmt::format("  double energy({}) const {{\n{}    return out;\n  }}\n",
                    signature(arguments(true), false, body), body));
  }

  const Model& model_;
  const Equations& e_;
  const DerivedTerms& derived_;
  Graph graph_;  // Further derivatives are put into a copy.
  Variables variables_;
  Sizes sizes_;
  bool is_fixed_;
  std::string text_;
};

}  // namespace

std::string cpp_of(const Model& model) {
  constexpr int most_coordinates = 300;
  const ProblemExpressions of = expressions_of(*model.problem);
  if (of.equations->nq > most_coordinates) {
    throw InvalidProblem(fmt::format(
        "{}: {} coordinates, each of which is written out: at most {} become C++; let repeat count "
        "less, or solve the model as text",
        model.name, of.equations->nq, most_coordinates));
  }
  if (std::any_of(model.events.begin(), model.events.end(),
                  [](const StateEvent& one) { return !one.of_equations; })) {
    throw InvalidProblem(
        fmt::format("{}: events are not written as C++; leave [[event]] out, and state them in "
                    "Options::events of the solve",
                    model.name));
  }
  return Writing(model, of).all();
}

std::string cpp_name_of(const std::string& file) {
  std::string name;
  bool begins = true;
  for (const char c : file.substr(0, file.rfind('.'))) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) {
      begins = true;
      continue;
    }
    name += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    begins = false;
  }
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0 ||
      is_taken(name)) {
    name = "Model" + name;
  }
  return name;
}

}  // namespace daewave::models
