// SPDX-License-Identifier: MIT
// simulator/optics/radial_psf.cpp — PSFs that are round: computed along one radius, turned into
// pixels.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <memory>
#include "simulator/optics/models/radial_model.hpp"
#include "simulator/optics/psf_models.hpp"
#include "simulator/optics/psf_parts.hpp"
#include "simulator/optics/psf_window.hpp"
#include "simulator/optics/pupil/optical_band.hpp"

namespace synthoscope::simulator {
namespace {

constexpr std::int64_t kMaxTableEntries = std::int64_t{1} << 29;
constexpr double kDarkPlane = 1e-30;  // of the light in focus: far from a sheet, numbers underflow

std::vector<double> positions(std::int64_t count, double pitch_um, double origin_um) {
  std::vector<double> z;
  for (std::int64_t i = 0; i < count; ++i)
    z.push_back(origin_um + static_cast<double>(i - count / 2) * pitch_um);
  return z;
}

/// Returns the number of nodes that integrate the square of a pupil's image over a pixel to the
/// last digits.
int nodes_per_side(bool integrate, double widest_um, double lateral_wavenumber) {
  return integrate ? static_cast<int>(std::ceil(0.6 * lateral_wavenumber * widest_um)) + 6 : 1;
}

/// Where the planes of a PSF lie, how wide they are and how finely light is computed.
struct Design {
  std::unique_ptr<const RadialModel> model;
  double origin_um;
  Extent3 size;
  PixelRule pixel;
  RadialGrid grid;
};

Design design_of(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing,
                 TaskPool& pool) {
  auto model = radial_model_of(spec);
  const double origin_um = origin_of(spec, model->focus_um());
  const Extent3 size =
      spec.size ? *spec.size : choose_window(*model, spec, pitch, sizing, origin_um, pool);
  require_computable(size);
  const double lateral = band_of(spec).lateral, step = kRadialStep / lateral;
  const PixelRule pixel{pitch.y_um, pitch.x_um,
                        nodes_per_side(spec.pixel_integration.value_or(true),
                                       std::max(pitch.y_um, pitch.x_um), lateral),
                        spec.shift.y_um, spec.shift.x_um};
  const std::int64_t radii = radii_needed(pixel, size, step);
  if (radii > kMaxTableEntries / size.z)
    throw InvalidSpec(fmt::format(
        "psf: a PSF of {} voxels is {:.0f} um wide, which needs {} radii in {} planes; give a "
        "smaller size",
        size, static_cast<double>(std::max(size.y, size.x)) * pixel.x_um, radii, size.z));
  return {std::move(model),
          origin_um,
          size,
          pixel,
          {step, radii, positions(size.z, pitch.z_um, origin_um)}};
}

/// Returns the bytes held while the light along a radius is computed and spread over pixels: both
/// tables, and the memory of each thread.
std::int64_t working_bytes(const Design& d, int threads) {
  constexpr std::int64_t kBytes = sizeof(double);
  const Extent3 lines = spread_lines(d.pixel, d.size);
  const std::int64_t spreading = (lines.y + threads * lines.x) * d.size.z * kBytes;
  return d.grid.radii * d.size.z * kBytes +
         std::max({d.model->working_bytes(d.grid, threads),
                   d.model->energy_working_bytes(d.grid.z_um, threads), spreading});
}

}  // namespace

template <class T>
BasicPsf<T> make_radial_psf(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing,
                            TaskPool& pool, MemoryBudget* memory, const StopFlag& stop) {
  const Design design = design_of(spec, pitch, sizing, pool);
  const RadialModel& model = *design.model;
  BasicPsf<T> psf;
  psf.focus_um = model.focus_um();
  psf.origin_um = design.origin_um;
  take_voxels(psf, design.size, memory);

  // Compute the intensity along one radius in every plane
  const auto working = counted(memory, working_bytes(design, pool.threads()), "computing the PSF");
  const RadialTable table = model.radial_table(design.grid, pool);
  stop.check();
  const std::vector<double> energies = model.plane_energies_um2(design.grid.z_um, pool);
  const double in_focus = model.plane_energies_um2({psf.focus_um}, pool).front();

  // Turn it into pixels that hold fractions of a plane's energy
  const double pixel_um2 = pitch.y_um * pitch.x_um, plane_scale = pixel_um2 / in_focus;
  stop.check();
  const auto sums = spread_over_pixels(table, design.pixel, plane_scale, psf.voxels.view(), pool);
  double total = 0;
  for (std::size_t z = 0; z < sums.size(); ++z) {
    const bool dark = !(energies[z] > kDarkPlane * in_focus);
    psf.captured.push_back(dark ? 1 : sums[z] * (pixel_um2 / energies[z]));
    total += sums[z] * plane_scale;
  }
  normalise(psf, spec, total, plane_scale, pool);
  if (!model.is_wide_field())
    for (const double energy : energies)
      psf.plane_energies.push_back(energy / in_focus * psf.plane_energy);
  return psf;
}

PsfSize radial_psf_size(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing,
                        TaskPool& pool) {
  const Design design = design_of(spec, pitch, sizing, pool);
  PsfSize result;
  result.size = design.size;
  result.working_bytes = working_bytes(design, pool.threads());
  return result;
}

template BasicPsf<float> make_radial_psf(const OpticsSpec&, const VoxelSize&, const PsfSizing&,
                                         TaskPool&, MemoryBudget*, const StopFlag&);
template BasicPsf<double> make_radial_psf(const OpticsSpec&, const VoxelSize&, const PsfSizing&,
                                          TaskPool&, MemoryBudget*, const StopFlag&);

}  // namespace synthoscope::simulator
