// SPDX-License-Identifier: MIT
#include "core/base/names.hpp"
#include <gtest/gtest.h>

namespace synthoscope {
namespace {

enum class Fruit { apple, pear, plum };
constexpr NameTable<Fruit, 2> kFruit{{{Fruit::apple, "apple"}, {Fruit::pear, "pear"}}};

TEST(NameTable, FindsNamesAndValuesAndSaysWhenThereAreNone) {
  EXPECT_EQ(name_in(kFruit, Fruit::pear), "pear");
  EXPECT_EQ(named_in(kFruit, "apple"), Fruit::apple);
  EXPECT_EQ(named_in(kFruit, "Apple"), std::nullopt);
  EXPECT_EQ(named_in(kFruit, ""), std::nullopt);
  EXPECT_EQ(name_in(kFruit, Fruit::plum), "unknown");
}

}  // namespace
}  // namespace synthoscope
