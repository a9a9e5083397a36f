#include "io/text_table.hpp"

#include "core/error.hpp"
#include "io/utf8.hpp"
#include "tests/catch.hpp"

namespace daewave::io {

TEST_CASE("columns of text line up to the left or to the right", "[io]") {
  TextTable table{{{"problem", Align::left}, {"error", Align::right}}, {}};
  table.add({"index2", "1e-3"});
  table.add_rule();
  table.add({"a", "12"});
  CHECK(render_text(table) ==
        "problem  error\n"
        "-------  -----\n"
        "index2    1e-3\n"
        "-------  -----\n"
        "a           12\n");
}

TEST_CASE("pairs line up at their slash", "[io]") {
  TextTable table{{{"t"}, {"ours / printed", Align::slash}, {"by", Align::left}}, {}};
  table.add({"0.5", "6.6e-04 / 6.5e-4", "1"});
  table.add({"1", "0.1 / 0.12", "22"});
  table.add({"2", "-", "3"});
  CHECK(render_text(table) ==
        "  t    ours / printed  by\n"
        "---  ----------------  --\n"
        "0.5  6.6e-04 / 6.5e-4  1\n"
        "  1      0.1 / 0.12    22\n"
        "  2                 -  3\n");
}

TEST_CASE("letters of several bytes take one cell", "[io]") {
  TextTable table{{{"\u03b5", Align::left}, {"x"}}, {}};
  table.add({"\u03b5\u0301psilon", "1"});
  table.add({"\u6f22\u5b57", "2"});
  CHECK(render_text(table) ==
        "\u03b5        x\n"
        "-------  -\n"
        "\u03b5\u0301psilon  1\n"
        "\u6f22\u5b57     2\n");
}

TEST_CASE("a row of another length is refused", "[io]") {
  TextTable table{{{"a"}, {"b"}}, {}};
  CHECK_THROWS_AS(table.add({"1"}), Error);
  table.rows.push_back({"1", "2", "3"});
  CHECK_THROWS_WITH(render_text(table), contains_text("3 cells") && contains_text("2 columns"));
}

TEST_CASE("code points survive UTF-8, other bytes become U+FFFD", "[io]") {
  for (const char32_t point : {U'a', U'\u00e9', U'\u07ff', U'\u0800', U'\uffff', U'\U0010ffff'}) {
    std::string text;
    append_utf8(text, point);
    CHECK(decode_utf8(text) == std::u32string(1, point));
  }
  CHECK(decode_utf8("a\xff\xc3") == U"a\uFFFD\uFFFD");
  CHECK(decode_utf8("\xed\xa0\x80") == U"\uFFFD\uFFFD\uFFFD");  // a surrogate
  CHECK(decode_utf8("\xc0\x80") == U"\uFFFD\uFFFD");            // an overlong zero
}

}  // namespace daewave::io
