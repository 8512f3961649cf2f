// SPDX-License-Identifier: MIT
// Room that spectra take on a device.
#include "fftconv/plan/gpu/layout.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include "tests/support/case_name.hpp"
#include "tests/support/plan_case.hpp"

namespace synthoscope::fftconv::device {
namespace {

struct RoomCase {
  const char* name;
  Shape shape;
  Extent3 image, kernel, transform;
  Extent3 cut;  ///< results at once; zero: all
  int terms = 1;
  bool keeps_transfer = true;
  std::int64_t ring = 0, results = 0;  ///< planes
};

const RoomCase kRoomCases[] = {
    {"full_in_core", Shape::full, {50, 40, 30}, {15, 9, 9}, {64, 48, 40}, {}, 1, false, 50, 0},
    {"same_in_core", Shape::same, {50, 40, 30}, {15, 9, 9}, {64, 48, 40}, {}, 1, false, 50, 0},
    {"valid_in_core", Shape::valid, {50, 40, 30}, {15, 9, 9}, {64, 48, 40}, {}, 1, false, 50, 0},
    {"terms", Shape::full, {50, 40, 30}, {15, 9, 9}, {64, 48, 40}, {}, 2, true, 50, 64},
    {"ring", Shape::full, {50, 40, 30}, {15, 9, 9}, {32, 48, 40}, {18, 48, 38}, 1, true, 32, 18},
    // The kernel is there for the next tile
    {"tiles", Shape::full, {50, 40, 30}, {15, 9, 9}, {64, 32, 40}, {64, 24, 38}, 1, true, 64, 0},
};

class DeviceWorkspace : public testing::TestWithParam<RoomCase> {};

TEST_P(DeviceWorkspace, ResultsTakeThatOfAKernelThatIsUsedOnce) {
  const RoomCase& c = GetParam();
  Problem p;
  p.image = c.image;
  p.kernel = c.kernel;
  p.center = {7, 4, 4};
  p.shape = c.shape;
  p.terms = c.terms;
  Cut cut;
  cut.result = c.cut.z > 0 ? c.cut : wanted_extent(p);
  const DeviceLayout sizes = sizes_of(p, make_layout(p, c.transform, cut), cut);
  EXPECT_EQ(sizes.keeps_transfer, c.keeps_transfer);
  EXPECT_EQ(sizes.ring_planes, c.ring);
  EXPECT_EQ(sizes.result_planes, c.results);
  EXPECT_EQ(sizes.transfer_planes, c.transform.z);
  if (!sizes.keeps_transfer) {
    EXPECT_GE(sizes.transfer_planes, wanted_extent(p).z) << "results have room there";
  }
}

INSTANTIATE_TEST_SUITE_P(Table, DeviceWorkspace, testing::ValuesIn(kRoomCases), test::kCaseName);

struct KernelBatchCase {
  const char* name;
  Extent3 image, kernel;
  std::int64_t batch_planes, kernel_planes;  ///< copied at once
};

const KernelBatchCase kKernelBatchCases[] = {
    {"three_batches_of_a_small_kernel", {500, 400, 400}, {101, 21, 21}, 4, 34},
    {"as_many_as_a_slot_holds", {500, 64, 64}, {101, 45, 45}, 20, 20},
    {"no_fewer_than_of_the_image", {500, 400, 400}, {9, 21, 21}, 16, 16},
    {"one_plane", {500, 400, 400}, {1, 21, 21}, 1, 1},
};

class KernelBatches : public testing::TestWithParam<KernelBatchCase> {};

/// Where the image is made on the device, the kernel alone is copied up.
TEST_P(KernelBatches, FitIntoTheSlotsOfTheImage) {
  const KernelBatchCase& c = GetParam();
  Problem p = test::centred_problem(c.image, c.kernel);
  p.source_voxel_bytes = p.sink_voxel_bytes = 4;
  p.image_made_on_gpu = true;
  const Extent3 transform{640, 432, 432};
  Cut cut;
  cut.result = wanted_extent(p);
  cut.batch_planes = c.batch_planes;
  const DeviceLayout sizes = sizes_of(p, make_layout(p, transform, cut), cut);
  EXPECT_EQ(kernel_batch_planes(sizes), c.kernel_planes);
  const std::int64_t batch = c.kernel_planes * sizes.kernel_bytes;
  EXPECT_LE(batch, c.batch_planes * sizes.load_bytes);
  EXPECT_EQ(pinned_memory_of(sizes).front().bytes, 3 * batch);
}

INSTANTIATE_TEST_SUITE_P(Table, KernelBatches, testing::ValuesIn(kKernelBatchCases),
                         test::kCaseName);

struct BatchCase {
  const char* name;
  std::int64_t edge;         ///< of planes
  std::int64_t load, store;  ///< bytes of a voxel
  std::int64_t devices;
  std::int64_t planes;
};

const BatchCase kBatchCases[] = {
    {"one_device", 2048, 2, 2, 1, 5},
    {"two_share_the_cache", 2048, 2, 2, 2, 2},
    {"large_results", 2048, 2, 8, 1, 1},
    {"large_inputs", 2048, 4, 1, 1, 2},
    {"many_devices", 2048, 2, 2, 64, 1},
    {"planes_beyond_the_cache", 8192, 2, 2, 1, 1},
    {"small_planes", 16, 2, 2, 1, kMaxBatchPlanes},
};

class MostBatchPlanes : public testing::TestWithParam<BatchCase> {};

TEST_P(MostBatchPlanes, FitIntoTheCacheTogether) {
  const BatchCase& c = GetParam();
  Problem p;
  p.image = {64, c.edge, c.edge};
  p.kernel = {1, 1, 1};
  p.source_voxel_bytes = c.load;
  p.sink_voxel_bytes = c.store;
  Cut cut;
  cut.result = wanted_extent(p);
  const DeviceLayout sizes = sizes_of(p, make_layout(p, p.image, cut), cut);
  EXPECT_EQ(most_batch_planes(sizes, c.devices), c.planes);
}

INSTANTIATE_TEST_SUITE_P(Table, MostBatchPlanes, testing::ValuesIn(kBatchCases), test::kCaseName);

TEST(PlanePassesOfALayout, DependOnTheVolumeAndNotOnBatches) {
  const auto passes_of = [](std::int64_t planes, std::int64_t batch) {
    Problem p;
    p.image = {planes, 512, 512};
    p.kernel = {1, 1, 1};
    Cut cut;
    cut.result = wanted_extent(p);
    cut.batch_planes = batch;
    return make_device_layout(p, p.image, cut, test::kH200).fused;
  };
  EXPECT_FALSE(passes_of(8, 8).any()) << "too few to keep a GPU busy";
  for (const std::int64_t batch : {1, 4, 64})
    EXPECT_EQ(passes_of(64, batch).planes, passes_of(64, 16).planes) << batch;
  EXPECT_TRUE(passes_of(64, 1).any()) << "several GPUs, with smaller batches, give the bits of one";
}

TEST(PlanePassesOfALayout, HaveNoClassesWherePlanesAreConvolvedByThemselves) {
  const auto classes_for = [](std::int64_t kernel_planes) {
    Problem p;
    p.image = {64, 512, 512};
    p.kernel = {kernel_planes, 1, 1};
    Cut cut;
    cut.result = wanted_extent(p);
    cut.direct_z = true;
    return make_device_layout(p, {1, 512, 512}, cut, test::kH200).fused.planes.classes;
  };
  EXPECT_EQ(classes_for(1), 1);
  EXPECT_GT(classes_for(3), 1) << "planes are summed";
}

}  // namespace
}  // namespace synthoscope::fftconv::device
