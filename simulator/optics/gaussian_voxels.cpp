// SPDX-License-Identifier: MIT
// simulator/optics/gaussian_voxels.cpp — the Gaussian approximation on a voxel grid.
#include <numbers>
#include "simulator/optics/psf_models.hpp"
#include "simulator/optics/psf_parts.hpp"
#include "simulator/optics/psf_window.hpp"
#include "simulator/optics/pupil/gaussian_psf.hpp"

namespace synthoscope::simulator {
namespace {

Extent3 size_of_gaussian(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing) {
  const Extent3 size = spec.size ? *spec.size
                                 : choose_window(gaussian_widths(spec), pitch, sizing,
                                                 origin_of(spec, 0), spec.shift);
  require_computable(size);
  return size;
}

}  // namespace

template <class T>
BasicPsf<T> make_gaussian_psf(const OpticsSpec& spec, const VoxelSize& pitch,
                              const PsfSizing& sizing, TaskPool& pool, MemoryBudget* memory) {
  // Decide where the planes lie and how wide they are
  const GaussianWidths width = gaussian_widths(spec);
  BasicPsf<T> psf;
  psf.origin_um = origin_of(spec, 0);
  const Extent3 size = size_of_gaussian(spec, pitch, sizing);
  take_voxels(psf, size, memory);

  // Multiply three profiles
  const bool boxes = spec.pixel_integration.value_or(true);
  const auto gz = gaussian_profile(size.z, pitch.z_um, psf.origin_um, width.axial_um, false);
  const auto gy = gaussian_profile(size.y, pitch.y_um, -spec.shift.y_um, width.lateral_um, boxes);
  const auto gx = gaussian_profile(size.x, pitch.x_um, -spec.shift.x_um, width.lateral_um, boxes);
  const double plane_scale =
      pitch.y_um * pitch.x_um / (2 * std::numbers::pi * width.lateral_um * width.lateral_um);
  pool.for_each(size.z, [&](std::int64_t z) {
    for (std::int64_t y = 0; y < size.y; ++y)
      for (std::int64_t x = 0; x < size.x; ++x)
        psf.voxels.view()(z, y, x) =
            static_cast<T>(plane_scale * gz[static_cast<std::size_t>(z)] *
                           gy[static_cast<std::size_t>(y)] * gx[static_cast<std::size_t>(x)]);
  });

  double sum_z = 0, sum_y = 0, sum_x = 0;
  for (const double g : gz) sum_z += g;
  for (const double g : gy) sum_y += g;
  for (const double g : gx) sum_x += g;
  psf.captured.assign(gz.size(), plane_scale * sum_y * sum_x);
  normalise(psf, spec, plane_scale * sum_z * sum_y * sum_x, plane_scale, pool);
  return psf;
}

PsfSize gaussian_psf_size(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing) {
  PsfSize result;
  result.size = size_of_gaussian(spec, pitch, sizing);
  return result;
}

template BasicPsf<float> make_gaussian_psf(const OpticsSpec&, const VoxelSize&, const PsfSizing&,
                                           TaskPool&, MemoryBudget*);
template BasicPsf<double> make_gaussian_psf(const OpticsSpec&, const VoxelSize&, const PsfSizing&,
                                            TaskPool&, MemoryBudget*);

}  // namespace synthoscope::simulator
