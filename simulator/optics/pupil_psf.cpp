// SPDX-License-Identifier: MIT
// simulator/optics/pupil_psf.cpp — PSFs of a round pupil: computed along one radius, turned into
// pixels.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <memory>
#include "simulator/optics/born_wolf.hpp"
#include "simulator/optics/gibson_lanni.hpp"
#include "simulator/optics/psf_models.hpp"
#include "simulator/optics/psf_parts.hpp"
#include "simulator/optics/psf_window.hpp"
#include "simulator/optics/radial_table.hpp"
#include "simulator/optics/richards_wolf.hpp"

namespace synthoscope::simulator {
namespace {

constexpr double kFinestStep = 0.125;  // of the radial grid, in units of 1 / (k NA)
constexpr std::int64_t kMostTableEntries = std::int64_t{1} << 29;

std::vector<double> positions(std::int64_t count, double pitch_um, double origin_um) {
  std::vector<double> z;
  for (std::int64_t i = 0; i < count; ++i)
    z.push_back(origin_um + static_cast<double>(i - count / 2) * pitch_um);
  return z;
}

/// Nodes that integrate the square of a pupil's image over a pixel to the last digits.
int nodes_per_side(bool integrate, double widest_um, double lateral_wavenumber) {
  return integrate ? static_cast<int>(std::ceil(0.6 * lateral_wavenumber * widest_um)) + 6 : 1;
}

/// Where the planes of a PSF lie, how wide they are and how finely light is computed.
struct Design {
  std::unique_ptr<const RoundPupil> model;
  double origin_um, step;  ///< of the planes; of the radii
  Extent3 size;
  PixelRule pixel;
  std::int64_t radii, nodes;
  std::vector<double> z;
};

std::unique_ptr<const RoundPupil> pupil_of(const OpticsSpec& spec) {
  if (spec.model == PsfModel::born_wolf) return std::make_unique<BornWolf>(spec);
  if (spec.model == PsfModel::richards_wolf) return std::make_unique<RichardsWolf>(spec);
  return std::make_unique<GibsonLanni>(spec);
}

Design design_of(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing,
                 TaskPool& pool) {
  auto pupil = pupil_of(spec);
  const RoundPupil& model = *pupil;
  const double origin_um = origin_of(spec.axial_origin, model.focus_um());
  const Extent3 size =
      spec.size ? *spec.size : choose_window(model, spec, pitch, sizing, origin_um, pool);
  require_computable(size);
  const double step = kFinestStep / model.lateral_wavenumber();
  const PixelRule pixel{
      pitch.y_um, pitch.x_um,
      nodes_per_side(spec.pixel_integration.value_or(true), std::max(pitch.y_um, pitch.x_um),
                     model.lateral_wavenumber())};
  const std::int64_t radii = radii_needed(pixel, size, step);
  if (radii > kMostTableEntries / size.z)
    throw InvalidSpec(fmt::format(
        "psf: the window of {} voxels is {:.0f} um wide, which needs {} radii in {} planes; give a "
        "smaller size",
        size, static_cast<double>(std::max(size.y, size.x)) * pixel.x_um, radii, size.z));
  const auto z = positions(size.z, pitch.z_um, origin_um);
  const std::vector<double> ends{z.front(), z.back()};
  const std::int64_t nodes = model.nodes_for(step * static_cast<double>(radii), ends);
  return {std::move(pupil), origin_um, step, size, pixel, radii, nodes, z};
}

/// Held while the light along a radius is computed and spread over pixels: both tables, and what
/// each thread works in.
std::int64_t working_bytes(const Design& d, int threads) {
  constexpr std::int64_t kBytes = sizeof(double);
  const std::int64_t spreading =
      (d.size.y / 2 + 1 + threads * (d.size.x / 2 + 1)) * d.size.z * kBytes;
  return d.radii * d.size.z * kBytes +
         std::max(d.model->table_working_bytes(d.size.z, d.nodes, threads), spreading);
}

}  // namespace

template <class T>
BasicPsf<T> make_pupil_psf(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing,
                           TaskPool& pool, MemoryBudget* memory) {
  const Design design = design_of(spec, pitch, sizing, pool);
  const RoundPupil& model = *design.model;
  BasicPsf<T> psf;
  psf.focus_um = model.focus_um();
  psf.origin_um = design.origin_um;
  take_voxels(psf, design.size, memory);

  // Compute the intensity along one radius in every plane
  const auto working = counted(memory, working_bytes(design, pool.threads()), "computing the PSF");
  const RadialTable table =
      model.radial_table(design.step, design.radii, design.z, design.nodes, pool);

  // Turn it into pixels that hold fractions of a plane's energy
  const double plane_scale = pitch.y_um * pitch.x_um / model.plane_energy_um2();
  const auto sums = spread_over_pixels(table, design.pixel, plane_scale, psf.voxels.view(), pool);
  double total = 0;
  for (const double sum : sums) {
    psf.captured.push_back(sum * plane_scale);
    total += sum * plane_scale;
  }
  normalise(psf, spec.normalization, total, plane_scale, pool);
  return psf;
}

PsfRoom pupil_psf_room(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing,
                       TaskPool& pool) {
  const Design design = design_of(spec, pitch, sizing, pool);
  PsfRoom room;
  room.size = design.size;
  room.working_bytes = working_bytes(design, pool.threads());
  return room;
}

template BasicPsf<float> make_pupil_psf(const OpticsSpec&, const VoxelSize&, const PsfSizing&,
                                        TaskPool&, MemoryBudget*);
template BasicPsf<double> make_pupil_psf(const OpticsSpec&, const VoxelSize&, const PsfSizing&,
                                         TaskPool&, MemoryBudget*);

}  // namespace synthoscope::simulator
