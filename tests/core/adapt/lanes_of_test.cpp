// Batches of a struct in SIMD lanes, against its points one by one.

#include <cmath>
#include <vector>

#include "core/adapt/problem_of.hpp"
#include "core/derivatives/autodiff.hpp"
#include "core/derivatives/differences.hpp"
#include "problems/chain.hpp"
#include "problems/truck.hpp"
#include "tests/catch.hpp"
#include "tests/core/lane_mechanisms.hpp"
#include "tests/core/small_mechanisms.hpp"
#include "tests/problems/compiled_problems.hpp"

using namespace daewave;

namespace {

/// `count` points with some stride, none like another.
struct Batch {
  Batch(const DaeProblem& problem, int count, int stride) : t(stride) {
    const int nq = problem.sizes().nq;
    q.resize(static_cast<std::size_t>(nq * stride), NAN);
    v = q;
    for (int p = 0; p < count; ++p) {
      t[static_cast<std::size_t>(p)] = 0.4 + 0.1 * p;
      for (int i = 0; i < nq; ++i) {
        q[static_cast<std::size_t>(i * stride + p)] = 0.7 + 0.3 * std::sin(1.3 * i + 0.3 * p);
        v[static_cast<std::size_t>(i * stride + p)] = std::cos(2 * i - 0.2 * p);
      }
    }
    points = {count, stride, t.data(), q.data(), v.data(), nullptr};
  }
  std::vector<double> t, q, v;
  Points points;
};

Ask everything(const DaeProblem& problem) {
  const Ask all = Ask::f | Ask::G | Ask::g | Ask::g_t | Ask::curvature;
  return problem.kind() == Kind::multibody ? all | Ask::M : all | Ask::B;
}

/// Largest relative difference of what a batch gives from what its points give alone.
double gap(const DaeProblem& problem, const DaeProblem& alone, Ask what, int count) {
  const Sizes& sizes = problem.sizes();
  const int nq = sizes.nq, nl = sizes.nl();
  const Batch batch(problem, count, count + 3);
  const auto together = problem.evaluation(), one_by_one = alone.evaluation();
  const Terms& found = together->evaluate(what, batch.points);
  double largest = 0;
  for (int p = 0; p < count; ++p) {
    std::vector<double> q, v;
    for (int i = 0; i < nq; ++i) {
      q.push_back(batch.q[static_cast<std::size_t>(i * batch.points.stride + p)]);
      v.push_back(batch.v[static_cast<std::size_t>(i * batch.points.stride + p)]);
    }
    const Terms& one = one_by_one->evaluate(
        what, Points{1, 1, &batch.t[static_cast<std::size_t>(p)], q.data(), v.data(), nullptr});
    const auto compare = [&](Ask asked, const double* a, const double* b, int size) {
      if (!asks(what, asked) || b == nullptr) return;
      REQUIRE(a != nullptr);
      for (int i = 0; i < size; ++i) {
        const double here = std::abs(a[i * found.stride + p] - b[i]) / (1 + std::abs(b[i]));
        largest = std::isnan(here) ? here : std::max(largest, here);
      }
    };
    const bool diagonal = problem.structure().mass == Structure::Mass::diagonal;
    compare(Ask::f, found.f, one.f, nq);
    compare(Ask::M, found.M, one.M, diagonal ? nq : nq * nq);
    compare(Ask::B, found.B, one.B, nq * nl);
    if (one.chain == nullptr) compare(Ask::G, found.G, one.G, nq * nl);
    if (one.chain != nullptr) {
      std::vector<double> blocks;
      for (int i = 0; i < one.chain->bodies(); ++i) {
        for (const double entry : one.chain->own[i]) blocks.push_back(entry);
        for (const double entry : one.chain->before[i]) blocks.push_back(entry);
      }
      compare(Ask::G, found.G, blocks.data(), static_cast<int>(blocks.size()));
    }
    compare(Ask::g, found.g, one.g, nl);
    compare(Ask::g_t, found.g_t, one.g_t, nl);
    compare(Ask::curvature, found.curvature, one.curvature, nl);
  }
  return largest;
}

void compare_lanes(const DaeProblemPtr& erased) {
  // Of this file's instructions, or of tapes, which take the widest that the machine has.
  CHECK(erased->lanes() >= CompiledSimd::numbers);
  for (int count : {2, 3, 4, 8, 11}) {
    INFO(count << " points");
    // Sums of a few dozen terms of size 1; the spring of the seven bodies pulls with 1e3.
    CHECK(gap(*erased, *erased, everything(*erased), count) < 1e-13);
  }
  for (Ask one : {Ask::f, Ask::g, Ask::G, Ask::g_t, Ask::M | Ask::B, Ask::g | Ask::curvature}) {
    CHECK(gap(*erased, *erased, one, 3) < 1e-13);
  }
}

}  // namespace

