// SPDX-License-Identifier: MIT
// A device counts light and makes photons of it as the host does, bit for bit.
#include <algorithm>
#include "core/cuda/memory/buffer.hpp"
#include "core/stream/device_stream.hpp"
#include "core/stream/memory_stream.hpp"
#include "simulator/light/expected_photons.hpp"
#include "simulator/light/light_ledger.hpp"
#include "simulator/light/stripes.hpp"
#include "simulator/light/weighted_source.hpp"
#include "tests/gpu/gpu_test.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/phantom_case.hpp"

namespace synthoscope::simulator {
namespace {

struct LightCase {
  const char* name;
  std::vector<Box3> boxes;  ///< that are read
  double falloff = 0;
  double level = 1;  ///< of the light
};

constexpr Extent3 kLight{37, 61, 70};

const LightCase kLights[] = {
    {"whole", {whole(kLight)}, 0},
    {"whole_of_a_dim_lamp", {whole(kLight)}, 0, 0.3},
    {"planes_some_of_them_twice",
     {{{0, 0, 0}, {20, 61, 70}}, {{17, 0, 0}, {20, 61, 70}}, {{3, 0, 0}, {4, 61, 70}}},
     0.4},
    {"tiles_with_halos",
     {{{0, 0, 0}, {37, 40, 40}},
      {{0, 0, 30}, {37, 40, 40}},
      {{0, 30, 0}, {37, 31, 40}},
      {{0, 30, 30}, {37, 31, 40}}},
     0.1},
};

class DeviceLight : public cuda::GpuTest, public testing::WithParamInterface<LightCase> {
 protected:
  const Phantom phantom = test::kPhantomCases[1].make();
  cuda::DeviceContext gpu() { return {info, memory, pool}; }
  void expect_equal(Source& source);
  TaskPool pool{1};
};

TEST_P(DeviceLight, IsCountedAsOnTheHost) {
  PhantomSource inner{phantom};
  LightLedger on_host{kLight, true}, on_device{kLight, true};
  CountedSource host_source{inner, on_host}, device_source{inner, on_device};
  const cuda::Stream stream{device};
  const auto there = device_source.make_on_device();
  there->prepare(gpu(), stream);
  for (const Box3& box : GetParam().boxes) {
    Volume<float> light{box.size};
    host_source.read(box, light.view());
    const cuda::DeviceBuffer<std::byte> out{device, memory, 4 * volume(box.size), "light"};
    there->enqueue_read(stream, box, out.data());
    stream.finish();
  }
  there->finish(stream);
  EXPECT_TRUE(on_device.is_complete());
  EXPECT_EQ(on_host.planes(), on_device.planes());
}

/// Both of a host and a device read the boxes of the case: voxels and sums are the same.
void DeviceLight::expect_equal(Source& source) {
  LightLedger on_host{kLight, true}, on_device{kLight, true};
  CountedSource host_source{source, on_host}, device_source{source, on_device};
  const cuda::Stream stream{device};
  const auto there = device_source.make_on_device();
  there->prepare(gpu(), stream);
  for (const Box3& box : GetParam().boxes) {
    Volume<float> expected{box.size}, found{box.size};
    host_source.read(box, expected.view());
    const cuda::DeviceBuffer<std::byte> out{device, memory, 4 * volume(box.size), "light"};
    there->enqueue_read(stream, box, out.data());
    cuda::enqueue_copy(stream, reinterpret_cast<std::byte*>(found.voxels.data()), out.data(),
                       out.bytes());
    stream.finish();
    EXPECT_EQ(expected.voxels, found.voxels);
  }
  there->finish(stream);
  EXPECT_EQ(on_host.planes(), on_device.planes());
}

TEST_P(DeviceLight, IsLitInStripesAndCountedAsOnTheHost) {
  const Stripes stripes{{0.8, {1.7, -2.3}, 0.3}, 1, phantom.grid, true};
  PhantomSource inner{phantom};
  StripedSource striped{inner, stripes};
  expect_equal(striped);
}

TEST_P(DeviceLight, IsWeightedAndCountedAsOnTheHost) {
  VoxelWeights weights;
  for (int z = 0; z < 37; ++z) weights.z.push_back(z < 11 || z > 23 ? 0 : 0.3 + z / 37.0);
  for (int x = 0; x < 70; ++x) weights.x.push_back(1 / (1.0 + x));
  PhantomSource inner{phantom};
  WeightedSource weighted{inner, weights};
  expect_equal(weighted);
}

TEST_P(DeviceLight, BecomesPhotonsAsOnTheHost) {
  const Illumination illumination{
      {GetParam().falloff, std::nullopt}, {1, 61, 70}, GetParam().level};
  const BackgroundSpec uneven{.gradient = 0.4, .field_deviation = 0.3, .grain_deviation = 0.2};
  const Grid pixels{kLight, {0.3, 0.2, 0.2}};
  const Background background{3.5, GetParam().falloff > 0 ? uneven : BackgroundSpec{},
                              LensGrain{0.3, 1}, pixels, 5};
  ExpectedPhotons on_host{background, illumination}, on_device{background, illumination};
  LightLedger host_ledger{kLight, false}, device_ledger{kLight, false};
  CountedEpilogue host_finish{on_host, host_ledger}, device_finish{on_device, device_ledger};
  PhantomSource source{phantom};
  const cuda::Stream stream{device};
  const auto there = device_finish.make_on_device();
  there->prepare(gpu(), stream);
  for (const Box3& box : GetParam().boxes) {
    Volume<float> blurred{box.size}, expected{box.size}, found{box.size};
    source.read(box, blurred.view());
    for (float& voxel : blurred.voxels) voxel -= 20;  // transforms leave some light below zero
    host_finish.apply(box, blurred.view(), expected.view());
    const cuda::DeviceBuffer<float> light{device, memory, volume(box.size), "light"};
    cuda::enqueue_copy(stream, light.data(), blurred.voxels.data(), light.bytes());
    there->enqueue_apply(stream, box, light.data(), reinterpret_cast<std::byte*>(light.data()));
    cuda::enqueue_copy(stream, found.voxels.data(), light.data(), light.bytes());
    stream.finish();
    EXPECT_EQ(expected.voxels, found.voxels);
  }
  there->finish(stream);
  EXPECT_EQ(host_ledger.planes(), device_ledger.planes());
}

INSTANTIATE_TEST_SUITE_P(Readings, DeviceLight, testing::ValuesIn(kLights),
                         synthoscope::test::kCaseName);

}  // namespace
}  // namespace synthoscope::simulator
