#include "models/unit_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "models/file/parameters.hpp"
#include "models/file/repetition.hpp"
#include "models/file/table_reader.hpp"
#include "models/units/unit_inference.hpp"

namespace daewave::models {
namespace {

/// What a key of a table is to be in; "" of what has no fixed one, but has to fit in itself.
using KeyUnits = std::map<std::string, const char*>;

const KeyUnits& units_of_body() {
  static const KeyUnits units = {{"mass", "kg"},      {"inertia", "kg m^2"},
                                 {"position", "m"},   {"angle", "rad"},
                                 {"velocity", "m/s"}, {"angular_velocity", "rad/s"}};
  return units;
}

KeyUnits units_of_joint(const std::string& type) {
  KeyUnits units = {{"at", "m"},      {"length", "m"}, {"radius", "m"}, {"angle", "rad"},
                    {"value", "rad"}, {"g", ""},       {"w", ""}};
  units["driven"] = type == "prismatic" ? "m" : "rad";
  return units;
}

KeyUnits units_of_force(const std::string& type) {
  if (type == "spring_damper") return {{"at", "m"}, {"k", "N/m"}, {"c", "N s/m"}, {"length", "m"}};
  if (type == "torsion_spring") return {{"k", "N m"}, {"c", "N m s"}, {"angle", "rad"}};
  return {{"at", "m"}, {"value", type == "torque" ? "N m" : "N"}};
}

class Checking {
 public:
  Checking(const std::string& text, const Model& model)
      : source_(*model.source),
        file_(read_toml(source_, text)),
        model_(model),
        parameters_(source_, file_.find("parameters"), {}) {
    set("t", model.is_mechanism ? unit_of("s") : std::nullopt);
    for (std::size_t i = 0; i < model.state_names.size() && i < model.state_units.size(); ++i) {
      set_text(model.state_names[i], model.state_units[i]);
    }
  }

  UnitCheck all() {
    read_units(file_.find("units"));
    read_parameters();
    if (const Value* const dae = file_.find("dae")) {
      read_units(dae->find("units"));
      check_dae(*dae);
    } else {
      check_mechanism();
    }
    check_tables("event", [this](const Value& event) {
      check(event.find("when"), {});
      check_set(event.find("set"));
    });
    out_.unchecked.assign(unknown_.begin(), unknown_.end());
    out_.unchecked.insert(out_.unchecked.end(), labels_.begin(), labels_.end());
    return std::move(out_);
  }

 private:
  void set(const std::string& name, std::optional<Unit> unit) { units_[name] = unit; }
  void set_text(const std::string& name, const std::string& text) {
    if (text.empty()) return;
    const std::optional<Unit> unit = unit_of(text);
    if (!unit) labels_.insert(fmt::format("{} (in '{}')", name, text));
    set(name, unit);
  }

  void read_units(const Value* table) {
    if (table == nullptr) return;
    for (const auto& [name, of] : table->table) set_text(name, of.text);
  }

  /// Those without a unit have that of what they are made of.
  void read_parameters() {
    const Value* const table = file_.find("parameters");
    if (table == nullptr) return;
    for (const auto& [name, of] : table->table) {
      const auto said = units_.find(name);
      const bool has_unit = said != units_.end() && said->second.has_value();
      const MaybeUnit found = check(&of, has_unit ? said->second : std::nullopt);
      if (!has_unit && said == units_.end() && found && of.kind == Value::Kind::text) {
        set(name, found->unit);
      }
    }
  }

  std::optional<Unit> of_name(const std::string& name) {
    if (name == "i") return {};
    const auto found = units_.find(name);
    if (found != units_.end()) {
      return found->second;
    }
    const std::size_t dot = name.rfind('.');
    const std::string end = dot == std::string::npos ? "" : name.substr(dot);
    for (const char* const rate : {".wx", ".wy", ".wz", ".w1", ".w2", ".w3"}) {
      if (end == rate) return unit_of("rad/s");
    }
    unknown_.insert(name);
    return {};
  }

  /// An expression, or an array of them. @param wanted  empty: whatever it is.
  /// @param strict  numbers that are factors have no unit, as in m*l^2/12.
  MaybeUnit check(const Value* value, std::optional<Unit> wanted, bool strict = false) {
    if (value == nullptr) return {};
    for (const Value& one : value->array) check(&one, wanted, strict);
    if (value->kind != Value::Kind::text) return {};
    const Written of = written(source_, *value);
    ++out_.expressions;
    bool told = false;
    UnitInference inference([this](const std::string& name) { return of_name(name); },
                            [&](std::size_t place, const std::string& what) {
                              told = true;
                              tell(of, place, what);
                            });
    const MaybeUnit found = inference.of(of.syntax);
    const bool may_be_any = found && found->loose && !(strict && has_name(of.syntax));
    const bool fits = !found || !wanted || may_be_any || found->unit == *wanted;
    if (!told && !fits) {
      tell(of, 0, fmt::format("is in {}, must be in {}", text_of(found->unit), text_of(*wanted)));
    }
    return found;
  }

