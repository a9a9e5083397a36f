// The mesh that follows another, and what meshes take of memory.

#include "bvp/mesh/next_mesh.hpp"

#include "bvp/mesh/fixed_nodes.hpp"
#include "bvp/mesh/mesh_memory.hpp"
#include "core/error.hpp"
#include "tests/bvp/made_up_solution.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

const Collocation three_stages = collocation(Scheme::gauss, 3);

/// Tells kinks and times to keep away from; solves nothing.
class Teller final : public MeshSolver {
 public:
  std::vector<double> kinks;
  std::vector<KeptAway> away;
  std::vector<int> asked;  ///< Intervals searched for kinks.

  Solution solve(const Mesh&, const std::vector<double>&, const Solution*, MeshRole) override {
    return {};
  }
  Look look_at(const Solution&, LookFor, int) override { return {}; }
  std::vector<double> kinks_of(const Solution&, const std::vector<int>& intervals) override {
    asked = intervals;
    return kinks;
  }
  bool misses_constraint(Solution&, double) override { return false; }
  std::string danger(const Mesh&) const override { return ""; }
  std::vector<KeptAway> keeps_away(const Solution&, double part) override {
    std::vector<KeptAway> all = away;
    for (KeptAway& from : all) from.least_step *= part;
    return all;
  }
  std::string spent(const Solution&) const override { return ""; }
};

IntervalErrors errors_of(int intervals, double x) {
  return {VecX::Constant(intervals, x), VecX::Zero(intervals)};
}

}  // namespace

TEST_CASE("kinks that stand out become nodes, and the errors of their intervals do not count",
          "[mesh][next]") {
  Teller teller;
  const Mesh mesh = uniform_mesh(0, 1, 10);
  const Solution now = testing::made_up(testing::straight(mesh, 1, 1));
  const RefinementControl control{.tolerance = 1e-6, .fixed_nodes = {0.25}};
  NextMesh next(teller, control, mesh);
  CHECK(next.fixed() == std::vector<double>{0.25});
  // Nothing stands out: nothing is searched.
  next.without_kinks(now, errors_of(10, 1e-3));
  CHECK(teller.asked.empty());
  IntervalErrors steep = errors_of(10, 1e-3);
  steep.x[6] = 1;
  teller.kinks = {0.6789};
  const IntervalErrors left = next.without_kinks(now, steep);
  CHECK(teller.asked == std::vector<int>{6});
  CHECK(left.x == errors_of(10, 1e-3).x);
  CHECK(next.fixed() == std::vector<double>{0.25, 0.6789});
  const Mesh chosen = next.choose(mesh, left, three_stages, 1e-6, 8);
  CHECK(nodes_among({0.25, 0.6789}, chosen).size() == 2);
  // What is found to jump is a node too.
  next.fixed_with({0.1});
  CHECK(next.fixed() == std::vector<double>{0.1, 0.25, 0.6789});
  CHECK(nodes_among(next.fixed(), next.of_size(mesh, 5, three_stages)).size() == 3);
}

TEST_CASE("the next mesh keeps away from times, each time another way", "[mesh][next]") {
  Teller teller;
  teller.away = {{0.5, 0.05}};
  const Mesh mesh = uniform_mesh(0, 1, 20);
  const Solution now = testing::made_up(testing::straight(mesh, 1, 1));
  const RefinementControl control{.tolerance = 1e-6};
  NextMesh next(teller, control, mesh);
  CHECK_FALSE(next.keeps_away());
  next.look_at(now);
  CHECK(next.keeps_away());
  CHECK_FALSE(next.is_arranged(mesh, three_stages));
  const Mesh arranged = next.arranged(mesh, three_stages);
  CHECK(next.is_arranged(arranged, three_stages));
  const auto around = [](const Mesh& of) { return of.step(of.locate(0.5)); };
  CHECK(around(arranged) >= 0.0499);
  const Mesh first =
      next.choose(arranged, errors_of(arranged.intervals(), 1e-7), three_stages, 1e-8, 8);
  const Mesh second = next.choose(first, errors_of(first.intervals(), 1e-7), three_stages, 1e-8, 8);
  for (const Mesh* chosen : {&first, &second}) {
    const int i = chosen->locate(0.5);
    CHECK(0.5 - chosen->node(i) > 0.2 * chosen->step(i));
    CHECK(chosen->node(i + 1) - 0.5 > 0.2 * chosen->step(i));
  }
  const double ratio = around(first) / around(second);
  CHECK((ratio > 1.5 || ratio < 0.67));
}

