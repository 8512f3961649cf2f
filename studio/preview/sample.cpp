// SPDX-License-Identifier: MIT
#include "studio/preview/sample.hpp"

namespace synthoscope::studio {
namespace {

/// Returns the bytes of the objects, which may be held twice if the focus drifts.
std::int64_t sample_bytes(const simulator::SceneSpec& scene) {
  return 2 * phantom_bytes(fullest_phantom_of(scene), sample_grid(scene)) + shared_bytes(scene) +
         simulator::Timelapse::bytes(scene);
}

}  // namespace

Sample::Sample(const simulator::SceneSpec& scene, std::int64_t frame, const RunContext& context)
    : held_{context.memory.reserve(sample_bytes(scene), "objects of the preview")},
      timelapse_{scene, context},
      phantom_{timelapse_.phantom(frame, context)},
      shifted_{timelapse_.shifted_by_focus_drift(phantom_, frame)},
      names_{timelapse_.labels_of(frame)} {}

std::shared_ptr<Stack> Sample::masks(const Box3& region, const RunContext& context) const {
  auto labels = std::make_shared<Stack>(region.size, PixelType::uint16, context.memory,
                                        "labels of the preview");
  const auto source = timelapse_.masks(phantom_, names_.labels);
  const auto voxels = labels->view().as<std::uint16_t>();
  context.progress.begin("labels", region.size.z);
  context.pool.for_each(region.size.z, [&](std::int64_t z) {
    context.stop.check();
    const Box3 one{{region.origin.z + z, region.origin.y, region.origin.x},
                   {1, region.size.y, region.size.x}};
    source->read(one, HostView3<std::uint16_t>{voxels.row(z, 0), one.size});
    context.progress.advance(1);
  });
  return labels;
}

}  // namespace synthoscope::studio
