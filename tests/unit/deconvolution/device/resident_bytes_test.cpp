// SPDX-License-Identifier: MIT
// What iterations in a GPU's memory take of it and of the link is known without a GPU.
#include <gtest/gtest.h>
#include "core/base/error.hpp"
#include "core/cuda/runtime/described_device.hpp"
#include "deconvolution/device/resident_richardson_lucy.hpp"
#include "tests/support/expect_failure.hpp"

namespace synthoscope::deconvolution {
namespace {

constexpr std::int64_t kFloat = sizeof(float);

constexpr Geometry kGeometry{{64, 512, 512}, {61, 81, 81}, {30, 40, 40}};

TEST(ResidentBytes, AreFewerByTheVolumesOnTheHostAndMoreByTheirSlots) {
  const cuda::DeviceInfo gpu = cuda::described_device(90);
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

TEST(ResidentBytes, AreRefusedIfTheEdgesWrap) {
  Geometry geometry = kGeometry;
  geometry.edge = Edge::wrap;
  test::expect_failure<InvalidSpec>(
      [&] { resident_bytes(geometry, false, cuda::described_device(90)); },
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
