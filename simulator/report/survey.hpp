// SPDX-License-Identifier: MIT
// simulator/report/survey.hpp — all that a report shows of a frame, from one pass over its voxels.
#pragma once
#include <cstdint>
#include <vector>
#include "core/run/run_context.hpp"
#include "simulator/base/grid.hpp"
#include "simulator/pictures/slices.hpp"

namespace synthoscope::simulator {

/// Pixels whose expected photons are nearly the same, and what the camera made of them.
struct TransferBin {
  double clipped = 0;  ///< pixels at 0 or at the largest count
  double pixels = 0, photons = 0, photons_squared = 0;
  double counts = 0, counts_squared = 0, products = 0;

  void add(double expected, double recorded) {
    pixels += 1;
    photons += expected;
    photons_squared += expected * expected;
    counts += recorded;
    counts_squared += recorded * recorded;
    products += expected * recorded;
  }
  [[nodiscard]] double mean_photons() const { return photons / pixels; }
  [[nodiscard]] double mean_counts() const { return counts / pixels; }

  /// Returns the variance of the counts around their line within the bin: differences of light
  /// inside a bin are not noise.
  [[nodiscard]] double variance() const;
};

struct Survey {
  /// Largest values along each axis; for labels the highest id.
  Slices image, photons, labels;
  Index3 brightest;  ///< pixel with the most expected photons, on the image's grid
  std::vector<std::int64_t> background_histogram;  ///< pixels per count, outside objects
  std::vector<std::int64_t> object_histogram;
  std::vector<TransferBin> transfer;  ///< in order of rising light
};

/// The stacks of one frame. Photons and labels have `bin` by `bin` pixels for one of the image.
struct FrameStacks {
  Source& image;    ///< uint8 or uint16
  Source& photons;  ///< float32
  Source& labels;   ///< uint16
  Grid grid;        ///< of the image
  std::int64_t bin = 1;
  std::int64_t saturated = 65535;  ///< the largest count
};

/// Returns the bytes that `survey` holds.
std::int64_t survey_bytes(const FrameStacks& stacks);

/// Surveys one frame.
/// @throws InvalidInput  photons are no finite numbers; what the sources throw; Interrupted.
Survey survey(const FrameStacks& stacks, const RunContext& context);

}  // namespace synthoscope::simulator
