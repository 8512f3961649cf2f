// SPDX-License-Identifier: MIT
#include "kernels/device/bricks/resident.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <vector>
#include "core/base/assert.hpp"
#include "core/base/error.hpp"
#include "kernels/device/bricks/device_bricks.hpp"
#include "kernels/device/code/programs.hpp"
#include "kernels/operation/device_operation.hpp"

namespace synthoscope::kernels::device {
namespace {

void require_counted(Operation& operation, PixelType type) {
  const BrickPlan whole = cut_on_device(operation, size_of(type), operation.extent());
  if (const std::string why_not = why_not_counted(operation, whole); !why_not.empty())
    throw CudaError(fmt::format("plan {} on a GPU: {}", operation.stage(), why_not));
}

/// Returns as many planes of results as `room` bytes of working memory allow, at least one.
std::int64_t planes_at_once(const DeviceOperation& there, const Extent3& result,
                            std::int64_t room) {
  std::int64_t planes = result.z;
  while (planes > 1 && there.working_bytes({planes, result.y, result.x}) > room)
    planes = (planes + 1) / 2;
  return planes;
}

std::vector<std::byte*> places_of(std::span<const VoxelView> results, std::int64_t first_plane) {
  std::vector<std::byte*> places;
  for (const VoxelView& result : results) {
    const Extent3& e = result.extent();
    places.push_back(result.data() + first_plane * e.y * e.x * size_of(result.type()));
  }
  return places;
}

}  // namespace

void run_resident(Operation& operation, const cuda::DeviceInfo& device, const ConstVoxelView& image,
                  std::span<const VoxelView> results, MemoryBudget& memory, TaskPool& pool,
                  const StopFlag& stop) {
  SYNTHOSCOPE_ASSERT(results.size(), ==, operation.types().size());
  DeviceOperation& there = *operation.on_device();
  require_counted(operation, image.type());
  const Extent3 result = operation.extent();
  const std::int64_t planes = planes_at_once(there, result, memory.limit() - memory.used());
  SYNTHOSCOPE_ASSERT(there.travelling_bytes({planes, result.y, result.x}), ==, 0);

  const cuda::Stream stream{device.id};
  try {
    const Extent3 most{planes, result.y, result.x};
    device_library().load(device, there.kernels(device, image.type(), most), pool);
    there.prepare({device, memory, pool, false}, image.type(), most, stream);
    const DeviceWindow window{image.extent(), whole(image.extent()), image.type(), image.data()};
    for (std::int64_t z = 0; z < result.z; z += planes) {
      stop.check();
      const Box3 box{{z, 0, 0}, {std::min(planes, result.z - z), result.y, result.x}};
      there.enqueue_apply(stream, window, box, places_of(results, z));
    }
    there.finish(stream);
    stream.finish();
  } catch (...) {
    stream.drain();
    throw;
  }
}

}  // namespace synthoscope::kernels::device
