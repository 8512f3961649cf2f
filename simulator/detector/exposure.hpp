// SPDX-License-Identifier: MIT
// simulator/detector/exposure.hpp — one pixel that is read out, from photons to counts, and what
// all pixels of an exposure share. Host and device compile this file.
#pragma once
#include <algorithm>
#include <cstdint>
#include "core/math/random.hpp"
#include "simulator/base/normal_quantile.hpp"
#include "simulator/detector/camera_pixel.hpp"
#include "simulator/detector/camera_report.hpp"
#include "simulator/detector/noise/em_register.hpp"
#include "simulator/detector/noise/photon_counting.hpp"
#include "simulator/detector/noise/poisson.hpp"

namespace synthoscope::simulator {

/// How a pixel counts photons; see photon_counting.hpp.
struct PhotonCounter {
  bool is_used = false;
  double dead_part = 0;  ///< dead time over the exposure
  std::int64_t one_bit_frames = 0;
  double afterpulse_gain = 1;  ///< mean counts per true count, afterpulses included
  double most_counts = 1e300;  ///< largest count that frames or dead time allow, before afterpulses
};

/// One exposure of a stack of planes.
struct Exposure {
  PixelElectronics electronics;
  PhotonCounter counter;
  RandomStream shot_noise, em_gain, read_noise, row_noise;
  std::uint32_t frame = 0, channel = 0;
  std::int64_t height = 0, width = 0;  ///< pixels of the sensor
  std::int64_t binning = 1;            ///< of these along y and x that form one
  bool adds_charge = false;            ///< binning adds electrons before they are read out
};

/// Maps of the pixels that are read out, [y, x]: of the sensor if binning adds digital numbers.
struct MapPointers {
  const float *offset_dn = nullptr, *gain_dn_per_electron = nullptr,
              *read_noise_electrons = nullptr;
  const float* dark_current = nullptr;  ///< electrons per second of the sensor's pixels, or null
};

/// Photons of pixels of the sensor; the first belongs to the first pixel that is binned.
struct PhotonPointer {
  const float* first = nullptr;
  std::int64_t row = 0;  ///< distance of rows, in values
};

inline double shot_uniform(const Exposure& e, std::uint64_t voxel) {
  const auto words = e.shot_noise.block(voxel, 0, e.frame, e.channel);
  return uniform52(words[0], words[1]);
}

/// Returns the electrons that pixel `pixel` of the sensor is expected to gather without light.
inline double dark_electrons(const PixelElectronics& camera, const float* dark_current,
                             std::int64_t pixel) {
  const double current =
      dark_current ? static_cast<double>(dark_current[pixel]) : camera.dark_current;
  return current * camera.exposure_seconds + camera.clock_induced_charge;
}

/// Returns the count of a photon-counting pixel if `mean` are expected. An afterpulse may be
/// followed by another: counts multiply as electrons do in a register.
inline double counted(const Exposure& e, std::uint64_t voxel, double mean, double uniform,
                      CameraReport& part) {
  const PhotonCounter& counter = e.counter;
  const auto counts = static_cast<double>(
      counter.one_bit_frames > 0 ? counted_in_one_bit_frames(mean, counter.one_bit_frames, uniform)
                                 : counted_with_dead_time(mean, counter.dead_part, uniform));
  part.full_counters += counts >= counter.most_counts;
  if (counter.afterpulse_gain <= 1 || counts < 1) return counts;
  const auto words = e.em_gain.block(voxel, 0, e.frame, e.channel);
  return multiplied(counts, counter.afterpulse_gain, uniform52(words[0], words[1]),
                    uniform52(words[2], words[3]));
}

/// Returns electrons, or counts, at the end of the exposure. Photons are finite.
inline double collected(const Exposure& e, const MapPointers& maps, std::uint64_t voxel,
                        std::int64_t pixel, float photons, CameraReport& part) {
  if (photons < 0) {
    ++part.negative_photons;
    part.most_negative_photons = std::min(part.most_negative_photons, photons);
    photons = 0;
  }
  const double mean = mean_electrons(photons, e.electronics,
                                     dark_electrons(e.electronics, maps.dark_current, pixel));
  const double uniform = shot_uniform(e, voxel);
  const double drawn = e.counter.is_used ? counted(e, voxel, mean, uniform, part)
                                         : static_cast<double>(poisson(mean, uniform));
  part.full_wells += drawn > e.electronics.full_well_electrons;
  return clipped(drawn, e.electronics.full_well_electrons);
}

/// Returns the electrons after the register.
inline double multiplied(const Exposure& e, std::uint64_t voxel, double electrons,
                         CameraReport& part) {
  const PixelElectronics& camera = e.electronics;
  if (camera.em_gain > 1 && electrons > 0) {
    const auto words = e.em_gain.block(voxel, 0, e.frame, e.channel);
    electrons = multiplied(electrons, camera.em_gain, uniform52(words[0], words[1]),
                           uniform52(words[2], words[3]));
  }
  part.full_wells += electrons > camera.register_full_well_electrons;
  return clipped(electrons, camera.register_full_well_electrons);
}

/// Returns the electrons that all pixels of row `row` have in common when they are read out; rows
/// are numbered through all planes of the volume.
inline double row_electrons(const Exposure& e, std::uint64_t row) {
  if (e.electronics.row_noise_electrons <= 0) return 0;
  const auto words = e.row_noise.block(row, 0, e.frame, e.channel);
  return e.electronics.row_noise_electrons * normal_quantile(uniform52(words[0], words[1]));
}

inline double read_out(const Exposure& e, const MapPointers& maps, std::uint64_t voxel,
                       std::int64_t pixel, double row, double electrons, CameraReport& part) {
  const auto words = e.read_noise.block(voxel, 0, e.frame, e.channel);
  const PixelCount count = digitize(
      electrons, normal_quantile(uniform52(words[0], words[1])), row, e.electronics,
      {maps.offset_dn[pixel], maps.gain_dn_per_electron[pixel], maps.read_noise_electrons[pixel]});
  part.clipped_low += count.clipped_low;
  part.clipped_high += count.clipped_high;
  return count.dn;
}

/// Returns the number that is stored for the read-out pixel (y, x) of plane z, as CameraEpilogue
/// documents. Pixels may be binned in any order: electrons and numbers are whole, so sums are
/// exact.
inline double recorded(const Exposure& e, const MapPointers& maps, std::int64_t z, std::int64_t y,
                       std::int64_t x, const PhotonPointer& photons, CameraReport& part) {
  const std::int64_t bin = e.binning;
  double sum = 0;
  for (std::int64_t row = 0; row < bin; ++row) {
    const std::int64_t sensor_row = y * bin + row;
    const double common =
        e.adds_charge ? 0 : row_electrons(e, static_cast<std::uint64_t>(z * e.height + sensor_row));
    for (std::int64_t column = 0; column < bin; ++column) {
      const std::int64_t pixel = sensor_row * e.width + x * bin + column;
      const auto voxel = static_cast<std::uint64_t>(z * e.height * e.width + pixel);
      const double electrons =
          collected(e, maps, voxel, pixel, photons.first[row * photons.row + column], part);
      sum += e.adds_charge ? electrons : read_out(e, maps, voxel, pixel, common, electrons, part);
    }
  }
  if (e.adds_charge) {
    const std::int64_t height = e.height / bin, width = e.width / bin, pixel = y * width + x;
    const auto voxel = static_cast<std::uint64_t>(z * height * width + pixel);
    const double common = row_electrons(e, static_cast<std::uint64_t>(z * height + y));
    return read_out(e, maps, voxel, pixel, common, multiplied(e, voxel, sum, part), part);
  }
  part.clipped_high += sum > e.electronics.largest_dn;
  return std::min(sum, e.electronics.largest_dn);
}

}  // namespace synthoscope::simulator