TEST_CASE("A batch in lanes is its points one by one, of every kind", "[problem][lanes]") {
  SECTION("diagonal mass") { compare_lanes(problem_of(with_autodiff(testing::HeavyPendulum{}))); }
  SECTION("dense mass, time") { compare_lanes(problem_of(with_autodiff(testing::LedArm{}))); }
  SECTION("own derivatives") { compare_lanes(problem_of(testing::LedArmByHand{})); }
  SECTION("seven bodies") { compare_lanes(problem_of(with_autodiff(testing::SevenBodies{}))); }
  SECTION("velocities") { compare_lanes(problem_of(with_autodiff(testing::LaneSkate{}))); }
  SECTION("second order") { compare_lanes(problem_of(with_autodiff(testing::BentBead{}))); }
  SECTION("index 2") { compare_lanes(problem_of(with_autodiff(testing::Turning{}))); }
  SECTION("bounded sizes") {
    for (int n : {1, 3, 11}) {
      const testing::LooseString string{n};
      const VecX start = string.start();
      compare_lanes(problem_of(with_autodiff(string), start));
    }
  }
}

TEST_CASE("A batch of a chain is its points one by one, in lanes and without", "[problem][lanes]") {
  for (int n : {1, 2, 7}) {
    const problems::Chain chain{n};
    const DaeProblemPtr in_lanes = problem_of(chain);
    const DaeProblemPtr without = problem_of(chain, StructLanes<problems::Chain>{});
    CHECK(in_lanes->lanes() == 8);
    CHECK(without->lanes() == 1);
    for (const DaeProblemPtr& erased : {in_lanes, without}) {
      for (int count : {2, 8, 11, 16}) {
        INFO(n << " rods, " << count << " points");
        CHECK(gap(*erased, *erased, everything(*erased), count) < 1e-14);
      }
      for (Ask one : {Ask::f, Ask::g, Ask::G, Ask::g_t, Ask::M, Ask::g | Ask::curvature}) {
        CHECK(gap(*erased, *erased, one, 3) < 1e-14);
      }
    }
  }
}

TEST_CASE("Derivatives by hand and by dual numbers are the same in lanes", "[problem][lanes]") {
  const DaeProblemPtr by_hand = problem_of(testing::LedArmByHand{});
  const DaeProblemPtr dual = problem_of(with_autodiff(testing::LedArm{}));
  CHECK(gap(*dual, *by_hand, everything(*dual), 6) < 1e-14);
}

namespace {

/// As a template but for one function.
struct HalfStated : testing::HeavyPendulum {
  Mat<2, 2> M(const Vec<2>&) const { return 1.5 * Mat<2, 2>::Identity(); }
};
struct WithoutLanes : testing::HeavyPendulum {
  static constexpr bool in_lanes = false;
};
/// A number where lanes would differ.
struct WithChoice : testing::HeavyPendulum {
  template <class T>
  VecOf<T, 2> f(const VecOf<T, 2>&, const VecOf<T, 2>& v, T) const {
    using daewave::select;
    return {select(v[0] < T(0), T(0.1), T(-0.1)), T(-9.81)};
  }
};

}  // namespace

