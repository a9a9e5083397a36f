#include "ivp/srm/window_text.hpp"

#include <exception>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/ranks/communicator.hpp"
#include "ivp/run/thrown.hpp"

namespace daewave::ivp {
namespace {

/// What an exception says.
std::string words_of(const std::exception_ptr& thrown) {
  return thrown_in([&] { std::rethrow_exception(thrown); }).value_or("");
}

class Reader {
 public:
  explicit Reader(const std::vector<double>& numbers) : next_(numbers.data()) {}
  double number() { return *next_++; }
  long whole() { return static_cast<long>(number()); }
  template <class Numbers>
  void fill(Numbers& to) {
    to.resize(whole());
    for (auto& one : to) one = number();
  }

 private:
  const double* next_;
};

template <class Numbers>
void add(const Numbers& from, std::vector<double>& to) {
  to.push_back(static_cast<double>(from.size()));
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

std::string text_of(const SrmWindow& window) {
  const std::string words = window.thrown ? words_of(window.thrown) : window.failure;
  std::vector<double> numbers{
      static_cast<double>(words.size()),       window.thrown ? 1.0 : 0.0,
      static_cast<double>(window.first),       static_cast<double>(window.count),
      static_cast<double>(window.valid),       window.wants_kept ? 1.0 : 0.0,
      static_cast<double>(window.evaluations), static_cast<double>(window.ends.size())};
  add(window.wave, numbers);
  for (const IterateCheckpoint& end : window.ends) {
    for (const VecX* values : {&end.x, &end.slope, &end.carried, &end.kept}) add(*values, numbers);
  }
  return as_text(numbers) + words;
}

SrmWindow window_of(std::string_view text) {
  const auto length = static_cast<std::size_t>(as_numbers(text.substr(0, sizeof(double)))[0]);
  const std::vector<double> numbers = as_numbers(text.substr(0, text.size() - length));
  const std::string words(text.substr(text.size() - length));
  Reader reader(numbers);
  reader.number();
  SrmWindow window;
  const bool was_thrown = reader.number() != 0;
  window.first = reader.whole();
  window.count = reader.whole();
  window.valid = reader.whole();
  window.wants_kept = reader.number() != 0;
  window.evaluations = reader.whole();
  window.ends.resize(static_cast<std::size_t>(reader.whole()));
  reader.fill(window.wave);
  for (IterateCheckpoint& end : window.ends) {
    for (VecX* values : {&end.x, &end.slope, &end.carried, &end.kept}) reader.fill(*values);
  }
  if (was_thrown) {
    window.thrown = std::make_exception_ptr(std::runtime_error(words));
  } else {
    window.failure = words;
  }
  return window;
}

}  // namespace daewave::ivp
