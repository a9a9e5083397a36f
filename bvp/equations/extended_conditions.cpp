#include "bvp/equations/extended_conditions.hpp"

#include <fmt/format.h>

#include <limits>

#include "bvp/statement/forward_differences.hpp"
#include "core/error.hpp"

namespace daewave::bvp {

ExtendedConditions::ExtendedConditions(ExtendedState state, MakeMember make, const VecX& X,
                                       bool at_end)
    : state_(std::move(state)),
      members_(
          [make = std::move(make), x = VecX(X.head(state_.nx)), at_end](const VecX& unknowns) {
            return std::make_unique<Member>(make(unknowns), x, at_end);
          },
          state_.parameters) {
  const Member& member = members_.at(state_.unknowns(X));
  if (member.problem.further_conditions) {
    further_ = static_cast<int>(member.problem.further_conditions(observed(X, X)).size());
  }
  own_ = member.conditions.own() + further_;
  constraints_ = member.conditions.count() - member.conditions.own();
  count_ = own_ + constraints_ + state_.size() - state_.nx - state_.parameters;
}

Observed ExtendedConditions::observed(const VecX& left, const VecX& right) const {
  Observed of{left.head(state_.nx), right.head(state_.nx), {}, {}};
  for (int c = 0; c < static_cast<int>(state_.inside.size()); ++c) {
    of.inside.push_back(right.segment(state_.inside_at(c), state_.nx));
  }
  of.integrals = right.segment(state_.integrals_at(), state_.integrals);
  return of;
}

void ExtendedConditions::evaluate(const VecX& left, const VecX& right, VecX& r) {
  const int n = state_.nx;
  r.setConstant(count_, std::numeric_limits<double>::quiet_NaN());
  Member* member = nullptr;
  try {
    member = &members_.at(state_.unknowns(left));
  } catch (const Error&) {
    return;  // The equations say why.
  }
  member->conditions.evaluate(left.head(n), right.head(n), of_ends_);
  int row = static_cast<int>(of_ends_.size());
  r.head(row) = of_ends_;
  if (further_ > 0) {
    const VecX further = member->problem.further_conditions(observed(left, right));
    if (further.size() != further_) {
      throw InvalidProblem(fmt::format("further_conditions: {} at one place, {} at another",
                                       further_, further.size()));
    }
    r.segment(row, further_) = further;
    row += further_;
  }
  r.segment(row, state_.integrals) = left.segment(state_.integrals_at(), state_.integrals);
  row += state_.integrals;
  for (int c = 0; c < static_cast<int>(state_.inside.size()); ++c, row += n) {
    r.segment(row, n) = left.segment(state_.inside_at(c), n) - left.head(n);
  }
}

void ExtendedConditions::jacobians(const VecX& left, const VecX& right, const VecX& weight,
                                   MatX& B0, MatX& B1) {
  // As those of a problem. A family need not have parameters that are far away.
  const auto further = [this](int j) {
    return j >= state_.nx && j < state_.integrals_at() ? 0 : 4;
  };
  VecX at;
  evaluate(left, right, at);
  B0.resize(count_, state_.size());
  B1.resize(count_, state_.size());
  const auto finite = [&](const VecX& l, const VecX& r, VecX& out) {
    evaluate(l, r, out);
    return true;
  };
  forward_differences([&](const VecX& x, VecX& out) { return finite(x, right, out); }, left, at,
                      weight, B0, further);
  forward_differences([&](const VecX& x, VecX& out) { return finite(left, x, out); }, right, at,
                      weight, B1, further);
}

}  // namespace daewave::bvp
