// SPDX-License-Identifier: MIT
#include "textures/patches/plane_reader.hpp"
#include <fmt/format.h>
#include <cmath>
#include <vector>
#include "core/base/error.hpp"
#include "core/run/host_buffer.hpp"

namespace synthoscope::textures {
namespace {

double sharpness_of(const GreyPlane& plane) {
  GreyPlane fine = blurred(plane, 1.5);
  const GreyPlane wide = blurred(plane, 2.4);
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < fine.values.size(); ++i) {
    const double value = fine.values[i] - wide.values[i];
    sum += value;
    squares += value * value;
  }
  const auto count = static_cast<double>(fine.values.size());
  return squares / count - sum / count * (sum / count);
}

GreyPlane read_values(Source& source, std::int64_t z, const RunContext& context) {
  const Box3 box = plane(source.extent(), z);
  const PixelType type = source.pixel_type();
  const HostBuffer<std::byte> bytes{context.memory, volume(box.size) * size_of(type), "a plane"};
  source.read(box, {bytes.data(), type, box.size});
  GreyPlane result{box.size.y, box.size.x};
  visit_pixel_type(type, [&]<class T>(T) {
    const T* const from = reinterpret_cast<const T*>(bytes.data());
    for (std::size_t i = 0; i < result.values.size(); ++i)
      result.values[i] = static_cast<double>(from[i]);
  });
  return result;
}

}  // namespace

GreyPlane read_plane(Source& source, std::int64_t z, const std::string& name,
                     const RunContext& context) {
  GreyPlane result = read_values(source, z, context);
  for (const double value : result.values)
    if (!std::isfinite(value))
      throw InvalidInput(fmt::format(
          "measure patches of {}: a pixel of plane {} is NaN or infinite; replace it", name, z));
  return result;
}

std::int64_t sharpest_plane(Source& source, const std::string& name, const RunContext& context) {
  const Extent3 extent = source.extent();
  if (extent.z == 1) return 0;
  const Reservation held = context.memory.reserve(
      context.pool.threads() * extent.y * extent.x * kSharpnessBytes, "planes to choose from");
  std::vector<double> sharpness(static_cast<std::size_t>(extent.z));
  context.pool.for_each(extent.z, [&](std::int64_t z) {
    sharpness[static_cast<std::size_t>(z)] = sharpness_of(read_plane(source, z, name, context));
  });
  std::size_t best = 0;
  for (std::size_t z = 1; z < sharpness.size(); ++z)
    if (sharpness[z] > sharpness[best]) best = z;
  return static_cast<std::int64_t>(best);
}

ObjectMask read_mask(Source& labels, std::int64_t z, const Extent3& image, const std::string& name,
                     const RunContext& context) {
  const Extent3 extent = labels.extent();
  const std::int64_t bin = std::max<std::int64_t>(1, extent.y / image.y);
  if (extent.z != image.z || extent.y / bin != image.y || extent.x / bin != image.x)
    throw InvalidInput(
        fmt::format("measure patches of {}: it has {} voxels, but its labels have {}; give labels "
                    "of this image",
                    name, image, extent));
  const GreyPlane values = read_values(labels, z, context);
  ObjectMask mask;
  mask.reserve(static_cast<std::size_t>(image.y * image.x));
  for (std::int64_t y = 0; y < image.y; ++y)
    for (std::int64_t x = 0; x < image.x; ++x)
      mask.push_back(values.at(y * bin + bin / 2, x * bin + bin / 2) != 0 ? 1 : 0);
  return mask;
}

}  // namespace synthoscope::textures
