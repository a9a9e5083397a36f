// A mesh that is looked at in parts: what is told of it does not depend on them.

#include "bvp/residual/look_in_parts.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "tests/bvp/lone_rank.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

const testing::LoneRank alone;
const Mesh mesh = uniform_mesh(2, 5, 8);

/// Intervals 0 to 2, 3 to 6 and 7.
MeshShare in_three() {
  MeshShare share;
  share.ranks = &alone;
  share.all = 8;
  share.begin = 2;
  share.end = 5;
  share.borders = {0, 3, 7, 8};
  share.shares = {0, 8};
  return share;
}

}  // namespace

TEST_CASE("each part of a mesh is looked at once, in parts of the length of all of it",
          "[residual][parts]") {
  std::vector<int> begins, ends;
  const auto look = [&](const MeshPart& part) {
    begins.push_back(part.intervals.begin);
    ends.push_back(part.intervals.end);
    CHECK(part.length == 3);
    return Look{};
  };
  look_in_parts(in_three(), mesh, 10, look);
  CHECK(begins == std::vector<int>{0, 3, 7});
  CHECK(ends == std::vector<int>{3, 7, 8});
  begins.clear();
  ends.clear();
  look_in_parts({}, mesh, 10, look);
  CHECK(begins == std::vector<int>{0});
  CHECK(ends == std::vector<int>{8});
}

TEST_CASE("what is seen in parts is the worst of them, with all nodes and all intervals",
          "[residual][parts]") {
  const auto look = [&](const MeshPart& part) {
    Look here;
    const int first = part.intervals.begin, count = part.intervals.end - first;
    here.tolerance = 1e-3;
    here.seen.worst = first == 3 ? 7 : 2;
    here.seen.at = mesh.node(first);
    for (int i = count; i-- > 0;) here.seen.nodes.push_back(mesh.node(first + i));
    here.seen.jumps = {mesh.node(first) + 0.01};
    here.seen.integral = VecX::LinSpaced(count, first, first + count - 1);
    here.seen.value = 10 * here.seen.integral;
    here.is_stiff = first == 3;
    if (first > 0) here.failure = fmt::format("part {}", first);
    return here;
  };
  const Look all = look_in_parts(in_three(), mesh, 6, look);
  CHECK(all.tolerance == 1e-3);
  CHECK(all.seen.worst == 7);
  CHECK(all.seen.at == mesh.node(3));
  // The first of them, increasing.
  CHECK(all.seen.nodes == std::vector<double>(mesh.nodes().begin(), mesh.nodes().begin() + 6));
  CHECK(all.seen.jumps == std::vector<double>{2.01, mesh.node(3) + 0.01, mesh.node(7) + 0.01});
  CHECK(all.seen.integral == VecX(VecX::LinSpaced(8, 0, 7)));
  CHECK(all.seen.value == VecX(10 * VecX::LinSpaced(8, 0, 7)));
  CHECK(all.failure == "part 3");
  CHECK(all.is_stiff);
  // Long steps are told where there are some.
  const auto easy = [](const MeshPart&) {
    Look here;
    here.is_stiff = false;
    return here;
  };
  CHECK_FALSE(look_in_parts(in_three(), mesh, 6, easy).is_stiff);
  CHECK(look_in_parts(in_three(), mesh, 6, easy).seen.nodes.empty());
  CHECK(look_in_parts(in_three(), mesh, 6, easy).failure.empty());
  // One part is told as it is.
  const Look one = look_in_parts({}, mesh, 6, look);
  CHECK(one.seen.nodes.size() == 8);
  CHECK(one.seen.worst == 2);
  CHECK(one.failure.empty());
  CHECK_FALSE(one.is_stiff);
}

TEST_CASE("kinks are looked for in the intervals that are here, by their number here",
          "[residual][parts]") {
  MeshShare share = in_three();
  std::vector<int> asked;
  const auto find = [&](const std::vector<int>& intervals) {
    asked = intervals;
    return std::vector<double>{2.5, 3.5};
  };
  CHECK(kinks_in_parts(share, mesh, {0, 5, 7}, find) == std::vector<double>{2.5, 3.5});
  CHECK(asked == std::vector<int>{0, 5, 7});
  // As the part of a longer one that begins with its interval 4.
  share.first = 4;
  share.all = 20;
  kinks_in_parts(share, mesh, {1, 4, 6, 11, 12, 19}, find);
  CHECK(asked == std::vector<int>{0, 2, 7});
}

}  // namespace daewave::bvp
