// SPDX-License-Identifier: MIT
// A device records what the host records, bit for bit.
#include "simulator/detector/camera.hpp"
#include <limits>
#include "core/cuda/memory/buffer.hpp"
#include "core/stream/device_stream.hpp"
#include "tests/gpu/gpu_test.hpp"
#include "tests/support/camera_case.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"

namespace synthoscope::simulator {
namespace {

class DeviceCameras : public cuda::GpuTest, public testing::WithParamInterface<test::CameraCase> {
 protected:
  std::vector<std::byte> host_counts(CameraEpilogue& camera, const Box3& box,
                                     const Volume<float>& photons) {
    const StreamFormat format = camera.format(box.size);
    std::vector<std::byte> counts(
        static_cast<std::size_t>(volume(format.extent) * size_of(format.type)));
    camera.apply(box, photons.view(), {counts.data(), format.type, format.extent});
    return counts;
  }
  std::vector<std::byte> device_counts(CameraEpilogue& camera, const Box3& box,
                                       const Volume<float>& photons) {
    const StreamFormat format = camera.format(box.size);
    std::vector<std::byte> counts(
        static_cast<std::size_t>(volume(format.extent) * size_of(format.type)));
    const cuda::Stream stream{device};
    TaskPool pool{1};
    const cuda::DeviceBuffer<float> in{device, memory, volume(box.size), "photons"};
    const cuda::DeviceBuffer<std::byte> out{device, memory,
                                            static_cast<std::int64_t>(counts.size()), "counts"};
    const auto epilogue = camera.make_on_device();
    epilogue->prepare({info, memory, pool}, stream);
    cuda::enqueue_copy(stream, in.data(), photons.voxels.data(), in.bytes());
    epilogue->enqueue_apply(stream, box, in.data(), out.data());
    cuda::enqueue_copy(stream, counts.data(), out.data(), out.bytes());
    epilogue->finish(stream);
    return counts;
  }
};

TEST_P(DeviceCameras, RecordWhatTheHostRecords) {
  const test::CameraCase& c = GetParam();
  CameraEpilogue on_host{c.spec(), test::kCameraKey, test::kCameraVolume},
      on_device{c.spec(), test::kCameraKey, test::kCameraVolume};
  const Volume<float> photons = test::photons_for(c);
  for (const std::int64_t frame : {0LL, 1LL, 4'000'000'000LL}) {
    CameraEpilogue here{on_host, frame}, there{on_device, frame};
    EXPECT_EQ(host_counts(here, c.box, photons), device_counts(there, c.box, photons));
    EXPECT_EQ(here.report(), there.report());
  }
}

INSTANTIATE_TEST_SUITE_P(Cameras, DeviceCameras, testing::ValuesIn(test::kCameraCases),
                         synthoscope::test::kCaseName);

class DeviceCamera : public DeviceCameras {};

TEST_P(DeviceCamera, RefusesPhotonsThatAreNoNumber) {
  const test::CameraCase& c = GetParam();
  Volume<float> photons = test::photons_for(c);
  photons.voxels.back() = std::numeric_limits<float>::quiet_NaN();
  photons.voxels[photons.voxels.size() / 2] = -std::numeric_limits<float>::infinity();
  CameraEpilogue on_host{c.spec(), {}, test::kCameraVolume},
      on_device{c.spec(), {}, test::kCameraVolume};
  std::string sentence;
  try {
    host_counts(on_host, c.box, photons);
  } catch (const InvalidInput& refused) {
    sentence = refused.what();
  }
  synthoscope::test::expect_failure<InvalidInput>([&] { device_counts(on_device, c.box, photons); },
                                                  {sentence.c_str()});
}

INSTANTIATE_TEST_SUITE_P(Cameras, DeviceCamera,
                         testing::Values(test::kCameraCases[0], test::kCameraCases[5]),
                         synthoscope::test::kCaseName);

}  // namespace
}  // namespace synthoscope::simulator
