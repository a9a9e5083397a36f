// A program outside of the tree that uses the installed library.

#include <cmath>
#include <cstdio>
#include <exception>

#include "core/table.hpp"

namespace {

constexpr int rows = 5;

daewave::Table sines() {
  std::vector<double> t, x;
  for (int i = 0; i < rows; ++i) {
    t.push_back(0.25 * i);
    x.push_back(std::sin(t.back()));
  }
  daewave::Table table;
  table.add("t", t);
  table.add("x", x);
  return table;
}

}  // namespace

int main() try {
  const daewave::Table table = sines();
  for (int i = 0; i < table.rows(); ++i) {
    std::printf("%5.2f %8.5f\n", table.column("t").at(i), table.column("x").at(i));
  }
  return table.rows() == rows ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "consumer: %s\n", error.what());
  return 1;
}
