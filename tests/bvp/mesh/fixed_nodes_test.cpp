// Nodes that stay, on meshes and on those chosen in their place.

#include "bvp/mesh/fixed_nodes.hpp"

#include <algorithm>
#include <cmath>

#include "bvp/mesh/mesh_choice.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

bool has_node(const Mesh& mesh, double t) { return nodes_among({t}, mesh).size() == 1; }

/// x = |t - c|, with its slopes.
CollocationCurve corner(const Mesh& mesh, double c) {
  const Collocation scheme = collocation(Scheme::gauss, 3);
  CollocationValues values;
  values.x.resize(1, mesh.intervals() + 1);
  values.slopes.resize(1, 3 * mesh.intervals());
  for (int i = 0; i <= mesh.intervals(); ++i) values.x(0, i) = std::abs(mesh.node(i) - c);
  for (int i = 0; i < mesh.intervals(); ++i) {
    for (int j = 0; j < 3; ++j) {
      values.slopes(0, 3 * i + j) = mesh.node(i) + scheme.c[j] * mesh.step(i) < c ? -1 : 1;
    }
  }
  return {mesh, scheme, values};
}

/// x = t^2, with its slopes.
CollocationCurve bend(const Mesh& mesh) {
  const Collocation scheme = collocation(Scheme::gauss, 2);
  CollocationValues values;
  values.x.resize(1, mesh.intervals() + 1);
  values.slopes.resize(1, 2 * mesh.intervals());
  for (int i = 0; i <= mesh.intervals(); ++i) values.x(0, i) = mesh.node(i) * mesh.node(i);
  for (int stage = 0; stage < 2 * mesh.intervals(); ++stage) {
    const int i = stage / 2;
    values.slopes(0, stage) = 2 * (mesh.node(i) + scheme.c[stage % 2] * mesh.step(i));
  }
  return {mesh, scheme, values};
}

}  // namespace

TEST_CASE("fixed nodes push others aside that are close, and no more", "[mesh][fixed]") {
  const Mesh mesh = uniform_mesh(0, 1, 10);
  const Mesh with = with_nodes(mesh, {0.44}, {0.31, 0.65});
  CHECK(with.intervals() == 12);
  for (const double t : {0.2, 0.31, 0.4, 0.44, 0.6, 0.65, 0.7})
    CHECK(has_node(with, mesh.begin() + t));
  CHECK_FALSE(has_node(with, mesh.node(3)));
  CHECK(with_nodes(with, {}, {0.31, 0.65}).nodes() == with.nodes());
  CHECK(with_nodes(mesh, {}, {-1, 0, 1, 2}).nodes() == mesh.nodes());
  // Of one interval, and of fewer intervals than there are fixed nodes.
  CHECK(with_nodes(uniform_mesh(0, 1, 1), {}, {0.1, 0.2, 0.9}).nodes() ==
        std::vector<double>{0, 0.1, 0.2, 0.9, 1});
  for (int intervals = 1; intervals <= 40; ++intervals) {
    const Mesh other = resized_with(mesh, intervals, {0.123, 0.7});
    CHECK(nodes_among({0.123, 0.7}, other).size() == 2);
    CHECK(std::abs(other.intervals() - intervals) <= 2);
  }
  // A mesh that was given keeps all that are not the same but for rounding.
  const Mesh given = with_fixed(mesh, {0.3, 0.31});
  CHECK(given.intervals() == 11);
  CHECK(has_node(given, 0.3));
  CHECK(given.smallest_step() > 0.009);
}

