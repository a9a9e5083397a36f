#pragma once
// Numbers of a page, each array once however many plots show it.

#include <map>
#include <string>
#include <vector>

namespace daewave::page {

class Arrays {
 public:
  /// The number under which the page finds it.
  int add(const std::vector<double>& values);

  /// Doubles of little end first, in base 64; one text for each array.
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::map<std::string, int> number_of_;
  std::vector<std::string> texts_;
};

}  // namespace daewave::page