/// Without what is seen in its functions.
template <class P>
DaeProblemPtr as_written(const P& problem) {
  return std::make_shared<const ProblemOf<P>>(std::make_shared<const P>(problem));
}

TEST_CASE("A struct that is not all templates goes point by point", "[problem][lanes]") {
  const DaeProblemPtr half = as_written(with_autodiff(HalfStated{}));
  CHECK(half->lanes() == 1);
  CHECK(gap(*half, *half, everything(*half), 5) == 0);
  CHECK(as_written(with_autodiff(WithoutLanes{}))->lanes() == 1);
  CHECK(problem_of(testing::Skate::Derivatives{})->lanes() == 1);
  CHECK(problem_of(problems::Truck{})->lanes() == 1);
  // Differences that were asked for are not silently replaced.
  CHECK(problem_of(with_differences(testing::HeavyPendulum{}))->lanes() == 1);
}

TEST_CASE("What is seen of a struct goes in lanes, and is what is written", "[problem][lanes]") {
  const auto compare = [](const auto& problem) {
    const DaeProblemPtr written = as_written(problem), seen = problem_of(problem);
    CHECK(seen->lanes() > 1);
    for (int count : {1, 4, 5, 8}) {
      CHECK(gap(*seen, *written, everything(*written), count) < 1e-14);
    }
  };
  compare(with_autodiff(HalfStated{}));
  compare(with_autodiff(WithoutLanes{}));
  compare(with_autodiff(testing::LedArm{}));
}

TEST_CASE("A choice in lanes is that of each", "[problem][lanes]") {
  compare_lanes(problem_of(with_autodiff(WithChoice{})));
}

namespace {

/// With parameters that may differ from lane to lane.
template <class Number = double>
struct LongPendulumOf {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  Number length = 1;

  template <class T>
  MatOf<T, 2, 2> M(const VecOf<T, 2>&) const {
    return MatOf<T, 2, 2>::Identity();
  }
  template <class T>
  VecOf<T, 2> f(const VecOf<T, 2>&, const VecOf<T, 2>&, T) const {
    return {T(0), T(-9.81)};
  }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& q, T) const {
    return VecOf<T, 1>(0.5 * (q.squaredNorm() - T(length * length)));
  }
  template <class Lanes, class Member, class F>
  static void each_parameter(Lanes& lanes, const Member& member, F f) {
    f(lanes.length, member.length);
  }
};

template <class P>
std::vector<DaeProblemPtr> members_of(double P::*parameter) {
  std::vector<DaeProblemPtr> members;
  for (int i = 0; i < CompiledSimd::numbers; ++i) {
    P one;
    one.*parameter = 1 + 0.25 * i;
    members.push_back(problem_of(with_autodiff(one)));
  }
  return members;
}

void compare_members(const std::vector<DaeProblemPtr>& problems) {
  std::vector<const DaeProblem*> members;
  for (const DaeProblemPtr& problem : problems) members.push_back(problem.get());
  const int count = CompiledSimd::numbers;
  const Batch batch(*members[0], count, count);
  const auto evaluation = members[0]->evaluation_of(members);
  const Terms& found = evaluation->evaluate(everything(*members[0]), batch.points);
  for (int p = 0; p < count; ++p) {
    const auto alone = members[static_cast<std::size_t>(p)]->evaluation();
    const Terms& one = alone->evaluate(everything(*members[0]), batch.points);
    CHECK(found.g[p] == one.g[p]);
    for (int i = 0; i < 2; ++i) {
      CHECK(found.G[i * found.stride + p] == one.G[i * one.stride + p]);
      CHECK(std::abs(found.f[i * found.stride + p] - one.f[i * one.stride + p]) < 1e-15);
    }
  }
}

}  // namespace

TEST_CASE("Members of an ensemble are evaluated with their own parameters", "[problem][lanes]") {
  SECTION("in lanes") { compare_members(members_of(&LongPendulumOf<>::length)); }
  SECTION("point by point") { compare_members(members_of(&testing::HeavyPendulum::length)); }
}
