// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <string>
#include "core/base/error.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "simulator/scene/file/toml.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"

namespace synthoscope::simulator {
namespace {

constexpr auto kNone = std::string_view::npos;

struct KeyCase {
  const char* name;
  const char* toml;
  std::string_view::size_type deep_at;
};

constexpr KeyCase kKeyCases[] = {
    {"empty", "", kNone},
    {"few_parts", "[a.b]\nc.d = 1.5\n", kNone},
    {"eight_parts", "a.b.c.d.e.f.g.h = 1", kNone},
    {"nine_parts", "a.b.c.d.e.f.g.h.i = 1", 0},
    {"with_blanks_and_quotes", "x = 1\na . b . 'c' . \"d\".e.f.g.h.i = 1", 6},
    {"of_a_table", "[a.b.c.d.e.f.g.h.i]", 1},
    {"of_an_inline_table", "a = {b = 1, c.d.e.f.g.h.i.j.k = 2}", 11},
    {"many_numbers", "a = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.5]", kNone},
    {"comment", "# .........................\na = 1", kNone},
    {"text", "a = \"........................\"", kNone},
    {"text_with_escaped_quote", "a = \"\\\"....................\"", kNone},
    {"literal_text", "a = 'C:\\'\nb.c = 1 # ..........", kNone},
    {"text_of_lines", "a = \"\"\"\n.........\n\"quoted\".........\"\"\"", kNone},
    {"behind_text_of_lines", "a = '''\n'''\nb.c.d.e.f.g.h.i.j = 1", 12},
    {"text_of_lines_that_ends_with_quotes", "a = {b = '''x''''', c.d.e.f.g.h.i.j.k = 1}", 19},
    {"other_letters", "\xC3\xA9.b.c.d.e.f.g.h.i = 1", 0},
    {"text_without_end", "a = \"...........", kNone},
};

class DeepKey : public testing::TestWithParam<KeyCase> {};

TEST_P(DeepKey, IsFoundOutsideOfTextsAndComments) {
  EXPECT_EQ(deep_key(GetParam().toml), GetParam().deep_at);
}

INSTANTIATE_TEST_SUITE_P(Cases, DeepKey, testing::ValuesIn(kKeyCases), test::kCaseName);

TEST(ParseScene, RefusesKeysThatNestAsDeepAsTheyLike) {
  std::string key = "a";
  for (int i = 0; i < 100'000; ++i) key += ".a";
  for (const std::string& text : {"seed = 1\n" + key + " = 1\n", "seed = 1\n[" + key + "]\n"})
    test::expect_failure<InvalidSpec>([&] { static_cast<void>(parse_scene(text, "scene.toml")); },
                                      {"read scene.toml, line 2", "more than 8 parts"});
}

}  // namespace
}  // namespace synthoscope::simulator
