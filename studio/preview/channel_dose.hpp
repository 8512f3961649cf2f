// SPDX-License-Identifier: MIT
// studio/preview/channel_dose.hpp — the dose of a channel that asks for a signal-to-noise ratio.
#pragma once
#include <memory>
#include "core/run/run_context.hpp"
#include "fftconv/executor.hpp"
#include "simulator/scene/channels.hpp"
#include "simulator/timelapse/timelapse.hpp"
#include "simulator/truth/labelled_light.hpp"

namespace synthoscope::simulator {
class PsfMemory;
}

namespace synthoscope::studio {

/// The light of the objects of a channel in the whole frames from which `simulate` finds its dose.
/// It is blurred once, for all ratios and cameras.
class DoseLight {
 public:
  /// @param scene  of all channels
  /// @param plan   of this channel; null: it is made
  /// @throws as simulate
  DoseLight(const simulator::SceneSpec& scene, const simulator::Channel& channel,
            const fftconv::Plan* plan, const simulator::Timelapse& timelapse,
            simulator::PsfMemory& psfs, fftconv::Executor& blur, const RunContext& context);
  ~DoseLight();
  DoseLight(const DoseLight&) = delete;
  DoseLight& operator=(const DoseLight&) = delete;

  /// Returns the dose that `simulate` finds for the ratio and the camera of this channel, whose
  /// light and binning are those of the constructor.
  /// @throws as simulate
  double dose_for(const simulator::Channel& channel, const RunContext& context);

 private:
  struct Instrument;

  std::unique_ptr<Instrument> instrument_;  ///< of the last call
  simulator::LabelledLight light_;
};

}  // namespace synthoscope::studio
