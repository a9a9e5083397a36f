#pragma once
// A DAE as a model file states it, before it becomes equations:
//
//   [dae]                     order = 1 or 2; boundary = ["x(0) - 1", ...]
//   [dae.differential]        x = "-x + y*z"      x' = ..., or x'' = ... of order 2
//   [dae.algebraic]           z = "x - cos(t)"    0 = ..., which the unknown z belongs to
//   [dae.where]               d = "hypot(x, y)"   a name for an expression in what follows
//   [dae.mass]                x = "m"             divides the right side of x
//   [dae.start] [dae.guess] [dae.lower] [dae.upper] [dae.exact] [dae.unknown] [dae.units]

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/file/parameters.hpp"
#include "models/file/table_reader.hpp"

namespace daewave::models {

/// A name and what is said of it.
struct Said {
  std::string name;
  Written of;
};

struct DaeStatement {
  int order = 1;
  std::vector<Said> differential, algebraic;
  std::vector<Said> where;  ///< Each may have those before it in it.
  std::vector<Said> mass, start, guess, exact;
  std::vector<Said> lower, upper;  ///< Bounds of the state.
  std::vector<Said> unknown;       ///< Parameters that are solved for; a first guess.
  std::vector<std::pair<std::string, std::string>> units;
  std::vector<Written> boundary;  ///< Empty: initial values.
  Place place;

  /// Those of the state in its order: x, then unknown parameters; of order 2 both, and then x' and
  /// the rates of unknown parameters, which are 0.
  std::vector<std::string> state_names() const;
  /// Of order 2.
  bool is_rate_of_unknown(const std::string& name) const;
};

/// Takes the table `dae` from a file. @throws ModelError
DaeStatement read_dae_statement(TableReader& file, const Parameters& parameters);

}  // namespace daewave::models
