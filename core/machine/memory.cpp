#include "core/machine/memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#include "core/error.hpp"

namespace daewave {
namespace {

constexpr double none = std::numeric_limits<double>::infinity();
constexpr double part = 0.9;

/// The number at the begin of a file; infinite where there is none, such as "max".
double number_in(const std::string& path) {
  std::ifstream file(path);
  double number = 0;
  return file >> number ? number : none;
}

/// Of a line "NAME NUMBER" or "NAME: NUMBER kB"; infinite where there is none.
double entry_of(const std::string& path, const std::string& name) {
  std::ifstream file(path);
  std::string word;
  double number = 0;
  while (file >> word) {
    if (word == name && file >> number) return number;
  }
  return none;
}

double left_of_machine() {
  if (const double available = entry_of("/proc/meminfo", "MemAvailable:"); available < none) {
    return 1024 * available;
  }
  const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? static_cast<double>(pages) * static_cast<double>(size) : none;
}

/// Of the control group of this process, and of those that it is in.
double left_of_groups() {
  std::ifstream groups("/proc/self/cgroup");
  double left = none;
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string kinds = line.substr(first + 1, second - first - 1);
    std::string path = line.substr(second + 1);
    const bool unified = kinds.empty();
    if (!unified && kinds.find("memory") == std::string::npos) continue;
    while (true) {
      if (path == "/") path.clear();
      const char* const all = unified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
      left = std::min(left, detail::left_of_group(all + path, unified));
      if (path.empty() || path.rfind('/') == std::string::npos) break;
      path.erase(path.rfind('/'));
    }
  }
  return left;
}

double left_of_limit(decltype(RLIMIT_AS) resource, double taken) {
  struct rlimit limit {};
  if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return none;
  return static_cast<double>(limit.rlim_cur) - taken;
}

double left_of_limits() {
  std::ifstream statm("/proc/self/statm");
  double size = 0, resident = 0, shared = 0, text = 0, library = 0, data = 0;
  if (!(statm >> size >> resident >> shared >> text >> library >> data)) return none;
  const auto page = static_cast<double>(::sysconf(_SC_PAGESIZE));
  return std::min(left_of_limit(RLIMIT_AS, page * size), left_of_limit(RLIMIT_DATA, page * data));
}

}  // namespace

namespace detail {

double left_of_group(const std::string& folder, bool unified) {
  const double most = number_in(folder + (unified ? "/memory.max" : "/memory.limit_in_bytes"));
  const double taken = number_in(folder + (unified ? "/memory.current" : "/memory.usage_in_bytes"));
  if (most == none || taken == none) return none;
  // A cache that is given back when others need it.
  const double given_back =
      entry_of(folder + "/memory.stat", unified ? "inactive_file" : "total_inactive_file");
  return most - taken + (given_back == none ? 0 : std::min(given_back, taken));
}

}  // namespace detail

double free_memory() {
  return std::max(0.0, std::min({left_of_machine(), left_of_groups(), left_of_limits()}));
}

std::string text_of_bytes(double bytes) {
  const char* const units[] = {"bytes", "kB", "MB", "GB", "TB"};
  int i = 0;
  for (; i < 4 && bytes >= 1000; ++i) bytes /= 1000;
  return fmt::format("{:.3g} {}", bytes, units[i]);
}

void refuse_beyond_memory(double bytes, const std::string& what, const std::string& way_out) {
  constexpr double always_there = 1e6;
  if (bytes < always_there) return;
  const double free = free_memory();
  if (bytes <= part * free) return;
  throw InvalidOption(fmt::format("{}: takes about {} of memory, of which {} are free; {}", what,
                                  text_of_bytes(bytes), text_of_bytes(free), way_out));
}

double count_that_fits(double bytes) { return part * free_memory() / bytes; }

}  // namespace daewave
