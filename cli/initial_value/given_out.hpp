#pragma once
// What a run gives out, while it runs: rows of a file, and how far they are from the reference. So
// a run of any length needs no more memory than a short one.

#include <exception>
#include <string>
#include <vector>

#include "catalogue/initial_value_problem.hpp"
#include "cli/initial_value/kept_rows.hpp"
#include "cli/output/csv_rows.hpp"
#include "ivp/options/options.hpp"

namespace daewave::cli {

class GivenOut {
 public:
  /// @param csv      empty: no file. @param compared  with the reference of the problem, if any
  /// @param kept     of the run that goes on; by reference. @param span  of the whole run.
  GivenOut(const catalogue::InitialValueProblem& problem, std::string csv, bool compared,
           KeptRows& kept, const Interval& span);

  /// For ivp::Options::sink. A file that cannot be written stops the run, with what it has done
  /// intact.
  bool take(const ivp::Output& output);

  /// Where the run goes on from a checkpoint, puts what was given out before in front of what it
  /// has kept.
  void complete(ivp::Solution& solution) const;

  /// Makes the rows the file, where there are some. @throws FileError, also the one that stopped
  /// the run.
  void commit();

  /// See CsvRows::save().
  std::string save() noexcept { return rows_.save(); }

  /// Empty where nothing was compared.
  std::string error_line() const;

 private:
  void give_out_rows_before(const ivp::Output& first);
  void compare(double t, const double* state);
  void write(int ny, bool carries_By);

  const catalogue::InitialValueProblem& problem_;
  bool compared_, second_order_;
  KeptRows& kept_;
  double begin_, end_;
  bool began_ = false, dropped_ = false;
  ivp::Solution before_;  ///< Rows of the run before.
  int nz_;
  CsvRows rows_;
  std::vector<double> row_;
  std::exception_ptr refused_;
  bool known_ = false;  ///< The numbers below.
  double most_ = 0, most_at_ = 0, last_ = 0;
};

}  // namespace daewave::cli
