#pragma once
// A DaeProblem of any struct of the concepts in core/problem/dae.hpp: the only template that a user
// of the library compiles.
//
//   std::shared_ptr<const DaeProblem> pendulum = problem_of(with_autodiff(Pendulum{}));
//
// A struct whose functions are templates on the scalar (core/adapt/lane_terms.hpp) has SIMD lanes,
// of the instructions its file is compiled for; core/adapt/struct_lanes.hpp tells how to have all.

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/adapt/struct_evaluation.hpp"
#include "core/adapt/struct_recording.hpp"
#include "core/error.hpp"
#include "core/problem/dae_problem.hpp"
#include "core/problem/linear_problem.hpp"
#include "core/problem/say_what_is_missing.hpp"

namespace daewave {

namespace detail {

template <class P>
concept AnyProblem = Dae<P> || InvariantDae<P> || ImplicitEquation<P> || OrdinaryEquation<P>;

template <class P>
constexpr Kind kind_of() {
  if constexpr (SemiExplicitDae<P>) return Kind::index_2;
  if constexpr (InvariantDae<P> || ImplicitEquation<P>) return Kind::invariants;
  if constexpr (OrdinaryEquation<P>) return Kind::ordinary;
  if constexpr (Multibody<P>) return Kind::multibody;
  return Kind::second_order;
}

/// A state of the problem: `given`, or its own start, or where sizes are fixed zeros.
template <class P>
StateOf<P> state_for_sizes(const P& problem, const VecX* given) {
  using State = StateOf<P>;
  if (given != nullptr) {
    Eigen::Index size = State::SizeAtCompileTime;
    if constexpr (State::SizeAtCompileTime == Dynamic) {
      // A problem may well read beyond the end of a state that is shorter than its own.
      size = given->size();
      if constexpr (requires { State(problem.start()); }) size = State(problem.start()).size();
    }
    if (size != given->size()) {
      throw InvalidProblem("start: has " + std::to_string(given->size()) +
                           " entries, the state of the problem has " + std::to_string(size));
    }
    return State(*given);
  }
  if constexpr (State::SizeAtCompileTime != Dynamic) {
    return State::Zero();
  } else if constexpr (requires { StateOf<P>(problem.start()); }) {
    return StateOf<P>(problem.start());
  } else {
    throw InvalidProblem(
        "the sizes of this problem are known at run time only: give a state, or start()");
  }
}

template <class V, class F>
int size_of(F value) {
  if constexpr (V::SizeAtCompileTime != Dynamic) {
    return V::SizeAtCompileTime;
  } else {
    return static_cast<int>(V(value()).size());
  }
}

template <class P>
Sizes sizes_of(const P& problem, const VecX* given, double t, [[maybe_unused]] int nw) {
  Sizes sizes;
  const StateOf<P> z = state_for_sizes(problem, given);
  if constexpr (OrdinaryEquation<P>) {
    sizes.nq = static_cast<int>(z.size());
  } else if constexpr (InvariantDae<P> || ImplicitEquation<P>) {
    sizes.nq = static_cast<int>(z.size());
    constexpr int fixed = P::Algebraic::SizeAtCompileTime;
    if (fixed != Dynamic && nw > 0 && nw != fixed) {
      throw InvalidProblem("start: w has " + std::to_string(nw) +
                           " entries, the unknowns of the problem are " + std::to_string(fixed));
    }
    sizes.nw = nw > 0 ? nw : size_of<typename P::Algebraic>([&]() -> typename P::Algebraic {
      if constexpr (HasAlgebraicStart<P>) {
        return problem.start_algebraic();
      } else if constexpr (requires { problem.guess_algebraic(t); }) {
        return problem.guess_algebraic(t);
      } else {
        throw InvalidProblem(
            "give start_algebraic() or guess_algebraic(t): the number of unknowns w follows from "
            "it");
      }
    });
    if constexpr (InvariantDae<P>) {
      sizes.nh = size_of<typename P::Invariant>([&] { return problem.h(z, t); });
    }
  } else if constexpr (SemiExplicitDae<P>) {
    sizes.nq = static_cast<int>(z.size());
    sizes.ny = size_of<typename P::Multiplier>([&] { return problem.g(z, t); });
  } else {
    if (z.size() % 2 != 0) {
      throw InvalidProblem("start: has " + std::to_string(z.size()) +
                           " entries; a state is (q, v), which is an even number");
    }
    sizes.nq = static_cast<int>(z.size()) / 2;
    const typename P::Position q = z.head(sizes.nq);
    sizes.ny = size_of<typename P::Multiplier>([&] { return problem.g(q, t); });
    if constexpr (HasVelocityConstraint<P>) {
      const typename P::Position v = z.tail(sizes.nq);
      sizes.nk = size_of<typename P::VelocityMultiplier>([&] { return problem.w(q, v, t); });
    }
  }
  return sizes;
}

template <class P>
Structure structure_of(const P& problem, const Sizes& sizes) {
  Structure structure;
  structure.has_f_jacobian = StatesFJacobian<P>;
  if constexpr (InvariantDae<P>) {
    structure.has_jacobian = structure.has_curvature = false;
    structure.position_invariants = position_invariants(problem, sizes.nh);
    structure.positions = sizes.nq;
    if constexpr (HasInvariantLevels<P>) structure.positions = problem.positions();
    structure.has_mass = requires(const StateOf<P>& z) { MatX(problem.mass(z, 0.0)); };
  } else if constexpr (ImplicitEquation<P> || OrdinaryEquation<P>) {
    structure.has_jacobian = structure.has_curvature = false;
    structure.positions = ImplicitEquation<P> ? sizes.nq : 0;
  } else {
    structure.has_curvature = Reducible<P>;
    if constexpr (Multibody<P>) {
      structure.mass = StructureOf<P>::mass;
      structure.constraints = StructureOf<P>::constraints;
      if constexpr (requires { bool(P::mass_constant); }) {
        structure.mass_constant = P::mass_constant;
      }
    }
  }
  if constexpr (HasEnergy<P> && !SemiExplicitDae<P>) {
    structure.has_energy = true;
    if constexpr (requires { bool(problem.has_energy()); }) {
      structure.has_energy = problem.has_energy();
    }
  }
  return structure;
}

}  // namespace detail

/// A struct as a DaeProblem. Where sizes are known at run time only, they follow from a state.
template <detail::AnyProblem P>
class ProblemOf final : public DaeProblem {
 public:
  /// @param state  any state, for sizes; null: start() of the problem.
  /// @param nw     number of unknowns w; 0: that of start_algebraic().
  /// @throws InvalidProblem where sizes are not known, or do not fit.
  explicit ProblemOf(std::shared_ptr<const P> problem, const StructLanes<P>& lanes,
                     const VecX* state = nullptr, double t = 0, int nw = 0)
      : ProblemOf(problem, lanes, detail::sizes_of(*problem, state, t, nw)) {}

