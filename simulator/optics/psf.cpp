// SPDX-License-Identifier: MIT
#include "simulator/optics/psf.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include "simulator/optics/born_wolf.hpp"
#include "simulator/optics/gaussian_psf.hpp"
#include "simulator/optics/gibson_lanni.hpp"
#include "simulator/optics/psf_window.hpp"
#include "simulator/optics/radial_table.hpp"

namespace synthoscope::simulator {
namespace {

constexpr double kFinestStep = 0.125;  // of the radial grid, in units of 1 / (k NA)
constexpr std::int64_t kMostVoxels = std::int64_t{1} << 31;
constexpr std::int64_t kMostTableEntries = std::int64_t{1} << 29;

void require_valid_pitch(const VoxelSize& pitch) {
  for (const double um : {pitch.z_um, pitch.y_um, pitch.x_um})
    if (!(um > 0) || !std::isfinite(um))
      throw InvalidSpec(
          fmt::format("psf: the voxel size is {} x {} x {} um, each must be positive; correct it",
                      pitch.z_um, pitch.y_um, pitch.x_um));
}

void require_computable(const Extent3& size) {
  if (volume(size) > kMostVoxels)
    throw InvalidSpec(
        fmt::format("psf: a size of {} has {} voxels, at most {} are computed; give a smaller size",
                    size, volume(size), kMostVoxels));
}

Index3 centre_of(const Extent3& size) {
  return {size.z / 2, size.y / 2, size.x / 2};
}

/// Nothing where nobody counts.
Reservation counted(MemoryBudget* memory, std::int64_t bytes, std::string_view what) {
  return memory ? memory->reserve(bytes, what) : Reservation{};
}

template <class T>
void take_voxels(BasicPsf<T>& psf, const Extent3& size, MemoryBudget* memory) {
  psf.counted = counted(memory, volume(size) * std::int64_t{sizeof(T)},
                        "the PSF (a smaller optics.size needs less)");
  psf.voxels = Volume<T>{size};
  psf.centre = centre_of(size);
}

double origin_of(const AxialOrigin& rule, double focus_um) {
  switch (rule.rule) {
    case AxialOrigin::Rule::nominal:
      return 0;
    case AxialOrigin::Rule::focus:
      return focus_um;
    case AxialOrigin::Rule::fixed:
      break;
  }
  return rule.um;
}

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

template <class T>
void multiply(Volume<T>& v, double factor, TaskPool& pool) {
  pool.for_ranges(volume(v.extent), 1 << 16, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
      v.voxels[i] = static_cast<T>(v.voxels[i] * factor);
  });
}

/// The factor that turns the `plane` normalisation into the one asked for.
template <class T>
double rescale(PsfNormalization wanted, const Volume<T>& voxels, double total, double plane_scale) {
  switch (wanted) {
    case PsfNormalization::plane:
      return 1;
    case PsfNormalization::sum:
      return 1 / total;
    case PsfNormalization::peak:
      return 1 / static_cast<double>(*std::max_element(voxels.voxels.begin(), voxels.voxels.end()));
    case PsfNormalization::none:
      break;
  }
  return 1 / plane_scale;
}

/// Where the planes of a scalar PSF lie, how wide they are and how finely light is computed.
struct Design {
  std::unique_ptr<const ScalarPupil> model;
  double origin_um, step;  ///< of the planes; of the radii
  Extent3 size;
  PixelRule pixel;
  std::int64_t radii, nodes;
  std::vector<double> z;
};

std::unique_ptr<const ScalarPupil> pupil_of(const OpticsSpec& spec) {
  if (spec.model == PsfModel::born_wolf) return std::make_unique<BornWolf>(spec);
  return std::make_unique<GibsonLanni>(spec);
}

Design design_of(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing,
                 TaskPool& pool) {
  auto pupil = pupil_of(spec);
  const ScalarPupil& model = *pupil;
  const double origin_um = origin_of(spec.axial_origin, model.focus_um());
  const Extent3 size =
      spec.size ? *spec.size : choose_window(model, spec, pitch, sizing, origin_um, pool);
  require_computable(size);
  const double step = kFinestStep / model.lateral_wavenumber();
  const PixelRule pixel{pitch.y_um, pitch.x_um,
                        nodes_per_side(spec.pixel_integration, std::max(pitch.y_um, pitch.x_um),
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
  const std::int64_t phases = 2 * d.nodes * d.size.z, sums = (d.size.y / 2 + 1) * d.size.z;
  const std::int64_t of_thread =
      std::max(4 * (d.nodes + 2 * d.size.z), (d.size.x / 2 + 1) * d.size.z);
  return (d.radii * d.size.z + std::max(phases, sums) + threads * of_thread) *
         std::int64_t{sizeof(double)};
}

template <class T>
BasicPsf<T> make_scalar(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing,
                        TaskPool& pool, MemoryBudget* memory) {
  const Design design = design_of(spec, pitch, sizing, pool);
  const ScalarPupil& model = *design.model;
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
  const double factor = rescale(spec.normalization, psf.voxels, total, plane_scale);
  if (factor != 1) multiply(psf.voxels, factor, pool);
  return psf;
}

Extent3 size_of_gaussian(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing) {
  const Extent3 size = spec.size ? *spec.size
                                 : choose_window(gaussian_widths(spec), pitch, sizing,
                                                 origin_of(spec.axial_origin, 0));
  require_computable(size);
  return size;
}

template <class T>
BasicPsf<T> make_gaussian(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing,
                          TaskPool& pool, MemoryBudget* memory) {
  // Decide where the planes lie and how wide they are
  const GaussianWidths width = gaussian_widths(spec);
  BasicPsf<T> psf;
  psf.origin_um = origin_of(spec.axial_origin, 0);
  const Extent3 size = size_of_gaussian(spec, pitch, sizing);
  take_voxels(psf, size, memory);

  // Multiply three profiles
  const bool boxes = spec.pixel_integration;
  const auto gz = gaussian_profile(size.z, pitch.z_um, psf.origin_um, width.axial_um, false);
  const auto gy = gaussian_profile(size.y, pitch.y_um, 0, width.lateral_um, boxes);
  const auto gx = gaussian_profile(size.x, pitch.x_um, 0, width.lateral_um, boxes);
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
  const double factor =
      rescale(spec.normalization, psf.voxels, plane_scale * sum_z * sum_y * sum_x, plane_scale);
  if (factor != 1) multiply(psf.voxels, factor, pool);
  return psf;
}

/// Says where the grid is coarser than the light, and what the window leaves out.
template <class T>
void warn(const OpticsSpec& spec, const VoxelSize& pitch, BasicPsf<T>& psf) {
  const double wavelength = spec.wavelength_nm * 1e-3, n = spec.immersion_index;
  const double lateral = wavelength / (4 * spec.na);
  const double axial = wavelength / (2 * (n - std::sqrt(n * n - spec.na * spec.na)));
  const double coarsest = std::max(pitch.y_um, pitch.x_um);
  if (coarsest > lateral * (1 + 1e-9))
    psf.warnings.push_back(fmt::format(
        "psf: the lateral pitch of {:.4g} um is coarser than the Nyquist limit of {:.4g} um; fine "
        "detail folds over",
        coarsest, lateral));
  if (psf.voxels.extent.z > 1 && pitch.z_um > axial * (1 + 1e-9))
    psf.warnings.push_back(fmt::format(
        "psf: the axial pitch of {:.4g} um is coarser than the Nyquist limit of {:.4g} um; fine "
        "detail folds over",
        pitch.z_um, axial));
  const double reach = (static_cast<double>(psf.centre.z) + 0.5) * pitch.z_um;
  if (std::abs(psf.focus_um - psf.origin_um) > reach)
    psf.warnings.push_back(fmt::format(
        "psf: the brightest plane, z = {:.4g} um, is none of the {} planes around z = {:.4g} um; "
        "set the axial origin to focus to see it",
        psf.focus_um, psf.voxels.extent.z, psf.origin_um));
  const auto least = std::min_element(psf.captured.begin(), psf.captured.end());
  if (*least < 0.99) {
    const auto plane = least - psf.captured.begin();
    psf.warnings.push_back(fmt::format(
        "psf: the window of {} holds {:.1f} % of the energy at z = {:.4g} um, the rest is lost; "
        "give a larger size to keep it",
        psf.voxels.extent, 100 * *least,
        psf.origin_um + static_cast<double>(plane - psf.centre.z) * pitch.z_um));
  }
}

void require_valid(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing) {
  require_valid(spec);
  require_valid_pitch(pitch);
  require_valid(sizing);
}

}  // namespace

PsfRoom psf_room(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing,
                 TaskPool& pool) {
  require_valid(spec, pitch, sizing);
  PsfRoom room;
  if (spec.model == PsfModel::gaussian) {
    room.size = size_of_gaussian(spec, pitch, sizing);
  } else {
    const Design design = design_of(spec, pitch, sizing, pool);
    room.size = design.size;
    room.working_bytes = working_bytes(design, pool.threads());
  }
  room.centre = centre_of(room.size);
  room.voxel_bytes = volume(room.size) * std::int64_t{sizeof(float)};
  return room;
}

template <class T>
BasicPsf<T> make_psf(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing,
                     TaskPool& pool, MemoryBudget* memory) {
  require_valid(spec, pitch, sizing);
  auto psf = spec.model == PsfModel::gaussian ? make_gaussian<T>(spec, pitch, sizing, pool, memory)
                                              : make_scalar<T>(spec, pitch, sizing, pool, memory);
  warn(spec, pitch, psf);
  return psf;
}

template BasicPsf<float> make_psf(const OpticsSpec&, const VoxelSize&, const PsfSizing&, TaskPool&,
                                  MemoryBudget*);
template BasicPsf<double> make_psf(const OpticsSpec&, const VoxelSize&, const PsfSizing&, TaskPool&,
                                   MemoryBudget*);

}  // namespace synthoscope::simulator
