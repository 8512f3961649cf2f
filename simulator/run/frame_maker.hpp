// SPDX-License-Identifier: MIT
// simulator/run/frame_maker.hpp — makes frames of a scene in memory, one at a time, in any order.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>
#include "fftconv/executor.hpp"
#include "simulator/run/memory_stacks.hpp"
#include "simulator/run/microscope.hpp"
#include "simulator/timelapse/timelapse.hpp"

namespace synthoscope::simulator {

struct FrameMakerOptions {
  std::optional<std::string> channel = {};  ///< of a scene with channels: images of this one only
  bool photons = true;                      ///< every frame brings a buffer for its photons
  /// Labels of independent frames begin at 1 in each frame, and there are as many frames as a seed
  /// has exposures, whatever the scene says.
  bool each_alone = false;
};

/// The tables of a frame, as CSV with a header line.
struct FrameTables {
  std::string objects;
  std::string spots;  ///< empty if the scene has none
};

/// All that frames have in common, PSFs and cameras of every channel, so that a frame costs only
/// its objects, blurs and noise. Frame f has the voxels that `simulate` writes for the same scene
/// and seed if their plans are the same, whatever frames were made before.
class FrameMaker {
 public:
  /// @param scene  with a seed
  /// @throws as simulate, except for files that it writes; InvalidSpec  the seed is missing.
  FrameMaker(const SceneSpec& scene, const FrameMakerOptions& options, fftconv::Executor& blur,
             const RunContext& context);
  FrameMaker(const FrameMaker&) = delete;
  FrameMaker& operator=(const FrameMaker&) = delete;

  [[nodiscard]] const SceneSpec& scene() const { return scene_; }
  [[nodiscard]] std::int64_t frames() const;  ///< number of frames
  [[nodiscard]] bool has_structures() const;

  /// The format of an image; a scene without channels has one.
  struct ImageFormat {
    std::string channel;
    Extent3 extent;
    PixelType type;
  };
  [[nodiscard]] std::vector<ImageFormat> images() const;

  /// Fills `voxels` with frame number `frame`, from 0. One call at a time; `context` uses the
  /// memory budget of the constructor.
  /// @throws InvalidSpec  there is no such frame; as simulate.
  FrameTables make(std::int64_t frame, FrameVoxels voxels, const RunContext& context);

  /// Warns of counts and charges that were clipped in the frames that were made.
  void tell_saturation(Log& log) const;

 private:
  /// A channel's microscope and its working memory.
  struct Set {
    Set(const PlannedChannel& planned, const Stacks& stacks, std::size_t index, std::uint64_t seed,
        const RunContext& context);
    Reservation held;
    Microscope microscope;
    Microscope::Buffers buffers;
  };

  SceneSpec scene_;
  FrameMakerOptions options_;
  fftconv::Executor& blur_;
  std::vector<PlannedChannel> planned_;
  Reservation objects_;
  Timelapse timelapse_;
  MemoryStacks stacks_;
  std::vector<std::unique_ptr<Set>> sets_;
};

}  // namespace synthoscope::simulator
