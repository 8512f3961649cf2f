// SPDX-License-Identifier: MIT
#include "core/system/copy_past_caches.hpp"
#include <gtest/gtest.h>
#include <vector>

namespace synthoscope {
namespace {

TEST(CopyPastCaches, CopiesTheseBytesAndNoOthers) {
  std::vector<std::byte> from(1000);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i * 7 % 251);
  constexpr std::byte kUntouched{255};
  for (const std::size_t bytes : {0, 1, 63, 64, 65, 127, 128, 200, 513})
    for (const std::size_t source : {0, 1, 16, 37})
      for (const std::size_t target : {0, 1, 15, 16, 63, 64}) {
        std::vector<std::byte> to(1000, kUntouched), expected = to;
        std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(source), bytes,
                    expected.begin() + static_cast<std::ptrdiff_t>(target));
        copy_past_caches(to.data() + target, from.data() + source, bytes);
        EXPECT_EQ(to, expected) << bytes << ' ' << source << ' ' << target;
      }
}

}  // namespace
}  // namespace synthoscope
