// A step that was used and starts again takes the steps of one that was not: nothing of what it had
// learned of another run is left in it.

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/regularize/regularize_problem.hpp"
#include "ivp/equations/dae_system_of.hpp"
#include "ivp/equations/index_two_system_of.hpp"
#include "ivp/equations/normal_directions_of.hpp"
#include "ivp/multistep/bdf_step.hpp"
#include "ivp/multistep/blocked_multistep_step.hpp"
#include "ivp/multistep/projected_invariants_step.hpp"
#include "ivp/one_step/collocation_step.hpp"
#include "ivp/one_step/explicit_rk_step.hpp"
#include "ivp/one_step/symmetric_step.hpp"
#include "ivp/reduced/passing_step.hpp"
#include "ivp/reduced/reduce.hpp"
#include "ivp/srm/srm_step.hpp"
#include "ivp/windows/window_step.hpp"
#include "problems/pendulum.hpp"
#include "problems/velocity_pendulum.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/blocked_runs.hpp"
#include "tests/problems/compiled_problems.hpp"
#include "tests/same_bits.hpp"

namespace daewave::ivp::of_second_start {
namespace {

using testing::same_bits;

/// A step with what it is kept by reference to.
struct Held {
  std::unique_ptr<ReducedOde> reduced;
  std::unique_ptr<DaeSystem> system;
  std::unique_ptr<IndexTwoSystem> index_two;
  std::unique_ptr<Step> inner, step;
};

using Make = std::function<Held()>;

struct Kind {
  std::string name;
  Make make;
  bool index_two = false;
  double h = 0;  ///< Of fixed steps; 0: they are controlled.
};

const DaeProblemPtr& pendulum() {
  static const DaeProblemPtr problem = problem_of(problems::Pendulum{});
  return problem;
}

const DaeProblemPtr& by_velocities() {
  static const DaeProblemPtr problem = problem_of(VelocityPendulum{});
  return problem;
}

const Tolerance& tolerance() {
  static const Tolerance one(Options{.rtol = 1e-5, .atol = 1e-6}, 4);
  return one;
}

Held of_reduced(ReductionKind kind,
                const std::function<std::unique_ptr<Step>(ReducedOde& system)>& make) {
  Held held;
  held.reduced = reduce(*pendulum(), {.kind = kind});
  held.step = make(*held.reduced);
  return held;
}

Held of_system(const std::function<std::unique_ptr<Step>(DaeSystem& system)>& make) {
  Held held;
  held.system = dae_system_of(*pendulum(), *pendulum()->start(), 0);
  held.step = make(*held.system);
  return held;
}

Kind explicit_step(Stepper stepper) {
  return {std::string(name_of(stepper)), [stepper] {
            return of_reduced(ReductionKind::s_both2, [&](ReducedOde& system) {
              return std::make_unique<ExplicitRkStep>(system, tableau(stepper), tolerance());
            });
          }};
}

Kind collocation_step(Scheme scheme, int stages, double h) {
  return {"collocation of " + std::to_string(stages) + " stages",
          [=] {
            return of_reduced(ReductionKind::s_both2, [&](ReducedOde& system) {
              return std::make_unique<CollocationStep>(system, collocation(scheme, stages),
                                                       tolerance(), h == 0);
            });
          },
          false, h};
}

Kind window_step(double h) {
  return {"window",
          [=] {
            return of_reduced(ReductionKind::s_both2, [&](ReducedOde& system) {
              return std::make_unique<WindowStep>(system, nullptr, tolerance(), h == 0);
            });
          },
          false, h};
}

Kind symmetric_step(StageIteration iteration) {
  return {"symmetric",
          [=] {
            return of_reduced(ReductionKind::symmetric_projection, [&](ReducedOde& system) {
              return std::make_unique<SymmetricStep>(system,
                                                     normal_directions_of(*pendulum(), 1e-12),
                                                     normal_directions_of(*pendulum(), 1e-12),
                                                     collocation(Scheme::gauss, 3), iteration);
            });
          },
          false, 0.03};
}

Kind bdf_step(const std::string& name, const BdfOptions& options) {
  return {"bdf, " + name,
          [=] {
            return of_system([&](DaeSystem& system) {
              return std::make_unique<BdfStep>(system, options, tolerance());
            });
          },
          false, options.fixed ? 0.01 : 0};
}

Kind projected_invariants(double h) {
  return {"projected invariants",
          [=] {
            return of_system([&](DaeSystem& system) {
              return std::make_unique<ProjectedInvariantsStep>(
                  system, Onto::both, collocation(Scheme::radau, 3), tolerance(), h == 0);
            });
          },
          false, h};
}

Kind blocked_step(MultistepFamily family, double h) {
  return {"blocked",
          [=] {
            Held held;
            held.index_two = index_two_system_of(*by_velocities(), *by_velocities()->start(), 0);
            held.step = std::make_unique<BlockedMultistepStep>(*held.index_two, stable(family, 2),
                                                               tolerance(), h == 0);
            return held;
          },
          true, h};
}

Kind passing_step() {
  return {
      "passing", [] {
        Held held;
        held.reduced = reduce(*pendulum(), {.kind = ReductionKind::s_both2});
        held.inner =
            std::make_unique<ExplicitRkStep>(*held.reduced, tableau(Stepper::dop853), tolerance());
        const auto constraints = [] { return dae_system_of(*pendulum(), *pendulum()->start(), 0); };
        held.step = std::make_unique<PassingStep>(*held.inner, *held.reduced, constraints,
                                                  tolerance(), 1e-12);
        return held;
      }};
}

Kind srm_step(const std::string& name, const SrmFormula& formula, double h) {
  return {"srm, " + name,
          [=] {
            Held held;
            Regularization form;
            form.epsilon = 0.02;
            form.weight = Weight::inverse;
            held.step = std::make_unique<SrmStep>(regularize(*pendulum(), form), formula, 2,
                                                  InitialIterate(), tolerance(), h == 0);
            return held;
          },
          false, h};
}

std::vector<Kind> all_kinds() {
  std::vector<Kind> all;
  for (const Stepper stepper : {Stepper::dop853, Stepper::dopri5, Stepper::heun}) {
    all.push_back(explicit_step(stepper));
  }
  for (const double h : {0.0, 0.05}) {
    all.push_back(collocation_step(Scheme::radau, 3, h));
    all.push_back(window_step(h));
    all.push_back(projected_invariants(h));
    all.push_back(blocked_step(MultistepFamily::dcbdf, h));
    all.push_back(blocked_step(MultistepFamily::bdf, h));
  }
  all.push_back(collocation_step(Scheme::gauss, 2, 0.05));
  all.push_back(symmetric_step(StageIteration::fixed_point));
  all.push_back(symmetric_step(StageIteration::newton));
  all.push_back(bdf_step("projected", {}));
  all.push_back(bdf_step("fixed", {.order = 3, .fixed = true}));
  all.push_back(bdf_step("multipliers", {.order = 4, .multipliers = true}));
  all.push_back(passing_step());
  all.push_back(srm_step("explicit", tableau(Stepper::rk4), 0.01));
  all.push_back(srm_step("controlled", tableau(Stepper::dopri5), 0));
  all.push_back(srm_step("collocation", collocation(Scheme::radau, 2), 0.02));
  return all;
}

void append(const VecX& some, std::vector<double>& numbers) {
  numbers.insert(numbers.end(), some.data(), some.data() + some.size());
}

/// What a step does from (t, z), number by number; of those that it tries, every fourth is not
/// taken.
std::vector<double> run(Step& step, const Kind& kind, double t, const VecX& z, double longer) {
  std::vector<double> numbers;
  const long before = step.evaluations();
  VecX out;
  REQUIRE(step.start(t, z));
  append(step.state(), numbers);
  if (step.multiplier(out)) append(out, numbers);
  double h = kind.h > 0 ? kind.h : step.first_step(1, 0.2);
  numbers.push_back(h);
  for (int i = 1; i <= 12; ++i) {
    const double error = step.attempt(h);
    numbers.push_back(error);
    const bool taken = error <= 1 && (kind.h > 0 || step.chooses_length() || i % 4 != 0);
    if (taken && step.accept()) {
      append(step.state(), numbers);
      numbers.push_back(step.t());
      step.interpolate(0.3, out);
      append(out, numbers);
      VecX y;
      if (step.multiplier(y)) append(y, numbers);
      if (step.knows_multiplier_between() && step.multiplier_at(step.t() - 0.7 * h, out, y)) {
        append(y, numbers);
      }
      numbers.push_back(step.drift().position);
    }
    if (kind.h > 0) continue;
    if (step.chooses_length()) {
      h = step.next_length();
    } else {
      h *= error > 1 || std::isnan(error) ? 0.4 : longer;
    }
    numbers.push_back(h);
  }
  numbers.push_back(static_cast<double>(step.evaluations() - before));
  return numbers;
}

}  // namespace

TEST_CASE("a step that starts a second time is as one that starts", "[steppers]") {
  const problems::Pendulum swing;
  const VelocityPendulum circle;
  for (const Kind& kind : all_kinds()) {
    CAPTURE(kind.name, kind.h);
    const auto state = [&](double t) {
      return kind.index_two ? VecX(circle.z_exact(t)) : VecX(swing.z_exact(t));
    };
    Held used = kind.make();
    const std::vector<double> first = run(*used.step, kind, 0.2, state(0.2), 1.7);
    const std::vector<double> again = run(*used.step, kind, 0.5, state(0.5), 1.2);
    Held fresh = kind.make();
    const std::vector<double> alone = run(*fresh.step, kind, 0.5, state(0.5), 1.2);
    CHECK(first.size() > 60);
    CHECK(same_bits(again, alone));
  }
}

}  // namespace daewave::ivp::of_second_start
