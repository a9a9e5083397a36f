#include "cli/output/rank_report.hpp"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

namespace daewave::cli {

std::vector<RankReport> rank_reports(const Communicator& ranks, int part) {
  const RankUsage usage = ranks.usage();
  const double mine[] = {static_cast<double>(part), usage.cpu_seconds, usage.peak_bytes,
                         static_cast<double>(usage.messages), usage.bytes_sent};
  const std::vector<double> all = gather(ranks, mine);
  std::vector<RankReport> reports;
  for (std::size_t i = 0; i < all.size(); i += std::size(mine)) {
    reports.push_back({static_cast<int>(all[i]),
                       {all[i + 1], all[i + 2], static_cast<long>(all[i + 3]), all[i + 4]}});
  }
  return reports;
}

std::string text_of(const std::vector<RankReport>& reports, const char* parts) {
  std::string text;
  for (std::size_t rank = 0; rank < reports.size(); ++rank) {
    const auto& [part, usage] = reports[rank];
    text += fmt::format(
        "rank {}: {} {}, {:.3g} s of CPU, {:.4g} MB at most, {} messages of {:.3g} kB in "
        "all\n",
        rank, part, parts, usage.cpu_seconds, usage.peak_bytes / 1e6, usage.messages,
        usage.bytes_sent / 1e3);
  }
  return text;
}

std::string with_ranks(const std::string& json, const std::vector<RankReport>& reports,
                       const char* parts) {
  auto report = nlohmann::ordered_json::parse(json);
  auto& ranks = report["ranks"] = nlohmann::ordered_json::array();
  for (const auto& [part, usage] : reports) {
    ranks.push_back({{parts, part},
                     {"cpu_seconds", usage.cpu_seconds},
                     {"peak_bytes", usage.peak_bytes},
                     {"messages", usage.messages},
                     {"bytes_sent", usage.bytes_sent}});
  }
  return report.dump(2);
}

}  // namespace daewave::cli
