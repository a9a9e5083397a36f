#include "models/file/problem_settings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/nearest_names.hpp"
#include "models/file/parameters.hpp"

namespace daewave::models {
namespace {

bool is_end(const std::string& key) { return key == "t-end" || key == "t_end"; }

class Settings {
 public:
  explicit Settings(TableReader& file) : file_(file), source_(file.source()) {}

  ProblemSettings all() {
    for (const char* const name : {"solve", "output"}) {
      const Value* const table = file_.value(name);
      if (table == nullptr) continue;
      for (const auto& [key, of] : table->table) {
        if (is_end(key)) set_end(key, written(source_, of));
        if (key == "links") set("links", of);
        if (key == "set") add_set(of);
      }
    }
    return std::move(out_);
  }

 private:
  void add_set(const Value& of) {
    if (of.kind != Value::Kind::array) return add_one(of);
    for (const Value& one : of.array) add_one(one);
  }

  void add_one(const Value& of) {
    const std::size_t equals = of.text.find('=');
    if (of.kind != Value::Kind::text || equals == 0 || equals == std::string::npos ||
        equals + 1 == of.text.size()) {
      const std::string given =
          of.kind == Value::Kind::text ? fmt::format("'{}'", of.text) : words_for(of);
      source_.fail(of.place,
                   fmt::format("set: {}: must be NAME=NUMBER, such as \"lambda=50\"", given));
    }
    Value value = of;
    value.text = of.text.substr(equals + 1);
    const std::string name = of.text.substr(0, equals);
    if (is_end(name)) return set_end("set: " + name, written(source_, value));
    set(name, value);
  }

  void set_end(const std::string& key, const Written& end) {
    if (out_.t_end) source_.fail(end.place, fmt::format("{}: is said twice; say it once", key));
    out_.t_end = end;
  }

  void set(const std::string& name, const Value& of) {
    std::vector<std::string> known;
    if (const Value* const table = file_.value("parameters")) {
      for (const auto& [one, value] : table->table) known.push_back(one);
    }
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      source_.fail(of.place, fmt::format("set: '{}' is no parameter of the file{}", name,
                                         did_you_mean(name, known)));
    }
    for (const auto& [other, value] : out_.set) {
      if (other == name) {
        source_.fail(of.place, fmt::format("set: {} = {:g} is said too; say it once", name, value));
      }
    }
    Graph graph;
    NumberNames names(graph, none_);
    out_.set.emplace_back(name,
                          number(source_, written(source_, of), graph, names, "set: " + name));
  }

  TableReader& file_;
  const TextSource& source_;
  const Parameters none_;  ///< Those that are set stand for themselves.
  ProblemSettings out_;
};

}  // namespace

bool is_of_problem(const std::string& key) { return key == "set" || key == "links" || is_end(key); }

ProblemSettings problem_settings(TableReader& file) { return Settings(file).all(); }

}  // namespace daewave::models
