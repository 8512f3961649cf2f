// SPDX-License-Identifier: MIT
#include "core/math/random.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "tests/support/case_name.hpp"

namespace synthoscope {
namespace {

struct PhiloxCase {
  const char* name;
  PhiloxBlock counter;
  PhiloxKey key;
  PhiloxBlock expected;
};

// Known answers that the authors of Philox publish with Random123 (kat_vectors, philox4x32 10).
constexpr PhiloxCase kPhiloxCases[] = {
    {"zeros", {0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {"ones",
     {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0xffffffff, 0xffffffff},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {"digits_of_pi",
     {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

class Philox : public testing::TestWithParam<PhiloxCase> {};

TEST_P(Philox, GivesThePublishedAnswer) {
  EXPECT_EQ(philox4x32(GetParam().counter, GetParam().key), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(KnownAnswers, Philox, testing::ValuesIn(kPhiloxCases), test::kCaseName);

TEST(RandomStream, LaysOutItsCounterAsPromised) {
  // The key is the first half of the block of (stage, 0, 0, 0) under the seed; index has 48 bits,
  // draw 16, frame and channel 32 each
  constexpr std::uint64_t kSeed = 0x0123456789abcdef;
  const auto mixed = philox4x32({4, 0, 0, 0}, {0x89abcdef, 0x01234567});
  const RandomStream random{kSeed, RandomStage::shot_noise};
  EXPECT_EQ(random.block(0x0000a1b2c3d4e5f6, 0x7788, 0x99aabbcc, 0xddeeff00),
            philox4x32({0xc3d4e5f6, 0x7788a1b2, 0x99aabbcc, 0xddeeff00}, {mixed[0], mixed[1]}));
}

TEST(RandomStream, GivesOtherWordsForEveryPartOfItsPlace) {
  const RandomStream random{7, RandomStage::phantom};
  const auto here = random.block(1000, 1, 2, 3);
  EXPECT_EQ(random.block(1000, 1, 2, 3), here);
  EXPECT_NE(random.block(1001, 1, 2, 3), here);
  EXPECT_NE(random.block(1000 + (std::uint64_t{1} << 32), 1, 2, 3), here);
  EXPECT_NE(random.block(1000, 2, 2, 3), here);
  EXPECT_NE(random.block(1000, 1, 3, 3), here);
  EXPECT_NE(random.block(1000, 1, 2, 4), here);
  EXPECT_NE((RandomStream{8, RandomStage::phantom}.block(1000, 1, 2, 3)), here);
  EXPECT_NE((RandomStream{7 + (std::uint64_t{1} << 32), RandomStage::phantom}.block(1000, 1, 2, 3)),
            here);
  EXPECT_NE((RandomStream{7, RandomStage::texture}.block(1000, 1, 2, 3)), here);
}

TEST(Uniform, LiesStrictlyBetweenZeroAndOne) {
  constexpr std::uint32_t kMax = 0xffffffff;
  EXPECT_EQ(uniform32(0), 0x1p-33);
  EXPECT_EQ(uniform32(kMax), 1 - 0x1p-33);
  EXPECT_EQ(uniform32(0x80000000), 0.5 + 0x1p-33);
  EXPECT_EQ(uniform52(0, 0), 0x1p-53);
  EXPECT_EQ(uniform52(kMax, kMax), 1 - 0x1p-53);
  EXPECT_EQ(uniform52(0x80000000, 0), 0.5 + 0x1p-53);
  EXPECT_EQ(uniform52(0, 0x00000fff), 0x1p-53) << "the low twelve bits do not count";
}

TEST(Uniform, HasTheMeanAndVarianceOfUniformNumbers) {
  const RandomStream random{11, RandomStage::phantom};
  constexpr int kCount = 100000;
  double sum = 0, squares = 0;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    const auto words = random.block(i);
    const double u = uniform52(words[0], words[1]);
    sum += u, squares += (u - 0.5) * (u - 0.5);
  }
  // Five standard errors of mean and variance
  EXPECT_NEAR(sum / kCount, 0.5, 5 * std::sqrt(1.0 / 12 / kCount));
  EXPECT_NEAR(squares / kCount, 1.0 / 12, 5 * std::sqrt(1.0 / 180 / kCount));
}

}  // namespace
}  // namespace synthoscope
