#pragma once
// The equations of an extended state: those of a member of the family, beside what parameters,
// integrals and states inside do.

#include <memory>
#include <string>
#include <vector>

#include "bvp/equations/extended_state.hpp"
#include "bvp/equations/iterate_system.hpp"
#include "bvp/statement/of_parameters.hpp"

namespace daewave::bvp {

/// Equations of a member as collocation sees them; kept together with their problem.
struct MemberSystem {
  BoundaryProblem problem{};
  DaeProblemPtr equations{};  ///< Those of the system: of the problem, or seen from its end.
  std::unique_ptr<IterateSystem> system{};
};
using MakeMemberSystem = std::function<std::unique_ptr<MemberSystem>(const VecX& unknowns)>;

/// X' = (F(x, t; p), 0, h, F or 0).
class ExtendedSystem final : public IterateSystem {
 public:
  /// @param unknowns  a guess, for sizes.
  /// @param end       where time and states are reversed: tau = end - t; else null.
  ExtendedSystem(ExtendedState state, MakeMemberSystem make, const VecX& unknowns,
                 const double* end);

  int nx() const override { return state_.size(); }
  int carried() const override { return carried_; }
  bool evaluate(const VecX& X, double t, const VecX& before, VecX& slope, VecX& carried) override;
  /// dF/dp by differences of the family.
  bool jacobian(const VecX& X, double t, const VecX& before, const VecX& slope, const VecX& carried,
                const VecX& weight, MatX& J) override;
  std::string failure() const override { return failure_; }
  bool calls_are_dear() const override { return dear_; }
  double drift() override { return last_ != nullptr ? last_->drift() : 0; }

  /// Points of one p, as they are but for rounding, are one batch of its member.
  bool evaluate_batch(const IteratePoints& at, double* slope, double* carried, double* drift,
                      std::string& failure) override;
  bool jacobian_batch(const IteratePoints& at, const double* slope, const double* carried,
                      const VecX& weight, double* J, std::string& failure) override;
  std::unique_ptr<IterateSystem> clone() const override;

 private:
  MemberSystem* member_of(const IteratePoints& at);
  MemberSystem* beside(int parameter, double step, const IteratePoints& at, const double* carried);
  void integrands(const MemberSystem& member, const IteratePoints& at, int moved, double by,
                  MatX& values);
  MemberSystem* member(const VecX& unknowns);
  bool evaluate_at(MemberSystem& member, const VecX& x, double t, const VecX& before, VecX& slope,
                   VecX& carried);
  VecX integrand(const MemberSystem& member, const VecX& x, double t);
  bool is_before(int inside, double t) const;
  /// By which an unknown parameter is moved for differences.
  static double parameter_step(double p, double weight);

  ExtendedState state_;
  OfParameters<MemberSystem> members_;
  bool reversed_;
  double end_;
  int carried_;
  bool dear_;
  IterateSystem* last_ = nullptr;
  MakeMemberSystem make_;
  VecX guess_;  ///< At the unknown parameters.
  VecX x_, F_, moved_, moved_carried_, unknowns_, h_;
  std::vector<double> batch_slopes_, batch_carried_, batch_J_;
  MatX batch_h_, batch_moved_h_;
  MatX J_;
  std::string failure_;
};

}  // namespace daewave::bvp
