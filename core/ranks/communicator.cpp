#include "core/ranks/communicator.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <cmath>
#include <cstring>

namespace daewave {
namespace {

RankUsage usage_of(int who) {
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  rusage taken{}, process{};
  ::getrusage(who, &taken);
  ::getrusage(RUSAGE_SELF, &process);
  RankUsage usage;
  usage.cpu_seconds = seconds(taken.ru_utime) + seconds(taken.ru_stime);
  usage.peak_bytes = 1024.0 * static_cast<double>(process.ru_maxrss);
  return usage;
}

}  // namespace

RankUsage usage_of_process() { return usage_of(RUSAGE_SELF); }
RankUsage usage_of_thread() { return usage_of(RUSAGE_THREAD); }

std::string as_text(std::span<const double> numbers) {
  std::string text(numbers.size_bytes(), '\0');
  if (!numbers.empty()) std::memcpy(text.data(), numbers.data(), numbers.size_bytes());
  return text;
}

std::vector<double> as_numbers(std::string_view text) {
  std::vector<double> numbers(text.size() / sizeof(double));
  if (!numbers.empty()) std::memcpy(numbers.data(), text.data(), numbers.size() * sizeof(double));
  return numbers;
}

std::vector<std::string> exchange(const Communicator& ranks, std::vector<std::string> to,
                                  const std::vector<bool>& sends, const std::vector<bool>& from) {
  const auto me = static_cast<std::size_t>(ranks.rank());
  std::vector<std::string> result(to.size());
  // One rank after the other: those that it sends to are waiting for it.
  for (std::size_t sender = 0; sender < to.size(); ++sender) {
    if (sender != me) {
      if (from[sender]) result[sender] = ranks.receive(static_cast<int>(sender));
      continue;
    }
    for (std::size_t rank = 0; rank < to.size(); ++rank) {
      if (rank != me && sends[rank]) ranks.send(static_cast<int>(rank), to[rank]);
    }
    result[me] = std::move(to[me]);
  }
  return result;
}

std::vector<double> gather(const Communicator& ranks, std::span<const double> mine) {
  std::vector<double> all;
  for (const std::string& text : ranks.gather(as_text(mine))) {
    const std::vector<double> numbers = as_numbers(text);
    all.insert(all.end(), numbers.begin(), numbers.end());
  }
  return all;
}

double largest_of(const Communicator& ranks, double mine) {
  double largest = mine;
  for (const double one : gather(ranks, {&mine, 1})) {
    if (!(largest >= one || std::isnan(largest))) largest = one;
  }
  return largest;
}

bool any_of(const Communicator& ranks, bool mine) { return largest_of(ranks, mine ? 1 : 0) > 0; }

void agree(const Communicator& ranks, const std::string& failure) {
  const std::vector<std::string> failures = ranks.gather(failure);
  for (int rank = 0; rank < ranks.size(); ++rank) {
    const std::string& one = failures[static_cast<std::size_t>(rank)];
    if (one.empty()) continue;
    // A rank that failed too throws what is its own.
    if (!failure.empty()) return;
    throw RankFailed(fmt::format("rank {}: {}", rank, one));
  }
}

}  // namespace daewave
