// SPDX-License-Identifier: MIT
#include "tools/terminal/visible_text.hpp"
#include <gtest/gtest.h>
#include "core/base/json.hpp"
#include "tests/support/case_name.hpp"

namespace synthoscope::tools {
namespace {

using namespace std::string_view_literals;

struct VisibleCase {
  const char* name;
  std::string_view text, line;
};

constexpr VisibleCase kVisibleCases[] = {
    {"plain", "channel 1, 0.5 um", "channel 1, 0.5 um"},
    {"empty", "", ""},
    {"umlaut_and_micro", "Zellkörper, µm, 細胞", "Zellkörper, µm, 細胞"},
    {"beyond_the_first_plane", "\U0001F52C", "\U0001F52C"},
    {"backslash", "C:\\new", "C:\\new"},
    {"colour", "\x1b[31mred", "\\u001b[31mred"},
    {"title", "\x1b]0;owned\x07", "\\u001b]0;owned\\u0007"},
    {"nul", "a\0b"sv, "a\\u0000b"},
    {"carriage_return", "real\rfake", "real\\u000dfake"},
    {"line_feed", "name\nsynthoscope: error: no", "name\\u000asynthoscope: error: no"},
    {"tab", "a\tb", "a\\u0009b"},
    {"delete", "a\x7f", "a\\u007f"},
    {"c1", "\xc2\x9b[31m", "\\u009b[31m"},
    {"no_break_space", "\xc2\xa0", "\xc2\xa0"},
    {"right_to_left",
     "a\xe2\x80\xae"
     "fit",
     "a\\u202efit"},
    {"isolate", "\xe2\x81\xa6", "\\u2066"},
    {"line_separator", "\xe2\x80\xa8", "\\u2028"},
    {"bare_c1_byte", "\x9b[31m", "\\x9b[31m"},
    {"latin_1", "K\xf6rper", "K\\xf6rper"},
    {"cut_off", "a\xe2\x82", "a\\xe2\\x82"},
    {"too_long_form", "\xc0\x9b\xe0\x80\x9b", "\\xc0\\x9b\\xe0\\x80\\x9b"},
    {"surrogate", "\xed\xa0\x80", "\\xed\\xa0\\x80"},
    {"beyond_unicode", "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
    {"no_lead", "\xff\xfe", "\\xff\\xfe"},
};

class Visible : public testing::TestWithParam<VisibleCase> {};

TEST_P(Visible, LineHoldsNothingThatATerminalObeys) {
  EXPECT_EQ(visible_line(GetParam().text), GetParam().line);
}

INSTANTIATE_TEST_SUITE_P(Table, Visible, testing::ValuesIn(kVisibleCases), test::kCaseName);

TEST(VisibleLines, KeepLinesAndTables) {
  EXPECT_EQ(visible_lines("a\tb\nc\x1b\n"), "a\tb\nc\\u001b\n");
}

TEST(VisibleLines, OfJsonAreTheSameJson) {
  const Json object{{"name", "\x1b[2J\x7f\xc2\x9b\xe2\x80\xae \"quoted\" \\ µ"}};
  const std::string shown = visible_lines(indented_text_of(object));
  EXPECT_EQ(parse_json(shown), object);
  for (const char c : shown) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
}

}  // namespace
}  // namespace synthoscope::tools
