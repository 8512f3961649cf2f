// SPDX-License-Identifier: MIT
#include "core/cuda/memory/texture.hpp"
#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include "core/base/assert.hpp"
#include "core/cuda/runtime/check.hpp"
#include "core/cuda/runtime/scoped_device.hpp"

namespace synthoscope::cuda {
namespace {

std::size_t as_size(std::int64_t n) {
  return static_cast<std::size_t>(n);
}

/// A plane by itself has no depth to CUDA.
cudaExtent array_extent(const Extent3& e) {
  return {as_size(e.x), as_size(e.y), e.z == 1 ? 0 : as_size(e.z)};
}

cudaChannelFormatDesc channel_of(PixelType type) {
  const int bits = static_cast<int>(8 * size_of(type));
  return {bits, 0, 0, 0,
          type == PixelType::float32 ? cudaChannelFormatKindFloat : cudaChannelFormatKindUnsigned};
}

UniqueHandle<ArrayTraits> allocate_array(DeviceId device, PixelType type, const Extent3& extent) {
  const ScopedDevice on{device};
  const cudaChannelFormatDesc channel = channel_of(type);
  cudaArray* raw = nullptr;
  check(cudaMalloc3DArray(&raw, &channel, array_extent(extent), cudaArrayDefault),
        fmt::format("allocate {} on GPU {} for a texture",
                    print_bytes(volume(extent) * size_of(type)), device.index));
  return {raw, device};
}

UniqueHandle<TextureTraits> make_texture(DeviceId device, cudaArray* array, PixelType type) {
  const ScopedDevice on{device};
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how{};
  for (auto& mode : how.addressMode) mode = cudaAddressModeClamp;
  how.filterMode = cudaFilterModeLinear;
  how.readMode = type == PixelType::float32 ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
  cudaTextureObject_t raw = 0;
  check(cudaCreateTextureObject(&raw, &resource, &how, nullptr), "make a texture");
  return {raw, device};
}

}  // namespace

void ArrayTraits::release(Raw raw, DeviceId device) noexcept {
  const ScopedDevice on{device, std::nothrow};
  cudaFreeArray(raw);
}

void TextureTraits::release(Raw raw, DeviceId device) noexcept {
  const ScopedDevice on{device, std::nothrow};
  cudaDestroyTextureObject(raw);
}

bool Texture::can_hold(PixelType type, const Extent3& e) {
  const bool is_plane = e.z == 1;
  const std::int64_t most_x = is_plane ? 131072 : 16384, most_y = is_plane ? 65536 : 16384;
  return (type == PixelType::uint8 || type == PixelType::uint16 || type == PixelType::float32) &&
         e.x <= most_x && e.y <= most_y && e.z <= 16384;
}

Texture::Texture(DeviceId device, MemoryBudget& budget, PixelType type, const Extent3& extent)
    : type_{type},
      extent_{extent},
      reservation_{budget.reserve(volume(extent) * size_of(type), "a texture")},
      array_{allocate_array(device, type, extent)},
      texture_{make_texture(device, array_.get(), type)} {}

void Texture::enqueue_copy(const Stream& stream, const void* voxels, const Extent3& extent,
                           const Box3& box) const {
  const Extent3& size = box.size;
  SYNTHOSCOPE_ASSERT(size.z <= extent_.z && size.y <= extent_.y && size.x <= extent_.x, ==, true);
  const ScopedDevice on{stream.device()};
  // In elements of the array, but for the pitch
  cudaMemcpy3DParms copy{};
  const Index3& from = box.origin;
  const std::int64_t first = (from.z * extent.y + from.y) * extent.x + from.x;
  auto* const source = const_cast<std::byte*>(static_cast<const std::byte*>(voxels));
  copy.srcPtr = {source + first * size_of(type_), as_size(extent.x * size_of(type_)),
                 as_size(size.x), as_size(extent.y)};
  copy.dstArray = array_.get();
  copy.extent = {as_size(size.x), as_size(size.y), as_size(size.z)};
  copy.kind = cudaMemcpyDeviceToDevice;
  check(cudaMemcpy3DAsync(&copy, stream.handle()), "copy an image to a texture");
}

}  // namespace synthoscope::cuda
