// SPDX-License-Identifier: MIT
#include "fftconv/mean_removal.hpp"
#include <algorithm>
#include "core/memory_stream.hpp"

namespace synthoscope::fftconv {
namespace {

/// Mean of up to 16 planes spread over the image, to single precision: any constant would do,
/// because it is put back exactly.
double sampled_mean(Source& image) {
  const Extent3 e = image.extent();
  const std::int64_t step = std::max<std::int64_t>(1, e.z / 16);
  double sum = 0;
  std::int64_t count = 0;
  visit_pixel_type(image.pixel_type(), [&](auto zero) {
    Volume<decltype(zero)> one{{1, e.y, e.x}};
    for (std::int64_t z = step / 2; z < e.z; z += step) {
      image.read(plane(e, z), VoxelView{one.view()});
      for (const auto v : one.voxels) sum += static_cast<double>(v);
      count += volume(one.extent);
    }
  });
  return static_cast<float>(sum / static_cast<double>(count));
}

}  // namespace

MeanRemoval prepare_mean_removal(const Term& term, const Problem& work, const WorkAxes& axes,
                                 MemoryBudget& memory) {
  MeanRemoval removal;
  if (!work.remove_mean) return removal;
  removal.response = std::make_unique<BoxSums>(term.kernel, work, axes, memory);
  removal.mean = sampled_mean(*term.image);
  return removal;
}

}  // namespace synthoscope::fftconv
