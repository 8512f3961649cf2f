// SPDX-License-Identifier: MIT
#include "textures/compare.hpp"

namespace synthoscope::textures {

MeasuredDistances distances_of(const Measured& measured, std::int64_t images_of_a,
                               kernels::HistogramDistance how, const RunContext& context) {
  const auto count = static_cast<std::int64_t>(measured.textures.size());
  MeasuredDistances made;
  // compare_sets adds them up by images, or by textures: as many sums at most
  made.held = context.memory.reserve(2 * count * count * std::int64_t{sizeof(double)},
                                     "distances between textures");
  made.distances.between.resize(static_cast<std::size_t>(count * count));
  for (const Texture& texture : measured.textures) {
    made.distances.image.push_back(texture.image);
    made.distances.of_a += texture.image < images_of_a;
  }
  context.pool.for_each(count, [&](std::int64_t i) {
    context.stop.check();
    for (std::int64_t j = 0; j < count; ++j)
      made.distances.between[static_cast<std::size_t>(i * count + j)] =
          kernels::distance(how, measured.histogram(i), measured.histogram(j));
  });
  return made;
}

}  // namespace synthoscope::textures
