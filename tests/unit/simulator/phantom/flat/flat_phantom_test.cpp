// SPDX-License-Identifier: MIT
// Voxels of a phantom in arrays are those of the phantom. The kernels call the same functions.
#include "simulator/phantom/flat/flat_phantom.hpp"
#include <gtest/gtest.h>
#include "core/stream/memory_stream.hpp"
#include "simulator/scene/blur_setup.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/phantom_case.hpp"

namespace synthoscope::simulator::device {
namespace {

class FlatPhantoms : public testing::TestWithParam<test::PhantomCase> {};

/// Voxels of a phantom whose kinds glow as a channel sees them.
void expect_light(const Phantom& phantom, const LightSpec& seen) {
  const FlatPhantom flat{phantom, seen};
  const PlainPhantom plain = flat.view();
  const Box3 box = whole(phantom.grid.extent);
  Volume<float> light{box.size};
  PhantomSource{phantom, seen}.read(box, light.view());
  std::size_t i = 0;
  for (std::int64_t z = 0; z < box.size.z; ++z)
    for (std::int64_t y = 0; y < box.size.y; ++y)
      for (std::int64_t x = 0; x < box.size.x; ++x, ++i)
        ASSERT_EQ(light_at<PlainBodies::kEvery>(plain, z, y, x), light.voxels[i])
            << z << ' ' << y << ' ' << x;
}

TEST_P(FlatPhantoms, HaveTheLightThatAChannelSees) {
  const Phantom phantom = GetParam().make();
  for (const LightKind& kind : kLightKinds) {
    LightSpec dark, weak;
    dark.*kind.weight = 0;
    weak.*kind.weight = 0.3;
    expect_light(phantom, dark);
    expect_light(phantom, weak);
  }
  EXPECT_EQ((FlatPhantom{phantom, no_light()}.kinds), 0);
}

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
        ASSERT_EQ(light_at<PlainBodies::kEvery>(plain, z, y, x), light.voxels[i])
            << z << ' ' << y << ' ' << x;
        ASSERT_EQ(object_at<PlainBodies::kEvery>(plain, z, y, x) + 1, labels.voxels[i]);
      }
}

TEST_P(FlatPhantoms, TakeNoMoreThanIsCountedBeforeTheyAreMade) {
  const Phantom phantom = GetParam().make();
  for (const std::int64_t finer : {1, 3}) {
    const Phantom rendered = refined(phantom, finer);
    const std::int64_t taken = FlatPhantom{rendered}.bytes(),
                       counted =
                           flat_phantom_bytes(phantom.spec, phantom.grid, rendered.grid.extent);
    EXPECT_LE(taken, counted);
    // What is counted holds the voxels of an imported volume, and places of pieces as if each lay
    // everywhere
    if (finer == 1 && !phantom.volume && phantom.cells.empty() && phantom.neurons.empty() &&
        phantom.adherent.empty()) {
      EXPECT_LE(counted, 4 * taken) << "more than there is by far";
    }
  }
}

TEST(FlatPhantom, TakesNoMoreThanIsCountedWhereCubesAreCoarse) {
  PhantomSpec spec;
  spec.nuclei.count = 0;
  spec.beads.count = 40;
  spec.beads.diameter_um = 30;
  const Grid grid{{300, 5000, 5000}, {0.3, 0.1, 0.1}};
  const synthoscope::test::TestContext test;
  const FlatPhantom flat{make_phantom(spec, grid, 5, test.context)};
  EXPECT_GT(flat.index.lists().cube_bits, 4);
  EXPECT_LE(flat.bytes(), flat_phantom_bytes(spec, grid, grid.extent));
}

INSTANTIATE_TEST_SUITE_P(Phantoms, FlatPhantoms, testing::ValuesIn(test::kPhantomCases),
                         synthoscope::test::kCaseName);

}  // namespace
}  // namespace synthoscope::simulator::device
