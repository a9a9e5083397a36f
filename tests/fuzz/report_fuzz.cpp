// Reports with any texts and numbers become JSON that can be parsed.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "io/report_json.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  double number = 0;
  if (size < sizeof number) return 0;
  std::memcpy(&number, data, sizeof number);
  const std::string text(reinterpret_cast<const char*>(data), size);
  daewave::Report report;
  report.problem = report.message = report.advice = text;
  report.warnings = {text, ""};
  report.choices.push_back({text, text, true, text});
  report.smallest_step = report.integration.energy_start = report.error.x = number;
  const auto json = nlohmann::json::parse(daewave::io::report_json(report), nullptr, false);
  if (json.is_discarded() || !json.contains("schema_version")) std::abort();
  return 0;
}
