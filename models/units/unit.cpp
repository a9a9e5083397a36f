#include "models/units/unit.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>
#include <numbers>
#include <string_view>

namespace daewave::models {
namespace {

constexpr const char* base_names[] = {"m", "kg", "s", "A", "K", "mol", "cd"};

bool near(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

struct Known {
  Unit unit;
  bool takes_prefix = true;
};

const std::map<std::string, Known, std::less<>>& known_units() {
  static const std::map<std::string, Known, std::less<>> known = [] {
    const auto base = [](std::size_t which) {
      Unit unit;
      unit.powers[which] = 1;
      return unit;
    };
    const auto times = [](double factor, Unit unit) {
      unit.factor *= factor;
      return unit;
    };
    const Unit m = base(0), kg = base(1), s = base(2), A = base(3), K = base(4), mol = base(5),
               cd = base(6), one;
    const Unit N = kg * m / s.power(2), J = N * m, W = J / s, V = W / A, Pa = N / m.power(2);
    std::map<std::string, Known, std::less<>> all = {
        {"m", {m}},
        {"g", {times(1e-3, kg)}},
        {"s", {s}},
        {"A", {A}},
        {"K", {K}},
        {"mol", {mol}},
        {"cd", {cd}},
        {"rad", {one}},
        {"sr", {one}},
        {"Hz", {one / s}},
        {"N", {N}},
        {"Pa", {Pa}},
        {"J", {J}},
        {"W", {W}},
        {"C", {A * s}},
        {"V", {V}},
        {"F", {A * s / V}},
        {"Ohm", {V / A}},
        {"S", {A / V}},
        {"Wb", {V * s}},
        {"T", {V * s / m.power(2)}},
        {"H", {V * s / A}},
        {"bar", {times(1e5, Pa)}},
        {"l", {times(1e-3, m.power(3))}},
        {"L", {times(1e-3, m.power(3))}},
        {"t", {times(1e3, kg)}},
    };
    all["\u03a9"] = all["Ohm"];
    for (const auto& [name, factor] : {std::pair{"min", 60.0}, {"h", 3600.0}, {"d", 86400.0}}) {
      all[name] = {times(factor, s), false};
    }
    for (const char* const name : {"deg", "\u00b0"}) {
      all[name] = {times(std::numbers::pi / 180, one), false};
    }
    all["rev"] = {times(2 * std::numbers::pi, one), false};
    all["rpm"] = {times(2 * std::numbers::pi / 60, one / s), false};
    all["%"] = {times(1e-2, one), false};
    return all;
  }();
  return known;
}

std::optional<Unit> named(std::string_view name) {
  const auto& known = known_units();
  if (const auto found = known.find(name); found != known.end()) return found->second.unit;
  static const std::pair<std::string_view, double> prefixes[] = {
      {"da", 1e1},      {"G", 1e9},       {"M", 1e6},   {"k", 1e3},  {"h", 1e2},
      {"d", 1e-1},      {"c", 1e-2},      {"m", 1e-3},  {"u", 1e-6}, {"n", 1e-9},
      {"\u00b5", 1e-6}, {"\u03bc", 1e-6}, {"p", 1e-12}, {"T", 1e12},
  };
  for (const auto& [prefix, factor] : prefixes) {
    if (!name.starts_with(prefix)) continue;
    const auto found = known.find(name.substr(prefix.size()));
    if (found == known.end() || !found->second.takes_prefix) continue;
    Unit unit = found->second.unit;
    unit.factor *= factor;
    return unit;
  }
  return {};
}

/// Recursive descent over bytes; empty where something is no unit.
class UnitParser {
 public:
  explicit UnitParser(std::string_view text) : text_(text) {}

  std::optional<Unit> whole() {
    constexpr std::size_t longest = 200;
    if (text_.size() > longest) return {};
    const std::optional<Unit> all = product(0);
    skip();
    return at_ == text_.size() ? all : std::nullopt;
  }

 private:
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(std::string_view sign) {
    skip();
    if (text_.substr(at_, sign.size()) != sign) return false;
    at_ += sign.size();
    return true;
  }
  bool ends() {
    skip();
    return at_ == text_.size() || text_[at_] == ')';
  }

  std::optional<Unit> product(int depth) {
    std::optional<Unit> all = factor(depth);
    while (all && !ends()) {
      const bool divides = take("/");
      if (!divides && !take("*")) take("\u00b7");
      const std::optional<Unit> next = factor(depth);
      if (!next) return {};
      all = divides ? *all / *next : *all * *next;
    }
    return all;
  }

  std::optional<Unit> factor(int depth) {
    constexpr int deepest = 20;
    std::optional<Unit> one;
    if (take("(")) {
      if (depth > deepest) return {};
      one = product(depth + 1);
      if (!one || !take(")")) return {};
    } else {
      one = word();
    }
    if (!one) return {};
    if (take("\u00b2")) return one->power(2);
    if (take("\u00b3")) return one->power(3);
    if (!take("^") && !take("**")) return one;
    const bool in_brackets = take("(");
    skip();
    double exponent = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), exponent);
    if (error != std::errc() || !(std::abs(exponent) <= 20)) return {};
    at_ += static_cast<std::size_t>(end - begin);
    if (in_brackets && !take(")")) return {};
    return one->power(exponent);
  }

  std::optional<Unit> word() {
    skip();
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           std::string_view(" */^()0123456789+-.").find(text_[at_]) == std::string_view::npos) {
      // A raised 2 or 3 and the dot of products end a word.
      const std::string_view rest = text_.substr(at_);
      if (rest.starts_with("\u00b2") || rest.starts_with("\u00b3") || rest.starts_with("\u00b7"))
        break;
      ++at_;
    }
    if (at_ > begin) return named(text_.substr(begin, at_ - begin));
    if (take("1")) return Unit{};
    return {};
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

bool operator==(const Unit& a, const Unit& b) {
  for (std::size_t i = 0; i < a.powers.size(); ++i) {
    if (std::abs(a.powers[i] - b.powers[i]) > 1e-9) return false;
  }
  return near(a.factor, b.factor);
}

Unit operator*(const Unit& a, const Unit& b) {
  Unit out = a;
  for (std::size_t i = 0; i < a.powers.size(); ++i) out.powers[i] += b.powers[i];
  out.factor *= b.factor;
  return out;
}

Unit operator/(const Unit& a, const Unit& b) { return a * b.power(-1); }

Unit Unit::power(double exponent) const {
  Unit out = *this;
  for (double& one : out.powers) one *= exponent;
  out.factor = std::pow(factor, exponent);
  return out;
}

std::optional<Unit> unit_of(const std::string& text) { return UnitParser(text).whole(); }

std::string text_of(const Unit& unit) {
  std::string above, below;
  for (std::size_t i = 0; i < unit.powers.size(); ++i) {
    const double power = unit.powers[i];
    if (std::abs(power) < 1e-9) continue;
    std::string& side = power > 0 ? above : below;
    if (!side.empty()) side += ' ';
    side += base_names[i];
    if (!near(std::abs(power), 1)) side += fmt::format("^{:g}", std::abs(power));
  }
  std::string text = above.empty() ? "1" : above;
  if (!below.empty()) {
    text += below.find(' ') == std::string::npos ? "/" + below : "/(" + below + ")";
  }
  if (!near(unit.factor, 1)) text = fmt::format("{:.6g} {}", unit.factor, text);
  return text;
}

}  // namespace daewave::models
