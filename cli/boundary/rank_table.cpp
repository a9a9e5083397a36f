#include "cli/boundary/rank_table.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "io/csv.hpp"

namespace daewave::cli {
namespace {

/// Those of the whole that are this part's: a node between two parts is that of the left one.
std::vector<double> times_of(const bvp::Solution& part, int points) {
  const Mesh& mesh = part.mesh();
  const MeshShare& share = part.share();
  if (!share.is_told_here()) return {};
  if (points == 0) {
    return {mesh.nodes().begin() + (share.has_begin() ? 0 : 1), mesh.nodes().end()};
  }
  std::vector<double> times;
  for (int i = 0; i < points; ++i) {
    // As bvp::Solution::table() has them.
    const double t =
        i + 1 == points ? share.end : share.begin + (share.end - share.begin) * i / (points - 1);
    const bool behind = t > mesh.begin() || share.has_begin();
    if (behind && t <= mesh.end()) times.push_back(t);
  }
  return times;
}

/// Row after row.
std::vector<double> rows_of(const Table& table) {
  std::vector<double> rows;
  rows.reserve(table.columns.size() * static_cast<std::size_t>(table.rows()));
  for (int i = 0; i < table.rows(); ++i) {
    for (const std::vector<double>& column : table.columns) rows.push_back(column[i]);
  }
  return rows;
}

}  // namespace

void write_csv(const std::string& path, const bvp::Solution& part, int points,
               const Communicator& ranks) {
  constexpr std::size_t at_once = 4096;
  const std::vector<double> times = times_of(part, points);
  std::optional<io::CsvStream> file;
  std::size_t width = 0;
  const auto add = [&](const std::vector<double>& rows) {
    for (std::size_t i = 0; i < rows.size(); i += width) file->add({&rows[i], width});
  };
  if (ranks.rank() == 0) {
    const std::vector<std::string> names = part.values().table({}).names;
    width = names.size();
    file.emplace(path, names);
  }
  for (std::size_t i = 0; i < times.size(); i += at_once) {
    const auto begin = times.begin() + static_cast<std::ptrdiff_t>(i);
    const auto end =
        times.begin() + static_cast<std::ptrdiff_t>(std::min(i + at_once, times.size()));
    // One by one: what is evaluated together has bits of how many there are.
    std::vector<double> rows;
    for (auto t = begin; t != end; ++t) {
      const std::vector<double> row = rows_of(part.values().table({*t}));
      rows.insert(rows.end(), row.begin(), row.end());
    }
    if (file) {
      add(rows);
    } else {
      ranks.send(0, as_text(rows));
    }
  }
  if (!file) {
    ranks.send(0, "");  // There are no more.
    return;
  }
  for (int rank = 1; rank < ranks.size(); ++rank) {
    for (std::string text = ranks.receive(rank); !text.empty(); text = ranks.receive(rank)) {
      add(as_numbers(text));
    }
  }
  file->commit();
}

}  // namespace daewave::cli
