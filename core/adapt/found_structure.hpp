#pragma once
// Structure that nobody has stated: of mechanisms that are written as dense matrices. Mathematics
// that is a template on its scalar is written down and looked at (core/adapt/recorded_problem.hpp);
// what is not is looked at here, at points:
//
//   entries of M and G that are zero at the start and at states around it are taken for zeros, and
//   looked at again in every evaluation: one that is not zero is told as a StructureLost.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/problem/dae_problem.hpp"

namespace daewave {

/// An entry that was zero, or one, or constant, at all points looked at is not any more.
class StructureLost : public Error {
  using Error::Error;
};

/// The problem with a mass that is constant or diagonal and constraints that are a chain or of a
/// sparse pattern, where that is so around a state; null where nothing is found, or what is there
/// is too small to gain by it. Its evaluations throw StructureLost.
/// @param stated  is kept by reference.
DaeProblemPtr with_structure_of_points(const DaeProblem& stated, const VecX& state, double t);

/// What of a problem was found and not stated, in words; empty for nothing.
std::string what_is_found_in(const DaeProblem& problem);

/// One of its evaluations has thrown a StructureLost.
bool has_lost_structure(const DaeProblem& problem);

/// The problem as it was stated, without what was found in it; null where nothing was.
DaeProblemPtr as_stated(const DaeProblem& problem);

namespace detail {

/// What problems with a structure that was found have in common: what is not evaluated is as
/// stated.
class FoundProblem : public DaeProblem {
 public:
  FoundProblem(DaeProblemPtr stated, const Structure& structure, std::string how)
      : DaeProblem(stated->kind(), stated->sizes(), structure),
        stated_(std::move(stated)),
        how_(std::move(how)) {}

  const DaeProblemPtr& stated() const { return stated_; }
  /// How it was found.
  const std::string& how() const { return how_; }
  /// It was not there everywhere.
  virtual bool lost() const { return false; }

  std::unique_ptr<Evaluation> evaluation_of(
      const std::vector<const DaeProblem*>& members) const override;
  std::string name() const override { return stated_->name(); }
  std::vector<std::string> state_names() const override { return stated_->state_names(); }
  double energy(const double* q, const double* v) const override { return stated_->energy(q, v); }
  double implied(const double* q, const double* v, double t) const override {
    return stated_->implied(q, v, t);
  }
  std::string implied_names() const override { return stated_->implied_names(); }
  std::optional<VecX> start() const override { return stated_->start(); }
  std::optional<VecX> start_algebraic() const override { return stated_->start_algebraic(); }
  std::optional<Interval> interval() const override { return stated_->interval(); }
  std::string failure(const VecX& z, const VecX& w, double t) const override {
    return stated_->failure(z, w, t);
  }

 private:
  DaeProblemPtr stated_;
  std::string how_;
};

}  // namespace detail

}  // namespace daewave
