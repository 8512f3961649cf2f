// SPDX-License-Identifier: MIT
// simulator/optics/measured_psf.cpp — a measured PSF on a grid: its window, light and warnings.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>
#include "simulator/measurement/second_spot.hpp"
#include "simulator/optics/measured_file.hpp"
#include "simulator/optics/measured_resampling.hpp"
#include "simulator/optics/psf_models.hpp"
#include "simulator/optics/psf_parts.hpp"
#include "simulator/optics/psf_window.hpp"

namespace synthoscope::simulator {
namespace {

constexpr double kFaintPlane = 0.01;  // of the brightest: losses of fainter planes are hidden in
                                      // noise

/// Returns the distance from the centre to the farther end of an axis of the file.
double reach_um(double centre, std::int64_t count, double pitch_um) {
  return (std::max(centre, static_cast<double>(count - 1) - centre) + 0.5) * pitch_um;
}

Extent3 size_of(const OpticsSpec& spec, const MeasuredFile& file, const VoxelSize& pitch,
                const PsfSizing& sizing) {
  const Extent3& e = file.summary.extent;
  const Point3 reach{reach_um(file.centre.z, e.z, file.pitch.z_um) + std::abs(spec.shift.z_um),
                     reach_um(file.centre.y, e.y, file.pitch.y_um) + std::abs(spec.shift.y_um),
                     reach_um(file.centre.x, e.x, file.pitch.x_um) + std::abs(spec.shift.x_um)};
  const Extent3 size = spec.size ? *spec.size : choose_window(reach, pitch, sizing);
  require_computable(size);
  return size;
}

/// Returns the contrast in `profile` of the finest wave that the grid holds; 0 if the file holds no
/// finer wave.
double contrast_at_limit(const std::vector<double>& profile, double step) {
  if (step <= 1) return 0;
  std::complex<double> wave;
  for (std::size_t i = 0; i < profile.size(); ++i)
    wave += profile[i] * std::polar(1.0, std::numbers::pi * static_cast<double>(i) / step);
  return std::abs(wave / std::accumulate(profile.begin(), profile.end(), 0.0));
}

/// Warns if the grid is coarser than what the file shows.
void warn_of_sampling(const OpticsSpec& spec, const MeasuredFile& file, const MiddleOfFile& middle,
                      const VoxelSize& pitch, const Extent3& size,
                      std::vector<std::string>& warnings) {
  constexpr double kFolding = 0.1;
  const auto warn = [&](std::string_view axis, double um, double file_um,
                        const std::vector<double>& profile) {
    const double contrast = contrast_at_limit(profile, um / file_um);
    if (contrast > kFolding)
      warnings.push_back(
          fmt::format("psf: the {} voxel size of {:.4g} um undersamples {} (aliasing): that PSF "
                      "still shows waves of twice this length with {:.0f} % of their contrast; use "
                      "smaller voxels, or ignore this if your camera has such pixels",
                      axis, um, spec.file->string(), 100 * contrast));
  };
  if (pitch.y_um / file.pitch.y_um > pitch.x_um / file.pitch.x_um)
    warn("lateral", pitch.y_um, file.pitch.y_um, middle.along_y);
  else
    warn("lateral", pitch.x_um, file.pitch.x_um, middle.along_x);
  if (size.z > 1) warn("axial", pitch.z_um, file.pitch.z_um, middle.along_z);
}

/// Warns if the file holds several beads: every object would be blurred into several.
void warn_of_several_beads(const OpticsSpec& spec, const MeasuredFile& file,
                           const Volume<float>& voxels, std::vector<std::string>& warnings) {
  if (const auto second = second_spot(voxels, file.pitch, file.summary.background))
    warnings.push_back(fmt::format(
        "psf: {} has a second bright spot at voxel {}: it looks like an image of several beads, "
        "which would show every point several times; make a PSF of it with psf --from-beads",
        spec.file->string(), *second));
}

std::int64_t working_bytes(const MeasuredFile& file, const Extent3& size, int threads) {
  const Extent3& e = file.summary.extent;
  const auto native = std::int64_t{sizeof(double)} * e.y * e.x;  // a plane as it is read
  return file.image.buffer_bytes + volume(e) * std::int64_t{sizeof(float)} + native +
         threads * Resampling::bytes(e, size);
}

template <class T>
void describe(const OpticsSpec& spec, const MeasuredFile& file, const StopFlag& stop,
              BasicPsf<T>& psf) {
  const std::string name = spec.file->string();
  const std::string background =
      spec.file_background.kind == fftconv::BackgroundRule::Kind::none
          ? ""
          : fmt::format("subtracted a background of {:g}; ", file.summary.background);
  psf.notes.push_back(
      fmt::format("psf: {}voxel ({:.2f}, {:.2f}, {:.2f}) of {} is placed in the middle", background,
                  file.centre.z, file.centre.y, file.centre.x, name));
  if (const auto warning =
          border_warning(name, *file.image.source, spec.file_background, file.summary,
                         fftconv::BorderFaces::lateral, "optics.file_background = \"auto\"", stop))
    psf.warnings.push_back("psf: " + *warning);
}

}  // namespace

template <class T>
BasicPsf<T> make_measured_psf(const OpticsSpec& spec, const VoxelSize& pitch,
                              const PsfSizing& sizing, TaskPool& pool, MemoryBudget* memory,
                              const StopFlag& stop) {
  const MeasuredFile file = open_measured(spec, stop);
  const Extent3 size = size_of(spec, file, pitch, sizing);
  BasicPsf<T> psf;
  take_voxels(psf, size, memory);
  describe(spec, file, stop, psf);

  // Hold the file while its planes are moved and respaced
  const auto working =
      counted(memory, working_bytes(file, size, pool.threads()), "resampling the measured PSF");
  const Volume<float> voxels = read_all<float>(*file.image.source);
  warn_of_several_beads(spec, file, voxels, psf.warnings);
  const MiddleOfFile middle = middle_of(file, voxels);
  warn_of_sampling(spec, file, middle, pitch, size, psf.warnings);
  const Resampling resampling{spec, file, middle, pitch, size};
  const double in_focus = resampling.light_in_focus(voxels);
  if (!(in_focus > 0))
    throw InvalidInput(fmt::format(
        "normalise the PSF {}: its middle plane adds up to {:.3g}, which must be positive; choose "
        "another optics.file_background or optics.file_center",
        spec.file->string(), in_focus));
  const double plane_scale = 1 / in_focus;
  std::vector<PlaneLight> planes(static_cast<std::size_t>(size.z));
  pool.for_each(size.z, [&](std::int64_t z) {
    planes[static_cast<std::size_t>(z)] =
        resampling.plane(voxels, z, plane_scale, psf.voxels.view().row(z, 0));
  });

  // Compare with an infinite window
  double brightest = 0, total = 0;
  for (const PlaneLight& light : planes) brightest = std::max(brightest, light.unbounded);
  for (const PlaneLight& light : planes) {
    const bool faint = !(light.unbounded > kFaintPlane * brightest);
    psf.captured.push_back(faint ? 1 : light.window / light.unbounded);
    psf.plane_energies.push_back((faint ? light.window : light.unbounded) * plane_scale);
    total += light.window * plane_scale;
  }
  normalise(psf, spec, total, plane_scale, pool);
  for (double& energy : psf.plane_energies) energy *= psf.plane_energy;
  return psf;
}

PsfSize measured_psf_size(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing,
                          TaskPool& pool, const StopFlag& stop) {
  const MeasuredFile file = open_measured(spec, stop);
  PsfSize result;
  result.size = size_of(spec, file, pitch, sizing);
  result.working_bytes = working_bytes(file, result.size, pool.threads());
  return result;
}

template BasicPsf<float> make_measured_psf(const OpticsSpec&, const VoxelSize&, const PsfSizing&,
                                           TaskPool&, MemoryBudget*, const StopFlag&);
template BasicPsf<double> make_measured_psf(const OpticsSpec&, const VoxelSize&, const PsfSizing&,
                                            TaskPool&, MemoryBudget*, const StopFlag&);

}  // namespace synthoscope::simulator
