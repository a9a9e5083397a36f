#pragma once
// Rows of a CSV file that come one by one, and can be saved by another thread where the one that
// writes them is not waited for.

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/csv.hpp"

namespace daewave::cli {

class CsvRows {
 public:
  /// @param path     empty: no file, and what is added goes nowhere.
  /// @param at_once  each row is handed on before the next, for readers of a pipe.
  explicit CsvRows(std::string path, bool at_once = false)
      : path_(std::move(path)), at_once_(at_once) {}

  bool wanted() const { return !path_.empty(); }
  bool is_open() const { return file_ != nullptr; }
  /// With the names of its columns, before the first row. @throws FileError
  void open(const std::vector<std::string>& names);
  /// @throws FileError
  void add(std::span<const double> row);
  /// Makes the rows the file, where it is open. @throws FileError
  void commit();

  /// The same from another thread, for the end of the program: nothing can be added after. In words
  /// what was saved; empty where there is nothing to save, or where a row is just being added.
  std::string save() noexcept;

 private:
  std::string path_;
  bool at_once_;
  std::mutex adding_;
  std::unique_ptr<io::CsvStream> file_;
  long count_ = 0;
};

}  // namespace daewave::cli