TEST_CASE("a time is kept away from nodes as far as fixed ones let it be", "[mesh][fixed]") {
  const Collocation scheme = collocation(Scheme::gauss, 4);
  const Mesh mesh = uniform_mesh(0, 1, 40);
  for (const double t : {0.5, 0.503, 0.0131, 0.97}) {
    for (const double off : {-0.03, -0.004, -1e-6, 0.0, 1e-9, 0.002, 0.02}) {
      for (const double least : {1e-6, 0.02, 0.1}) {
        const std::vector<double> fixed{t + off, t + 0.025};
        CAPTURE(t, off, least);
        const Mesh away = kept_away(with_nodes(mesh, {}, fixed), scheme, {{t, least}}, fixed);
        for (const double node : fixed) CHECK((node <= 0 || has_node(away, node)));
        CHECK(away.intervals() <= 46);
        CHECK(kept_away(away, scheme, {{t, least}}, fixed).nodes() == away.nodes());
      }
    }
  }
  // Those further away change nothing.
  CHECK(kept_away(mesh, scheme, {{0.503, 0.02}}, {mesh.node(2), mesh.node(38)}).nodes() ==
        kept_away(mesh, scheme, {{0.503, 0.02}}).nodes());
}

TEST_CASE("of times those are told that are nodes, and at which a slope jumps", "[mesh][fixed]") {
  const Mesh mesh({0, 0.2, 0.35, 0.6, 1});
  CHECK(nodes_among({0.1, 0.35, 0.6, 0.7}, mesh) == std::vector<double>{0.35, 0.6});
  CHECK(jumps_among({0, 0.2, 0.35, 0.5, 0.6, 1}, corner(mesh, 0.35)) == std::vector<double>{0.35});
  // Between two nodes, where stages lie on nodes.
  const double before = 0.35 - 1e-12;
  const Mesh pair({0, 0.2, before, 0.35, 0.6, 1});
  CHECK(jumps_among({0.2, before, 0.35, 0.6}, corner(pair, 0.35)) ==
        std::vector<double>{before, 0.35});
}

TEST_CASE("a slope that turns from node to node jumps at none", "[mesh][fixed]") {
  const Mesh mesh({0, 0.2, 0.35, 0.6, 1});
  CHECK(jumps_among({0.2, 0.35, 0.6}, bend(mesh)).empty());
  // Nor where two nodes are as close as the sides of a jump would be.
  const double before = 0.35 - 1e-12;
  CHECK(jumps_among({0.2, before, 0.35, 0.6}, bend(Mesh({0, 0.2, before, 0.35, 0.6, 1}))).empty());
}

TEST_CASE("nodes that are the same but for rounding are one, those where a jump was found",
          "[mesh][fixed]") {
  const double c = 0.3, below = std::nextafter(c, 0), above = std::nextafter(c, 1);
  CHECK(joined({0.1, 0.4}, {0.4, 0.2, 0.05}, 1) == std::vector<double>{0.05, 0.1, 0.2, 0.4});
  CHECK(joined({0.1, c}, {below, above, 0.5}, 1) == std::vector<double>{0.1, c, 0.5});
  CHECK(joined_with_jumps({c}, {0.1, c, 0.5}, 1) == std::vector<double>{0.1, c, 0.5});
  CHECK(joined_with_jumps({c}, {below}, 1) == std::vector<double>{below});
  CHECK(joined_with_jumps({0.1, c, 0.5}, {above}, 1) == std::vector<double>{0.1, above, 0.5});
  CHECK(joined_with_jumps({c}, {c - 1e-12, c}, 1) == std::vector<double>{c - 1e-12, c});
}

TEST_CASE("meshes that share most intervals are no other meshes", "[mesh][fixed]") {
  const Mesh mesh = uniform_mesh(0, 1, 10);
  CHECK_FALSE(is_other(mesh, mesh));
  CHECK(is_other(mesh.halved(), mesh));
  CHECK(is_other(uniform_mesh(0, 1, 9), mesh));
  std::vector<double> nodes = mesh.nodes();
  nodes.erase(nodes.begin() + 5);
  CHECK_FALSE(is_other(Mesh(nodes), mesh));
  CHECK_FALSE(is_other(mesh, Mesh(nodes)));
  CHECK(is_other(Mesh({0, mesh.node(5), 1}), mesh));
}

}  // namespace daewave::bvp
