#include "models/dae/statement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/nearest_names.hpp"

namespace daewave::models {
namespace {

constexpr std::size_t most_equations = 2000;

bool is_identifier(const std::string& name) {
  try {
    return parse(name).kind == Syntax::Kind::name && name.find('\'') == std::string::npos;
  } catch (const ExpressionError&) {
    return false;
  }
}

class StatementReading {
 public:
  StatementReading(TableReader& file, const Parameters& parameters)
      : source_(file.source()),
        reader_(file.source(), *file.value("dae"), "dae"),
        parameters_(parameters) {}

  DaeStatement all() {
    out_.place = reader_.place();
    if (reader_.has("t")) reader_.fail("t", "the interval is said in [solve]: t = [0, 1]");
    if (const auto order = reader_.expression("order")) {
      Graph graph;
      NumberNames names(graph, parameters_);
      const double value = number(source_, *order, graph, names, "order");
      if (value != 1 && value != 2) reader_.fail("order", "must be 1 or 2");
      out_.order = static_cast<int>(value);
    }
    out_.differential = said("differential");
    out_.algebraic = said("algebraic");
    out_.unknown = said("unknown");
    out_.where = said("where");
    if (out_.differential.empty()) {
      reader_.fail("no differential equation: write [dae.differential], as x = \"-x + z\"");
    }
    if (out_.differential.size() + out_.algebraic.size() > most_equations) {
      reader_.fail(fmt::format("more than {} equations", most_equations));
    }
    for (const auto* group : {&out_.differential, &out_.algebraic, &out_.unknown, &out_.where}) {
      for (const Said& one : *group) check_new(one);
    }
    const std::vector<std::string> states = out_.state_names();
    std::vector<std::string> all = states;
    for (const Said& one : out_.algebraic) all.push_back(one.name);
    out_.mass = said_of("mass", names_of(out_.differential));
    out_.start = said_of("start", all);
    out_.guess = said_of("guess", all);
    out_.lower = said_of("lower", states);
    out_.upper = said_of("upper", states);
    out_.exact = said_of("exact", states);
    read_units(all);
    if (reader_.has("boundary")) out_.boundary = *reader_.expressions("boundary", 0);
    reader_.finish();
    refuse_unused();
    return std::move(out_);
  }

 private:
  static std::vector<std::string> names_of(const std::vector<Said>& said) {
    std::vector<std::string> names;
    for (const Said& one : said) names.push_back(one.name);
    return names;
  }

  std::vector<Said> said(const std::string& key) {
    std::vector<Said> all;
    const Value* const value = reader_.value(key);
    if (value == nullptr) return all;
    if (value->kind != Value::Kind::table) reader_.fail(key, "must be a table");
    for (const auto& [name, of] : value->table) all.push_back({name, written(source_, of)});
    return all;
  }

  std::vector<Said> said_of(const std::string& key, const std::vector<std::string>& known) {
    std::vector<Said> all = said(key);
    for (const Said& one : all) check_known(key, one.name, one.of.place, known);
    return all;
  }

  void check_known(const std::string& key, const std::string& name, const Place& place,
                   const std::vector<std::string>& known) const {
    if (std::find(known.begin(), known.end(), name) != known.end()) return;
    source_.fail(place,
                 fmt::format("{}: unknown name '{}'{}", key, name, did_you_mean(name, known)));
  }

  void check_new(const Said& one) {
    const bool taken = one.name == "t" || one.name == "pi" || parameters_.find(one.name) ||
                       !names_.insert(one.name).second;
    if (!taken && is_identifier(one.name)) return;
    source_.fail(one.of.place, fmt::format("'{}': {}", one.name,
                                           taken ? "the name has a meaning already"
                                                 : "a name is letters, digits and _"));
  }

  /// What nothing would look at.
  void refuse_unused() const {
    const auto refuse = [this](const std::vector<Said>& of, const char* what) {
      if (!of.empty()) source_.fail(of.front().of.place, what);
    };
    if (!out_.boundary.empty()) {
      refuse(out_.start,
             "start: boundary says conditions at both ends; give a first guess in [dae.guess]");
      return;
    }
    refuse(out_.guess, "guess: is for boundary values; those at the start are in [dae.start]");
    for (const std::vector<Said>* const bounds : {&out_.lower, &out_.upper}) {
      refuse(*bounds,
             "lower and upper: bounds are for Newton's method of boundary values; an initial value "
             "problem goes where its equations lead");
    }
    refuse(out_.unknown,
           "unknown: a parameter is solved for by one boundary condition more; write boundary = "
           "[...], or a number in [parameters]");
  }

  void read_units(const std::vector<std::string>& known) {
    const Value* const value = reader_.value("units");
    if (value == nullptr) return;
    if (value->kind != Value::Kind::table) reader_.fail("units", "must be a table");
    for (const auto& [name, of] : value->table) {
      check_known("units", name, of.place, known);
      if (of.kind != Value::Kind::text) {
        source_.fail(of.place, fmt::format("unit of {}: must be a text", name));
      }
      out_.units.emplace_back(name, of.text);
    }
  }

  const TextSource& source_;
  TableReader reader_;
  const Parameters& parameters_;
  DaeStatement out_;
  std::set<std::string> names_;
};

}  // namespace

std::vector<std::string> DaeStatement::state_names() const {
  std::vector<std::string> names;
  for (const Said& one : differential) names.push_back(one.name);
  for (const Said& one : unknown) names.push_back(one.name);
  if (order == 2) {
    for (const Said& one : differential) names.push_back(one.name + "'");
    for (const Said& one : unknown) names.push_back(one.name + "'");
  }
  return names;
}

bool DaeStatement::is_rate_of_unknown(const std::string& name) const {
  return std::any_of(unknown.begin(), unknown.end(),
                     [&](const Said& one) { return name == one.name + "'"; });
}

DaeStatement read_dae_statement(TableReader& file, const Parameters& parameters) {
  return StatementReading(file, parameters).all();
}

}  // namespace daewave::models
