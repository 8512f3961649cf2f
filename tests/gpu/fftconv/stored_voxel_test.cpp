// SPDX-License-Identifier: MIT
// A device stores, rounds and counts voxels as the host does, bit for bit.
#include <cmath>
#include <limits>
#include "core/cuda/code/module.hpp"
#include "core/cuda/memory/buffer.hpp"
#include "core/stream/memory_stream.hpp"
#include "core/stream/store_as.hpp"
#include "fftconv/device/code/programs.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace synthoscope::fftconv {
namespace {

constexpr PixelType kAllTypes[] = {PixelType::int8,    PixelType::uint8,  PixelType::int16,
                                   PixelType::uint16,  PixelType::int32,  PixelType::uint32,
                                   PixelType::float32, PixelType::float64};

/// Ties, borders of every type and their neighbours, what is no number.
Volume<float> awkward_voxels() {
  std::vector<float> voxels{0.0F,
                            -0.0F,
                            std::numeric_limits<float>::quiet_NaN(),
                            std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity(),
                            std::numeric_limits<float>::max(),
                            -std::numeric_limits<float>::max(),
                            std::numeric_limits<float>::denorm_min()};
  for (const float border : {0.0F, 127.0F, 128.0F, 255.0F, 256.0F, 32767.0F, 32768.0F, 65535.0F,
                             65536.0F, 2147483648.0F, 4294967296.0F})
    for (const float sign : {1.0F, -1.0F})
      for (float off : {-1.5F, -1.0F, -0.75F, -0.5F, -0.25F, 0.0F, 0.25F, 0.5F, 0.75F, 1.5F}) {
        const float v = sign * border + off;
        for (const float near : {v, std::nextafter(v, HUGE_VALF), std::nextafter(v, -HUGE_VALF)})
          voxels.push_back(near);
      }
  Volume<float> all{{1, 1, static_cast<std::int64_t>(voxels.size())}};
  all.voxels = voxels;
  return all;
}

constexpr const char* kStoreAll = R"(
template <class Native>
__global__ void store_all(const float* in, Native* out, int count, unsigned long long* counts) {
  Storing<Native> storing;
  for (int i = threadIdx.x; i < count; i += 80) out[i] = storing.stored(in[i]);
  add_counts<80>(counts, storing.clipped, storing.non_finite);
}
)";

std::string device_name(PixelType type) {
  constexpr const char* kNames[] = {"signed char", "unsigned char", "short", "unsigned short",
                                    "int",         "unsigned int",  "float", "double"};
  return kNames[static_cast<int>(type)];
}

class StoredOnDevice : public cuda::GpuTest, public testing::WithParamInterface<PixelType> {};

TEST_P(StoredOnDevice, IsWhatTheHostStoresAndCounts) {
  const PixelType type = GetParam();
  const Volume<float> in = awkward_voxels();
  const Extent3 e = in.extent;
  std::vector<std::byte> here(static_cast<std::size_t>(e.x * size_of(type))), there(here);
  StoreAs store{type};
  store.apply({{0, 0, 0}, e}, in.view(), {here.data(), type, e});

  const std::string name = "store_all<" + device_name(type) + ">";
  cuda::CompileRequest request =
      device::device_library().program("code/rows.cuh", {name}, info.capability);
  request.program.text += kStoreAll;
  const cuda::Module module{device, request, cuda::compile(request)};
  const cuda::Stream stream{device};
  const cuda::DeviceBuffer<float> from{device, memory, e.x, "voxels"};
  const cuda::DeviceBuffer<std::byte> to{device, memory, e.x * size_of(type), "stored"};
  const cuda::DeviceBuffer<unsigned long long> counted{device, memory, 2, "counts"};
  cuda::enqueue_copy(stream, from.data(), in.voxels.data(), from.bytes());
  cuda::enqueue_zeros(stream, counted.data(), counted.bytes());
  module.kernel(name).launch(stream, {{1}, {80}, 0}, static_cast<const float*>(from.data()),
                             to.data(), static_cast<int>(e.x), counted.data());
  unsigned long long counts[2] = {};
  cuda::enqueue_copy(stream, there.data(), to.data(), to.bytes());
  cuda::enqueue_copy(stream, counts, counted.data(), counted.bytes());
  stream.finish();
  EXPECT_EQ(there, here);
  EXPECT_EQ(counts[0], static_cast<unsigned long long>(store.clipped()));
  EXPECT_EQ(counts[1], static_cast<unsigned long long>(store.non_finite()));
  EXPECT_EQ(store.non_finite(), 3);
}

INSTANTIATE_TEST_SUITE_P(Types, StoredOnDevice, testing::ValuesIn(kAllTypes),
                         [](const auto& given) { return std::string{name_of(given.param)}; });

}  // namespace
}  // namespace synthoscope::fftconv
