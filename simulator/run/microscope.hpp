// SPDX-License-Identifier: MIT
// simulator/run/microscope.hpp — everything that images are taken with: lamp, lens and camera.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>
#include "core/base/stopwatch.hpp"
#include "core/run/host_buffer.hpp"
#include "simulator/detector/camera.hpp"
#include "simulator/imaging/imaging.hpp"
#include "simulator/imaging/lens.hpp"
#include "simulator/imaging/stacks.hpp"
#include "simulator/light/illumination.hpp"
#include "simulator/light/kept_light.hpp"
#include "simulator/phantom/phantom.hpp"
#include "simulator/run/additional_memory.hpp"
#include "simulator/run/simulation_report.hpp"
#include "simulator/scene/blur_setup.hpp"
#include "simulator/truth/pixel_signal.hpp"

namespace synthoscope::simulator {

/// How the image of a frame was taken.
struct TakenImage {
  fftconv::RunReport blur;
  std::vector<double> snr = {};        ///< of each object
  std::optional<EnergyBalance> light;  ///< absent if the executor did not read all of it
};

/// The set-up of a channel. All references must outlive this.
class Microscope {
 public:
  /// Reads the files that the scene of the channel names, then computes and stores its PSFs. Logs
  /// their notes and warnings, and settings that are probably not meant. `index` is the number of
  /// the channel in `stacks`; `psfs`, which may be null, may have its PSF.
  /// @throws as the constructors of Illumination, CameraEpilogue and Lens.
  Microscope(const PlannedChannel& planned, const Stacks& stacks, std::size_t index,
             std::uint64_t seed, PsfMemory* psfs, const RunContext& context);

  /// Returns the format of a recorded frame.
  [[nodiscard]] StreamFormat counts() const { return camera_.format(scene_.grid.extent); }

  /// Working memory for one image at a time: sums of light, and a plane that is recorded.
  class Buffers {
   public:
    Buffers(const Microscope& microscope, const RunContext& context);

   private:
    friend Microscope;
    std::unique_ptr<ScratchVolume> sums_;  ///< for several PSFs
    std::unique_ptr<KeptLight> light_;     ///< null: rendered whenever it is read
    Imaging imaging_;
    HostBuffer<std::byte> recorded_;
  };

  /// Blurs the phantom; stores the photons of every finished plane and the camera's counts of them.
  /// Several threads may take images at once, each with its own Buffers.
  /// @throws what the executor throws.
  TakenImage take_image(std::int64_t frame, const Phantom& phantom, fftconv::Executor& blur,
                        Buffers& buffers, Stopwatch& watch, const RunContext& context);

  /// Does the steps of the blur that the checkpoint of `context` asks for: stores their photons,
  /// and the counts of them unless the camera bins pixels. The sinks that the stacks make take
  /// boxes in any order.
  TakenImage take_share(std::int64_t frame, const Phantom& phantom, fftconv::Executor& blur,
                        Buffers& buffers, Stopwatch& watch, const RunContext& context);

  /// Stores the light of a phantom before the blur, in an even field.
  void store_light(std::int64_t frame, const Phantom& phantom, Stopwatch& watch,
                   const RunContext& context) const;

  /// Returns the signal-to-noise ratios of the objects of a frame whose photons and labels are
  /// stored. @throws as simulator::object_snr
  [[nodiscard]] std::vector<double> object_snr(std::int64_t frame,
                                               const std::vector<std::uint16_t>& labels,
                                               const RunContext& context) const;

  /// Blurs the phantom into photons, and records nothing.
  /// @param photons  float32, of the scene's grid
  void take_light(Sink& photons, std::int64_t frame, const Phantom& phantom,
                  fftconv::Executor& blur, Buffers& buffers, Stopwatch& watch,
                  const RunContext& context) {
    blur_into(photons, frame, phantom, blur, buffers, watch, context);
  }

  /// Multiplies the light of all later images, if the scene gives no dose.
  void set_dose(double dose) {
    illumination_ = illumination_.times(dose);
    dose_ = dose;
  }

  /// Returns the background of a frame.
  [[nodiscard]] Background background(std::int64_t frame) const {
    return background_of(scene_, seed_, frame);
  }
  /// Returns what the image of a frame is taken with; it refers to this.
  [[nodiscard]] ImageNoise noise(std::int64_t frame) const {
    return {camera_, background(frame), illumination_};
  }
  [[nodiscard]] const CameraEpilogue& camera() const { return camera_; }

  /// Returns whether the camera bins pixels: then only finished photons are recorded.
  [[nodiscard]] bool bins() const { return scene_.camera.binning > 1; }

  /// Records the stored photons of a frame.
  void record_photons(std::int64_t frame, Stopwatch& watch, const RunContext& context);

  /// @param images  all that were taken, in the order of their frames
  [[nodiscard]] ImagingReport report(const std::vector<TakenImage>& images) const;

 private:
  /// Blurs the phantom into `photons`.
  TakenImage blur_into(Sink& photons, std::int64_t frame, const Phantom& phantom,
                       fftconv::Executor& blur, Buffers& buffers, Stopwatch& watch,
                       const RunContext& context);
  [[nodiscard]] std::unique_ptr<Sink> create_photons(std::int64_t frame) const;
  [[nodiscard]] std::unique_ptr<Sink> create_counts(std::int64_t frame) const;
  void record_photons_into(Sink& counts, std::int64_t frame, Stopwatch& watch,
                           const RunContext& context);

  const PlannedChannel& planned_;
  const SceneSpec& scene_;
  const Stacks& stacks_;
  std::size_t index_;
  std::uint64_t seed_;
  Illumination illumination_;
  std::optional<double> dose_;  ///< that was set
  CameraEpilogue camera_;
  Lens lens_;
};

}  // namespace synthoscope::simulator
