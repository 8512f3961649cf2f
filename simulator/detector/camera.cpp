// SPDX-License-Identifier: MIT
#include "simulator/detector/camera.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "core/stream/device_stream.hpp"
#include "simulator/detector/device_camera.hpp"
#include "simulator/detector/exposure.hpp"
#include "simulator/detector/noise/draw_run.hpp"

namespace synthoscope::simulator {
namespace {

std::int64_t most_clipped(const CameraReport& report) {
  return std::max({report.clipped_high, report.full_wells, report.full_counters});
}

/// Returns a voxel's index in z, y, x order, as the random numbers use it.
std::uint64_t index_in(const Extent3& volume, const Index3& voxel) {
  return static_cast<std::uint64_t>((voxel.z * volume.y + voxel.y) * volume.x + voxel.x);
}

/// Returns the extent that is read out: charge that is added on the chip is read out once.
Extent3 read_out_of(const CameraSpec& spec, const Extent3& volume) {
  const std::int64_t bin = binned_on_chip(spec);
  return {volume.z, volume.y / bin, volume.x / bin};
}

/// Returns the mean at which means are cut to stay in the range of poisson(). A draw at this mean
/// always fills the well; a photon counter may miss most photons, so it gets the largest range.
double largest_mean(const CameraSpec& s) {
  return s.kind == CameraKind::counting ? kLargestPoissonMean : 2 * s.full_well_electrons + 1000;
}

PixelElectronics electronics_of(const CameraSpec& s) {
  return {s.quantum_efficiency,
          s.dark_current_electrons_per_second,
          s.exposure_seconds,
          s.clock_induced_charge_electrons,
          s.row_noise_electrons,
          s.full_well_electrons,
          s.em_gain,
          s.register_full_well_electrons,
          static_cast<double>((1 << s.bit_depth) - 1),
          largest_mean(s)};
}

PhotonCounter counter_of(const CameraSpec& s) {
  PhotonCounter counter{s.kind == CameraKind::counting, s.dead_time_ns * 1e-9 / s.exposure_seconds,
                        s.one_bit_frames, 1 / (1 - s.afterpulse_probability)};
  if (s.one_bit_frames > 0)
    counter.most_counts = static_cast<double>(s.one_bit_frames);
  else if (counter.dead_part > 0)
    counter.most_counts = std::ceil(1 / counter.dead_part - 1e-9);
  return counter;
}

Exposure exposure_of(const CameraSpec& spec, const ExposureKey& key, const Extent3& volume) {
  return {electronics_of(spec),
          counter_of(spec),
          {key.seed, RandomStage::shot_noise},
          {key.seed, RandomStage::em_gain},
          {key.seed, RandomStage::read_noise},
          {key.seed, RandomStage::row_noise},
          key.frame,
          key.channel,
          volume.y,
          volume.x,
          spec.binning,
          spec.adds_charge()};
}

std::shared_ptr<const Exposure> with_frame(Exposure exposure, std::int64_t frame) {
  exposure.frame = static_cast<std::uint32_t>(frame);
  return std::make_shared<const Exposure>(exposure);
}

const Extent3& checked(const CameraSpec& spec, const Extent3& volume) {
  require_valid(spec);
  if (!is_positive(volume))
    throw InvalidSpec(fmt::format(
        "camera: the volume to be recorded is {}, each axis needs at least 1 voxel; correct it",
        volume));
  if (synthoscope::volume(volume) >= std::int64_t{1} << 48)
    throw InvalidSpec(fmt::format(
        "camera: the volume to be recorded is {}, noise is defined below 2^48 voxels; record parts",
        volume));
  if (volume.y % spec.binning != 0 || volume.x % spec.binning != 0)
    throw InvalidSpec(
        fmt::format("camera: {} by {} pixels are binned into one, but the volume to be recorded is "
                    "{}; choose sizes along y "
                    "and x that are multiples of the binning",
                    spec.binning, spec.binning, volume));
  return volume;
}

void lower_to(std::atomic<float>& least, float value) {
  float seen = least.load();
  while (value < seen && !least.compare_exchange_weak(seen, value)) {
  }
}

}  // namespace

void refuse_photons(double photons, const Index3& voxel) {
  throw InvalidInput(
      fmt::format("record photons: voxel {} holds {}, the camera needs finite numbers; replace it "
                  "before recording",
                  voxel, photons));
}

double saturated_part(const CameraReport& report) {
  if (report.voxels == 0) return 0;
  // One pixel may be in two of these numbers
  return static_cast<double>(most_clipped(report)) / static_cast<double>(report.voxels);
}

std::string saturation_warning(const CameraReport& report) {
  const std::int64_t most = most_clipped(report);
  if (most == 0) return {};
  const double percent = 100 * saturated_part(report);
  if (most == report.full_counters)
    return fmt::format(
        "the camera saturated: {} of {} pixels ({:.3g} %) counted as often as "
        "camera.one_bit_frames or camera.dead_time_ns allows; record less light",
        most, report.voxels, percent);
  return fmt::format(
      "the camera saturated: {} counts were clipped at the largest value and {} charges at the "
      "full "
      "well of pixel or register, of {} pixels ({:.3g} %); record less light, or lower "
      "camera.em_gain or camera.gain_dn_per_electron",
      report.clipped_high, report.full_wells, report.voxels, percent);
}

CameraEpilogue::CameraEpilogue(const CameraSpec& spec, const ExposureKey& key,
                               const Extent3& volume)
    : spec_{spec},
      volume_{checked(spec, volume)},
      readout_{read_out_of(spec, volume)},
      exposure_{std::make_shared<Exposure>(exposure_of(spec, key, volume))},
      maps_{std::make_shared<CameraMaps>(make_camera_maps(spec, key.seed, volume.y, volume.x))} {}

CameraEpilogue::CameraEpilogue(const CameraEpilogue& camera, std::int64_t frame)
    : spec_{camera.spec_},
      volume_{camera.volume_},
      readout_{camera.readout_},
      exposure_{with_frame(*camera.exposure_, frame)},
      maps_{camera.maps_} {}

std::unique_ptr<cuda::DeviceEpilogue> CameraEpilogue::make_on_device() {
  return device::make_device_camera(*this);
}

StreamFormat CameraEpilogue::format(const Extent3& computed) const {
  // Callers also ask for the format of parts of the volume
  if (computed.z > volume_.z || computed.y > volume_.y || computed.x > volume_.x)
    throw InvalidSpec(fmt::format(
        "camera: it was made for a volume of {} and is to record one of {}; make it for "
        "that volume",
        volume_, computed));
  const std::int64_t bin = spec_.binning;
  return {{computed.z, computed.y / bin, computed.x / bin},
          spec_.bit_depth <= 8 ? PixelType::uint8 : PixelType::uint16,
          {1, bin, bin}};
}

template <class Photon, class Count>
void CameraEpilogue::expose(const Box3& core, HostView3<const Photon> photons,
                            HostView3<Count> counts) {
  const std::int64_t bin = spec_.binning, longest = kLongestRun / bin * bin;
  CameraReport part;
  part.voxels = synthoscope::volume(counts.extent());
  for (std::int64_t z = 0; z < core.size.z; ++z)
    for (std::int64_t y = 0; y < core.size.y; y += bin)
      for (std::int64_t x = 0; x < core.size.x; x += longest) {
        const Index3 first{core.origin.z + z, core.origin.y + y, core.origin.x + x};
        const std::int64_t length = std::min(longest, core.size.x - x);
        expose_run(first, length, photons, {z, y, x}, counts.row(z, y / bin) + x / bin, part);
      }
  add(part);
}

template <class Photon, class Count>
void CameraEpilogue::expose_run(const Index3& first, std::int64_t length,
                                HostView3<const Photon> photons, const Index3& at, Count* counts,
                                CameraReport& part) const {
  const std::int64_t bin = spec_.binning, binned = length / bin;
  const bool bins_charge = exposure_->adds_charge;
  double electrons[kLongestRun], dn[kLongestRun], sum[kLongestRun] = {};
  for (std::int64_t row = 0; row < bin; ++row) {
    const Index3 pixel{first.z, first.y + row, first.x};
    collect(pixel, length, photons.row(at.z, at.y + row) + at.x, electrons, part);
    if (!bins_charge) read_out(pixel, length, electrons, dn, part);
    const double* values = bins_charge ? electrons : dn;
    for (std::int64_t i = 0; i < binned; ++i)
      for (std::int64_t k = 0; k < bin; ++k) sum[i] += values[i * bin + k];
  }
  if (bins_charge) {
    const Index3 pixel{first.z, first.y / bin, first.x / bin};
    multiply(pixel, binned, sum, part);
    read_out(pixel, binned, sum, dn, part);
    std::copy_n(dn, binned, sum);
  }
  for (std::int64_t i = 0; i < binned; ++i) {
    part.clipped_high += !bins_charge && sum[i] > exposure_->electronics.largest_dn;
    counts[i] = static_cast<Count>(std::min(sum[i], exposure_->electronics.largest_dn));
  }
}

template <class Photon>
void CameraEpilogue::collect(const Index3& first, std::int64_t length, const Photon* photons,
                             double* electrons, CameraReport& part) const {
  double mean[kLongestRun], uniform[kLongestRun];
  const float* const dark_current =
      maps_->dark_current.empty() ? nullptr : maps_->dark_current.data();
  const std::int64_t pixel = first.y * volume_.x + first.x;
  for (std::int64_t i = 0; i < length; ++i) {
    auto stored = static_cast<float>(photons[i]);
    if (!std::isfinite(stored))
      refuse_photons(static_cast<double>(photons[i]), {first.z, first.y, first.x + i});
    if (stored < 0) {
      ++part.negative_photons;
      part.most_negative_photons = std::min(part.most_negative_photons, stored);
      stored = 0;
    }
    mean[i] = mean_electrons(stored, exposure_->electronics,
                             dark_electrons(exposure_->electronics, dark_current, pixel + i));
  }
  draw_uniforms(exposure_->shot_noise, index_in(volume_, first), exposure_->frame,
                exposure_->channel, length, uniform);
  if (exposure_->counter.is_used)
    count_photons(first, length, mean, uniform, electrons, part);
  else
    draw_poissons(mean, uniform, length, electrons);
  for (std::int64_t i = 0; i < length; ++i) {
    part.full_wells += electrons[i] > exposure_->electronics.full_well_electrons;
    electrons[i] = clipped(electrons[i], exposure_->electronics.full_well_electrons);
  }
}

void CameraEpilogue::count_photons(const Index3& first, std::int64_t length, const double* mean,
                                   const double* uniform, double* counts,
                                   CameraReport& part) const {
  const std::uint64_t voxel = index_in(volume_, first);
  for (std::int64_t i = 0; i < length; ++i)
    counts[i] =
        counted(*exposure_, voxel + static_cast<std::uint64_t>(i), mean[i], uniform[i], part);
}

void CameraEpilogue::multiply(const Index3& first, std::int64_t length, double* electrons,
                              CameraReport& part) const {
  const std::uint64_t voxel = index_in(readout_, first);
  for (std::int64_t i = 0; i < length; ++i)
    electrons[i] =
        multiplied(*exposure_, voxel + static_cast<std::uint64_t>(i), electrons[i], part);
}

void CameraEpilogue::read_out(const Index3& first, std::int64_t length, const double* electrons,
                              double* dn, CameraReport& part) const {
  double uniform[kLongestRun], normal[kLongestRun];
  draw_uniforms(exposure_->read_noise, index_in(readout_, first), exposure_->frame,
                exposure_->channel, length, uniform);
  draw_normals(uniform, length, normal);
  const auto pixel = static_cast<std::size_t>(first.y * readout_.x + first.x);
  const double row =
      row_electrons(*exposure_, static_cast<std::uint64_t>(first.z * readout_.y + first.y));
  for (std::int64_t i = 0; i < length; ++i) {
    const std::size_t p = pixel + static_cast<std::size_t>(i);
    const PixelCount count = digitize(
        electrons[i], normal[i], row, exposure_->electronics,
        {maps_->offset_dn[p], maps_->gain_dn_per_electron[p], maps_->read_noise_electrons[p]});
    dn[i] = count.dn;
    part.clipped_low += count.clipped_low;
    part.clipped_high += count.clipped_high;
  }
}

void CameraEpilogue::apply(const Box3& core, HostView3<const float> photons, VoxelView counts) {
  if (spec_.bit_depth <= 8)
    expose(core, photons, counts.as<std::uint8_t>());
  else
    expose(core, photons, counts.as<std::uint16_t>());
}

void CameraEpilogue::apply(const Box3& core, HostView3<const double> photons, VoxelView counts) {
  if (spec_.bit_depth <= 8)
    expose(core, photons, counts.as<std::uint8_t>());
  else
    expose(core, photons, counts.as<std::uint16_t>());
}

void CameraEpilogue::add(const CameraReport& part) {
  voxels_ += part.voxels;
  full_wells_ += part.full_wells;
  full_counters_ += part.full_counters;
  clipped_low_ += part.clipped_low;
  clipped_high_ += part.clipped_high;
  negative_photons_ += part.negative_photons;
  lower_to(most_negative_photons_, part.most_negative_photons);
}

CameraReport CameraEpilogue::report() const {
  return {voxels_,       full_wells_,       full_counters_,        clipped_low_,
          clipped_high_, negative_photons_, most_negative_photons_};
}

void require_readable_maps(const CameraSpec& spec, const Extent3& volume) {
  checked(spec, volume);
  require_readable_maps(spec, volume.y, volume.x);
}

}  // namespace synthoscope::simulator
