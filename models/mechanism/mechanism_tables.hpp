#pragma once
// What mechanisms in the plane and in space read alike from the tables of a file: numbers with
// their rules, tables that are repeated, names of bodies, the bodies that joints are between.

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "models/file/parameters.hpp"
#include "models/file/table_reader.hpp"

namespace daewave::models {

inline constexpr int ground = -1;  ///< In the place of a body.

class MechanismTables {
 public:
  MechanismTables(TableReader& file, Parameters& parameters)
      : file_(file), source_(file.source()), parameters_(parameters), names_(graph_, parameters) {}

  TableReader& file() { return file_; }
  const TextSource& source() const { return source_; }
  /// i of what is being read; 0 where it is not repeated.
  int index() const { return names_.index(); }

  /// @param what  for messages.
  double number(const Written& of, const std::string& what) {
    return models::number(source_, of, graph_, names_, what);
  }
  std::optional<double> number(TableReader& table, const std::string& key);
  double positive(TableReader& table, const std::string& key);
  /// 0 where it is not given.
  double not_negative(TableReader& table, const std::string& key);

  template <std::size_t n>
  std::array<double, n> numbers(const std::vector<Written>& of, const std::string& what) {
    std::array<double, n> all;
    for (std::size_t k = 0; k < n; ++k) all[k] = number(of[k], what);
    return all;
  }
  /// An array of n numbers.
  template <std::size_t n>
  std::optional<std::array<double, n>> numbers(TableReader& table, const std::string& key) {
    const auto found = table.expressions(key, n);
    if (!found) return {};
    return numbers<n>(*found, table.what() + ": " + key);
  }
  /// A point or a direction that stands inside of an array.
  template <std::size_t n>
  std::array<double, n> vector(const TableReader& table, const std::string& key,
                               const Value& value) {
    return numbers<n>(entries(table, key, value, n), table.what() + ": " + key);
  }
  /// One for each of two bodies. @throws ModelError where it is there and of another form.
  template <std::size_t n>
  std::optional<std::array<std::array<double, n>, 2>> two_vectors(TableReader& table,
                                                                  const std::string& key) {
    const Value* const value = table.value(key);
    if (value == nullptr) return {};
    check_two(table, key, *value, n);
    return {{vector<n>(table, key, value->array[0]), vector<n>(table, key, value->array[1])}};
  }

  /// Each table of an array of them, as often as it is repeated.
  void each(const std::string& key, const std::function<void(TableReader&)>& read);

  /// The name of a body that is new. @throws ModelError  so for one more than `most`.
  std::string new_body(TableReader& table, int most);
  /// @throws ModelError for a name that no body above has.
  int body_named(const TableReader& table, const std::string& key, const std::string& name) const;
  std::string name_of(int body) const;
  int bodies() const { return static_cast<int>(body_names_.size()); }

  /// Of a joint or a force. @throws ModelError where it is not one of `types`.
  std::string type_of(TableReader& table, const std::vector<std::string>& types) const;
  /// A joint or a force, of which its type and place are known. @throws ModelError as type_of().
  template <class Element>
  Element begin(TableReader& table, const std::vector<std::string>& types) const {
    Element element;
    element.type = type_of(table, types);
    element.place = table.place();
    element.index = index();
    return element;
  }
  /// Both bodies, and where on them.
  template <std::size_t n, class Element>
  void read_ends(TableReader& table, Element& element, bool has_points) {
    std::tie(element.first.body, element.second.body) = ends(table);
    if (!has_points) return;
    if (const auto at = two_vectors<n>(table, "at")) {
      element.first.at = (*at)[0];
      element.second.at = (*at)[1];
    }
  }
  /// Its name, of the file or by its bodies, which it has by then.
  template <class Element>
  void read_name(TableReader& table, Element& element) const {
    element.name = element_name(table, element.type, element.first.body, element.second.body);
  }
  /// Of the file, or "revolute crank-rod".
  std::string element_name(TableReader& table, const std::string& type, int first,
                           int second) const;
  /// Of `between`, two bodies that differ.
  std::pair<int, int> ends(TableReader& table) const;
  /// One, or an array of them; @throws ModelError where there is none.
  std::vector<Written> expressions(TableReader& table, const std::string& key) const;

 private:
  void read_one(const std::string& key, const Value& table,
                const std::function<void(TableReader&)>& read);
  Value numbered(const Value& table, int i);
  std::vector<Written> entries(const TableReader& table, const std::string& key, const Value& value,
                               std::size_t n) const;
  void check_two(const TableReader& table, const std::string& key, const Value& value,
                 std::size_t n) const;

  TableReader& file_;
  const TextSource& source_;
  Parameters& parameters_;
  Graph graph_;
  NumberNames names_;
  std::vector<std::string> body_names_;
  std::map<std::string, int> body_of_name_;
  std::set<std::string> repeated_;
};

}  // namespace daewave::models
