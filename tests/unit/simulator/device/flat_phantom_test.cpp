// SPDX-License-Identifier: MIT
// Voxels of a phantom in arrays are those of the phantom. The kernels call the same functions.
#include "simulator/device/flat_phantom.hpp"
#include <gtest/gtest.h>
#include "core/memory_stream.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/phantom_case.hpp"

namespace synthoscope::simulator::device {
namespace {

constexpr int kEveryKind = 63;

class FlatPhantoms : public testing::TestWithParam<test::PhantomCase> {};

TEST_P(FlatPhantoms, HaveTheLightAndTheLabelsOfThePhantom) {
  const Phantom phantom = GetParam().make();
  const FlatPhantom flat{phantom};
  const PlainPhantom plain = flat.view();
  const Box3 box = whole(phantom.grid.extent);
  Volume<float> light{box.size};
  Volume<std::uint16_t> labels{box.size};
  PhantomSource{phantom}.read(box, light.view());
  LabelSource{phantom}.read(box, labels.view());
  std::size_t i = 0;
  for (std::int64_t z = 0; z < box.size.z; ++z)
    for (std::int64_t y = 0; y < box.size.y; ++y)
      for (std::int64_t x = 0; x < box.size.x; ++x, ++i) {
        ASSERT_EQ(light_at<kEveryKind>(plain, z, y, x), light.voxels[i])
            << z << ' ' << y << ' ' << x;
        ASSERT_EQ(label_at<kEveryKind>(plain, z, y, x), labels.voxels[i]);
      }
}

INSTANTIATE_TEST_SUITE_P(Phantoms, FlatPhantoms, testing::ValuesIn(test::kPhantomCases),
                         synthoscope::test::kCaseName);

}  // namespace
}  // namespace synthoscope::simulator::device
