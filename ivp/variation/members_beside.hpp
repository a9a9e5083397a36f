#pragma once
// Problems and starts beside those of a run, by entries of the start and by parameters.

#include <string>
#include <vector>

#include "core/problem/dae_problem.hpp"
#include "core/types.hpp"
#include "ivp/options/options.hpp"
#include "ivp/variation/family.hpp"

namespace daewave::ivp {

class MembersBeside {
 public:
  /// @param family  null: of the start alone. All but the numbers is kept by reference.
  MembersBeside(const DaeProblem& problem, const VecX& start, const Family* family,
                const VecX& parameters, double begin, const Options& options);

  int starts() const { return static_cast<int>(start_.size()); }
  /// Entries of the start, then parameters.
  int columns() const { return static_cast<int>(sizes_.size()); }
  /// What counts as a move of one.
  double size(int column) const { return sizes_[static_cast<std::size_t>(column)]; }

  /// Where each of them is moved by so much of its size; the start is brought back to the
  /// constraints. No problem where it cannot be; failure() tells why.
  /// @throws InvalidProblem where the family gives no problem, or one unlike this.
  Member at(const VecX& moved);
  const std::string& failure() const { return failure_; }

 private:
  void require_alike(const Member& member) const;

  const DaeProblem& problem_;
  const VecX& start_;
  const Family* family_;
  const VecX& parameters_;
  double begin_, start_tolerance_, rank_tolerance_;
  std::vector<double> sizes_;
  std::string failure_;
};

}  // namespace daewave::ivp
