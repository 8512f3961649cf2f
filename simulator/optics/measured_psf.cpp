// SPDX-License-Identifier: MIT
// simulator/optics/measured_psf.cpp — a measured PSF, recentred and resampled to a grid.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include "simulator/optics/measured_file.hpp"
#include "simulator/optics/psf_models.hpp"
#include "simulator/optics/psf_parts.hpp"
#include "simulator/optics/psf_window.hpp"
#include "simulator/optics/sinc_taps.hpp"

namespace synthoscope::simulator {
namespace {

constexpr double kFaintPlane = 0.01;  // of the brightest: what it has lost is lost in noise

/// From the centre to the farther end of an axis of the file.
double reach_um(double centre, std::int64_t count, double pitch_um) {
  return (std::max(centre, static_cast<double>(count - 1) - centre) + 0.5) * pitch_um;
}

Extent3 size_of(const OpticsSpec& spec, const MeasuredFile& file, const VoxelSize& pitch,
                const PsfSizing& sizing) {
  const Extent3& e = file.summary.extent;
  const Point3 reach{reach_um(file.centre.z, e.z, file.pitch.z_um),
                     reach_um(file.centre.y, e.y, file.pitch.y_um),
                     reach_um(file.centre.x, e.x, file.pitch.x_um)};
  const Extent3 size = spec.size ? *spec.size : choose_window(reach, pitch, sizing);
  require_computable(size);
  return size;
}

std::vector<Taps> taps_along(std::int64_t samples, double centre, double file_um, double um,
                             std::int64_t count, bool integrates) {
  const double step = um / file_um;
  return sinc_taps(samples, centre - static_cast<double>(count / 2) * step, step, count,
                   integrates ? step : 0);
}

/// Planes of the file at the grid's positions, one after the other.
class Resampling {
 public:
  Resampling(const OpticsSpec& spec, const MeasuredFile& file, const VoxelSize& pitch,
             const Extent3& size)
      : extent_{file.summary.extent},
        size_{size},
        background_{file.summary.background},
        area_ratio_{pitch.y_um * pitch.x_um / (file.pitch.y_um * file.pitch.x_um)} {
    const bool boxes = spec.pixel_integration.value_or(false);
    z_ = taps_along(extent_.z, file.centre.z, file.pitch.z_um, pitch.z_um, size.z, false);
    y_ = taps_along(extent_.y, file.centre.y, file.pitch.y_um, pitch.y_um, size.y, boxes);
    x_ = taps_along(extent_.x, file.centre.x, file.pitch.x_um, pitch.x_um, size.x, boxes);
  }

  /// What a thread works in, in bytes.
  static std::int64_t bytes(const Extent3& file, const Extent3& size) {
    return (file.y * file.x + size.y * file.x) * std::int64_t{sizeof(double)};
  }

  /// Values of plane `z` times `scale` into `out`. @returns the sum of the values.
  template <class T>
  double plane(const Volume<float>& file, std::int64_t z, double scale, T* out) const {
    const std::vector<double> flat = along_z(file, z);
    std::vector<double> rows(static_cast<std::size_t>(size_.y * extent_.x));
    for (std::int64_t y = 0; y < size_.y; ++y) {
      const Taps& taps = y_[static_cast<std::size_t>(y)];
      for (std::size_t i = 0; i < taps.weights.size(); ++i)
        for (std::int64_t x = 0; x < extent_.x; ++x)
          rows[static_cast<std::size_t>(y * extent_.x + x)] +=
              taps.weights[i] * flat[static_cast<std::size_t>(
                                    (taps.first + static_cast<std::int64_t>(i)) * extent_.x + x)];
    }
    double sum = 0;
    for (std::int64_t y = 0; y < size_.y; ++y)
      for (std::int64_t x = 0; x < size_.x; ++x) {
        const Taps& taps = x_[static_cast<std::size_t>(x)];
        const double value = std::inner_product(taps.weights.begin(), taps.weights.end(),
                                                rows.begin() + y * extent_.x + taps.first, 0.0);
        sum += value;
        out[y * size_.x + x] = static_cast<T>(value * scale);
      }
    return sum;
  }

  /// What plane `z` would add up to in a window as wide as the file.
  [[nodiscard]] double whole_plane(const std::vector<double>& file_planes, std::int64_t z) const {
    const Taps& taps = z_[static_cast<std::size_t>(z)];
    return std::inner_product(taps.weights.begin(), taps.weights.end(),
                              file_planes.begin() + taps.first, 0.0) /
           area_ratio_;
  }

