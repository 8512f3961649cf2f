// SPDX-License-Identifier: MIT
// simulator/microscope.hpp — all that images are taken with: lamp, lens and camera.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include "core/host_buffer.hpp"
#include "core/stopwatch.hpp"
#include "simulator/companions.hpp"
#include "simulator/data_set.hpp"
#include "simulator/detector/camera.hpp"
#include "simulator/illumination.hpp"
#include "simulator/imaging.hpp"
#include "simulator/lens.hpp"
#include "simulator/phantom/phantom.hpp"

namespace synthoscope::simulator {

/// The set-up of a channel; takes one image after the other. All references must outlive this.
class Microscope {
 public:
  /// Reads the files that the scene of the channel names, then computes and stores its PSFs and
  /// tells their notes and warnings. The channel is number `index` of those that `files` hold.
  /// @throws as the constructors of Illumination, CameraEpilogue and Lens.
  Microscope(const PlannedChannel& planned, const DataSet& files, std::size_t index,
             std::uint64_t seed, const RunContext& context);

  /// Blurs the phantom; stores the photons of every finished plane and what the camera makes of
  /// them. @param recorded  RecordingSink::room_bytes  @throws what the executor throws.
  void take_image(std::int64_t frame, const Phantom& phantom, fftconv::Executor& blur,
                  HostBuffer<std::byte>& recorded, Stopwatch& watch, const RunContext& context);

  /// Of all images so far.
  [[nodiscard]] ImagingReport report() const;

 private:
  const PlannedChannel& planned_;
  const SceneSpec& scene_;
  const DataSet& files_;
  std::size_t index_;
  Illumination illumination_;
  CameraEpilogue camera_;
  Lens lens_;
  std::unique_ptr<ScratchVolume> sums_;  ///< of several PSFs
  Imaging imaging_;
  fftconv::RunReport blurs_;
  std::optional<EnergyBalance> light_;
  std::int64_t images_ = 0;
};

}  // namespace synthoscope::simulator
