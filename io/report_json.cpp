#include "io/report_json.hpp"

#include <nlohmann/json.hpp>

#include "io/atomic_file.hpp"

namespace daewave::io {

namespace {

using Json = nlohmann::ordered_json;  // NaN and infinities are dumped as null

Json to_json(const Choice& c) {
  return {{"name", c.name}, {"value", c.value}, {"by_user", c.by_user}, {"reason", c.reason}};
}

Json to_json(const ParameterReport& p) {
  return {{"name", p.name}, {"value", p.value}, {"found", p.found}};
}

Json to_json(const IterateReport& r) {
  return {{"iterate", r.iterate}, {"change", r.change},     {"change_at", r.change_at},
          {"drift", r.drift},     {"residual", r.residual}, {"refinements", r.refinements}};
}

Json to_json(const SingularPoint& p) {
  return {{"t", p.t}, {"pivot", p.pivot}, {"kind", p.kind}, {"passed_by", p.passed_by}};
}

Json to_json(const LinearSolveReport& r) {
  return {{"asked", r.asked},
          {"used", r.used},
          {"tried", r.tried},
          {"analyses", r.analyses},
          {"factorizations", r.factorizations},
          {"solves", r.solves},
          {"refinements", r.refinements},
          {"worst_residual", r.worst_residual},
          {"bytes_per_interval", r.bytes_per_interval}};
}

Json to_json(const ConditioningReport& r) {
  return {
      {"available", r.available}, {"boundary", r.boundary}, {"influence", r.influence},
      {"forcing", r.forcing},     {"rounding", r.rounding}, {"growing", r.growing},
      {"decaying", r.decaying},   {"neutral", r.neutral},   {"fastest_growth", r.fastest_growth}};
}

Json to_json(const ErrorEstimate& e) {
  return {{"available", e.available}, {"x", e.x},    {"By", e.By}, {"tolerance", e.tolerance},
          {"iterates", e.iterates},   {"how", e.how}};
}

Json to_json(const IntegrationReport& r) {
  return {{"available", r.available},
          {"begin", r.begin},
          {"reached", r.reached},
          {"end", r.end},
          {"steps", r.steps},
          {"rejected", r.rejected},
          {"evaluations", r.evaluations},
          {"smallest_step", r.smallest_step},
          {"largest_step", r.largest_step},
          {"drift_position", r.drift_position},
          {"drift_velocity", r.drift_velocity},
          {"index", r.index},
          {"constraints", r.constraints},
          {"rank", r.rank},
          {"guarded", r.guarded},
          {"parameter_choices", r.parameter_choices},
          {"pivot_ratio", r.pivot_ratio},
          {"pivot_ratio_at", r.pivot_ratio_at},
          {"has_energy", r.has_energy},
          {"energy_start", r.energy_start},
          {"energy_change", r.energy_change},
          {"events", r.events},
          {"restarts", r.restarts}};
}

Json to_json(const Seconds& s) {
  return {
      {"condense", s.condense}, {"factorize", s.factorize}, {"solve", s.solve}, {"total", s.total}};
}

template <class T>
Json list(const std::vector<T>& values) {
  Json array = Json::array();
  for (const T& value : values) array.push_back(to_json(value));
  return array;
}

}  // namespace

std::string report_json(const Report& report) {
  Json json;
  json["schema"] = "daewave.report";
  json["schema_version"] = report_schema_version;
  json["termination"] = name_of(report.termination);
  json["usable"] = report.usable();
  json["message"] = report.message;
  json["advice"] = report.advice;
  json["problem"] = report.problem;
  json["nx"] = report.nx;
  json["ny"] = report.ny;
  json["intervals"] = report.intervals;
  json["smallest_step"] = report.smallest_step;
  json["largest_step"] = report.largest_step;
  if (!report.parameters.empty()) json["parameters"] = list(report.parameters);
  json["choices"] = list(report.choices);
  json["history"] = list(report.history);
  json["singular_points"] = list(report.singular_points);
  json["warnings"] = report.warnings;
  json["integration"] = to_json(report.integration);
  json["linear_solve"] = to_json(report.linear_solve);
  json["conditioning"] = to_json(report.conditioning);
  json["error"] = to_json(report.error);
  json["parasitic_growth"] = report.parasitic_growth;
  json["seconds"] = to_json(report.seconds);
  // A problem name in another encoding must not make a report unwritable.
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

void write_report_json(const std::string& path, const Report& report) {
  write_file(path, report_json(report) + '\n');
}

}  // namespace daewave::io
