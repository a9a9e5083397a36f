// Expressions: what they say, their derivatives, and the same bits on every way through a tape.

#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <string>

#include "models/expression/compiled_tapes.hpp"
#include "models/expression/derivative.hpp"
#include "models/expression/meaning.hpp"
#include "models/expression/substitution.hpp"
#include "tests/catch.hpp"

using namespace daewave;
using namespace daewave::models;
using Catch::Matchers::WithinAbs;

namespace {

/// x and y are entries 0 and 1 of q, t the time.
class TwoNames final : public Names {
 public:
  explicit TwoNames(Graph& graph) : graph_(graph) {}
  std::optional<Ref> of(const std::string& name) override {
    const std::map<std::string, int> variables = {{"t", 0}, {"x", 1}, {"y", 2}};
    const auto found = variables.find(name);
    if (found == variables.end()) return {};
    return graph_.variable(found->second);
  }
  std::vector<std::string> known() const override { return {"t", "x", "y"}; }

 private:
  Graph& graph_;
};

const std::vector<Input> inputs = {{From::t, 0}, {From::q, 0}, {From::q, 1}};

Ref said(Graph& graph, const std::string& text) {
  TwoNames names(graph);
  return meaning(parse(text), graph, names);
}

double value(const std::string& text, double x = 0.7, double y = -1.3, double t = 0.25) {
  Graph graph;
  return value_at(graph, said(graph, text), [&](int variable) {
    return variable == 0 ? t : variable == 1 ? x : y;
  });
}

double by_x(const std::string& text, double x) {
  Graph graph;
  const Ref f = said(graph, text);
  return value_at(graph, partial_derivative(graph, f, 1),
                  [&](int variable) { return variable == 1 ? x : 0; });
}

std::string refusal(const std::string& text) {
  try {
    value(text);
  } catch (const ExpressionError& error) {
    return std::to_string(error.place()) + ": " + error.what();
  }
  return "none";
}

/// Of x, y and t; every operation is in one of them.
const std::vector<std::string> samples = {
    "x + y*t - 3/(x^2 + 1)",
    "sin(x)*cos(x) + tan(y/3) + sin(2*x)",
    "asin(x/3) + acos(y/4) + atan(x) + atan2(y, x)",
    "sinh(x) + cosh(y) - tanh(x*y)",
    "exp(-x^2) + log(x^2 + y^2) + sqrt(1 + y^2)",
    "abs(x - 2) + sign(y) + floor(t*10)",
    "min(x, y, t) * max(x, 2)",
    "x > 0 ? x^3 : -y",
    "(x > 0 && y > 0) || !(t < 1) ? 1 : x*y",
    "x^-2 + x^2.5 + 2^x + x^x",
    "hypot(x, y) + cbrt(y) + log10(x) + log2(x)",
};

}  // namespace

TEST_CASE("expressions mean what they do on paper", "[expression]") {
  CHECK(value("2 + 3*4") == 14);
  CHECK(value("2^3^2") == 512);
  CHECK(value("-2^2") == -4);
  CHECK(value("2**-1") == 0.5);
  CHECK(value("7 - 4 - 2") == 1);
  CHECK(value("12/3/2") == 2);
  CHECK(value("1 < 2 && 2 <= 2 && !(1 == 2) && 1 != 2 ? 5 : 6") == 5);
  CHECK(value("1 ? 2 : 3 ? 4 : 5") == 2);
  CHECK(value("1e3 + .5 + 2.") == 1002.5);
  CHECK(value("pi") == std::acos(-1.0));
  CHECK(value("cos(pi)") == -1);
  CHECK(value("min(3, 1, 2) + max(4)") == 5);
  CHECK(value("x*0 + 1*y") == -1.3);
}

TEST_CASE("logarithms and roots of whole powers are whole numbers", "[expression]") {
  for (const double x : {1e-3, 10., 1e3, 1e6, 1e15}) {
    CHECK(value("log10(x)", x) == std::log10(x));
  }
  CHECK(value("log10(1000)") == 3);
  CHECK(value("floor(log10(x))", 1e15) == 15);
  for (const int exponent : {-31, 3, 29, 53, 1000}) {
    CHECK(value("log2(x)", std::ldexp(1, exponent)) == exponent);
  }
  for (const double x : {-125., -8., 27., 64., 0.3}) {
    CHECK(value("cbrt(x)", x) == std::cbrt(x));
  }
}

TEST_CASE("hypot neither overflows nor vanishes, and its derivatives do not", "[expression]") {
  for (const double size : {1e-300, 1e-200, 1e-150, 1e-140, 1., 1e149, 1e151, 1e200, 1e300}) {
    INFO(size);
    CHECK(value("hypot(3*x, 4*x)", size) == Approx(5 * size).epsilon(1e-15));
    CHECK(value("hypot(x, 0)", -size) == Approx(size).epsilon(1e-15));
    CHECK(by_x("hypot(3*x, 4*x)", size) == Approx(5).epsilon(1e-14));
    CHECK(by_x("hypot(x, 1)", size) == Approx(size / std::hypot(size, 1)).epsilon(1e-14));
  }
  CHECK(value("hypot(0*t, 0*t)") == 0);
  CHECK(value("hypot(5*x, 12*x)", 1) == 13);
  CHECK(std::isnan(value("hypot(x, 1)", std::nan(""))));
}

