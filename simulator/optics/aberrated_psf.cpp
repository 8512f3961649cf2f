// SPDX-License-Identifier: MIT
// simulator/optics/aberrated_psf.cpp — PSFs of a wavefront that is not round: intensity at points
// in every pixel, summed over the pixel.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <numbers>
#include "simulator/optics/functions/sinc_taps.hpp"
#include "simulator/optics/models/radial_model.hpp"
#include "simulator/optics/psf_models.hpp"
#include "simulator/optics/psf_parts.hpp"
#include "simulator/optics/psf_window.hpp"
#include "simulator/optics/pupil/aberrated_light.hpp"

namespace synthoscope::simulator {
namespace {

/// Points along y or x, and the weights that sum them to pixels.
struct PointAxis {
  std::vector<double> um;  ///< from the axis of the light
  std::vector<Taps> pixels;
  bool is_centred = true;  ///< points lie in pairs on both sides of the axis

  /// Returns the first point to compute: the one on the axis if points lie in pairs, otherwise 0.
  [[nodiscard]] std::int64_t first() const { return is_centred ? std::ssize(um) / 2 : 0; }
  [[nodiscard]] std::int64_t computed() const { return std::ssize(um) - first(); }
  [[nodiscard]] std::int64_t mirrored(std::int64_t i) const {
    return is_centred ? std::ssize(um) - 1 - i : i;
  }
};

/// Returns points at the centres of pixels or, to integrate, at least four points in the shortest
/// wave of the light, and enough beyond the window for the sums.
PointAxis axis_of(std::int64_t size, double pitch_um, double shift_um, bool integrate,
                  double lateral) {
  constexpr double kPointsPerWave = 4;
  constexpr std::int64_t kMargin = 9;  // points that a sum reaches beyond its pixel, and one
  const double shortest_um = std::numbers::pi / lateral;
  const auto parts =
      integrate ? static_cast<std::int64_t>(std::ceil(pitch_um * kPointsPerWave / shortest_um)) : 1;
  const std::int64_t margin = integrate ? parts / 2 + 1 + kMargin : 0;
  const std::int64_t points = parts * (size - 1) + 1 + 2 * margin;
  PointAxis axis;
  axis.is_centred = shift_um == 0;
  for (std::int64_t i = 0; i < points; ++i)
    axis.um.push_back(static_cast<double>(i - margin - parts * (size / 2)) * pitch_um /
                          static_cast<double>(parts) -
                      shift_um);
  axis.pixels = sinc_taps(points, static_cast<double>(margin), static_cast<double>(parts), size,
                          integrate ? static_cast<double>(parts) : 0);
  return axis;
}

struct AberratedDesign {
  std::unique_ptr<const SymmetricPupil> pupil;
  double origin_um;
  Extent3 size;
  PointAxis y, x;
  std::vector<double> z_um;

