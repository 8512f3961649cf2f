// SPDX-License-Identifier: MIT
#include "core/random.hpp"
#include <gtest/gtest.h>
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

}  // namespace
}  // namespace synthoscope
