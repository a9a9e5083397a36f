#include "ivp/variation/variation_around.hpp"

#include <array>
#include <map>
#include <memory>
#include <utility>

#include "core/error.hpp"
#include "ivp/doors/solve_reduced.hpp"
#include "ivp/reduced/reduce.hpp"
#include "ivp/run/tolerance.hpp"
#include "ivp/variation/end_difference.hpp"

namespace daewave::ivp {
namespace {

class VariationAround {
 public:
  VariationAround(const DaeProblem& problem, MembersBeside& members,
                  const std::vector<StateAt>& states, const MethodChoice& chosen,
                  const Options& options, const VecX& unit, double longest)
      : problem_(problem),
        members_(members),
        states_(states),
        reduction_(reduction_of(*as<IndexReduction>(chosen.method),
                                Tolerance(options, static_cast<int>(unit.size())),
                                options.rank_tolerance)),
        longest_(longest) {
    variation_.unit = unit;
    variation_.starts = members.starts();
    variation_.columns.setZero(unit.size(), members.columns());
  }

  std::optional<Variation> find() {
    const auto system = reduce(problem_, reduction_);
    variation_.step = difference_step(*system, states_, variation_.unit, longest_);
    for (int j = 0; j < members_.columns(); ++j) {
      const bool parameter = j >= members_.starts();
      if (parameter) variation_.parameter_steps.push_back(step_by(j));
      if (!begin(j, parameter ? variation_.parameter_steps.back() : variation_.step)) return {};
    }
    return std::move(variation_);
  }

 private:
  Member moved(int column, double far) const {
    return members_.at(far * VecX::Unit(members_.columns(), column));
  }

  /// What is smooth along the state is so by parameters: the problem's own differences are the
  /// same.
  DifferenceStep step_by(int column) const {
    if (variation_.step.part == DifferenceStep().part) return variation_.step;
    struct Moved {
      DaeProblemPtr problem;
      std::unique_ptr<OdeSystem> system;
    };
    std::map<double, Moved> all;
    const auto slope_at = [&](const StateAt& at, double far, VecX& slope) {
      const auto [found, is_new] = all.try_emplace(far);
      Moved& one = found->second;
      if (is_new) {
        try {
          one.problem = moved(column, far).problem;
        } catch (const InvalidProblem&) {
          // So far no problem is asked of a family: a shorter step is taken.
        }
        if (one.problem) one.system = reduce(*one.problem, reduction_);
      }
      return one.system && one.system->rhs(at.t, at.z, slope);
    };
    return difference_step({slope_at}, states_, variation_.unit, longest_);
  }

  /// A column at the start, and of a parameter the problems around this one.
  bool begin(int column, const DifferenceStep& step) {
    std::array<DaeProblemPtr, 4> around;
    for (int i = 0; i < 4; ++i) {
      Member member = moved(column, difference_point[i] * step.part);
      if (!member.problem) return false;
      variation_.columns.col(column) += difference_weight[i] / step.part * member.start;
      around[static_cast<std::size_t>(i)] = std::move(member.problem);
    }
    if (column >= members_.starts()) variation_.moved.push_back(std::move(around));
    return true;
  }

  const DaeProblem& problem_;
  MembersBeside& members_;
  const std::vector<StateAt>& states_;
  const Reduction reduction_;
  const double longest_;
  Variation variation_;
};

}  // namespace

std::optional<Variation> variation_around(const DaeProblem& problem, MembersBeside& members,
                                          const std::vector<StateAt>& states,
                                          const MethodChoice& chosen, const Options& options,
                                          const VecX& unit, double longest) {
  return VariationAround(problem, members, states, chosen, options, unit, longest).find();
}

}  // namespace daewave::ivp
