#include "cli/sweep/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/error.hpp"

namespace daewave::cli {
namespace {

double number(const std::string& text, const std::string& all) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || end != text.c_str() + text.size() || !std::isfinite(value)) {
    throw InvalidOption(fmt::format(
        "--vary {}: must be NAME=FROM:TO:COUNT or NAME=VALUE,VALUE,..., such as turning=0:2:21",
        all));
  }
  return value;
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (char c : text) {
    if (c == at) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// Of `steps` equal ones the end of step i: whole numbers between whole numbers stay whole.
double between(double from, double to, int i, double steps) {
  const double value = from + (to - from) * i / steps;
  if (std::isfinite(value)) return value;
  // to - from, or what it is taken times, is beyond what a double holds.
  const double part = i / steps;
  return (1 - part) * from + part * to;
}

Axis parse_axis(const std::string& text) {
  const std::size_t equals = text.find('=');
  Axis axis{text.substr(0, equals), {}};
  const std::string right = equals == std::string::npos ? "" : text.substr(equals + 1);
  const std::vector<std::string> range = split(right, ':');
  if (range.size() != 3) {
    for (const std::string& value : split(right, ',')) axis.values.push_back(number(value, text));
    return axis;
  }
  const double from = number(range[0], text), to = number(range[1], text);
  const double count = number(range[2], text);
  if (!(count >= 2 && count <= 1e6) || count != std::floor(count)) {
    throw InvalidOption(
        fmt::format("--vary {}: COUNT must be a whole number from 2 to 1000000", text));
  }
  for (int i = 0; i < static_cast<int>(count); ++i) {
    axis.values.push_back(i + 1 == count ? to : between(from, to, i, count - 1));
  }
  return axis;
}

}  // namespace

Grid::Grid(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    axes_.push_back(parse_axis(text));
    const std::string& name = axes_.back().name;
    if (name.empty()) {
      throw InvalidOption(fmt::format("--vary {}: names no parameter; NAME=FROM:TO:COUNT", text));
    }
    const bool again = std::any_of(axes_.begin(), axes_.end() - 1,
                                   [&](const Axis& one) { return one.name == name; });
    if (again) {
      throw InvalidOption(
          fmt::format("--vary {}: {} is varied already; write all of its values once", text, name));
    }
  }
  double count = 1;
  for (const Axis& axis : axes_) count *= static_cast<double>(axis.values.size());
  if (count > 1e7) {
    throw InvalidOption(
        fmt::format("--vary: asks for {:g} runs; take at most 1e7 at a time", count));
  }
  count_ = static_cast<int>(count);
}

std::vector<problems::Parameter> Grid::at(int number) const {
  std::vector<problems::Parameter> values(axes_.size());
  for (std::size_t i = axes_.size(); i-- > 0;) {
    const int size = static_cast<int>(axes_[i].values.size());
    values[i] = {axes_[i].name, axes_[i].values[static_cast<std::size_t>(number % size)], ""};
    number /= size;
  }
  return values;
}

}  // namespace daewave::cli
