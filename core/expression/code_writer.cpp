#include "core/expression/code_writer.hpp"

namespace daewave::expression {
namespace {

constexpr int load_code = 0x10, store_code = 0x11;
/// A source that an instruction does not have is written as the last register of all.
constexpr int no_source = 0;

}  // namespace

void CodeWriter::bytes(std::initializer_list<int> all) {
  const std::size_t end = code_.size();
  code_.resize(end + all.size());
  std::uint8_t* to = code_.data() + end;
  for (const int one : all) *to++ = static_cast<std::uint8_t>(one);
}

void CodeWriter::number(std::uint64_t value, int count) {
  const std::size_t end = code_.size();
  code_.resize(end + static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    code_[end + static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(value >> (8 * i));
  }
}

void CodeWriter::address(const void* value) { number(reinterpret_cast<std::uintptr_t>(value), 8); }

bool CodeWriter::single(int opcode) const {
  return numbers_ == 1 && opcode != static_cast<int>(Arithmetic::exclusive_or);
}

/// @param rm            register of the last operand or of its address.
/// @param rm_extension  Its bit 4, which addresses do not have.
void CodeWriter::prefix(int opcode, int reg, int source, int rm, int rm_extension) {
  // Kind of numbers: double, all of a register or one.
  const int kind = single(opcode) ? 3 : 1;
  const auto inverted = [](int value, int bit) { return (value >> bit & 1) ^ 1; };
  const int r = inverted(reg, 3), b = inverted(rm, 3);
  const int sources = ~source & 15;
  if (numbers_ == 8) {
    bytes({0x62, r << 7 | (rm_extension ^ 1) << 6 | b << 5 | inverted(reg, 4) << 4 | 1,
           0x80 | sources << 3 | 4 | kind, 0x40 | inverted(source, 4) << 3});
  } else {
    const int wide = numbers_ == 4 ? 4 : 0;
    if (b == 1) {
      bytes({0xc5, r << 7 | sources << 3 | wide | kind});
    } else {
      bytes({0xc4, r << 7 | 0x40 | b << 5 | 1, sources << 3 | wide | kind});
    }
  }
  bytes({opcode});
}

void CodeWriter::in_registers(int opcode, int reg, int source, int rm) {
  prefix(opcode, reg, source, rm, rm >> 4 & 1);
  bytes({0xc0 | (reg & 7) << 3 | (rm & 7)});
}

void CodeWriter::in_memory(int opcode, int reg, int source, Address at) {
  const int base = static_cast<int>(at.base);
  prefix(opcode, reg, source, base, 0);
  // Offsets of one byte count registers of EVEX.
  const int unit = numbers_ == 8 ? 64 : 1;
  const std::int32_t units = at.offset / unit;
  const int registers = (reg & 7) << 3 | (base & 7);
  if (units * unit == at.offset && units >= -128 && units < 128) {
    bytes({0x40 | registers, units & 255});
  } else {
    bytes({0x80 | registers});
    number(static_cast<std::uint32_t>(at.offset), 4);
  }
}

void CodeWriter::begin() {
  bytes({0xf3, 0x0f, 0x1e, 0xfa});                          // A place where calls may come to.
  bytes({0x53, 0x55, 0x41, 0x55, 0x41, 0x56, 0x41, 0x57});  // rbx, rbp, r13 to r15 are kept,
  bytes({0x49, 0x89, 0xfd});                                // and become q,
  bytes({0x49, 0x89, 0xf6});                                // v,
  bytes({0x49, 0x89, 0xd7});                                // w,
  bytes({0x48, 0x89, 0xcb});                                // memory
  bytes({0x4c, 0x89, 0xc5});                                // and out.
}

void CodeWriter::end() {
  bytes({0xc5, 0xf8, 0x77});  // Whoever called has no wide registers.
  bytes({0x41, 0x5f, 0x41, 0x5e, 0x41, 0x5d, 0x5d, 0x5b, 0xc3});
}

void CodeWriter::load(int to, Address from) { in_memory(load_code, to, no_source, from); }

void CodeWriter::store(Address to, int from) { in_memory(store_code, from, no_source, to); }

void CodeWriter::operate(Arithmetic operation, int to, int a, int b) {
  const bool unused = operation == Arithmetic::root && numbers_ != 1;
  in_registers(static_cast<int>(operation), to, unused ? no_source : a, b);
}

void CodeWriter::operate(Arithmetic operation, int to, int a, Address b) {
  const bool unused = operation == Arithmetic::root && numbers_ != 1;
  in_memory(static_cast<int>(operation), to, unused ? no_source : a, b);
}

void CodeWriter::call(const void* function, const void* first, const void* second,
                      std::uint32_t third) {
  bytes({0x48, 0xbf});
  address(first);
  bytes({0x48, 0xbe});
  address(second);
  bytes({0x48, 0x89, 0xda});
  bytes({0xb9});
  number(third, 4);
  bytes({0x48, 0xb8});
  address(function);
  bytes({0xff, 0xd0});
}

}  // namespace daewave::expression
