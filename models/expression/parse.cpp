// Recursive descent, one function for each strength of binding.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "models/expression/syntax.hpp"

namespace daewave::models {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) {
  // Bytes of names in other alphabets are letters.
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80) != 0;
}
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Syntax whole() {
    if (text_.size() > longest_expression) {
      throw ExpressionError(fmt::format("an expression of {} characters: at most {} are allowed",
                                        text_.size(), longest_expression),
                            0);
    }
    skip();
    if (at_end()) throw ExpressionError("an empty expression: write a number or a formula", 0);
    Syntax all = choice();
    if (!at_end()) {
      if (text_[at_] == ')') fail("a ) without its (");
      if (text_[at_] == '=') fail("= is no operation: write == to compare, or the side that is 0");
      fail(fmt::format("expected an operation before {}", what_is_here()));
    }
    return all;
  }

 private:
  /// Depth of recursion, and of the tree: both are bounded.
  class Deeper {
   public:
    explicit Deeper(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > deepest_expression) {
        parser_.fail(
            fmt::format("nested deeper than {}: name a part of it first", deepest_expression));
      }
    }
    ~Deeper() { --parser_.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

   private:
    Parser& parser_;
  };

  bool at_end() const { return at_ >= text_.size(); }
  void skip() {
    while (!at_end() && is_space(text_[at_])) ++at_;
  }
  bool take(std::string_view sign) {
    if (text_.substr(at_, sign.size()) != sign) return false;
    at_ += sign.size();
    skip();
    return true;
  }
  [[noreturn]] void fail(const std::string& what) const { throw ExpressionError(what, at_); }
  std::string what_is_here() const {
    if (at_end()) return "the end";
    std::size_t end = at_ + 1;
    if (is_letter(text_[at_]) || is_digit(text_[at_])) {
      while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    }
    return fmt::format("'{}'", text_.substr(at_, end - at_));
  }

  /// Who walks through the tree later is as deep in recursion as it is high.
  static Syntax made(Syntax made) {
    for (const Syntax& part : made.of) made.height = std::max(made.height, part.height + 1);
    if (made.height > highest_expression) {
      throw ExpressionError(fmt::format("more than {} operations on each other: name a part first",
                                        highest_expression),
                            made.place);
    }
    return made;
  }
  static Syntax operation(std::string name, std::size_t place, std::vector<Syntax> of) {
    return made({Syntax::Kind::operation, place, 0, std::move(name), std::move(of)});
  }

  Syntax choice() {
    const Deeper deeper(*this);
    Syntax first = binary(0);
    const std::size_t place = at_;
    if (!take("?")) return first;
    Syntax yes = choice();
    if (!take(":")) fail(fmt::format("expected ':' of the choice, not {}", what_is_here()));
    Syntax no = choice();
    return operation("?", place, {std::move(first), std::move(yes), std::move(no)});
  }

  /// Signs by how they bind, the weakest first; a sign that another one begins with comes later.
  static constexpr std::array<std::array<std::string_view, 6>, 5> signs{{
      {"||", "", "", "", "", ""},
      {"&&", "", "", "", "", ""},
      {"<=", ">=", "==", "!=", "<", ">"},
      {"+", "-", "", "", "", ""},
      {"*", "/", "", "", "", ""},
  }};

  /// Chains without recursion.
  Syntax binary(std::size_t strength) {
    if (strength == signs.size()) return negated();
    Syntax left = binary(strength + 1);
    int terms = 0;
    for (;;) {
      const std::size_t place = at_;
      std::string_view found;
      for (const std::string_view sign : signs[strength]) {
        if (sign.empty() || (sign == "*" && text_.substr(at_, 2) == "**")) continue;
        if (take(sign)) {
          found = sign;
          break;
        }
      }
      if (found.empty()) return left;
      ++terms;
      Syntax right = binary(strength + 1);
      left = operation(std::string(found), place, {std::move(left), std::move(right)});
      if (strength == 2 && terms > 1) {
        throw ExpressionError("comparisons do not chain: write a < b && b < c", place);
      }
    }
  }

  Syntax negated() {
    const Deeper deeper(*this);
    const std::size_t place = at_;
    if (take("-")) return operation("negate", place, {negated()});
    if (take("+")) return negated();
    if (text_.substr(at_, 2) != "!=" && take("!")) return operation("!", place, {negated()});
    return power();
  }

  Syntax power() {
    Syntax base = atom();
    const std::size_t place = at_;
    if (!take("^") && !take("**")) return base;
    return operation("^", place, {std::move(base), negated()});
  }

  Syntax atom() {
    if (at_end()) fail("the expression ends where a number, a name or ( should stand");
    const std::size_t place = at_;
    const char c = text_[at_];
    if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) {
      return number();
    }
    if (take("(")) {
      Syntax inner = choice();
      close(place);
      return inner;
    }
    if (!is_letter(c)) fail(fmt::format("expected a number, a name or (, not {}", what_is_here()));
    std::string name = this->name();
    skip();
    if (!take("(")) return {Syntax::Kind::name, place, 0, std::move(name), {}};
    Syntax call{Syntax::Kind::call, place, 0, std::move(name), {}};
    if (take(")")) return call;
    do call.of.push_back(choice());
    while (take(","));
    close(place + call.name.size());
    return made(std::move(call));
  }

  void close(std::size_t opened) {
    if (take(")")) return;
    fail(fmt::format("expected ) of the ( at character {}, not {}", opened + 1, what_is_here()));
  }

  Syntax number() {
    const std::size_t place = at_;
    double value = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range || !std::isfinite(value)) {
      fail("a number beyond what a double holds");
    }
    at_ += static_cast<std::size_t>(end - begin);
    if (!at_end() && (is_letter(text_[at_]) || text_[at_] == '.')) {
      fail(fmt::format("a number runs into {}: put an operation between them", what_is_here()));
    }
    skip();
    return {Syntax::Kind::number, place, value, {}, {}};
  }

  std::string name() {
    const std::size_t begin = at_;
    while (!at_end() && (is_letter(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '.')) ++at_;
    while (!at_end() && text_[at_] == '\'') ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Syntax parse(std::string_view text) { return Parser(text).whole(); }

}  // namespace daewave::models
