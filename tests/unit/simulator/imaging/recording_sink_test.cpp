// SPDX-License-Identifier: MIT
#include "simulator/imaging/recording_sink.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include "simulator/detector/camera.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/checking_stream.hpp"

namespace synthoscope::simulator {
namespace {

/// Rows that are longer than a piece, rows of which several make one, and boxes of both.
struct RecordingCase {
  const char* name;
  Extent3 extent;
  BoxOrder order;
  std::vector<Box3> boxes;
};

const RecordingCase kCases[] = {
    {"long_rows", {2, 3, 40000}, BoxOrder::any, {{{0, 0, 0}, {2, 3, 40000}}}},
    {"many_rows", {1, 900, 70}, BoxOrder::any, {{{0, 0, 0}, {1, 900, 70}}}},
    {"tiles",
     {2, 40, 50},
     BoxOrder::any,
     {{{0, 0, 30}, {2, 40, 20}}, {{0, 25, 0}, {2, 15, 30}}, {{0, 0, 0}, {2, 25, 30}}}},
    {"planes_in_order",
     {5, 70, 600},
     BoxOrder::planes_in_order,
     {{{0, 0, 0}, {3, 70, 600}}, {{3, 0, 0}, {2, 70, 600}}}},
};

class RecordingSinkOf : public testing::TestWithParam<RecordingCase> {
 protected:
  const RecordingCase& c = GetParam();
  CameraEpilogue camera{{}, {5}, c.extent};
  test::CheckingSink<float> stored{c.extent, c.order};
  test::CheckingSink<std::uint16_t> counts{c.extent, c.order};
  MemoryBudget memory{1 << 20};
  HostBuffer<std::byte> room{
      memory, RecordingSink::room_bytes(c.extent, PixelType::uint16, c.order), "room"};
  RecordingSink sink{stored, camera, counts, room};
};

TEST_P(RecordingSinkOf, HandsOnWhatTheCameraMakesOfTheStoredPhotons) {
  Volume<float> photons{c.extent};
  for (std::size_t i = 0; i < photons.voxels.size(); ++i)
    photons.voxels[i] = static_cast<float>(i % 997);
  Volume<std::uint16_t> expected{c.extent};
  camera.apply(whole(c.extent), photons.view(), expected.view());

  for (const Box3& box : c.boxes) {
    Volume<float> part{box.size};
    MemorySource{photons.view()}.read(box, part.view());
    sink.write(box, part.view());
  }
  sink.close();
  EXPECT_EQ(stored.kept.voxels, photons.voxels);
  EXPECT_EQ(counts.kept.voxels, expected.voxels);
  EXPECT_TRUE(stored.whole() && counts.whole() && stored.closed && counts.closed);
}

TEST_P(RecordingSinkOf, StoresCountsThatSomebodyElseHasMade) {
  EXPECT_EQ(&sink.second_epilogue(), &camera);
  for (const Box3& box : c.boxes) {
    Volume<float> photons{box.size};
    Volume<std::uint16_t> made{box.size};
    std::fill(photons.voxels.begin(), photons.voxels.end(), 3.0F);
    std::fill(made.voxels.begin(), made.voxels.end(), std::uint16_t{7});
    sink.write_both(box, photons.view(), made.view());
  }
  const auto size = static_cast<std::size_t>(volume(c.extent));
  EXPECT_EQ(stored.kept.voxels, std::vector<float>(size, 3));
  EXPECT_EQ(counts.kept.voxels, std::vector<std::uint16_t>(size, 7));
  EXPECT_EQ(camera.report().voxels, 0) << "it records nothing by itself";
}

INSTANTIATE_TEST_SUITE_P(Cases, RecordingSinkOf, testing::ValuesIn(kCases), test::kCaseName);

}  // namespace
}  // namespace synthoscope::simulator
