// SPDX-License-Identifier: MIT
#include "core/stream/carry.hpp"
#include <algorithm>
#include <vector>
#include "core/run/host_buffer.hpp"

namespace synthoscope {
namespace {

/// What one thread needs for one plane.
struct PlaneBuffers {
  HostBuffer<std::byte> native, made;
  HostBuffer<float> values;
};

}  // namespace

void to_float32(ConstVoxelView from, float* to) {
  visit_pixel_type(from.type(), [&](auto zero) {
    const auto* voxels = reinterpret_cast<const decltype(zero)*>(from.data());
    std::transform(voxels, voxels + volume(from.extent()), to,
                   [](auto v) { return static_cast<float>(v); });
  });
}

std::int64_t carry_bytes(const Extent3& plane, PixelType read, PixelType made) {
  return volume(plane) * (size_of(read) + size_of(PixelType::float32) + size_of(made));
}

void carry(std::string_view stage, Source& source, Epilogue& epilogue, Sink& sink,
           const RunContext& context) {
  const Extent3 extent = source.extent();
  const Extent3 one{1, extent.y, extent.x};
  StreamFormat made = epilogue.format(extent);
  SYNTHOSCOPE_ASSERT(made.extent.z, ==, extent.z);
  SYNTHOSCOPE_ASSERT(sink.extent(), ==, made.extent);
  made.extent.z = 1;

  const auto bytes = [](const Extent3& e, PixelType type) { return volume(e) * size_of(type); };
  const std::int64_t left = context.memory.limit() - context.memory.used();
  const std::int64_t affordable = left / carry_bytes(one, source.pixel_type(), made.type);
  const std::int64_t lanes = std::clamp<std::int64_t>(
      affordable, 1, std::min<std::int64_t>(context.pool.threads(), extent.z));
  std::vector<PlaneBuffers> held;
  for (std::int64_t i = 0; i < lanes; ++i)
    held.push_back({{context.memory, bytes(one, source.pixel_type()), "planes as they are read"},
                    {context.memory, bytes(made.extent, made.type), "planes as they are written"},
                    {context.memory, volume(one), "planes in float32"}});
  const auto made_of = [&](const PlaneBuffers& lane) {
    return VoxelView{lane.made.data(), made.type, made.extent};
  };

  const bool any_order = sink.accepts() == BoxOrder::any;
  const auto write = [&](std::int64_t z, const PlaneBuffers& lane) {
    sink.write(plane(sink.extent(), z), made_of(lane));
  };

  context.progress.begin(stage, extent.z);
  for (std::int64_t begin = 0; begin < extent.z; begin += lanes) {
    context.stop.check();
    const std::int64_t count = std::min(lanes, extent.z - begin);
    context.pool.for_each(count, [&](std::int64_t i) {
      const PlaneBuffers& lane = held[static_cast<std::size_t>(i)];
      const Box3 box = plane(extent, begin + i);
      const VoxelView native{lane.native.data(), source.pixel_type(), one};
      source.read(box, native);
      to_float32(native, lane.values.data());
      epilogue.apply(box, HostView3<const float>{lane.values.data(), one}, made_of(lane));
      if (any_order) write(begin + i, lane);
    });
    for (std::int64_t i = 0; i < count && !any_order; ++i)
      write(begin + i, held[static_cast<std::size_t>(i)]);
    context.progress.advance(count);
  }
}

}  // namespace synthoscope