TEST_CASE("intervals around times come closer where their errors are above the tolerance",
          "[mesh][next]") {
  Teller teller;
  teller.away = {{0.5, 0.05}};
  const Mesh mesh = uniform_mesh(0, 1, 40);
  const Solution now = testing::made_up(testing::straight(mesh, 1, 1));
  const RefinementControl control{.tolerance = 1e-6};
  /// The interval around them on meshes after one that is chosen for such errors.
  const auto around = [&](double error) {
    NextMesh next(teller, control, mesh);
    next.look_at(now);
    const Mesh arranged = next.arranged(mesh, three_stages);
    next.choose(arranged, errors_of(arranged.intervals(), error), three_stages, 1e-9, 8);
    next.look_at(now);
    const Mesh after = next.arranged(mesh, three_stages);
    return after.step(after.locate(0.5));
  };
  CHECK(around(9e-7) == Approx(0.05).epsilon(1e-2));
  CHECK(around(2e-6) == Approx(0.025).epsilon(1e-2));
}

TEST_CASE("a mesh of too many intervals, or of more than memory holds, is beyond", "[mesh][next]") {
  Teller teller;
  const Mesh mesh = uniform_mesh(0, 1, 10);
  RefinementControl control{.max_intervals = 500, .bytes_per_interval = 1e3};
  NextMesh next(teller, control, mesh);
  CHECK_FALSE(next.is_beyond(500));
  CHECK(next.is_beyond(501));
  CHECK(next.beyond_memory().empty());
  control.max_intervals = 1 << 30;
  control.bytes_per_interval = 1e9;
  CHECK(next.is_beyond(100'000));
  CHECK_THAT(next.beyond_memory(), contains_text("the free memory"));
  CHECK_THAT(next.beyond_memory(), contains_text("intervals of about"));
  CHECK_FALSE(next.is_beyond(1));
  CHECK(next.beyond_memory().empty());
}

TEST_CASE("bytes of an interval are those of its matrix, its factors and its stages", "[mesh]") {
  // Matrix 2 n^2, factors 3 n^2, each stage 2 n^2 + 16 n and more for what is carried; 8 n.
  CHECK(bytes_per_interval(2, 0, 3) == 8 * (5 * 4 + 3 * (2 * 4 + 16 * 2) + 8 * 2));
  CHECK(bytes_per_interval(2, 1, 3) == bytes_per_interval(2, 0, 3) + 8 * 3 * (3 * 2 + 6));
  CHECK_NOTHROW(check_memory(1000, 1e3));
  CHECK_THROWS_WITH(check_memory(1 << 30, 1e6), contains_text("intervals = 1073741824"));
}

TEST_CASE("largest steps hold for meshes that are chosen, and growth is bounded", "[mesh][next]") {
  Teller teller;
  const Mesh mesh = uniform_mesh(0, 1, 10);
  const RefinementControl control{.largest_step = 0.02};
  NextMesh next(teller, control, mesh);
  CHECK(next.choose(mesh, errors_of(10, 1e-9), three_stages, 1e-6, 8).largest_step() <= 0.0201);
  const RefinementControl open{};
  NextMesh grows(teller, open, mesh);
  CHECK(grows.choose(mesh, errors_of(10, 1e9), three_stages, 1e-6, 3).intervals() == 30);
  // One that would be the same is halved.
  CHECK(grows.choose(mesh, errors_of(10, 1e9), three_stages, 1e-6, 1).intervals() == 20);
}

}  // namespace daewave::bvp
