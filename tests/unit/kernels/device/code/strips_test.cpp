// SPDX-License-Identifier: MIT
// An axis is parted so that a device is full, and windows make few steps before their first result.
#include "kernels/device/code/strips.hpp"
#include <gtest/gtest.h>

namespace synthoscope::kernels::device {
namespace {

std::int64_t steps(const Sliding& s, std::int64_t strip) {
  const std::int64_t windows = (s.results + strip - 1) / strip * s.beside;
  return (windows + s.at_once - 1) / s.at_once * (strip + s.reach + 3);
}

TEST(Strips, AreOneWhereWindowsBesideFillTheDevice) {
  EXPECT_EQ(strip_of({300, 100000, 2000, 15, 512}), 300);
}

TEST(Strips, FillTheDeviceWhereFewWindowsAreBeside) {
  const Sliding s{8192, 64, 2112, 15, 512};
  const std::int64_t strip = strip_of(s);
  EXPECT_EQ(strip, 249);  // 33 strips of 64 columns: one round of 2112 windows
  for (const std::int64_t other : {1, 16, 100, 128, 200, 300, 512})
    EXPECT_LE(steps(s, strip), steps(s, other)) << other;
}

TEST(Strips, AreNeitherEmptyNorLongerThanTheyMayBe) {
  for (const std::int64_t results : {1, 2, 3, 100, 8192, 1000000})
    for (const std::int64_t beside : {1, 7, 5000})
      for (const std::int64_t reach : {1, 97}) {
        const std::int64_t strip = strip_of({results, beside, 528, reach, 512});
        EXPECT_GE(strip, 1);
        EXPECT_LE(strip, std::min<std::int64_t>(results, 512));
      }
}

}  // namespace
}  // namespace synthoscope::kernels::device