TEST_CASE("a wrong expression is told with its place and what may have been meant",
          "[expression]") {
  CHECK(refusal("x + pii") == "4: unknown name 'pii' (did you mean pi?)");
  CHECK(refusal("sinn(x)") == "0: unknown function 'sinn' (did you mean sign, or sin, or sinh?)");
  CHECK(refusal("x(2)").find("'x' is no function") != std::string::npos);
  CHECK(refusal("sin(x, y)").find("takes 1 argument, 2 given") != std::string::npos);
  CHECK(refusal("(x + 1").substr(0, 2) == "6:");
  CHECK(refusal("x + ").substr(0, 2) == "4:");
  CHECK(refusal("2x").substr(0, 2) == "1:");
  CHECK(refusal("x = y").find("= is no operation") != std::string::npos);
  CHECK(refusal("1 < x < 2").find("do not chain") != std::string::npos);
  CHECK(refusal("").find("empty") != std::string::npos);
  CHECK(refusal("x ? 1").find("':'") != std::string::npos);
  CHECK(refusal("1e999").find("double") != std::string::npos);
  CHECK(refusal("x $ y").find("'$'") != std::string::npos);
  CHECK(refusal("x)").find("without its (") != std::string::npos);
}

TEST_CASE("expressions too long or too deep are refused, not followed", "[expression]") {
  CHECK(refusal(std::string(100'001, '1')).find("characters") != std::string::npos);
  CHECK(refusal(std::string(5000, '(')).find("nested deeper") != std::string::npos);
  CHECK(refusal(std::string(5000, '-') + "x").find("nested deeper") != std::string::npos);
  std::string sum = "x";
  for (int i = 0; i < 3000; ++i) sum += "+x";
  CHECK(refusal(sum).find("operations on each other") != std::string::npos);
  CHECK(refusal(sum.substr(0, 1999)) == "none");
}

TEST_CASE("derivatives of every operation are those of differences", "[expression]") {
  for (const std::string& text : samples) {
    for (const int variable : {0, 1, 2}) {
      Graph graph;
      const Ref f = said(graph, text), derivative = partial_derivative(graph, f, variable);
      const double at[] = {0.2512, 0.7, -1.3};
      const auto moved = [&](Ref of, double by) {
        return value_at(graph, of, [&](int one) { return at[one] + (one == variable ? by : 0.0); });
      };
      const double h = 1e-5, exact = moved(derivative, 0);
      const double differences = (moved(f, h) - moved(f, -h)) / (2 * h);
      INFO(text << " by variable " << variable);
      CHECK_THAT(exact, WithinAbs(differences, 1e-7 * (1 + std::abs(exact))));
    }
  }
}

TEST_CASE("a tape has the same bits for one point, four and eight, as the graph has",
          "[expression][lanes]") {
  Graph graph;
  std::vector<Ref> outputs;
  for (const std::string& text : samples) outputs.push_back(said(graph, text));
  outputs.push_back(graph.number(3));
  outputs.push_back(outputs[0]);
  const Tape tape = tape_of(graph, outputs, inputs);
  const TapeFunctions functions = tape_functions(), portable = portable_tapes();

  constexpr int count = 8;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> near(0.1, 2);
  std::vector<double> t(count), q(2 * count);
  for (double& one : t) one = near(random);
  for (double& one : q) one = near(random) * (random() % 2 ? 1 : -1);
  q[0] = 3e6;  // Beyond the angles that lanes reduce themselves.
  const Points at{count, count, t.data(), q.data(), nullptr, nullptr};

  const auto run = [&](TapeFunction function, int lanes, int first, std::vector<double>& out) {
    std::vector<double> memory(static_cast<std::size_t>(tape.registers * lanes));
    double* to = memory.data() + tape.inputs.size() * static_cast<std::size_t>(lanes);
    for (const double number : tape.numbers) to = std::fill_n(to, lanes, number);
    function(tape, at, first, memory.data(), out.data(), count);
  };
  const auto size = outputs.size() * count;
  std::vector<double> by_one(size), by_four(size), by_eight(size), portably(size), one(size);
  for (int p = 0; p < count; ++p) run(functions.one, 1, p, by_one);
  for (int p = 0; p < count; p += 4) run(functions.four, 4, p, by_four);
  run(functions.eight, 8, 0, by_eight);
  // What a machine takes that has none of the instruction sets.
  run(portable.eight, 8, 0, portably);
  for (int p = 0; p < count; ++p) run(portable.one, 1, p, one);
  for (const Output& output : tape.varying) {
    for (int p = 0; p < count; ++p) {
      const auto k = output.output * count + static_cast<std::size_t>(p);
      const double exact = value_at(graph, outputs[output.output], [&](int variable) {
        return variable == 0 ? t[static_cast<std::size_t>(p)]
                             : q[static_cast<std::size_t>((variable - 1) * count + p)];
      });
      INFO("output " << output.output << " of point " << p);
      const auto same = [](double a, double b) { return a == b || (a != a && b != b); };
      CHECK(same(by_one[k], exact));
      CHECK(same(by_four[k], exact));
      CHECK(same(by_eight[k], exact));
      CHECK(same(portably[k], exact));
      CHECK(same(one[k], exact));
    }
  }
  REQUIRE(tape.constant.size() == 1);
  CHECK(tape.numbers[tape.constant[0].of] == 3);
}

TEST_CASE("what is written twice is evaluated once", "[expression]") {
  Graph graph;
  const Ref once = said(graph, "sin(x*y) + 1");
  const auto size = graph.size();
  CHECK(said(graph, "1 + sin(y*x)") == once);
  CHECK(graph.size() == size);
}
