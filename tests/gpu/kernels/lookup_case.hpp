// SPDX-License-Identifier: MIT
// tests/gpu/kernels/lookup_case.hpp — images looked up on a device and on the host, whose bits are
// the same.
#pragma once
#include <gtest/gtest.h>
#include <cstring>
#include <memory>
#include <random>
#include "kernels/resample/resample.hpp"
#include "tests/gpu/gpu_test.hpp"
#include "tests/gpu/kernels/run_on_device.hpp"
#include "tests/support/operation_case.hpp"
#include "tests/support/outsides.hpp"

namespace synthoscope::kernels::device {

using test::kOutsides;

template <class T>
Volume<T> voxels_of(const Extent3& extent) {
  std::mt19937 random{17};
  Volume<T> image{extent};
  for (T& voxel : image.voxels) {
    voxel = static_cast<T>(random() % 251);
    if constexpr (std::is_floating_point_v<T>) voxel += static_cast<T>(0.37);
  }
  return image;
}

template <class To>
ResampleSpec spec_of(const Extent3& result, Interpolation how, Outside outside) {
  return {result, how, outside, has_fill(outside) ? 17.0 : 0.0, pixel_type_of<To>()};
}

/// By a strategy on the device, in one brick and in many, beside the host's own.
template <class From, class To>
void expect_bits(const cuda::DeviceInfo& device, const Extent3& extent,
                 const std::shared_ptr<const CoordinateMap>& map, ResampleSpec spec,
                 ResampleStrategy strategy = ResampleStrategy::automatic,
                 CoordinateProduct coordinates = CoordinateProduct::fused) {
  SCOPED_TRACE(testing::Message() << name_of(spec.interpolation) << " " << name_of(spec.outside)
                                  << " " << name_of(strategy) << " " << name_of(coordinates) << " "
                                  << name_of(pixel_type_of<From>()) << " to "
                                  << name_of(pixel_type_of<To>()));
  const Volume<From> image = voxels_of<From>(extent);
  Resample on_host{extent, map, spec};
  const Volume<To> expected = test::apply_whole<To>(on_host, image)[0];
  spec.strategy = strategy;
  spec.coordinates = coordinates;
  for (const std::int64_t bytes : {std::int64_t{1} << 26, volume(spec.result) * 2}) {
    Resample resample{extent, map, spec};
    const Volume<To> found = test::run_on_device<To>(device, resample, image, bytes);
    EXPECT_EQ(std::memcmp(expected.voxels.data(), found.voxels.data(),
                          expected.voxels.size() * sizeof(To)),
              0)
        << "in bricks of " << bytes << " bytes: not the bits of the host";
    EXPECT_EQ(resample.stored_counts().clipped, on_host.stored_counts().clipped);
    EXPECT_EQ(resample.stored_counts().non_finite, on_host.stored_counts().non_finite);
  }
}

}  // namespace synthoscope::kernels::device
