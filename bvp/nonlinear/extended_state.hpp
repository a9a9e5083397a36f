#pragma once
// What is solved for beside x, so that unknown parameters, integrals and states inside the interval
// become conditions at both ends:
//
//   p' = 0,                            the unknown parameters;
//   z' = h(x, t),     z(begin) = 0,    so that z(end) is the integral of h;
//   m' = x' to c, then 0, m(begin) = x(begin),   so that m(end) = x(c), where c is a node: exactly
//                                      what collocation has there, as both have the same slopes.

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "bvp/curve/collocation_curve.hpp"
#include "bvp/nonlinear/boundary_problem.hpp"
#include "bvp/nonlinear/iterate_system.hpp"
#include "bvp/nonlinear/problem_conditions.hpp"

namespace daewave::bvp {

/// How an extended state X = (x, p, z, m) is laid out.
struct ExtendedState {
  int nx = 0;          ///< Of the problem itself.
  int parameters = 0;  ///< Unknown ones.
  int integrals = 0;
  std::vector<double> inside{};  ///< Times c, each with nx entries of m.

  int size() const { return inside_at(static_cast<int>(inside.size())); }
  bool is_more() const { return size() > nx; }
  int integrals_at() const { return nx + parameters; }
  int inside_at(int i) const { return nx + parameters + integrals + i * nx; }
  /// p in X, without its last bits: it is the same at all nodes but for rounding, and whoever looks
  /// at a node makes of it the same problem.
  VecX unknowns(const VecX& X) const;
  static double without_last_bits(double p);

  /// A curve of x alone as a guess at X.
  CollocationCurve extended(const CollocationCurve& curve, const VecX& unknowns) const;
  /// The same of a function.
  std::function<VecX(double)> extended(std::function<VecX(double)> x, VecX unknowns) const;
  /// x of a curve of X.
  CollocationCurve without_more(const CollocationCurve& curve) const;
};

/// The problem at a value of its unknown parameters.
using MakeMember = std::function<BoundaryProblem(const VecX& unknowns)>;

/// What was made of the parameters seen last, so that it is made once for all points.
template <class T>
class OfParameters {
 public:
  using Make = std::function<std::unique_ptr<T>(const VecX& unknowns)>;
  OfParameters(Make make, int parameters)
      : make_(std::move(make)), most_(static_cast<std::size_t>(parameters) + 2) {}

  /// @throws what making it does.
  T& at(const VecX& unknowns) {
    for (const Entry& entry : made_) {
      if (entry.first == unknowns) return *entry.second;
    }
    std::unique_ptr<T> made = make_(unknowns);
    if (made_.size() < most_) made_.emplace_back();
    Entry& oldest = made_[next_];
    next_ = (next_ + 1) % most_;
    oldest = {unknowns, std::move(made)};
    return *oldest.second;
  }

 private:
  using Entry = std::pair<VecX, std::unique_ptr<T>>;

  Make make_;
  std::size_t most_, next_ = 0;
  std::vector<Entry> made_;
};

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
  double drift() override { return last_ != nullptr ? last_->drift() : 0; }

  /// Points of one p, as they are but for rounding, are one batch of its member.
  bool evaluate_batch(const StageBatch& at, double* slope, double* carried, double* drift,
                      std::string& failure) override;
  bool jacobian_batch(const StageBatch& at, const double* slope, const double* carried,
                      const VecX& weight, double* J, std::string& failure) override;
  std::unique_ptr<IterateSystem> clone() const override;

 private:
  MemberSystem* member_of(const StageBatch& at);
  MemberSystem* beside(int parameter, double step, const StageBatch& at, const double* carried);
  void integrands(const MemberSystem& member, const StageBatch& at, int moved, double by,
                  MatX& values);
  MemberSystem* member(const VecX& unknowns);
  bool evaluate_at(MemberSystem& member, const VecX& x, double t, const VecX& before, VecX& slope,
                   VecX& carried);
  VecX integrand(const MemberSystem& member, const VecX& x, double t);
  bool is_before(int inside, double t) const;

  ExtendedState state_;
  OfParameters<MemberSystem> members_;
  bool reversed_;
  double end_;
  int carried_;
  IterateSystem* last_ = nullptr;
  MakeMemberSystem make_;
  VecX guess_;  ///< At the unknown parameters.
  VecX x_, F_, moved_, moved_carried_, unknowns_, h_;
  std::vector<double> batch_slopes_, batch_carried_, batch_J_;
  MatX batch_h_, batch_moved_h_;
  MatX J_;
  std::string failure_;
};

/// Conditions of the members at both ends and inside, and those that z and m begin with.
class ExtendedConditions final : public TwoPointConditions {
 public:
  /// @param X  any extended state, for sizes. @param at_end  as for ProblemConditions.
  ExtendedConditions(ExtendedState state, MakeMember make, const VecX& X, bool at_end);

  int count() const override { return count_; }
  /// Of the problem itself.
  int own() const { return own_; }
  int constraints() const { return constraints_; }

  void evaluate(const VecX& left, const VecX& right, VecX& r) override;
  void jacobians(const VecX& left, const VecX& right, const VecX& weight, MatX& B0,
                 MatX& B1) override;

 private:
  struct Member {
    Member(BoundaryProblem of, const VecX& state, bool at_end)
        : problem(std::move(of)), conditions(problem, state, at_end) {}
    BoundaryProblem problem;
    ProblemConditions conditions;
  };
  Observed observed(const VecX& left, const VecX& right) const;

  ExtendedState state_;
  OfParameters<Member> members_;
  int own_ = 0, further_ = 0, constraints_ = 0, count_ = 0;
  VecX of_ends_;
};

}  // namespace daewave::bvp