  static bool has_name(const Syntax& at) {
    if (at.kind == Syntax::Kind::name && at.name != "pi") return true;
    return std::any_of(at.of.begin(), at.of.end(), has_name);
  }

  void tell(const Written& of, std::size_t place, const std::string& what) {
    try {
      source_.fail(of.place, of.text, place, what);
    } catch (const ModelError& error) {
      const std::string text = error.what();
      if (std::find(out_.wrong.begin(), out_.wrong.end(), text) == out_.wrong.end()) {
        out_.wrong.push_back(text);
      }
    }
  }

  template <class F>
  void check_tables(const std::string& key, F check_one) {
    const Value* const tables = file_.find(key);
    if (tables == nullptr) return;
    for (const Value& table : tables->array) {
      check_one(table.find("repeat") == nullptr ? table
                                                : with_index(source_, table, parameters_, 1));
    }
  }

  void check_keys(const Value& table, const KeyUnits& units) {
    for (const auto& [key, of] : table.table) {
      const auto found = units.find(key);
      const bool of_motion = key == "driven" || key == "value" || key == "g" || key == "w";
      if (found != units.end()) check(&of, unit_of(found->second), !of_motion);
    }
  }

  void check_mechanism() {
    check(file_.find("gravity"), unit_of("m/s^2"));
    check_tables("body", [this](const Value& body) { check_keys(body, units_of_body()); });
    const auto type = [](const Value& table) {
      const Value* const said = table.find("type");
      return said == nullptr ? std::string() : said->text;
    };
    check_tables("joint", [&](const Value& one) { check_keys(one, units_of_joint(type(one))); });
    check_tables("force", [&](const Value& one) { check_keys(one, units_of_force(type(one))); });
  }

  void check_set(const Value* set) {
    if (set == nullptr) return;
    for (const auto& [name, of] : set->table) check(&of, of_name(name));
  }

  template <class F>
  void each_of(const Value& dae, const char* key, F check_one) {
    const Value* const table = dae.find(key);
    if (table == nullptr) return;
    for (const auto& [name, of] : table->table) check_one(name, of);
  }

  void check_dae(const Value& dae) {
    each_of(dae, "where", [this](const std::string& name, const Value& of) {
      const MaybeUnit found = check(&of, {});
      set(name, found && !found->loose ? std::optional(found->unit) : std::nullopt);
    });
    const Value* const order = dae.find("order");
    const bool second = order != nullptr && order->number == 2;
    const Value* const mass = dae.find("mass");
    each_of(dae, "differential", [&](const std::string& name, const Value& of) {
      check(&of, right_side(name, second, mass));
    });
    each_of(dae, "algebraic", [this](const std::string&, const Value& of) { check(&of, {}); });
    each_of(dae, "mass", [this](const std::string&, const Value& of) { check(&of, {}); });
    for (const char* const key : {"start", "guess", "exact"}) {
      each_of(dae, key,
              [this](const std::string& name, const Value& of) { check(&of, of_name(name)); });
    }
    check(dae.find("boundary"), {});
  }

  /// Empty where a unit that is in it is not known.
  std::optional<Unit> right_side(const std::string& name, bool second, const Value* masses) {
    std::optional<Unit> unit = of_name(name);
    const std::optional<Unit> t = of_name("t");
    if (!unit || !t) return {};
    unit = *unit / (second ? t->power(2) : *t);
    const Value* const mass = masses == nullptr ? nullptr : masses->find(name);
    if (mass == nullptr) return unit;
    const MaybeUnit of_mass = check(mass, {});
    if (!of_mass || of_mass->loose) return {};
    return *unit * of_mass->unit;
  }

  const TextSource& source_;
  Value file_;
  const Model& model_;
  Parameters parameters_;
  std::map<std::string, std::optional<Unit>> units_;
  std::set<std::string> unknown_, labels_;
  UnitCheck out_;
};

}  // namespace

UnitCheck check_units(const std::string& text, const Model& model) {
  return Checking(text, model).all();
}

}  // namespace daewave::models
