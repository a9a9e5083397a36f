#pragma once
// Instructions of x86-64 on numbers side by side, as bytes: those with VEX prefixes on one, two or
// four numbers, those with EVEX prefixes on eight.           Intel 64 Manual, volume 2, 2.3 and 2.7
//
// Code is a function of pointers (q, v, w, memory, out), which it keeps in registers that calls
// leave alone.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace daewave::expression {

/// By what an address begins; the number of the register.
enum class Base : std::uint8_t { memory = 3, out = 5, q = 13, v = 14, w = 15 };

struct Address {
  Base base;
  std::int32_t offset;  ///< Bytes.
};

/// The second byte of the operation.
enum class Arithmetic : std::uint8_t {
  root = 0x51,
  exclusive_or = 0x57,
  add = 0x58,
  multiply = 0x59,
  subtract = 0x5c,
  divide = 0x5e,
};

class CodeWriter {
 public:
  /// @param numbers  of an instruction: 1, 4 or 8.
  explicit CodeWriter(int numbers) : numbers_(numbers) {}
  /// Room for so many instructions.
  void reserve(std::size_t instructions) { code_.reserve(10 * instructions + 64); }

  int registers() const { return numbers_ == 8 ? 32 : 16; }

  void begin();
  void end();
  void load(int to, Address from);
  void store(Address to, int from);
  /// to = a (operation) b; of a root a counts for nothing.
  void operate(Arithmetic operation, int to, int a, int b);
  void operate(Arithmetic operation, int to, int a, Address b);
  /// function(first, second, memory, third); no register keeps its numbers.
  void call(const void* function, const void* first, const void* second, std::uint32_t third);

  const std::vector<std::uint8_t>& code() const { return code_; }

 private:
  void bytes(std::initializer_list<int> all);
  void number(std::uint64_t value, int count);
  void address(const void* value);
  void prefix(int opcode, int reg, int source, int rm, int rm_extension);
  void in_registers(int opcode, int reg, int source, int rm);
  void in_memory(int opcode, int reg, int source, Address at);
  /// One number, which is not the case of the operations on bits.
  bool single(int opcode) const;

  int numbers_;
  std::vector<std::uint8_t> code_;
};

}  // namespace daewave::expression
