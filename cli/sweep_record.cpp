#include "cli/sweep_record.hpp"

#include <bit>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "io/checksum.hpp"

namespace daewave::cli {
namespace {

std::string checksum_of(const std::string& text) {
  io::Checksum sum;
  sum.add(text);
  return sum.text();
}

}  // namespace

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
  const std::string text =
      json.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
  return text + " " + checksum_of(text);
}

std::optional<SweepRecord> record_from(const std::string& text) {
  const std::size_t space = text.rfind(' ');
  if (space == std::string::npos) return {};
  const std::string body = text.substr(0, space);
  if (checksum_of(body) != text.substr(space + 1)) return {};
  const auto json = nlohmann::json::parse(body, nullptr, false);
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
