// SPDX-License-Identifier: MIT
#include "fit/blur/psf_file.hpp"
#include "imageio/formats.hpp"
#include "imageio/run/counted_image.hpp"
#include "imageio/run/new_output.hpp"
#include "simulator/scene/blur_setup.hpp"

namespace synthoscope::fit {

void write_psf(const simulator::SceneSpec& scene, const std::filesystem::path& path, bool overwrite,
               const RunContext& context) {
  imageio::require_new_output(path, overwrite);
  const VoxelSize pitch = simulator::blur_grid(scene).pitch;
  const simulator::Psf psf =
      simulator::make_psf(simulator::blur_optics(scene), pitch, simulator::blur_sizing(scene),
                          context.pool, &context.memory, context.stop);
  imageio::ImageSpec spec;
  spec.extent = psf.voxels.extent;
  spec.z_um = pitch.z_um;
  spec.y_um = pitch.y_um;
  spec.x_um = pitch.x_um;
  spec.kernel_center = psf.centre;
  spec.overwrite = overwrite;
  spec.pool = &context.pool;
  spec.stop = &context.stop;
  const auto held = imageio::reserve_writing(spec, context);
  const auto sink = imageio::create_image(path, spec);
  const Extent3 one{1, spec.extent.y, spec.extent.x};
  for (std::int64_t z = 0; z < spec.extent.z; ++z) {
    context.stop.check();
    sink->write(plane(spec.extent, z),
                ConstVoxelView{HostView3<const float>{psf.voxels.view().row(z, 0), one}});
  }
  sink->close();
}

}  // namespace synthoscope::fit