  [[nodiscard]] AberratedLight light(const ZernikeTerms& terms) const {
    const auto farthest = [](const PointAxis& axis) {
      return std::max(std::abs(axis.um.front()), std::abs(axis.um.back()));
    };
    const std::vector<double> ends{*std::min_element(z_um.begin(), z_um.end()),
                                   *std::max_element(z_um.begin(), z_um.end())};
    return {*pupil, terms, std::hypot(farthest(y), farthest(x)), ends};
  }
};

AberratedDesign aberrated_design(const OpticsSpec& spec, const VoxelSize& pitch,
                                 const PsfSizing& sizing, TaskPool& pool) {
  AberratedDesign d;
  d.pupil = round_pupil_of(spec);
  d.origin_um = origin_of(spec, d.pupil->focus_um());
  const double lateral = d.pupil->lateral_wavenumber();
  // The wavefront displaces rays, so the window grows as for a shift of the image
  OpticsSpec widened = spec;
  const double reach = ray_reach_um(spec.zernike, lateral);
  widened.shift.y_um = std::abs(spec.shift.y_um) + reach;
  widened.shift.x_um = std::abs(spec.shift.x_um) + reach;
  d.size = spec.size
               ? *spec.size
               : choose_window(*radial_model_of(spec), widened, pitch, sizing, d.origin_um, pool);
  require_computable(d.size);
  const bool integrate = spec.pixel_integration.value_or(true);
  d.y = axis_of(d.size.y, pitch.y_um, spec.shift.y_um, integrate, lateral);
  d.x = axis_of(d.size.x, pitch.x_um, spec.shift.x_um, integrate, lateral);
  for (std::int64_t i = 0; i < d.size.z; ++i)
    d.z_um.push_back(d.origin_um + static_cast<double>(i - d.size.z / 2) * pitch.z_um);
  return d;
}

std::int64_t points_bytes(const AberratedDesign& d, int threads) {
  const auto lines = static_cast<std::int64_t>(d.y.um.size()),
             points = static_cast<std::int64_t>(d.x.um.size());
  return (lines * d.size.x + 2 * threads * points) * kGroupPlanes * std::int64_t{sizeof(double)};
}

std::int64_t working_bytes(const AberratedDesign& d, const AberratedLight& light, int threads) {
  return light.bytes() + threads * light.bytes_per_thread() + points_bytes(d, threads);
}

/// Sums a line of points to pixels, kGroupPlanes values each.
void sum_points(const PointAxis& axis, const double* points, double* pixels) {
  for (std::size_t x = 0; x < axis.pixels.size(); ++x, pixels += kGroupPlanes) {
    const Taps& taps = axis.pixels[x];
    double sum[kGroupPlanes] = {};
    for (std::size_t i = 0; i < taps.weights.size(); ++i) {
      const double* const point =
          points + (taps.first + static_cast<std::int64_t>(i)) * kGroupPlanes;
      for (std::int64_t p = 0; p < kGroupPlanes; ++p) sum[p] += taps.weights[i] * point[p];
    }
    std::copy_n(sum, kGroupPlanes, pixels);
  }
}

/// Fills the planes from `first` on with a group that `light` has computed, times `scale`. Returns
/// each plane's sum without `scale`.
template <class T>
std::vector<double> spread_group(const AberratedDesign& d, const AberratedLight& light,
                                 std::int64_t group, std::int64_t first, double scale,
                                 HostView3<T> out, TaskPool& pool) {
  const auto lines = static_cast<std::int64_t>(d.y.um.size());
  const std::int64_t planes = std::min(kGroupPlanes, d.size.z - first), width = d.size.x;
  const auto at = [](std::int64_t i) { return static_cast<std::size_t>(i); };

  // Sum points along x, for a line and its mirror image across the axis
  std::vector<double> sums(at(lines * width * kGroupPlanes));
  pool.for_each(d.y.computed(), [&](std::int64_t i) {
    const std::int64_t y = d.y.first() + i, sides[] = {y, d.y.mirrored(y)};
    std::vector<double> line[2];
    for (auto& side : line) side.resize(d.x.um.size() * at(kGroupPlanes));
    for (std::int64_t x = d.x.first(); x < std::ssize(d.x.um); ++x) {
      double points[AberratedLight::kMirrored][kGroupPlanes];
      light.intensity(d.y.um[at(y)], d.x.um[at(x)], group, points[0]);
      for (const std::size_t side : {0, 1}) {
        // Without mirror images both targets are the same, and the last copy is the right one
        std::copy_n(points[2 * side + 1], kGroupPlanes,
                    line[side].data() + d.x.mirrored(x) * kGroupPlanes);
        std::copy_n(points[2 * side], kGroupPlanes, line[side].data() + x * kGroupPlanes);
      }
    }
    for (const std::size_t side : {1, 0})
      sum_points(d.x, line[side].data(), sums.data() + sides[side] * width * kGroupPlanes);
  });

  // Sum these along y
  std::vector<double> totals(at(d.size.y * kGroupPlanes));
  pool.for_each(d.size.y, [&](std::int64_t y) {
    const Taps& taps = d.y.pixels[at(y)];
    for (std::int64_t x = 0; x < width; ++x) {
      double pixel[kGroupPlanes] = {};
      for (std::size_t i = 0; i < taps.weights.size(); ++i) {
        const double* const sum =
            sums.data() + ((taps.first + static_cast<std::int64_t>(i)) * width + x) * kGroupPlanes;
        for (std::int64_t p = 0; p < kGroupPlanes; ++p) pixel[p] += taps.weights[i] * sum[p];
      }
      for (std::int64_t p = 0; p < planes; ++p) {
        out(first + p, y, x) = static_cast<T>(scale * pixel[p]);
        totals[at(y * kGroupPlanes + p)] += pixel[p];
      }
    }
  });
  std::vector<double> of_planes(at(planes));
  for (std::int64_t y = 0; y < d.size.y; ++y)
    for (std::int64_t p = 0; p < planes; ++p) of_planes[at(p)] += totals[at(y * kGroupPlanes + p)];
  return of_planes;
}

}  // namespace

template <class T>
BasicPsf<T> make_aberrated_psf(const OpticsSpec& spec, const VoxelSize& pitch,
                               const PsfSizing& sizing, TaskPool& pool, MemoryBudget* memory,
                               const StopFlag& stop) {
  const AberratedDesign design = aberrated_design(spec, pitch, sizing, pool);
  BasicPsf<T> psf;
  psf.focus_um = design.pupil->focus_um();
  psf.origin_um = design.origin_um;
  take_voxels(psf, design.size, memory);
  AberratedLight light = design.light(spec.zernike);
  const auto working =
      counted(memory, working_bytes(design, light, pool.threads()), "computing the PSF");

  // A phase absorbs no light: planes hold the same energy as without aberrations
  const double scale = pitch.y_um * pitch.x_um / design.pupil->plane_energy_um2();
  double total = 0;
  for (std::int64_t slab = 0; slab < design.size.z; slab += kSlabPlanes) {
    stop.check();
    const std::int64_t planes = std::min(kSlabPlanes, design.size.z - slab);
    light.compute(std::span{design.z_um}.subspan(static_cast<std::size_t>(slab),
                                                 static_cast<std::size_t>(planes)),
                  pool);
    for (std::int64_t group = 0; group * kGroupPlanes < planes; ++group)
      for (const double sum : spread_group(design, light, group, slab + group * kGroupPlanes, scale,
                                           psf.voxels.view(), pool)) {
        psf.captured.push_back(sum * scale);
        total += sum * scale;
      }
  }
  normalise(psf, spec, total, scale, pool);
  return psf;
}

PsfSize aberrated_psf_size(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing,
                           TaskPool& pool) {
  const AberratedDesign design = aberrated_design(spec, pitch, sizing, pool);
  PsfSize result;
  result.size = design.size;
  result.working_bytes = working_bytes(design, design.light(spec.zernike), pool.threads());
  return result;
}

template BasicPsf<float> make_aberrated_psf(const OpticsSpec&, const VoxelSize&, const PsfSizing&,
                                            TaskPool&, MemoryBudget*, const StopFlag&);
template BasicPsf<double> make_aberrated_psf(const OpticsSpec&, const VoxelSize&, const PsfSizing&,
                                             TaskPool&, MemoryBudget*, const StopFlag&);

}  // namespace synthoscope::simulator
