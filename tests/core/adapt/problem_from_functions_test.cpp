// Problems of functions of batches: how often they are called where a call is dear.

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/adapt/problem_from_functions.hpp"
#include "core/kernels/multibody_kernel.hpp"
#include "core/problem/dear_calls.hpp"
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

TEST_CASE("a velocity beside a point asks for no curvature of constraints of index 2",
          "[core][adapt]") {
  ProblemFunctions circle{.kind = Kind::index_2, .sizes = {.nq = 2, .ny = 1}};
  circle.f = [](const Points& at, double* out) { std::fill_n(out, 2 * at.count, 0.0); };
  circle.B = circle.f;
  circle.g = [](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      const double x = at.q[p], y = at.q[at.stride + p];
      out[p] = x * x + y * y - 1;
    }
  };
  circle.differences = circle.dear_calls = true;
  const DaeProblemPtr problem = problem_from_functions(circle);
  const auto evaluation = problem->evaluation();
  Batch batch(1);
  for (const Ask what : {Ask::G | Ask::g_t, Ask::G | Ask::g_t | Ask::curvature, Ask::g | Ask::G}) {
    const Terms& terms = evaluation->evaluate(what, batch.points());
    REQUIRE(terms.G != nullptr);
    CHECK(terms.G[0] == Approx(2 * batch.q[0]));
    CHECK(terms.G[1] == Approx(2 * batch.q[1]).margin(1e-9));
    CHECK(terms.curvature == nullptr);
    batch.q[0] += 0.1;
  }
}

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

