// Problems of functions of batches: how often they are called where a call is dear.

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/adapt/problem_from_functions.hpp"
#include "tests/catch.hpp"

namespace daewave {
namespace {

using Calls = std::map<std::string, int>;

/// A bead on a moving wire, g = y - a(x) cos t: quadratic where `wave` is false.
ProblemFunctions bead(Calls& calls, bool wave, bool dear) {
  ProblemFunctions of{.kind = Kind::multibody, .sizes = {.nq = 2, .ny = 1}};
  of.f = [&calls](const Points& at, double* out) {
    ++calls["f"];
    for (int p = 0; p < at.count; ++p) {
      out[p] = -at.v[p];
      out[at.count + p] = -9.81;
    }
  };
  of.M = [&calls](const Points& at, double* out) {
    ++calls["M"];
    for (int i = 0; i < 4 * at.count; ++i) out[i] = i < at.count || i >= 3 * at.count ? 1 : 0;
  };
  of.g = [&calls, wave](const Points& at, double* out) {
    ++calls["g"];
    for (int p = 0; p < at.count; ++p) {
      const double x = at.q[p], y = at.q[at.stride + p];
      out[p] = wave ? y - std::sin(3 * x) * std::cos(at.t[p]) : y - x * x + 0.5 * at.t[p] * x;
    }
  };
  of.differences = true;
  of.dear_calls = dear;
  return of;
}

/// Numbers of all points, one after the other.
struct Batch {
  explicit Batch(int count) : t(count), q(2 * count), v(2 * count) {
    for (int p = 0; p < count; ++p) {
      t[p] = 0.1 * p;
      q[p] = 0.3 + 0.2 * p;
      q[count + p] = 0.1 * p;
      v[p] = 1 - 0.1 * p;
      v[count + p] = 2;
    }
  }
  Points points() const {
    const int count = static_cast<int>(t.size());
    return {count, count, t.data(), q.data(), v.data(), nullptr};
  }
  std::vector<double> t, q, v;
};

constexpr Ask all_of_g = Ask::g | Ask::G | Ask::g_t | Ask::curvature;

}  // namespace

TEST_CASE("where calls are dear, all that follows from g is one call of it", "[core][adapt]") {
  for (const bool wave : {false, true}) {
    Calls calls;
    const DaeProblemPtr problem = problem_from_functions(bead(calls, wave, true));
    const auto evaluation = problem->evaluation();
    Batch batch(8);
    CAPTURE(wave);
    evaluation->evaluate(all_of_g, batch.points());
    // How far apart values are to be is found once.
    CHECK(calls["g"] <= (wave ? 7 : 1));
    for (double& t : batch.t) t += 1;
    calls.clear();
    const Terms& at = evaluation->evaluate(all_of_g, batch.points());
    CHECK(calls["g"] == 1);
    for (int p = 0; p < 8; ++p) {
      const double x = batch.q[p], t = batch.t[p], vx = batch.v[p], vy = batch.v[8 + p];
      const double g_x = wave ? -3 * std::cos(3 * x) * std::cos(t) : -2 * x + 0.5 * t;
      const double g_t = wave ? std::sin(3 * x) * std::sin(t) : 0.5 * x;
      const double g_xx = wave ? 9 * std::sin(3 * x) * std::cos(t) : -2;
      const double g_xt = wave ? 3 * std::cos(3 * x) * std::sin(t) : 0.5;
      const double g_tt = wave ? std::sin(3 * x) * std::cos(t) : 0;
      CHECK(at.g[p] == Approx(wave ? batch.q[8 + p] - std::sin(3 * x) * std::cos(t)
                                   : batch.q[8 + p] - x * x + 0.5 * t * x));
      CHECK(at.G[p] == Approx(g_x).margin(1e-8));
      CHECK(at.G[8 + p] == Approx(1).margin(1e-8));
      CHECK(at.g_t[p] == Approx(g_t).margin(1e-8));
      CHECK(at.curvature[p] == Approx(g_xx * vx * vx + 2 * g_xt * vx + g_tt).margin(1e-7));
      CHECK(vy == 2);
    }
  }
}

TEST_CASE("where calls are dear, what is known at the points is not asked for again",
          "[core][adapt]") {
  Calls calls;
  const DaeProblemPtr problem = problem_from_functions(bead(calls, false, true));
  const auto evaluation = problem->evaluation();
  Batch batch(3);
  constexpr Ask all = all_of_g | Ask::f | Ask::M;
  const Terms first = evaluation->evaluate(all, batch.points());
  const double f = first.f[0], curvature = first.curvature[0];
  calls.clear();
  const Terms again = evaluation->evaluate(all, batch.points());
  CHECK(calls.empty());
  CHECK(again.f[0] == f);
  CHECK(again.curvature[0] == curvature);
  // Other velocities: forces and the curvature, which know them.
  batch.v[0] = 7;
  CHECK(evaluation->evaluate(all, batch.points()).f[0] == -7);
  CHECK(calls == Calls{{"f", 1}, {"g", 1}});
  for (auto* const one : {&batch.t, &batch.q}) {
    calls.clear();
    one->back() += 0.5;
    evaluation->evaluate(all, batch.points());
    CHECK(calls == Calls{{"f", 1}, {"g", 1}, {"M", 1}});
  }
  // Fewer points are others, and what was not asked for is not known.
  Batch fewer(2);
  calls.clear();
  evaluation->evaluate(Ask::M, fewer.points());
  evaluation->evaluate(Ask::M | Ask::f, fewer.points());
  CHECK(calls == Calls{{"f", 1}, {"M", 1}});
}

TEST_CASE("where calls are not dear, each is made", "[core][adapt]") {
  Calls calls;
  const DaeProblemPtr problem = problem_from_functions(bead(calls, false, false));
  const auto evaluation = problem->evaluation();
  const Batch batch(3);
  evaluation->evaluate(Ask::f, batch.points());
  evaluation->evaluate(Ask::f, batch.points());
  CHECK(calls == Calls{{"f", 2}});
}

TEST_CASE("a call that throws leaves nothing known", "[core][adapt]") {
  Calls calls;
  bool fails = true;
  ProblemFunctions of = bead(calls, false, true);
  of.f = [&fails](const Points& at, double* out) {
    if (fails) throw std::domain_error("no value");
    std::fill_n(out, 2 * at.count, 1.0);
  };
  const DaeProblemPtr problem = problem_from_functions(of);
  const auto evaluation = problem->evaluation();
  const Batch batch(2);
  CHECK_THROWS_AS(evaluation->evaluate(Ask::f, batch.points()), std::domain_error);
  fails = false;
  CHECK(evaluation->evaluate(Ask::f, batch.points()).f[0] == 1);
}

}  // namespace daewave
