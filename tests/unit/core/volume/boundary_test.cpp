// SPDX-License-Identifier: MIT
#include "core/volume/boundary.hpp"
#include <gtest/gtest.h>
#include <string>
#include "tests/support/case_name.hpp"

namespace synthoscope {
namespace {

struct PictureCase {
  const char* name;
  Boundary boundary;
  std::int64_t length;
  std::string picture;  ///< what stands at -2 length ... 3 length - 1; '.' is outside
};

// As scipy.ndimage draws its modes.
const PictureCase kPictureCases[] = {
    {"zero", Boundary::zero, 4, "........abcd........"},
    {"nearest", Boundary::nearest, 4, "aaaaaaaaabcddddddddd"},
    {"reflect", Boundary::reflect, 4, "abcddcbaabcddcbaabcd"},
    {"mirror", Boundary::mirror, 4, "cbabcdcbabcdcbabcdcb"},
    {"wrap", Boundary::wrap, 4, "abcdabcdabcdabcdabcd"},
    {"zero_of_one", Boundary::zero, 1, "..a.."},
    {"nearest_of_one", Boundary::nearest, 1, "aaaaa"},
    {"reflect_of_one", Boundary::reflect, 1, "aaaaa"},
    {"mirror_of_one", Boundary::mirror, 1, "aaaaa"},
    {"wrap_of_one", Boundary::wrap, 1, "aaaaa"},
    {"mirror_of_two", Boundary::mirror, 2, "ababababab"},
    {"reflect_of_two", Boundary::reflect, 2, "abbaabbaab"},
};

class Picture : public testing::TestWithParam<PictureCase> {};

TEST_P(Picture, IsWhatTheIndexMapDraws) {
  const auto& [name, boundary, n, picture] = GetParam();
  std::string drawn;
  for (std::int64_t i = -2 * n; i < 3 * n; ++i) {
    const std::int64_t at = mapped_index(boundary, i, n);
    ASSERT_LT(at, n);
    drawn += at == kOutside ? '.' : static_cast<char>('a' + at);
  }
  EXPECT_EQ(drawn, picture);
}

INSTANTIATE_TEST_SUITE_P(Table, Picture, testing::ValuesIn(kPictureCases), test::kCaseName);

TEST(Boundary, MapsPositionsFarOutsideInsideTheImage) {
  constexpr std::int64_t kFar = std::int64_t{1} << 60;
  for (const auto boundary :
       {Boundary::nearest, Boundary::reflect, Boundary::mirror, Boundary::wrap})
    for (const std::int64_t n : {1, 2, 7, 1000})
      for (const std::int64_t i : {-kFar, -kFar + 1, kFar, kFar + 1}) {
        EXPECT_GE(mapped_index(boundary, i, n), 0) << name_of(boundary);
        EXPECT_LT(mapped_index(boundary, i, n), n) << name_of(boundary);
      }
}

TEST(Boundary, IsFoundByTheNameItHas) {
  for (const auto boundary :
       {Boundary::zero, Boundary::nearest, Boundary::reflect, Boundary::mirror, Boundary::wrap})
    EXPECT_EQ(boundary_named(name_of(boundary)), boundary);
  EXPECT_EQ(boundary_named("constant"), std::nullopt);
}

}  // namespace
}  // namespace synthoscope
