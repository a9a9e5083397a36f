#pragma once
// Files of results, each written whatever becomes of the others.

#include <functional>
#include <string>

namespace daewave::cli {

class OutputFiles {
 public:
  /// @param write  to `path`; not called where that is empty, which was not asked for.
  void write(const std::string& path, const std::function<void(const std::string& path)>& write);
  /// What was begun while results came, and is to be made a file.
  void commit(const std::function<void()>& commit);

  /// Call last. @throws FileError telling each file that could not be written.
  void end() const;

 private:
  std::string failures_;
};

}  // namespace daewave::cli
