// Singular poses are found on a scan, whether the motion passes them or not.

#include "core/start/pose_scan.hpp"

#include <cmath>

#include "tests/models/model_runs.hpp"

using namespace daewave;
using namespace daewave::models;

namespace {

PoseScan scanned(const Model& model) {
  return scan_poses(*model.problem, model.start, model.interval.begin);
}

}  // namespace

TEST_CASE("a slider-crank with equal bars is singular where they lie on each other",
          "[models][poses]") {
  const Model model = read_model(example_folder + "slider-crank.toml");
  const PoseScan scan = scanned(model);
  CHECK(scan.directions == 1);
  REQUIRE(scan.poses.size() == 2);
  for (const SingularPose& pose : scan.poses) {
    CHECK(pose.rank == 4);
    CHECK(std::abs(std::cos(entry(model, pose.q, "crank.phi"))) < 1e-6);
    CHECK(std::abs(std::cos(entry(model, pose.q, "rod.phi"))) < 1e-6);
  }
}

TEST_CASE("a four-bar is singular where all of its bars can lie in a line", "[models][poses]") {
  // 1 + 2.5 = 2 + 1.5: they can.
  CHECK(scanned(read_model(example_folder + "four-bar.toml")).poses.size() == 1);
  std::string text = read_model_text(example_folder + "four-bar.toml");
  text.replace(text.find("[2.5, 0]"), 8, "[2.4, 0]");
  const PoseScan scan = scanned(model_of(text, "four-bar.toml"));
  CHECK(scan.directions == 1);
  CHECK(scan.poses.empty());
}

TEST_CASE("a parallelogram is singular where its bars lie in a line", "[models][poses]") {
  const PoseScan scan = scanned(read_model(example_folder + "double-four-bar.toml"));
  CHECK(scan.directions == 1);
  CHECK(scan.poses.size() == 2);
}

TEST_CASE("what is driven, and what is no mechanism, has no direction to be scanned",
          "[models][poses]") {
  CHECK(scanned(read_model(example_folder + "driven-crank.toml")).directions == 0);
  CHECK(scanned(read_model(example_folder + "ap91.toml")).directions == 0);
}
