// The curvature of constraints from lines of their Jacobian, and when lines are left alone.

#include "core/adapt/jacobian_lines.hpp"

#include <cmath>
#include <functional>
#include <vector>

#include "core/adapt/function_arrays.hpp"
#include "tests/catch.hpp"

namespace daewave {
namespace {

/// G v = (2 a(q1) v1 + 2 q2 v2, 3 q2 v1 + 3 q1 v2), with points counted.
struct TwoRows {
  explicit TwoRows(std::function<double(double)> a) {
    functions.sizes.nq = functions.sizes.ny = 2;
    functions.G = [this, a](const Points& at, double* out) {
      asked.push_back(at.count);
      for (int p = 0; p < at.count; ++p) {
        const double q1 = at.q[p], q2 = at.q[at.stride + p];
        const double entries[] = {2 * a(q1), 3 * q2, 2 * q2, 3 * q1};
        for (int e = 0; e < 4; ++e) out[e * at.count + p] = entries[e];
      }
    };
  }
  TwoRows(const TwoRows&) = delete;
  TwoRows& operator=(const TwoRows&) = delete;

  ProblemFunctions functions;
  std::vector<int> asked;
};

const std::vector<double> times{0, 1, 2}, q{0.3, 0.5, -0.7, 1, 2, 3}, v{2, -30, 0.5, 1, 4, 0.25};

Points three_points() { return {3, 3, times.data(), q.data(), v.data(), nullptr}; }

}  // namespace

TEST_CASE("curvatures are derivatives of G v along v, of G linear by five calls a point",
          "[differences]") {
  TwoRows rows([](double q1) { return q1; });
  JacobianLines lines;
  std::vector<double> G(12), curvature(6);
  REQUIRE(lines.evaluate(rows.functions, three_points(), 1, G.data(), curvature.data()));
  CHECK(lines.knows_G());
  CHECK(rows.asked == std::vector<int>{15});
  for (std::size_t p = 0; p < 3; ++p) {
    CAPTURE(p);
    CHECK(G[p] == 2 * q[p]);
    CHECK(G[3 + p] == 3 * q[3 + p]);
    CHECK(G[6 + p] == 2 * q[3 + p]);
    CHECK(G[9 + p] == 3 * q[p]);
    CHECK(curvature[p] == Approx(2 * (v[p] * v[p] + v[3 + p] * v[3 + p])).epsilon(1e-9));
    CHECK(curvature[3 + p] == Approx(6 * v[p] * v[3 + p]).epsilon(1e-9));
  }
  // They agree with what is off by no more than its rounding, or by a part of the largest.
  const std::vector<double> exact = curvature, rounding{1e-12, 1e-12};
  CHECK(lines.agrees(three_points(), exact.data(), curvature.data(), rounding));
  for (std::size_t i = 0; i < 6; ++i) {
    std::vector<double> other = exact;
    other[i] *= 1.5;
    CAPTURE(i);
    CHECK_FALSE(lines.agrees(three_points(), other.data(), curvature.data(), rounding));
    other[i] = NAN;
    CHECK_FALSE(lines.agrees(three_points(), other.data(), curvature.data(), rounding));
  }
}

TEST_CASE("of G that is bent nine calls a point are enough, after five were not", "[differences]") {
  TwoRows rows([](double q1) { return std::sin(q1); });
  JacobianLines lines;
  std::vector<double> G(12), curvature(6);
  CHECK_FALSE(lines.evaluate(rows.functions, three_points(), 1, G.data(), curvature.data()));
  CHECK(lines.knows_G());
  REQUIRE(lines.evaluate(rows.functions, three_points(), 1, G.data(), curvature.data()));
  CHECK(rows.asked == std::vector<int>{15, 27});
  for (std::size_t p = 0; p < 3; ++p) {
    CHECK(G[p] == 2 * std::sin(q[p]));
    const double expected = 2 * std::cos(q[p]) * v[p] * v[p] + 2 * v[3 + p] * v[3 + p];
    CHECK(curvature[p] == Approx(expected).epsilon(1e-7));
  }
}

TEST_CASE("where lines are of no use they are left alone for twenty batches", "[differences]") {
  // A jump at the first point.
  TwoRows rows([](double q1) { return q1 > 0.3 ? 1.0 : 0.0; });
  JacobianLines lines;
  std::vector<double> G(12), curvature(6);
  const auto evaluate = [&] {
    return lines.evaluate(rows.functions, three_points(), 1, G.data(), curvature.data());
  };
  CHECK_FALSE(evaluate());
  CHECK_FALSE(evaluate());
  CHECK(lines.knows_G());
  CHECK(rows.asked == std::vector<int>{15, 27});
  for (int batch = 0; batch < 20; ++batch) {
    CAPTURE(batch);
    CHECK_FALSE(evaluate());
    CHECK_FALSE(lines.knows_G());
  }
  CHECK(rows.asked.size() == 2);
  CHECK_FALSE(evaluate());
  CHECK(lines.knows_G());
  CHECK(rows.asked.size() == 3);
}

TEST_CASE("arrays of functions have the shapes of what they are named for", "[core][adapt]") {
  struct Shape {
    const char* name;
    int rows, columns;
  };
  const auto check = [](Kind kind, Structure::Mass mass, const std::vector<Shape>& expected) {
    ProblemFunctions of{.kind = kind, .sizes = {.nq = 7, .ny = 2, .nk = 1, .nw = 4, .nh = 5}};
    of.mass = mass;
    const std::vector<FunctionArray> arrays = arrays_of(of);
    CAPTURE(name_of(kind));
    REQUIRE(arrays.size() == expected.size());
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      CAPTURE(expected[i].name);
      CHECK(std::string(arrays[i].name) == expected[i].name);
      CHECK(arrays[i].rows == expected[i].rows);
      CHECK(arrays[i].columns == expected[i].columns);
    }
  };
  using Mass = Structure::Mass;
  check(Kind::ordinary, Mass::dense, {{"f", 7, 1}, {"f_q", 7, 7}});
  check(Kind::index_2, Mass::dense,
        {{"f", 7, 1}, {"B", 7, 2}, {"g", 3, 1}, {"G", 3, 7}, {"g_t", 3, 1}, {"f_q", 7, 7}});
  check(Kind::second_order, Mass::dense,
        {{"f", 7, 1},
         {"B", 7, 2},
         {"g", 3, 1},
         {"G", 3, 7},
         {"g_t", 3, 1},
         {"curvature", 3, 1},
         {"f_q", 7, 7},
         {"f_v", 7, 7}});
  for (const Mass mass : {Mass::dense, Mass::diagonal}) {
    check(Kind::multibody, mass,
          {{"f", 7, 1},
           {"M", 7, mass == Mass::diagonal ? 1 : 7},
           {"g", 3, 1},
           {"G", 3, 7},
           {"g_t", 3, 1},
           {"curvature", 3, 1},
           {"f_q", 7, 7},
           {"f_v", 7, 7}});
  }
  check(Kind::invariants, Mass::dense,
        {{"f", 7, 1},
         {"f_q", 7, 7},
         {"f_w", 7, 4},
         {"r_q", 4, 7},
         {"r", 4, 1},
         {"h", 5, 1},
         {"r_w", 4, 4},
         {"H", 5, 7}});
}

TEST_CASE("the first derivative that is given, or is not, is one that has entries",
          "[core][adapt]") {
  ProblemFunctions of{.kind = Kind::invariants, .sizes = {.nq = 2, .nw = 0, .nh = 1}};
  const auto first = [&](bool given) -> std::string {
    const std::vector<FunctionArray> arrays = arrays_of(of);
    const FunctionArray* const found = first_of_f_jacobian(of, arrays, given);
    return found == nullptr ? "none" : found->name;
  };
  CHECK(first(true) == "none");
  CHECK(first(false) == "f_q");
  of.f_q = [](const Points&, double*) {};
  CHECK(first(true) == "f_q");
  CHECK(first(false) == "none");  // Without w there is no f_w, and no r.
  of.sizes.nw = 1;
  CHECK(first(false) == "f_w");
  for (const Ask one : {Ask::f_q, Ask::f_v, Ask::f_w, Ask::r_q}) CHECK(is_of_f_jacobian(one));
  for (const Ask one : {Ask::f, Ask::M, Ask::G, Ask::r, Ask::r_w, Ask::H}) {
    CHECK_FALSE(is_of_f_jacobian(one));
  }
}

}  // namespace daewave
