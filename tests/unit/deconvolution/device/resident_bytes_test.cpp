// SPDX-License-Identifier: MIT
// What iterations in a GPU's memory take of it and of the link is known without a GPU.
#include <gtest/gtest.h>
#include "core/base/error.hpp"
#include "core/cuda/runtime/described_device.hpp"
#include "deconvolution/device/gpu_shares.hpp"
#include "tests/support/expect_failure.hpp"

namespace synthoscope::deconvolution {
namespace {

constexpr std::int64_t kFloat = sizeof(float);

constexpr Geometry kGeometry{{64, 512, 512}, {61, 81, 81}, {30, 40, 40}};

TEST(ResidentBytes, AreFewerByTheVolumesOnTheHostAndMoreByTheirSlots) {
  const auto gpu = on_one_gpu(kGeometry, cuda::described_device(90));
  const std::int64_t image = kFloat * volume(kGeometry.field),
                     estimate = kFloat * volume(estimate_extent(kGeometry));
  for (const bool has_momentum : {false, true})
    for (const bool is_image : {false, true})
      for (const bool is_estimates : {false, true}) {
        const VolumesOnHost on_host{.image = is_image, .estimates = is_estimates};
        const std::int64_t held =
            (is_image ? image : 0) + (is_estimates ? (has_momentum ? 2 : 1) * estimate : 0);
        EXPECT_EQ(resident_bytes(gpu, has_momentum, on_host),
                  resident_bytes(gpu, has_momentum) - held +
                      staged_bytes(kGeometry, has_momentum, on_host));
      }
}

TEST(ResidentBytes, OfSlotsFollowTheirPlanes) {
  const Extent3 e = estimate_extent(kGeometry);
  const std::int64_t plane = kFloat * e.y * e.x;
  const auto staged = [](bool has_momentum, std::int64_t bytes) {
    return staged_bytes(kGeometry, has_momentum, {true, true, bytes});
  };
  EXPECT_EQ(staged(false, 1), 4 * plane);  // at least one plane
  EXPECT_EQ(staged(true, 1), 8 * plane);   // and the one of the estimate before
  EXPECT_EQ(staged(false, 3 * plane), 12 * plane);
  EXPECT_EQ(staged(false, std::int64_t{1} << 40), 4 * e.z * plane);
  EXPECT_EQ(staged_bytes(kGeometry, true, {}), 0);
}

/// Returns on how many GPUs a field is put, and the axis that it is cut along.
struct Cut {
  std::size_t gpus;
  char axis;
};
Cut cut_of(const Geometry& geometry, std::size_t gpus, std::int64_t bytes) {
  const std::vector<cuda::DeviceInfo> all(gpus, cuda::described_device(90));
  const auto shares = share_field(geometry, true, all, bytes);
  if (shares.empty()) return {0, ' '};
  const Extent3 &part = shares.front().part.field.size, &field = geometry.field;
  return {shares.size(), part.z < field.z ? 'z' : part.y < field.y ? 'y' : ' '};
}

TEST(ShareField, CutsWhereTheLeastIsSharedAndNotWhatIsSmall) {
  constexpr std::int64_t kLarge = std::int64_t{140} << 30;
  const struct {
    Geometry geometry;
    std::size_t gpus;
    std::size_t used;
    char axis;
  } kTable[] = {
      {{{101, 2048, 2048}, {61, 81, 81}, {30, 40, 40}}, 1, 1, ' '},
      {{{101, 2048, 2048}, {61, 81, 81}, {30, 40, 40}}, 2, 2, 'y'},  // 60 of 101 planes are shared
      {{{101, 2048, 2048}, {61, 81, 81}, {30, 40, 40}}, 4, 4, 'y'},
      {{{1000, 512, 512}, {61, 81, 81}, {30, 40, 40}}, 2, 2, 'z'},
      {{{30, 60, 60}, {61, 81, 81}, {30, 40, 40}}, 2, 1, ' '},  // the PSF is larger than the parts
  };
  for (const auto& row : kTable) {
    const Cut cut = cut_of(row.geometry, row.gpus, kLarge);
    EXPECT_EQ(cut.gpus, row.used) << row.geometry.field << " on " << row.gpus;
    EXPECT_EQ(cut.axis, row.axis) << row.geometry.field << " on " << row.gpus;
  }
}

TEST(ShareField, TakesMoreGpusWhereOneHasTooLittleMemory) {
  constexpr Geometry kDeep{{2000, 2048, 2048}, {61, 81, 81}, {30, 40, 40}};
  constexpr std::int64_t kLarge = std::int64_t{130} << 30;
  EXPECT_EQ(cut_of(kDeep, 1, kLarge).gpus, 0u);
  EXPECT_EQ(cut_of(kDeep, 2, kLarge).gpus, 2u);
  EXPECT_EQ(cut_of(kGeometry, 2, 1 << 20).gpus, 0u);
}

TEST(ShareField, PartsTakeWhatTheySay) {
  const std::vector<cuda::DeviceInfo> gpus(2, cuda::described_device(90));
  const auto shares = share_field(kGeometry, true, gpus, std::int64_t{1} << 40);
  ASSERT_EQ(shares.size(), 2u);
  const std::int64_t bytes = resident_bytes(shares, true);
  EXPECT_LT(bytes, resident_bytes(on_one_gpu(kGeometry, gpus[0]), true));
  EXPECT_FALSE(share_field(kGeometry, true, gpus, bytes).empty());
  EXPECT_TRUE(share_field(kGeometry, true, gpus, bytes - 1).empty());
}

TEST(ResidentBytes, AreRefusedIfTheEdgesWrap) {
  Geometry geometry = kGeometry;
  geometry.edge = Edge::wrap;
  const std::vector<cuda::DeviceInfo> gpus{cuda::described_device(90)};
  test::expect_failure<InvalidSpec>(
      [&] { share_field(geometry, false, gpus, std::int64_t{1} << 40); },
      {"64x512x512", "shape must be valid", "boundary wrap", "plan_convolution"});
}

TEST(LinkBytes, AreImageAndEstimateUpAndTheEstimateDown) {
  const std::int64_t image = kFloat * volume(kGeometry.field),
                     estimate = kFloat * volume(estimate_extent(kGeometry));
  EXPECT_EQ(link_bytes(kGeometry, false, {}), LinkBytes{});
  EXPECT_EQ(link_bytes(kGeometry, false, {true, false}), (LinkBytes{image, 0}));
  EXPECT_EQ(link_bytes(kGeometry, false, {true, true}), (LinkBytes{image + estimate, estimate}));
  EXPECT_EQ(link_bytes(kGeometry, true, {true, true}), (LinkBytes{image + 2 * estimate, estimate}));
}

}  // namespace
}  // namespace synthoscope::deconvolution