  explicit ProblemOf(std::shared_ptr<const P> problem, const VecX* state = nullptr, double t = 0,
                     int nw = 0)
      : ProblemOf(std::move(problem), lanes_of<P>(), state, t, nw) {}

  std::unique_ptr<Evaluation> evaluation() const override {
    return std::make_unique<detail::StructEvaluation<P>>(problem_, sizes(), lanes_);
  }
  int lanes() const override { return lanes_.lanes; }
  std::unique_ptr<Evaluation> evaluation_of(
      const std::vector<const DaeProblem*>& members) const override {
    if (lanes_.of_members != nullptr) {
      std::vector<const P*> own;
      for (const DaeProblem* member : members) {
        const auto* const one = dynamic_cast<const ProblemOf*>(member);
        if (one != nullptr) own.push_back(one->problem_.get());
      }
      if (own.size() == members.size()) {
        std::unique_ptr<Evaluation> evaluation(
            lanes_.of_members(own.data(), static_cast<int>(own.size()), sizes()));
        if (evaluation) return evaluation;
      }
    }
    return DaeProblem::evaluation_of(members);
  }

  std::string name() const override {
    if constexpr (HasName<P>) return problem_->name();
    return {};
  }
  double energy([[maybe_unused]] const double* q, [[maybe_unused]] const double* v) const override {
    if constexpr (HasEnergy<P> && !SemiExplicitDae<P>) {
      using Position = ConfigurationOf<P>;
      return problem_->energy(Position(Eigen::Map<const Position>(q, sizes().nq)),
                              Position(Eigen::Map<const Position>(v, sizes().nq)));
    }
    return 0;
  }
  std::optional<VecX> start() const override {
    if constexpr (requires { StateOf<P>(problem_->start()); }) {
      return VecX(StateOf<P>(problem_->start()));
    }
    return {};
  }
  std::optional<VecX> start_algebraic() const override {
    if constexpr (HasAlgebraicStart<P>) return VecX(problem_->start_algebraic());
    return {};
  }
  std::optional<Interval> interval() const override {
    if constexpr (requires { Interval(problem_->interval()); }) return problem_->interval();
    return {};
  }
  std::string failure([[maybe_unused]] const VecX& z, [[maybe_unused]] const VecX& w,
                      [[maybe_unused]] double t) const override {
    if constexpr (TellsFailure<P>) return problem_->failure(z, w, t);
    return {};
  }

 private:
  ProblemOf(std::shared_ptr<const P> problem, const StructLanes<P>& lanes, const Sizes& sizes)
      : DaeProblem(detail::kind_of<P>(), sizes, detail::structure_of(*problem, sizes)),
        problem_(std::move(problem)),
        lanes_(lanes) {}

  std::shared_ptr<const P> problem_;
  StructLanes<P> lanes_;
};

/// A copy of the struct as a DaeProblem. @throws as ProblemOf.
template <detail::Solvable P>
DaeProblemPtr problem_of(P problem) {
  const auto own = std::make_shared<const P>(std::move(problem));
  return detail::with_what_is_seen(*own, std::make_shared<ProblemOf<P>>(own, lanes_of<P>()),
                                   nullptr, 0);
}

/// The same, sizes being those of `state` at t.
template <detail::Solvable P>
DaeProblemPtr problem_of(P problem, const VecX& state, double t = 0) {
  const auto own = std::make_shared<const P>(std::move(problem));
  return detail::with_what_is_seen(
      *own, std::make_shared<ProblemOf<P>>(own, lanes_of<P>(), &state, t), &state, t);
}

/// The same with lanes of another file, compiled for an instruction set of its own.
template <detail::Solvable P>
DaeProblemPtr problem_of(P problem, const StructLanes<P>& lanes) {
  return std::make_shared<ProblemOf<P>>(std::make_shared<const P>(std::move(problem)), lanes);
}

/// Of what is no problem: the compiler says what it lacks.
template <class P, class... Arguments>
requires(!detail::Solvable<P>) DaeProblemPtr problem_of(const P&, const Arguments&...) {
  detail::say_what_is_missing_to_solve<P>();
  return {};
}

namespace detail {

/// For the length of a call: the struct is kept by reference.
template <AnyProblem P>
DaeProblemPtr problem_by_reference(const P& problem, const VecX* state, double t, int nw = 0) {
  return with_what_is_seen(
      problem,
      std::make_shared<ProblemOf<P>>(std::shared_ptr<const P>(std::shared_ptr<const P>(), &problem),
                                     lanes_of<P>(), state, t, nw),
      state, t);
}

}  // namespace detail

}  // namespace daewave
