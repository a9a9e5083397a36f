#include "cli/sweep/sweep_record.hpp"

#include <bit>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "cli/sweep/checked_line.hpp"

namespace daewave::cli {

std::string text_of(const SweepRecord& record) {
  nlohmann::ordered_json json;
  json["member"] = record.number;
  json["seconds"] = record.seconds;
  if (!record.error.empty()) json["error"] = record.error;
  if (record.run) {
    json["solved"] = record.run->solved;
    json["brief"] = record.run->brief;
    // Those that are missing are NaN, which JSON has not.
    auto& values = json["values"] = nlohmann::ordered_json::array();
    for (const double value : record.run->values) {
      values.push_back(std::bit_cast<std::uint64_t>(value));
    }
  }
  return with_checksum(json.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace));
}

std::optional<SweepRecord> record_from(const std::string& text) {
  const std::optional<std::string> body = without_checksum(text);
  if (!body) return {};
  const auto json = nlohmann::json::parse(*body, nullptr, false);
  if (!json.is_object() || !json.contains("member")) return {};
  SweepRecord record;
  record.number = json["member"].get<int>();
  record.seconds = json["seconds"].get<double>();
  record.error = json.value("error", "");
  if (!json.contains("values")) return record;
  SweptRun& run = record.run.emplace();
  run.solved = json["solved"].get<bool>();
  run.brief = json["brief"].get<std::string>();
  for (const auto& bits : json["values"]) {
    run.values.push_back(std::bit_cast<double>(bits.get<std::uint64_t>()));
  }
  return record;
}

}  // namespace daewave::cli