TEST_CASE("curvatures are found beside where g is not defined", "[core][adapt]") {
  Calls calls;
  ProblemFunctions of = bead(calls, true, true);
  // Beyond y = 0.1 there is no wire.
  of.g = [g = of.g](const Points& at, double* out) {
    g(at, out);
    for (int p = 0; p < at.count; ++p) {
      if (at.q[at.stride + p] > 0.1 + 1e-12) out[p] = INFINITY;
    }
  };
  of.G = [](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      out[p] = -3 * std::cos(3 * at.q[p]) * std::cos(at.t[p]);
      out[at.count + p] = 1;
    }
  };
  const DaeProblemPtr problem = problem_from_functions(std::move(of));
  const double t[] = {0, 0, 0}, q[] = {0.3, 0.5, 0.7, 0.1, 0.1, 0.1}, v[] = {1, 2, 3, 0, 0, 0};
  const auto evaluation = problem->evaluation();
  const auto curvature = [&](int p) {
    const Points points{3, 3, t, q, v, nullptr};
    return evaluation->evaluate(Ask::g | Ask::curvature, points).curvature[p];
  };
  for (int p = 0; p < 3; ++p) {
    // g_tt is that of cos t.
    const double expected = std::sin(3 * q[p]) * (9 * v[p] * v[p] + 1);
    CHECK(curvature(p) == Approx(expected).epsilon(1e-7));
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

namespace {

/// The bead with dg/dq, of a wire that moves from t = 0.45 on, or one that never does.
ProblemFunctions bead_with_jacobian(Calls& calls, bool moves) {
  ProblemFunctions of = bead(calls, true, true);
  const auto time = [moves](double t) { return moves ? std::cos(std::max(0.0, t - 0.45)) : 1; };
  of.g = [&calls, time](const Points& at, double* out) {
    ++calls["g"];
    for (int p = 0; p < at.count; ++p) {
      out[p] = at.q[at.stride + p] - std::sin(3 * at.q[p]) * time(at.t[p]);
    }
  };
  of.G = [&calls, time](const Points& at, double* out) {
    ++calls["G"];
    for (int p = 0; p < at.count; ++p) {
      out[p] = -3 * std::cos(3 * at.q[p]) * time(at.t[p]);
      out[at.count + p] = 1;
    }
  };
  return of;
}

}  // namespace

TEST_CASE("the curvature follows from G without g, at times at which both have said the same",
          "[core][adapt]") {
  Calls calls;
  const DaeProblemPtr problem = problem_from_functions(bead_with_jacobian(calls, false));
  const auto evaluation = problem->evaluation();
  Batch batch(8);
  constexpr Ask what = Ask::f | Ask::G | Ask::curvature;
  for (int warm = 0; warm < 3; ++warm) {
    evaluation->evaluate(what, batch.points());
    for (double& x : batch.q) x += 0.01;
  }
  calls.clear();
  const Terms& at = evaluation->evaluate(what, batch.points());
  CHECK(calls == Calls{{"f", 1}, {"G", 1}});
  for (int p = 0; p < 8; ++p) {
    const double x = batch.q[p], vx = batch.v[p];
    CHECK(at.G[p] == -3 * std::cos(3 * x));
    CHECK(at.curvature[p] == Approx(9 * std::sin(3 * x) * vx * vx).margin(1e-9));
  }
  // At other times nothing has been said yet.
  for (double& t : batch.t) t += 0.3;
  calls.clear();
  evaluation->evaluate(what, batch.points());
  CHECK(calls["g"] >= 1);
}

TEST_CASE("the curvature of constraints that move with time is that of g", "[core][adapt]") {
  Calls calls;
  const DaeProblemPtr problem = problem_from_functions(bead_with_jacobian(calls, true));
  const auto evaluation = problem->evaluation();
  Batch batch(8);  // The wire begins to move between the fifth and the sixth point.
  for (int times = 0; times < 4; ++times) {
    const Terms& at = evaluation->evaluate(Ask::f | Ask::G | Ask::curvature, batch.points());
    for (int p = 0; p < 8; ++p) {
      if (p == 4 || p == 5) continue;  // Stencils reach over where it begins.
      const double x = batch.q[p], vx = batch.v[p], t = std::max(0.0, batch.t[p] - 0.45);
      const double curvature = 9 * std::sin(3 * x) * std::cos(t) * vx * vx +
                               6 * std::cos(3 * x) * std::sin(t) * vx +
                               (t > 0 ? std::sin(3 * x) * std::cos(t) : 0);
      CAPTURE(times, p);
      CHECK(at.curvature[p] == Approx(curvature).margin(1e-4));
    }
    for (double& x : batch.q) x += 0.01;
  }
}

TEST_CASE("what was foreseen of many points is given out at each of them without a call",
          "[core][adapt]") {
  Calls calls;
  const DaeProblemPtr problem = problem_from_functions(bead_with_jacobian(calls, false));
  const auto many = problem->evaluation(), single = problem->evaluation();
  const Batch batch(5);
  constexpr Ask what = all_of_g | Ask::f | Ask::M;
  const DearCalls* const dear = dear_calls_of(*problem);
  REQUIRE(dear != nullptr);
  dear->foresee(what, batch.points());
  const Terms expected = many->evaluate(what, batch.points());
  calls.clear();
  for (int p : {0, 1, 4, 2}) {
    const double t = batch.t[p];
    const double q[] = {batch.q[p], batch.q[5 + p]}, v[] = {batch.v[p], batch.v[5 + p]};
    const Terms& at = single->evaluate(what, {1, 1, &t, q, v, nullptr});
    CHECK(at.f[1] == expected.f[5 + p]);
    CHECK(at.M[3] == expected.M[15 + p]);
    CHECK(at.G[0] == expected.G[p]);
    CHECK(at.g[0] == expected.g[p]);
    CHECK(at.curvature[0] == Approx(expected.curvature[p]).epsilon(1e-12));
  }
  CHECK(calls.empty());
  const double t = batch.t[0], q[] = {batch.q[0], batch.q[5]}, other[] = {7, 7};
  CHECK(single->evaluate(Ask::f, {1, 1, &t, q, other, nullptr}).f[0] == -7);
  CHECK(calls == Calls{{"f", 1}});
  dear->foresee(Ask{}, {0});
  calls.clear();
  const double v[] = {batch.v[0], batch.v[5]};
  single->evaluate(Ask::f, {1, 1, &t, q, v, nullptr});
  CHECK(calls == Calls{{"f", 1}});
}

TEST_CASE("where calls are not dear, nothing is foreseen", "[core][adapt]") {
  Calls calls;
  CHECK(dear_calls_of(*problem_from_functions(bead(calls, false, false))) == nullptr);
}

TEST_CASE("constraints on velocities follow those of positions, and are told apart", "[adapt]") {
  // 0 = q1 - t^2 and 0 = q1 v2 - 3 t.
  ProblemFunctions of{.kind = Kind::multibody, .sizes = {.nq = 2, .ny = 1, .nk = 1}};
  of.f = [](const Points&, double* out) { std::fill_n(out, 2, 0.0); };
  of.M = [](const Points&, double* out) {
    out[0] = out[3] = 1;
    out[1] = out[2] = 0;
  };
  of.g = [](const Points& at, double* out) { out[0] = at.q[0] - at.t[0] * at.t[0]; };
  of.G = [](const Points& at, double* out) {
    out[0] = 1;
    out[1] = out[2] = 0;
    out[3] = at.q[0];
  };
  of.g_t = [](const Points& at, double* out) {
    out[0] = -2 * at.t[0];
    out[1] = -3 * at.t[0];
  };
  of.curvature = [](const Points& at, double* out) {
    out[0] = -2;
    out[1] = at.v[0] * at.v[1] - 3;
  };
  const DaeProblemPtr problem = problem_from_functions(std::move(of));
  const VelocityKernel kernel(*problem);
  const VecX q{{4.0, 1.0}}, v{{5.0, 7.0}};
  const double t = 0.5;
  CHECK(kernel.g(q, t) == VecX(VecX::Constant(1, 3.75)));
  CHECK(kernel.g_t(q, t) == VecX(VecX::Constant(1, -1)));
  CHECK(kernel.k(q, t) == VecX(VecX::Constant(1, -1.5)));
  CHECK(kernel.G(q, t) == MatX(MatX{{1.0, 0.0}}));
  CHECK(kernel.K(q, t) == MatX(MatX{{0.0, 4.0}}));
  CHECK(kernel.w(q, v, t) == VecX(VecX::Constant(1, 26.5)));
  CHECK(kernel.curvature(q, v, t) == VecX(VecX::Constant(1, -2)));
  CHECK(kernel.w_curvature(q, v, t) == VecX(VecX::Constant(1, 32)));
}

TEST_CASE("what a problem has none of need not be given, with differences or without",
          "[core][adapt]") {
  for (const bool differences : {false, true}) {
    for (const bool dear : {false, true}) {
      CAPTURE(differences, dear);
      ProblemFunctions index_1{.kind = Kind::invariants, .sizes = {.nq = 1, .nw = 1}};
      index_1.f =
          index_1.r = [](const Points& at, double* out) { std::copy_n(at.q, at.count, out); };
      index_1.r_w = [](const Points& at, double* out) { std::fill_n(out, at.count, 1.0); };
      index_1.differences = differences;
      index_1.dear_calls = dear;
      const auto evaluation = problem_from_functions(index_1)->evaluation();
      const double t = 0, q = 3, w = 2;
      const Terms& terms = evaluation->evaluate(Ask::f | Ask::r | Ask::h | Ask::r_w | Ask::H,
                                                Points{1, 1, &t, &q, nullptr, &w});
      CHECK(terms.f[0] == 3);
      CHECK(terms.r[0] == 3);
      CHECK(terms.r_w[0] == 1);
    }
  }
}

}  // namespace daewave
