// SPDX-License-Identifier: MIT
#include "fftconv/planes/mean_removal.hpp"
#include <algorithm>
#include "fftconv/row_reading.hpp"

namespace synthoscope::fftconv {
namespace {

/// Mean of up to 16 planes spread over the image, to single precision: any constant would do,
/// because it is put back exactly.
double sampled_mean(Source& image, const StopFlag& stop) {
  const Extent3 e = image.extent();
  const std::int64_t step = std::max<std::int64_t>(1, e.z / 16);
  double sum = 0;
  std::int64_t count = 0;
  for (std::int64_t z = step / 2; z < e.z; z += step) {
    for_each_row(image, plane(e, z), stop, [&](auto, auto, const auto* row) {
      for (std::int64_t x = 0; x < e.x; ++x) sum += static_cast<double>(row[x]);
    });
    count += e.y * e.x;
  }
  return static_cast<float>(sum / static_cast<double>(count));
}

}  // namespace

MeanRemoval prepare_mean_removal(const Term& term, const Problem& work, const WorkAxes& axes,
                                 const RunContext& context) {
  MeanRemoval removal;
  if (!work.remove_mean) return removal;
  removal.response = std::make_unique<BoxSums>(term.kernel, work, axes, context);
  removal.mean = sampled_mean(*term.image, context.stop);
  return removal;
}

}  // namespace synthoscope::fftconv
