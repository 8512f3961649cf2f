// SPDX-License-Identifier: MIT
#include "simulator/detector/camera.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "simulator/detector/camera_pixel.hpp"
#include "simulator/detector/draw_run.hpp"

namespace synthoscope::simulator {
namespace {

const Extent3& checked(const Extent3& volume) {
  if (!is_positive(volume))
    throw InvalidSpec(fmt::format(
        "camera: the volume to be recorded is {}, each axis needs at least 1 voxel; correct it",
        volume));
  if (synthoscope::volume(volume) >= std::int64_t{1} << 48)
    throw InvalidSpec(fmt::format(
        "camera: the volume to be recorded is {}, noise is defined below 2^48 voxels; record parts",
        volume));
  return volume;
}

void lower_to(std::atomic<float>& least, float value) {
  float seen = least.load();
  while (value < seen && !least.compare_exchange_weak(seen, value)) {
  }
}

[[noreturn]] void refuse(double photons, const Index3& voxel) {
  throw InvalidInput(
      fmt::format("record photons: voxel {} holds {}, the camera needs finite numbers; replace it "
                  "before recording",
                  voxel, photons));
}

}  // namespace

CameraEpilogue::CameraEpilogue(const CameraSpec& spec, const ExposureKey& key,
                               const Extent3& volume)
    : spec_{spec},
      key_{key},
      volume_{checked(volume)},
      maps_{make_camera_maps(spec, key.seed, volume.y, volume.x)},
      shot_noise_{key.seed, RandomStage::shot_noise},
      read_noise_{key.seed, RandomStage::read_noise} {}

StreamFormat CameraEpilogue::format(const Extent3& computed) const {
  // Whoever carries the photons asks for parts of the volume too
  if (computed.z > volume_.z || computed.y > volume_.y || computed.x > volume_.x)
    throw InvalidSpec(fmt::format(
        "camera: it was made for a volume of {} and is to record one of {}; make it for "
        "that volume",
        volume_, computed));
  return {computed, spec_.bit_depth <= 8 ? PixelType::uint8 : PixelType::uint16, {1, 1, 1}};
}

template <class Photon, class Count>
void CameraEpilogue::expose(const Box3& core, HostView3<const Photon> photons,
                            HostView3<Count> counts) {
  const PixelElectronics camera{
      spec_.quantum_efficiency, spec_.dark_current_electrons_per_second * spec_.exposure_seconds,
      spec_.full_well_electrons, static_cast<double>((1 << spec_.bit_depth) - 1)};
  CameraReport part;
  part.voxels = synthoscope::volume(core.size);
  for (std::int64_t z = 0; z < core.size.z; ++z)
    for (std::int64_t y = 0; y < core.size.y; ++y)
      for (std::int64_t x = 0; x < core.size.x; x += kLongestRun) {
        const Index3 first{core.origin.z + z, core.origin.y + y, core.origin.x + x};
        expose_run(camera, first, std::min(kLongestRun, core.size.x - x), photons.row(z, y) + x,
                   counts.row(z, y) + x, part);
      }
  add(part);
}

template <class Photon, class Count>
void CameraEpilogue::expose_run(const PixelElectronics& camera, const Index3& first,
                                std::int64_t length, const Photon* photons, Count* counts,
                                CameraReport& part) const {
  // Photons to mean electrons
  double mean[kLongestRun], uniform[kLongestRun], electrons[kLongestRun], normal[kLongestRun];
  for (std::int64_t i = 0; i < length; ++i) {
    auto stored = static_cast<float>(photons[i]);
    if (!std::isfinite(stored))
      refuse(static_cast<double>(photons[i]), {first.z, first.y, first.x + i});
    if (stored < 0) {
      ++part.negative_photons;
      part.most_negative_photons = std::min(part.most_negative_photons, stored);
      stored = 0;
    }
    mean[i] = mean_electrons(stored, camera);
  }

  // Draw electrons and read noise
  const std::int64_t pixel = first.y * volume_.x + first.x;
  const auto voxel = static_cast<std::uint64_t>(first.z * volume_.y * volume_.x + pixel);
  draw_uniforms(shot_noise_, voxel, key_.frame, key_.channel, length, uniform);
  draw_poissons(mean, uniform, length, electrons);
  draw_uniforms(read_noise_, voxel, key_.frame, key_.channel, length, uniform);
  draw_normals(uniform, length, normal);

  // Electrons to counts
  for (std::int64_t i = 0; i < length; ++i) {
    const auto p = static_cast<std::size_t>(pixel + i);
    const PixelCount count = digitize(
        electrons[i], normal[i], camera,
        {maps_.offset_dn[p], maps_.gain_dn_per_electron[p], maps_.read_noise_electrons[p]});
    counts[i] = static_cast<Count>(count.dn);
    part.full_wells += count.full_well;
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
  clipped_low_ += part.clipped_low;
  clipped_high_ += part.clipped_high;
  negative_photons_ += part.negative_photons;
  lower_to(most_negative_photons_, part.most_negative_photons);
}

CameraReport CameraEpilogue::report() const {
  return {voxels_,       full_wells_,       clipped_low_,
          clipped_high_, negative_photons_, most_negative_photons_};
}

}  // namespace synthoscope::simulator
