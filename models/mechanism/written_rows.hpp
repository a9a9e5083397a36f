#pragma once
// Rows of constraints that a file writes as expressions, with what they must and must not know.

#include <string>
#include <vector>

#include "models/file/table_reader.hpp"
#include "models/mechanism/mechanism_equations.hpp"
#include "models/problem/variables.hpp"

namespace daewave::models {

class WrittenRows {
 public:
  WrittenRows(MechanismEquations& out, const TextSource& source, const Variables& variables)
      : out_(out), source_(source), variables_(variables) {}

  /// A row of g, of which `of` is the part that the file writes.
  /// @throws ModelError where a velocity or no coordinate is in it.
  void add_position_row(const std::string& joint, const Written& of, Ref row);
  /// Rows of w, one for each expression. @throws ModelError where no velocity is in one, or not
  /// linearly.
  void add_velocity_rows(const std::string& joint, const Place& place,
                         const std::vector<Written>& of, const std::vector<Ref>& rows);

  /// Constraints do no work: none depends on t, those on velocities have no part without them.
  bool do_no_work() const;

 private:
  MechanismEquations& out_;
  const TextSource& source_;
  Variables variables_;
};

}  // namespace daewave::models
