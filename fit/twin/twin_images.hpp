// SPDX-License-Identifier: MIT
// fit/twin/twin_images.hpp — simulated images of a scene in memory, which are measured as real ones
// are.
#pragma once
#include <cstdint>
#include <memory>
#include "core/run/run_context.hpp"
#include "fftconv/executor.hpp"
#include "fit/images/labelled_image.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::simulator {
class PsfMemory;
}

namespace synthoscope::fit {

/// Makes twins, one at a time.
class TwinImages {
 public:
  /// @param blur  blurs them; must outlive this object, as what `context` refers to
  TwinImages(fftconv::Executor& blur, const RunContext& context);
  ~TwinImages();
  TwinImages(const TwinImages&) = delete;
  TwinImages& operator=(const TwinImages&) = delete;

  /// Returns the labels of independent frame number `frame` of a scene, without its image: this is
  /// fast. @param scene  without channels; its seed is `seed`
  /// @throws InvalidSpec  its objects cannot be placed, or the scene is not valid.
  [[nodiscard]] LabelledImage labels(simulator::SceneSpec scene, std::int64_t seed) const;

  /// Returns the image as the camera records it, and its labels. Both are cut as masks are: the
  /// margin of the scene is not in them. @throws as labels, and PlanError
  [[nodiscard]] LabelledImage image(simulator::SceneSpec scene, std::int64_t seed) const;

  /// Threads, memory and stop; messages of single simulations are not said.
  [[nodiscard]] const RunContext& context() const { return context_; }

 private:
  fftconv::Executor& blur_;
  mutable NoProgress quiet_progress_;
  mutable NoLog quiet_log_;
  RunContext context_;
  std::unique_ptr<simulator::PsfMemory> psf_;  ///< scenes of a search often have the same optics
};

}  // namespace synthoscope::fit