 private:
  [[nodiscard]] std::vector<double> along_z(const Volume<float>& file, std::int64_t z) const {
    const std::int64_t area = extent_.y * extent_.x;
    std::vector<double> flat(static_cast<std::size_t>(area));
    const Taps& taps = z_[static_cast<std::size_t>(z)];
    for (std::size_t i = 0; i < taps.weights.size(); ++i) {
      const float* const from = file.view().row(taps.first + static_cast<std::int64_t>(i), 0);
      for (std::size_t v = 0; v < flat.size(); ++v)
        flat[v] += taps.weights[i] * (static_cast<double>(from[v]) - background_);
    }
    return flat;
  }

  Extent3 extent_, size_;
  double background_, area_ratio_;
  std::vector<Taps> z_, y_, x_;
};

std::int64_t working_bytes(const MeasuredFile& file, const Extent3& size, int threads) {
  const Extent3& e = file.summary.extent;
  const auto native = std::int64_t{sizeof(double)} * e.y * e.x;  // a plane as it is read
  return file.image.buffer_bytes + volume(e) * std::int64_t{sizeof(float)} + native +
         (threads + 1) * Resampling::bytes(e, size);
}

std::vector<double> plane_sums(const Volume<float>& file, double background) {
  std::vector<double> sums;
  const std::int64_t area = file.extent.y * file.extent.x;
  for (std::int64_t z = 0; z < file.extent.z; ++z) {
    const float* const voxels = file.view().row(z, 0);
    sums.push_back(std::accumulate(voxels, voxels + area, 0.0) -
                   background * static_cast<double>(area));
  }
  return sums;
}

template <class T>
void describe(const OpticsSpec& spec, const MeasuredFile& file, const StopFlag& stop,
              BasicPsf<T>& psf) {
  const std::string name = spec.file->string();
  const std::string background =
      spec.file_background.kind == fftconv::BackgroundRule::Kind::none
          ? ""
          : fmt::format("took a background of {:g} off and ", file.summary.background);
  psf.notes.push_back(fmt::format("psf: {}put voxel ({:.2f}, {:.2f}, {:.2f}) of {} in the middle",
                                  background, file.centre.z, file.centre.y, file.centre.x, name));
  if (const auto warning = border_warning(name, *file.image.source, spec.file_background,
                                          file.summary, "optics.file_background = \"auto\"", stop))
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
  const Resampling resampling{spec, file, pitch, size};
  std::vector<T> middle(static_cast<std::size_t>(size.y * size.x));
  const double in_focus = resampling.plane(voxels, size.z / 2, 1, middle.data());
  if (!(in_focus > 0))
    throw InvalidInput(fmt::format(
        "normalise the PSF {}: its middle plane adds up to {:.3g}, which must be positive; choose "
        "another optics.file_background or optics.file_center",
        spec.file->string(), in_focus));
  const double plane_scale = 1 / in_focus;
  std::vector<double> sums(static_cast<std::size_t>(size.z));
  pool.for_each(size.z, [&](std::int64_t z) {
    sums[static_cast<std::size_t>(z)] =
        resampling.plane(voxels, z, plane_scale, psf.voxels.view().row(z, 0));
  });

  // Compare with what a window as wide as the file would hold
  const auto file_planes = plane_sums(voxels, file.summary.background);
  std::vector<double> unbounded;
  for (std::int64_t z = 0; z < size.z; ++z)
    unbounded.push_back(resampling.whole_plane(file_planes, z));
  const double brightest = *std::max_element(unbounded.begin(), unbounded.end());
  double total = 0;
  for (std::size_t z = 0; z < sums.size(); ++z) {
    const bool faint = !(unbounded[z] > kFaintPlane * brightest);
    psf.captured.push_back(faint ? 1 : std::clamp(sums[z] / unbounded[z], 0.0, 1.0));
    psf.measured_energy.push_back(std::max(sums[z], faint ? sums[z] : unbounded[z]) * plane_scale);
    total += sums[z] * plane_scale;
  }
  normalise(psf, spec.normalization, total, plane_scale, pool);
  for (double& energy : psf.measured_energy) energy *= psf.plane_energy;
  return psf;
}

PsfRoom measured_psf_room(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing,
                          TaskPool& pool, const StopFlag& stop) {
  const MeasuredFile file = open_measured(spec, stop);
  PsfRoom room;
  room.size = size_of(spec, file, pitch, sizing);
  room.working_bytes = working_bytes(file, room.size, pool.threads());
  return room;
}

template BasicPsf<float> make_measured_psf(const OpticsSpec&, const VoxelSize&, const PsfSizing&,
                                           TaskPool&, MemoryBudget*, const StopFlag&);
template BasicPsf<double> make_measured_psf(const OpticsSpec&, const VoxelSize&, const PsfSizing&,
                                            TaskPool&, MemoryBudget*, const StopFlag&);

}  // namespace synthoscope::simulator
