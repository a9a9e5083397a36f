// All executors by their names, as a program outside of the tree links them.

#include <daewave/parallel.hpp>

#include <atomic>
#include <cstdio>
#include <string>

int main() {
  for (const std::string& name : daewave::parallel::executor_names()) {
    std::atomic<int> sum = 0;
    const auto executor = daewave::parallel::make_executor(name, 2);
    executor->for_chunks(100, 10, [&sum](int begin, int end) { sum += end - begin; });
    std::printf("%s %d\n", name.c_str(), sum.load());
    if (sum != 100) return 1;
  }
}
