// SPDX-License-Identifier: MIT
// A device renders what the host renders, bit for bit.
#include "simulator/phantom/phantom.hpp"
#include <numeric>
#include "core/cuda/memory/buffer.hpp"
#include "core/stream/device_stream.hpp"
#include "core/stream/memory_stream.hpp"
#include "tests/gpu/gpu_test.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/phantom_case.hpp"

namespace synthoscope::simulator {
namespace {

class DevicePhantoms : public cuda::GpuTest, public testing::WithParamInterface<test::PhantomCase> {
 protected:
  template <class T>
  void expect_same(Source& source, const Extent3& grid) {
    const cuda::Stream stream{device};
    TaskPool pool{1};
    const auto there = source.make_on_device();
    there->prepare({info, memory, pool}, stream);
    for (const Box3& box : test::boxes_of(grid)) {
      Volume<T> expected{box.size}, found{box.size};
      source.read(box, expected.view());
      const cuda::DeviceBuffer<T> out{device, memory, volume(box.size), "voxels"};
      there->enqueue_read(stream, box, reinterpret_cast<std::byte*>(out.data()));
      cuda::enqueue_copy(stream, found.voxels.data(), out.data(), out.bytes());
      stream.finish();
      EXPECT_EQ(expected.voxels, found.voxels);
    }
  }
};

TEST_P(DevicePhantoms, HaveTheLightAndTheLabelsOfTheHost) {
  const Phantom phantom = GetParam().make();
  PhantomSource light{phantom};
  std::vector<std::uint16_t> names(static_cast<std::size_t>(phantom.count()));
  std::iota(names.rbegin(), names.rend(), std::uint16_t{60000});
  LabelSource labels{phantom, names};
  expect_same<float>(light, phantom.grid.extent);
  expect_same<std::uint16_t>(labels, phantom.grid.extent);
  for (const LightKind& kind : kLightKinds)
    for (const double weight : {0.0, 0.3}) {
      LightSpec seen;
      seen.*kind.weight = weight;
      PhantomSource of_channel{phantom, seen};
      expect_same<float>(of_channel, phantom.grid.extent);
    }
}

INSTANTIATE_TEST_SUITE_P(Phantoms, DevicePhantoms, testing::ValuesIn(test::kPhantomCases),
                         synthoscope::test::kCaseName);

}  // namespace
}  // namespace synthoscope::simulator
