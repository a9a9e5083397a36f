#pragma once
// An ordinary differential equation as a problem of index 1 with nothing to solve for and nothing
// to keep, which is what methods for initial values take:
//
//   z' = f(z, t)

#include <string>

#include "core/problem/dae_problem.hpp"

namespace daewave::ivp {

/// The problem is kept by reference.
class OrdinaryAsInvariant final : public DaeProblem {
 public:
  explicit OrdinaryAsInvariant(const DaeProblem& ordinary)
      : DaeProblem(Kind::invariants, {.nq = ordinary.sizes().nq}, structure_of(ordinary)),
        ordinary_(ordinary) {}

  std::unique_ptr<Evaluation> evaluation() const override { return ordinary_.evaluation(); }
  int lanes() const override { return ordinary_.lanes(); }
  std::string name() const override { return ordinary_.name(); }
  std::vector<std::string> state_names() const override { return ordinary_.state_names(); }
  std::optional<VecX> start() const override { return ordinary_.start(); }
  std::optional<Interval> interval() const override { return ordinary_.interval(); }
  std::string failure(const VecX& z, const VecX& w, double t) const override {
    return ordinary_.failure(z, w, t);
  }

 private:
  static Structure structure_of(const DaeProblem& ordinary) {
    Structure structure;
    structure.has_f_jacobian = ordinary.structure().has_f_jacobian;
    return structure;
  }

  const DaeProblem& ordinary_;
};

}  // namespace daewave::ivp
