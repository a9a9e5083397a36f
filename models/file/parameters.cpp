#include "models/file/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/nearest_names.hpp"

namespace daewave::models {

/// Finds values one after the other; whoever is asked for while it is being found is made of
/// itself.
class Parameters::Resolution final : public Names {
 public:
  Resolution(const TextSource& source, const std::vector<std::pair<std::string, Written>>& written)
      : source_(source), written_(written) {}

  void set(const std::string& name, double value) { found_[name] = value; }

  double value(const std::string& name, const Written& of) {
    const auto known = found_.find(name);
    if (known != found_.end()) return known->second;
    open_.push_back(name);
    const double value = number(source_, of, graph_, *this, "parameter " + name);
    open_.pop_back();
    return found_[name] = value;
  }

  std::optional<Ref> of(const std::string& name) override {
    for (const auto& [other, of] : written_) {
      if (other != name) continue;
      if (std::find(open_.begin(), open_.end(), name) != open_.end()) {
        source_.fail(of.place, fmt::format("parameter {} is made of itself: {} -> {}", name,
                                           fmt::join(open_, " -> "), name));
      }
      if (open_.size() > most_open) source_.fail(of.place, "parameters made of too many others");
      return graph_.number(value(name, of));
    }
    return {};
  }
  std::vector<std::string> known() const override {
    std::vector<std::string> names;
    for (const auto& [name, of] : written_) names.push_back(name);
    return names;
  }

 private:
  static constexpr std::size_t most_open = 100;

  const TextSource& source_;
  const std::vector<std::pair<std::string, Written>>& written_;
  Graph graph_;
  std::map<std::string, double> found_;
  std::vector<std::string> open_;
};

namespace {

bool is_a_name(const std::string& name) {
  try {
    return parse(name).kind == Syntax::Kind::name;
  } catch (const ExpressionError&) {
    return false;
  }
}

}  // namespace

Parameters::Parameters(const TextSource& source, const Value* table,
                       const std::vector<std::pair<std::string, double>>& changed) {
  std::vector<std::pair<std::string, Written>> all;
  if (table != nullptr) {
    if (table->kind != Value::Kind::table) source.fail(table->place, "parameters: must be a table");
    for (const auto& [name, value] : table->table) {
      const bool taken =
          name == "t" || name == "i" || name == "pi" || name.find('.') != std::string::npos;
      if (taken || !is_a_name(name)) {
        source.fail(value.place, fmt::format("parameter '{}': {}", name,
                                             taken ? "the name has a meaning already"
                                                   : "a name is letters, digits and _"));
      }
      all.emplace_back(name, written(source, value));
    }
  }
  Resolution resolution(source, all);
  for (const auto& [name, value] : changed) {
    const bool there = std::any_of(all.begin(), all.end(),
                                   [&given = name](const auto& one) { return one.first == given; });
    if (!there) {
      const std::string near = did_you_mean(name, resolution.known());
      throw InvalidOption(fmt::format("{} has no parameter {}{}", source.name(), name, near));
    }
    resolution.set(name, value);
  }
  for (const auto& [name, of] : all) {
    values_.emplace_back(name, resolution.value(name, of));
    made_of_[name] = of.syntax;
  }
}

void Parameters::mark_discrete(const Syntax& count) {
  if (count.kind == Syntax::Kind::name && discrete_.insert(count.name).second) {
    const auto made_of = made_of_.find(count.name);
    if (made_of != made_of_.end()) mark_discrete(made_of->second);
  }
  for (const Syntax& part : count.of) mark_discrete(part);
}

const double* Parameters::find(const std::string& name) const {
  for (const auto& [other, value] : values_) {
    if (other == name) return &value;
  }
  return nullptr;
}

std::optional<Ref> NumberNames::of(const std::string& name) {
  if (index_ > 0 && name == "i") return graph_->number(index_);
  const double* const value = parameters_->find(name);
  if (value == nullptr) return {};
  return graph_->number(*value);
}

std::vector<std::string> NumberNames::known() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : parameters_->values()) names.push_back(name);
  if (index_ > 0) names.emplace_back("i");
  return names;
}

Ref meaning(const TextSource& source, const Written& of, Graph& graph, Names& names) {
  try {
    return meaning(of.syntax, graph, names);
  } catch (const ExpressionError& error) {
    source.fail(of.place, of.text, error.place(), error.what());
  }
}

double number(const TextSource& source, const Written& of, Graph& graph, Names& names,
              const std::string& what) {
  const Ref found = meaning(source, of, graph, names);
  if (!graph.is_number(found)) {
    source.fail(of.place, fmt::format("{} must be a number, and does not move", what));
  }
  const double value = graph[found].value;
  if (!std::isfinite(value)) source.fail(of.place, fmt::format("{} is {}", what, value));
  return value;
}

}  // namespace daewave::models
