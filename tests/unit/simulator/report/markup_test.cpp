// SPDX-License-Identifier: MIT
#include "simulator/report/markup.hpp"
#include <gtest/gtest.h>
#include "tests/support/case_name.hpp"

namespace synthoscope::simulator {
namespace {

struct Base64Case {
  const char* name;
  std::string_view bytes, text;
};

// RFC 4648, section 10
constexpr Base64Case kBase64Cases[] = {
    {"nothing", "", ""},
    {"one_byte", "f", "Zg=="},
    {"two_bytes", "fo", "Zm8="},
    {"three_bytes", "foo", "Zm9v"},
    {"four_bytes", "foob", "Zm9vYg=="},
    {"five_bytes", "fooba", "Zm9vYmE="},
    {"six_bytes", "foobar", "Zm9vYmFy"},
    {"high_bits", "\xff\xfe", "//4="},
};

class Base64 : public testing::TestWithParam<Base64Case> {};

TEST_P(Base64, HasTheTextOfTheStandard) {
  EXPECT_EQ(base64(std::as_bytes(std::span{GetParam().bytes})), GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(Table, Base64, testing::ValuesIn(kBase64Cases), test::kCaseName);

TEST(Markup, EscapesWhatAPageWouldTakeForItsOwn) {
  EXPECT_EQ(escaped("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
  EXPECT_EQ(table({{"<key>"}, {"1 & 2"}}),
            "<table><tr><th>&lt;key&gt;</th></tr><tr><td>1 &amp; 2</td></tr></table>");
}

}  // namespace
}  // namespace synthoscope::simulator
