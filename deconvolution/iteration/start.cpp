// SPDX-License-Identifier: MIT
#include "deconvolution/iteration/start.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <vector>
#include "core/base/error.hpp"
#include "core/run/host_buffer.hpp"

namespace synthoscope::deconvolution {

ImageLight light_of(Source& image, double background, const RunContext& context) {
  const Extent3 e = image.extent();
  std::vector<ImageLight> of_planes(static_cast<std::size_t>(e.z));
  context.pool.for_each(e.z, [&](std::int64_t z) {
    const HostBuffer<float> voxels{context.memory, e.y * e.x, "a plane to measure"};
    image.read(plane(e, z), HostView3<float>{voxels.data(), {1, e.y, e.x}});
    ImageLight& here = of_planes[static_cast<std::size_t>(z)];
    for (std::int64_t i = 0; i < voxels.count(); ++i) {
      const auto value = static_cast<double>(voxels.data()[i]);
      const double light = std::max(value - background, 0.0);
      here.sum += light;
      here.squares += light * light;
      here.peak = std::max(here.peak, value);
    }
  });
  ImageLight all;
  for (const ImageLight& one : of_planes) {
    all.sum += one.sum;
    all.squares += one.squares;
    all.peak = std::max(all.peak, one.peak);
  }
  if (!(all.sum > 0))
    throw InvalidInput(fmt::format(
        "deconvolve: no voxel of the image is above the background of {:.6g}, so that there is no "
        "light to find; give a smaller --background",
        background));
  return all;
}

float even_light(const ImageLight& light, const SeenShare& share, const RunContext& context) {
  return static_cast<float>(light.sum / share.sum(context));
}

double momentum_after(int iteration) {
  return iteration < 1 ? 0 : static_cast<double>(iteration - 1) / (iteration + 2);
}

}  // namespace synthoscope::deconvolution
