// SPDX-License-Identifier: MIT
// What iterations in a GPU's memory take of it and of the link is known without a GPU.
#include <gtest/gtest.h>
#include "deconvolution/device/resident_richardson_lucy.hpp"

namespace synthoscope::deconvolution {
namespace {

constexpr std::int64_t kFloat = sizeof(float);

cuda::DeviceInfo some_gpu() {
  cuda::DeviceInfo gpu;
  gpu.capability = 90;
  gpu.memory_bytes = std::int64_t{140} << 30;
  gpu.multiprocessors = 132;
  gpu.l2_bytes = 50 << 20;
  gpu.shared_bytes = 227 << 10;
  gpu.shared_bytes_per_multiprocessor = 228 << 10;
  gpu.registers_per_multiprocessor = 65536;
  return gpu;
}

constexpr Geometry kGeometry{{64, 512, 512}, {61, 81, 81}, {30, 40, 40}};

TEST(ResidentBytes, AreFewerByTheVolumesOnTheHostAndMoreByTheirSlots) {
  const cuda::DeviceInfo gpu = some_gpu();
  const std::int64_t image = kFloat * volume(kGeometry.field),
                     estimate = kFloat * volume(estimate_extent(kGeometry));
  for (const bool has_momentum : {false, true})
    for (const bool is_image : {false, true})
      for (const bool is_estimates : {false, true}) {
        const VolumesOnHost on_host{.image = is_image, .estimates = is_estimates};
        const std::int64_t held =
            (is_image ? image : 0) + (is_estimates ? (has_momentum ? 2 : 1) * estimate : 0);
        EXPECT_EQ(resident_bytes(kGeometry, has_momentum, gpu, on_host),
                  resident_bytes(kGeometry, has_momentum, gpu) - held +
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
