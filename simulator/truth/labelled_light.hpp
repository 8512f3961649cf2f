// SPDX-License-Identifier: MIT
// simulator/truth/labelled_light.hpp — the light of objects, and the dose that gives them a
// signal-to-noise ratio.
#pragma once
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>
#include "core/run/run_context.hpp"
#include "core/stream/stream.hpp"
#include "simulator/truth/pixel_signal.hpp"

namespace synthoscope::simulator {

/// The expected photons, at dose 1, of the labelled voxels of some frames: of all voxels of small
/// objects, and of a random part of large ones. A part of n voxels changes the mean of an object by
/// about its spread over sqrt(n), and the median of objects by less. The results depend neither on
/// threads nor on the order of boxes.
class LabelledLight {
 public:
  /// @param noise    at dose 1
  /// @param objects  the most there may be in all frames together
  /// @throws PlanError  the memory has no room for them.
  LabelledLight(const ImageNoise& noise, std::int64_t objects, MemoryBudget& memory);

  /// Takes another camera, background and lamp for the same photons. Both cameras add up as many
  /// pixels.
  /// @param noise  at dose 1; outlives this
  void record_with(const ImageNoise& noise) { noise_ = &noise; }

  /// Return the bytes of the object, and the bytes that add needs in addition.
  /// @param bin  pixels along y and x that the camera adds up
  static std::int64_t bytes(std::int64_t objects, std::int64_t bin);
  static std::int64_t working_bytes(const Extent3& sensor, std::int64_t bin, int threads);

  /// Adds the objects of a frame.
  /// @param photons  float32, of the extent of the sensor
  /// @param ids      the labels of the voxels, uint16, of the same extent
  /// @param labels   the label of each object
  /// @param background  of the frame
  void add(Source& photons, Source& ids, const std::vector<std::uint16_t>& labels,
           Background background, const RunContext& context);

  /// Returns the median over all objects with a voxel of their ratio (object_snr); nothing if there
  /// is none.
  [[nodiscard]] std::optional<double> median_snr(double dose, TaskPool& pool) const;

  /// Returns the part of the labelled voxels whose mean is beyond the range of the camera.
  [[nodiscard]] double saturated_part(double dose, TaskPool& pool) const;

 private:
  /// The kept voxels of an object. Of n halvings, those are kept whose random 32-bit number is
  /// below 2^(32 - n).
  struct Object {
    std::int64_t frame = 0;            ///< in the order in which frames were added
    std::vector<std::int64_t> places;  ///< (z * height + y) * width + x of the sensor
    std::vector<std::uint32_t> draws;
    std::vector<float> photons;  ///< bin x bin for each place
    int halvings = 0;
    std::int64_t voxels = 0;  ///< that it has
  };
  static std::int64_t most_kept(std::int64_t objects, std::int64_t bin);
  void keep(Object& object, std::int64_t place, std::uint32_t draw, const PhotonPointer& photons);
  void halve(Object& object) const;
  [[nodiscard]] Index3 index_of(std::int64_t place) const {
    return {place / width_ / height_, place / width_ % height_, place % width_};
  }
  [[nodiscard]] double snr_of(const Object& object, double dose) const;

  const ImageNoise* noise_;
  std::int64_t bin_, width_ = 0, height_ = 0, most_kept_;
  Reservation counted_;
  std::vector<Object> objects_;
  std::vector<Background> backgrounds_;  ///< of each frame
  std::mutex mutex_;
};

/// Returns the dose at which the median object has the ratio `snr`, to four digits.
/// @throws InvalidSpec  there is no object with a voxel, the median object is dark, or more than
///                      1 % of the labelled voxels would saturate: names the largest ratio.
double dose_for_snr(const LabelledLight& light, double snr, TaskPool& pool);

}  // namespace synthoscope::simulator
