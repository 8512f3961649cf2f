// SPDX-License-Identifier: MIT
#include "simulator/optics/psf.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <utility>
#include "simulator/optics/glare.hpp"
#include "simulator/optics/psf_models.hpp"
#include "simulator/optics/psf_parts.hpp"
#include "simulator/optics/psf_window.hpp"
#include "simulator/optics/pupil/gaussian_psf.hpp"
#include "simulator/optics/pupil/optical_band.hpp"

namespace synthoscope::simulator {
namespace {

constexpr std::int64_t kMaxPsfVoxels = std::int64_t{1} << 31;
constexpr double kEnoughEnergy = 0.99;  // of a plane, in the window

void require_valid_pitch(const VoxelSize& pitch) {
  for (const double um : {pitch.z_um, pitch.y_um, pitch.x_um})
    if (!(um > 0) || !std::isfinite(um))
      throw InvalidSpec(
          fmt::format("psf: the voxel size is {} x {} x {} um, each must be positive; correct it",
                      pitch.z_um, pitch.y_um, pitch.x_um));
}

/// Warns once if the grid is coarser than the light, whatever its axes.
void warn_of_sampling(const OpticsSpec& spec, const VoxelSize& pitch, const Extent3& size,
                      std::vector<std::string>& warnings) {
  const OpticalBand band = band_of(spec);
  const double lateral = band.nyquist_lateral_um(), axial = band.nyquist_axial_um();
  const double coarsest = std::max(pitch.y_um, pitch.x_um);
  constexpr double kRounding = 1 + 1e-9;
  std::vector<std::string> steps;
  if (coarsest > lateral * kRounding)
    steps.push_back(fmt::format(
        "pixels of {:.4g} um are larger than the Nyquist limit of {:.4g} um", coarsest, lateral));
  if (size.z > 1 && pitch.z_um > axial * kRounding)
    steps.push_back(fmt::format(
        "the distance of {:.4g} um between planes is larger than the Nyquist limit of {:.4g} um",
        pitch.z_um, axial));
  if (!steps.empty())
    warnings.push_back(fmt::format(
        "psf: {}, so the image lacks detail that the lens passes, and fine detail may appear as a "
        "coarser pattern (aliasing); use smaller steps, or ignore this if your microscope has such "
        "steps",
        fmt::join(steps, ", and ")));
}

/// Warns if samples at pixel centres add up to more than the light.
template <class T>
void warn_of_excess(const VoxelSize& pitch, BasicPsf<T>& psf) {
  constexpr double kTolerated = 1.005;
  const double most = *std::max_element(psf.captured.begin(), psf.captured.end());
  if (most <= kTolerated) return;
  psf.warnings.push_back(fmt::format(
      "psf: samples {:.4g} um apart add up to {:.1f} % of a plane's light, so the image is "
      "brighter than it should be; integrate over the pixel (optics.pixel_integration)",
      std::max(pitch.y_um, pitch.x_um), 100 * most));
}

/// Warns if a lens is described although the PSF was measured.
void warn_of_lens(const OpticsSpec& spec, std::vector<std::string>& warnings) {
  const OpticsSpec left_out;
  std::string names;
  const auto note = [&](std::string_view name, const auto& value, const auto& usual) {
    if (value != usual) names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
  };
  const bool collects_all = spec.collection == Collection::all;  // otherwise they set the light
                                                                 // collected
  if (collects_all) note("na", spec.na, left_out.na);
  note("wavelength_nm", spec.wavelength_nm, left_out.wavelength_nm);
  note("immersion_index", spec.immersion_index, left_out.immersion_index);
  if (collects_all) note("sample_index", spec.sample_index, left_out.sample_index);
  note("coverslip_index", spec.coverslip_index, left_out.coverslip_index);
  note("design_immersion_index", spec.design_immersion_index, left_out.design_immersion_index);
  note("design_coverslip_index", spec.design_coverslip_index, left_out.design_coverslip_index);
  note("coverslip_um", spec.coverslip_um, left_out.coverslip_um);
  note("design_coverslip_um", spec.design_coverslip_um, left_out.design_coverslip_um);
  note("working_distance_um", spec.working_distance_um, left_out.working_distance_um);
  note("depth_um", spec.depth_um, left_out.depth_um);
  note("cover_glass", spec.cover_glass, left_out.cover_glass);
  note("diffraction", spec.diffraction, left_out.diffraction);
  note("excitation_nm", spec.excitation_nm, left_out.excitation_nm);
  note("pinhole_au", spec.pinhole_au, left_out.pinhole_au);
  note("sheet_waist_um", spec.sheet_waist_um, left_out.sheet_waist_um);
  note("depletion_nm", spec.depletion_nm, left_out.depletion_nm);
  note("saturation", spec.saturation, left_out.saturation);
  if (!names.empty())
    warnings.push_back(
        fmt::format("psf: a measured PSF already contains the effects of its lens, so these keys "
                    "change nothing: {}; leave them out",
                    names));
}

/// Notes where a scalar pupil ends at the sample's index, before the lens's own aperture.
void note_pupil_end(const OpticsSpec& spec, std::vector<std::string>& notes) {
  const bool is_composite = is_layered(spec.model) && !is_one_pupil(spec.model);
  const bool is_vectorial = spec.model == PsfModel::richards_wolf ||
                            (is_composite && spec.diffraction == Diffraction::vectorial);
  if (!is_layered(spec.model) || is_vectorial || spec.na <= spec.sample_index) return;
  const bool is_near_glass = spec.depth_um * 1000 <= spec.wavelength_nm;
  notes.push_back(fmt::format(
      "psf: the scalar pupil ends at the sample index {}, below the aperture of {}{}",
      spec.sample_index, spec.na,
      is_near_glass ? fmt::format(": of emitters within a wavelength of the cover glass it leaves "
                                  "out light beyond total reflection; {} computes it",
                                  is_composite ? "diffraction vectorial" : "model richards-wolf")
                    : ", beyond which light from this depth is reflected totally"));
}

/// Returns true if the limit of `sizing` cut the window short of light that could reach the volume.
bool is_limited(const PsfSizing& sizing, const Extent3& size) {
  const auto cut = [&](std::int64_t window, std::int64_t field) {
    return window >= sizing.lateral_limit && !(sizing.volume && window >= 2 * field - 1);
  };
  const Extent3 field = sizing.volume.value_or(Extent3{});
  return cut(size.y, field.y) || cut(size.x, field.x);
}

/// Warns of light outside the window if more could be kept.
template <class T>
void warn_of_window(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing,
                    BasicPsf<T>& psf) {
  const double reach = (static_cast<double>(psf.centre.z) + 0.5) * pitch.z_um;
  if (std::abs(psf.focus_um - psf.origin_um) > reach) {
    const bool moved = std::abs(psf.focus_um - psf.origin_um - spec.shift.z_um) <= reach;
    psf.warnings.push_back(fmt::format(
        "psf: the brightest plane, z = {:.4g} um, is not among the {} planes around z = {:.4g} um; "
        "{}",
        psf.focus_um, psf.voxels.extent.z, psf.origin_um,
        moved ? "use a smaller shift along z, or more planes"
              : "set the axial origin (optics.axial_origin) to focus to move it to the middle"));
  }
  const std::size_t plane = least_captured_plane(psf);
  if (psf.captured[plane] >= kEnoughEnergy || !(spec.size || is_limited(sizing, psf.voxels.extent)))
    return;
  psf.warnings.push_back(fmt::format(
      "psf: a PSF of {} voxels contains only {:.1f} % of the light of the plane at z = {:.4g} um; "
      "give it a larger size{}",
      psf.voxels.extent, 100 * psf.captured[plane],
      psf.origin_um + (static_cast<double>(plane) - static_cast<double>(psf.centre.z)) * pitch.z_um,
      spec.size ? ""
                : fmt::format(" (if none is given, it is at most {} wide)", sizing.lateral_limit)));
}

/// Returns the set-up in the z of its models, which grows as the objective withdraws.
OpticsSpec upright(OpticsSpec spec) {
  if (is_mirrored(spec)) spec.shift.z_um = -spec.shift.z_um;
  return spec;
}

/// Reverses the order of the planes.
template <class T>
void mirror(BasicPsf<T>& psf, TaskPool& pool) {
  const std::int64_t planes = psf.voxels.extent.z, area = psf.voxels.extent.y * psf.voxels.extent.x;
  pool.for_each(planes / 2, [&](std::int64_t z) {
    T* const plane = psf.voxels.view().row(z, 0);
    std::swap_ranges(plane, plane + area, psf.voxels.view().row(planes - 1 - z, 0));
  });
  std::reverse(psf.captured.begin(), psf.captured.end());
  std::reverse(psf.plane_energies.begin(), psf.plane_energies.end());
}

void require_valid(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing) {
  require_valid(spec);
  require_valid_pitch(pitch);
  require_valid(sizing);
}

}  // namespace

void require_computable(const Extent3& size) {
  if (volume(size) > kMaxPsfVoxels)
    throw InvalidSpec(
        fmt::format("psf: a size of {} has {} voxels, at most {} are computed; give a smaller size",
                    size, volume(size), kMaxPsfVoxels));
}

double inverse_of(double light, const OpticsSpec& spec, const Extent3& size) {
  if (light > 0 && std::isfinite(1 / light)) return 1 / light;
  const auto [z, y, x] = spec.shift;
  throw InvalidSpec(fmt::format(
      "psf: optics.normalization \"{}\" divides by the {} of the voxels, which is {:.3g}: "
      "optics.size of {} with optics.shift_nm [{:.6g}, {:.6g}, {:.6g}] contains no light{}; choose "
      "a smaller shift, a larger size or the normalization \"plane\"",
      name_in(kPsfNormalizationNames, spec.normalization),
      spec.normalization == PsfNormalization::sum ? "sum" : "largest", light, size, 1000 * z,
      1000 * y, 1000 * x, spec.file ? ", or optics.file_background subtracts all of it" : ""));
}

double origin_of(const OpticsSpec& spec, double focus_um) {
  switch (spec.axial_origin.rule) {
    case AxialOrigin::Rule::nominal:
      return 0 - spec.shift.z_um;
    case AxialOrigin::Rule::focus:
      return focus_um - spec.shift.z_um;
    case AxialOrigin::Rule::fixed:
      break;
  }
  return spec.axial_origin.um - spec.shift.z_um;
}

double coarsest_sampling_um(const OpticsSpec& spec) {
  // The sum of samples p apart is the sum of the transfer function's values at all multiples of 1 /
  // p. For one lens these are zero beyond 2 NA / lambda; for a Gaussian they add 4 exp(-2 (pi sigma
  // / p)^2), 6e-4 at 1.5 sigma.
  if (spec.model == PsfModel::gaussian) return 1.5 * gaussian_widths(spec).lateral_um;
  return 2 * band_of(spec).nyquist_lateral_um();
}

PsfSize psf_size(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing,
                 TaskPool& pool, const StopFlag& stop) {
  require_valid(spec, pitch, sizing);
  const OpticsSpec of_model = upright(spec);
  const auto size_of_model = [&] {
    if (spec.model == PsfModel::gaussian) return gaussian_psf_size(of_model, pitch, sizing);
    if (spec.model == PsfModel::file) return measured_psf_size(of_model, pitch, sizing, pool, stop);
    if (!spec.zernike.empty()) return aberrated_psf_size(of_model, pitch, sizing, pool);
    return radial_psf_size(of_model, pitch, sizing, pool);
  };
  PsfSize result = size_of_model();
  const Extent3 sharp =
      std::exchange(result.size, size_with_glare(spec, pitch, sizing, result.size));
  result.working_bytes =
      std::max(result.working_bytes,
               glare_working_bytes(spec, sharp, result.size, sizeof(float), pool.threads()));
  result.centre = centre_of(result.size);
  result.voxel_bytes = volume(result.size) * std::int64_t{sizeof(float)};
  return result;
}

template <class T>
BasicPsf<T> make_psf(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing,
                     TaskPool& pool, MemoryBudget* memory, const StopFlag& stop) {
  require_valid(spec, pitch, sizing);
  const OpticsSpec of_model = upright(spec);
  const auto made = [&] {
    if (spec.model == PsfModel::gaussian)
      return make_gaussian_psf<T>(of_model, pitch, sizing, pool, memory);
    if (spec.model == PsfModel::file)
      return make_measured_psf<T>(of_model, pitch, sizing, pool, memory, stop);
    if (!spec.zernike.empty())
      return make_aberrated_psf<T>(of_model, pitch, sizing, pool, memory, stop);
    return make_radial_psf<T>(of_model, pitch, sizing, pool, memory, stop);
  };
  BasicPsf<T> psf = made();
  stop.check();
  add_glare(psf, spec, pitch, sizing, pool, memory);
  if (spec.model != PsfModel::file) {
    warn_of_sampling(spec, pitch, psf.voxels.extent, psf.warnings);
    warn_of_excess(pitch, psf);
    note_pupil_end(spec, psf.notes);
  } else {
    warn_of_lens(spec, psf.warnings);
  }
  warn_of_window(spec, pitch, sizing, psf);
  if (is_mirrored(spec)) mirror(psf, pool);
  return psf;
}

template <class T>
std::size_t least_captured_plane(const BasicPsf<T>& psf) {
  std::vector<double> captured = psf.captured;
  for (std::size_t z = 0; z < psf.plane_energies.size(); ++z)
    if (psf.plane_energies[z] < kDimPlane * psf.plane_energy) captured[z] = 1;
  return static_cast<std::size_t>(std::min_element(captured.begin(), captured.end()) -
                                  captured.begin());
}

double plane_energy(const OpticsSpec& spec, const VoxelSize& pitch, const Psf& psf,
                    std::int64_t planes) {
  if (!psf.plane_energies.empty()) {
    const std::int64_t z = psf.centre.z + planes;
    const auto known = static_cast<std::int64_t>(psf.plane_energies.size());
    return z >= 0 && z < known ? psf.plane_energies[static_cast<std::size_t>(z)] : 0;
  }
  if (spec.model != PsfModel::gaussian) return psf.plane_energy;
  const double z = psf.origin_um + static_cast<double>(planes) * pitch.z_um;
  const double relative = z / gaussian_widths(spec).axial_um;
  return psf.plane_energy * std::exp(-0.5 * relative * relative);
}

template std::size_t least_captured_plane(const Psf&);
template BasicPsf<float> make_psf(const OpticsSpec&, const VoxelSize&, const PsfSizing&, TaskPool&,
                                  MemoryBudget*, const StopFlag&);
template BasicPsf<double> make_psf(const OpticsSpec&, const VoxelSize&, const PsfSizing&, TaskPool&,
                                   MemoryBudget*, const StopFlag&);

}  // namespace synthoscope::simulator
