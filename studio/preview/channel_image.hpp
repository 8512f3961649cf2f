// SPDX-License-Identifier: MIT
// studio/preview/channel_image.hpp — the stages of one channel of a preview.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>
#include "core/base/stopwatch.hpp"
#include "fftconv/executor.hpp"
#include "simulator/detector/camera.hpp"
#include "simulator/imaging/psf_memory.hpp"
#include "simulator/light/illumination.hpp"
#include "simulator/light/kept_light.hpp"
#include "simulator/scene/channels.hpp"
#include "studio/preview/channel_dose.hpp"
#include "studio/preview/channel_light.hpp"
#include "studio/preview/channel_optics.hpp"
#include "studio/preview/kept.hpp"
#include "studio/preview/region.hpp"
#include "studio/preview/sample.hpp"
#include "studio/preview/shown.hpp"

namespace synthoscope::studio {

/// What all channels of a preview have in common.
struct PreviewFrame {
  const simulator::SceneSpec& scene;  ///< with its seed
  std::int64_t frame;
  Box3 region;
  const Sample& sample;
  SharedStack labels;      ///< of the region
  std::string sample_key;  ///< what the sample depends on
  std::string labels_key;  ///< what the labels depend on
  std::string files_key;   ///< the state of the files that the scene names
};

/// Keeps the products of its last scene. Each has the text of all keys that it depends on.
class ChannelImage {
 public:
  /// @param plan  of simulate, for a region that is the whole grid; null: it is made
  /// @throws as simulate
  ShownImage make(const simulator::Channel& channel, const PreviewFrame& of,
                  const fftconv::Plan* plan, fftconv::Executor& blur, Stopwatch& watch,
                  const RunContext& context);

  /// Returns the warnings of all stages, without the name of the channel.
  [[nodiscard]] std::vector<std::string> warnings() const;

 private:
  struct Recorded {
    std::shared_ptr<Stack> counts;
    ImageNumbers numbers;
  };
  /// The keys of the products, in the order of the stages.
  struct Keys {
    std::string optics, light, blurred, shown_light, photons, recorded;
  };
  class Making;

  void forget_changed(const Keys& keys);

  simulator::PsfMemory psfs_;
  Kept<ChannelOptics> optics_;
  Kept<simulator::KeptLight> light_;  ///< of the window of the blur
  Kept<BlurredLight> blurred_;
  Kept<DoseLight> dose_light_;
  Kept<double> dose_;  ///< that gives the signal-to-noise ratio of the scene
  Kept<Stack> shown_light_, photons_;
  Kept<Recorded> recorded_;
};

}  // namespace synthoscope::studio
