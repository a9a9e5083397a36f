#include "io/report_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/io/scratch_directory.hpp"

namespace daewave::io {

namespace {

using Json = nlohmann::json;

Report full_report() {
  Report report;
  report.termination = Termination::converged;
  report.message = "all \"that\" was asked";
  report.choices = {{"epsilon", "1e-3", true, ""}, {"mesh", "500", false, "by tolerance"}};
  report.history = {{1, 0.5, 0.25, std::nan(""), 1e-16, 2}};
  report.singular_points = {{0.5, 0, "vanishing row", "symmetric limit"}};
  report.warnings = {"one", "two"};
  report.linear_solve.tried = {"block_lu: residual 1"};
  report.linear_solve.worst_residual = INFINITY;
  report.conditioning.growing = 3;
  report.error.By = -INFINITY;
  report.error.iterates = 0.5;
  report.integration.available = true;
  report.integration.steps = 7;
  report.integration.drift_velocity = 0.125;
  report.integration.pivot_ratio = 0.25;
  report.integration.energy_change = std::nan("");
  report.seconds.total = 0.1;
  return report;
}

}  // namespace

TEST_CASE("a report in JSON reads back, numbers that are not finite as null", "[io]") {
  const Json json = Json::parse(report_json(full_report()));
  CHECK(json["schema"] == "daewave.report");
  CHECK(json["schema_version"] == report_schema_version);
  CHECK(json["termination"] == "converged");
  CHECK(json["usable"] == true);
  CHECK(json["message"] == "all \"that\" was asked");
  CHECK(json["choices"][0]["by_user"] == true);
  CHECK(json["choices"][1]["reason"] == "by tolerance");
  CHECK(json["history"][0]["drift"].is_null());
  CHECK(json["history"][0]["change"] == 0.5);
  CHECK(json["history"][0]["change_at"] == 0.25);
  CHECK(json["singular_points"][0]["passed_by"] == "symmetric limit");
  CHECK(json["warnings"] == Json({"one", "two"}));
  CHECK(json["linear_solve"]["tried"][0] == "block_lu: residual 1");
  CHECK(json["linear_solve"]["worst_residual"].is_null());
  CHECK(json["conditioning"]["growing"] == 3);
  CHECK(json["error"]["By"].is_null());
  CHECK(json["error"]["iterates"] == 0.5);
  CHECK(json["integration"]["steps"] == 7);
  CHECK(json["integration"]["drift_velocity"] == 0.125);
  CHECK(json["integration"]["pivot_ratio"] == 0.25);
  CHECK(json["integration"]["pivot_ratio_at"] == 0);
  CHECK(json["integration"]["energy_change"].is_null());
  CHECK(json["seconds"]["total"] == 0.1);
}

TEST_CASE("a report that never ran has every field", "[io]") {
  const Json json = Json::parse(report_json(Report{}));
  CHECK(json["termination"] == "not_run");
  CHECK(json["usable"] == false);
  for (const char* name : {"choices", "history", "singular_points", "warnings"}) {
    CHECK(json[name] == Json::array());
  }
  for (const char* name : {"integration", "linear_solve", "conditioning", "error", "seconds"}) {
    CHECK(json[name].is_object());
  }
  for (const char* name : {"advice", "problem", "nx", "ny", "parasitic_growth"}) {
    CHECK(json.contains(name));
  }
}

TEST_CASE("text that is not UTF-8 does not stop a report", "[io]") {
  Report report;
  report.problem = "caf\xe9";
  CHECK(Json::parse(report_json(report))["problem"] == "caf\uFFFD");
}

TEST_CASE("a report is written as one JSON document", "[io]") {
  const ScratchDirectory scratch;
  write_report_json(scratch.file("r.json"), full_report());
  CHECK(contents_of(scratch.file("r.json")) == report_json(full_report()) + "\n");
  CHECK_THROWS_AS(write_report_json(scratch.file("no/r.json"), {}), FileError);
}

}  // namespace daewave::io
