// SPDX-License-Identifier: MIT
// simulator/microscope.hpp — all that images are taken with: lamp, lens and camera.
#pragma once
#include <cstdint>
#include <optional>
#include "core/host_buffer.hpp"
#include "core/stopwatch.hpp"
#include "simulator/data_set.hpp"
#include "simulator/detector/camera.hpp"
#include "simulator/illumination.hpp"
#include "simulator/imaging.hpp"
#include "simulator/phantom/phantom.hpp"

namespace synthoscope::simulator {

/// The set-up of a scene; takes one image after the other. All references must outlive this.
class Microscope {
 public:
  /// Reads the files that the scene names, then computes the PSF and tells its notes and warnings.
  /// @throws as the constructors of Illumination and CameraEpilogue, and make_psf.
  Microscope(const SceneSpec& scene, const fftconv::Plan& plan, const ExposureKey& key,
             const RunContext& context);

  /// Blurs the phantom; stores the photons of every finished plane and what the camera makes of
  /// them. @param recorded  RecordingSink::room_bytes  @throws what the executor throws.
  fftconv::RunReport take_image(std::int64_t frame, const Phantom& phantom, fftconv::Executor& blur,
                                const DataSet& files, HostBuffer<std::byte>& recorded,
                                Stopwatch& watch, const RunContext& context);

  [[nodiscard]] const Psf& psf() const { return psf_; }

  /// The light of the last image.
  [[nodiscard]] std::optional<EnergyBalance> energy() const { return lens_.energy(); }

  /// What the camera did in all images.
  [[nodiscard]] CameraReport camera_report() const { return camera_.report(); }

 private:
  const SceneSpec& scene_;
  const fftconv::Plan& plan_;
  Illumination illumination_;
  CameraEpilogue camera_;
  Psf psf_;
  Imaging lens_;
};

}  // namespace synthoscope::simulator
