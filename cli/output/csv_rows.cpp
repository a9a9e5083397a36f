#include "cli/output/csv_rows.hpp"

#include <fmt/format.h>

#include <exception>

namespace daewave::cli {

void CsvRows::open(const std::vector<std::string>& names) {
  const std::lock_guard lock(adding_);
  if (wanted()) file_ = std::make_unique<io::CsvStream>(path_, names);
}

void CsvRows::add(std::span<const double> row) {
  const std::lock_guard lock(adding_);
  if (!file_) return;
  file_->add(row);
  ++count_;
  if (at_once_) file_->flush();
}

void CsvRows::commit() {
  if (file_) file_->commit();
}

/// The lock is not given back: a row after the last one would be in no file.
std::string CsvRows::save() noexcept try {
  if (!adding_.try_lock() || !file_) return {};
  file_->commit();
  return fmt::format("{} {} given out before {} in {}", count_, count_ == 1 ? "row" : "rows",
                     count_ == 1 ? "is" : "are", path_ == "-" ? "the standard output" : path_);
} catch (const std::exception& error) {
  return error.what();
}

}  // namespace daewave::cli
