// SPDX-License-Identifier: MIT
// simulator/detector/camera.hpp — records expected photons as camera counts, anywhere in a volume.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include "core/stream/stream.hpp"
#include "simulator/detector/camera_maps.hpp"
#include "simulator/detector/camera_report.hpp"
#include "simulator/detector/camera_spec.hpp"

namespace synthoscope::simulator {

struct Exposure;

/// Seed, frame and channel of an exposure; with the voxel they determine the noise.
struct ExposureKey {
  std::uint64_t seed = 0;
  std::uint32_t frame = 0, channel = 0;
};

/// Returns one sentence for the user if counts or charges were clipped; otherwise empty.
std::string saturation_warning(const CameraReport& report);

/// Returns the share of the pixels whose charge or count was clipped at its largest value.
double saturated_part(const CameraReport& report);

/// Throws because `photons` of a voxel are NaN or infinite.
/// @throws InvalidInput  always.
[[noreturn]] void refuse_photons(double photons, const Index3& voxel);

/// A camera that turns expected photons per pixel and exposure into counts, with one exposure per z
/// plane:
///
///     electrons = min(Poisson(quantum_efficiency * photons + dark), full_well)
///     [counting: counted_with_dead_time or counted_in_one_bit_frames in place of Poisson]
///     [ccd, emccd: electrons of binning x binning pixels are added]
///     [emccd: electrons = multiplied(electrons, em_gain)]
///     [ccd, emccd: electrons = min(electrons, register_full_well)]
///     counts    = clamp(round(offset + gain * (electrons + read * N(0, 1) + row)), 0, 2^bits - 1)
///     [scmos, counting: counts of binning x binning pixels are added, at most 2^bits - 1]
///
/// with dark = dark current * exposure + clock-induced charge of the pixel, and offset, gain and
/// read noise of the pixel that is read out; row = row noise * N(0, 1) of its row in this exposure.
/// Photons are rounded to float32 first: counts depend only on (camera, key, stored photons), not
/// on boxes, threads or strategy; `detect` on saved photons gives the same counts.
///
/// The random draws are fixed and must not change: voxel = (z * height + y) * width + x in the
/// whole volume; Poisson by inversion of words 0 and 1 of stage `shot_noise`, read noise by the
/// normal quantile of words 0 and 1 of stage `read_noise`, and multiplication, also of afterpulses,
/// by `multiplied` with words 0, 1 and 2, 3 of stage `em_gain`, draw 0, with the key's frame and
/// channel. After charge is binned the voxel is in the binned volume. The noise of a row is the
/// normal quantile of words 0 and 1 of stage `row_noise`, index z * height + y of the rows that are
/// read out.
///
/// Negative photons count as 0. @throws InvalidInput from apply for NaN or infinity, with the
/// voxel. apply is thread-safe; boxes may come in any order.
/// @source EMVA Standard 1288, Release 4.0 Linear (2021), linear camera model.
class CameraEpilogue final : public Epilogue {
 public:
  /// Reads or draws the maps. `volume` is the whole computed volume.
  /// @throws InvalidSpec  a value of `spec` is out of range, or the binning does not divide the
  ///                      volume. What make_camera_maps throws.
  CameraEpilogue(const CameraSpec& spec, const ExposureKey& key, const Extent3& volume);

  /// Makes the same camera for exposure `frame`: the maps are shared, the report is separate.
  CameraEpilogue(const CameraEpilogue& camera, std::int64_t frame);

  /// Returns the format of the counts.
  /// @throws InvalidSpec  `computed` is larger than the volume of the constructor along an axis.
  [[nodiscard]] StreamFormat format(const Extent3& computed) const override;
  void apply(const Box3& core, HostView3<const float> photons, VoxelView counts) override;
  void apply(const Box3& core, HostView3<const double> photons, VoxelView counts) override;

  /// Returns the device form, whose counts are the same, bit for bit.
  [[nodiscard]] std::unique_ptr<cuda::DeviceEpilogue> make_on_device() override;

  /// Returns the report of all that was applied or added. Thread-safe.
  [[nodiscard]] CameraReport report() const;
  [[nodiscard]] const CameraMaps& maps() const { return *maps_; }
  [[nodiscard]] const Exposure& exposure() const { return *exposure_; }

  /// Adds the report of what was recorded elsewhere with these maps. Thread-safe.
  void add(const CameraReport& part);

 private:
  template <class Photon, class Count>
  void expose(const Box3& core, HostView3<const Photon> photons, HostView3<Count> counts);
  /// Computes counts of rows that are binned together: `length` pixels of the sensor from `first`
  /// on, whose photons begin at voxel `at` of a box.
  template <class Photon, class Count>
  void expose_run(const Index3& first, std::int64_t length, HostView3<const Photon> photons,
                  const Index3& at, Count* counts, CameraReport& part) const;
  /// Computes the electrons in a run of pixels of the sensor at the end of the exposure.
  template <class Photon>
  void collect(const Index3& first, std::int64_t length, const Photon* photons, double* electrons,
               CameraReport& part) const;
  /// Computes the electrons after the register; `first` is a pixel that is read out, here and
  /// below.
  void multiply(const Index3& first, std::int64_t length, double* electrons,
                CameraReport& part) const;
  void read_out(const Index3& first, std::int64_t length, const double* electrons, double* dn,
                CameraReport& part) const;
  /// Computes the counts of photon counters, in place of electrons, from the means of a run.
  void count_photons(const Index3& first, std::int64_t length, const double* mean,
                     const double* uniform, double* counts, CameraReport& part) const;

  CameraSpec spec_;
  Extent3 volume_, readout_;
  std::shared_ptr<const Exposure> exposure_;
  std::shared_ptr<const CameraMaps> maps_;
  std::atomic<std::int64_t> voxels_{0}, full_wells_{0}, full_counters_{0}, clipped_low_{0},
      clipped_high_{0}, negative_photons_{0};
  std::atomic<float> most_negative_photons_{0};
};

/// Reads the maps that `spec` names as a camera of `volume` would, and discards them.
/// @throws as the constructor.
void require_readable_maps(const CameraSpec& spec, const Extent3& volume);

}  // namespace synthoscope::simulator
