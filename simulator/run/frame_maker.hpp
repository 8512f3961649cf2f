// SPDX-License-Identifier: MIT
// simulator/run/frame_maker.hpp — makes frames of a scene in memory, one at a time, in any order.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>
#include "core/run/run_context.hpp"
#include "core/volume/view.hpp"
#include "fftconv/executor.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::simulator {

class PsfMemory;

struct FrameMakerOptions {
  std::optional<std::string> channel = {};  ///< of a scene with channels: images of this one only
  bool photons = true;                      ///< every frame brings a buffer for its photons
  /// Independent frames do not end: their numbers go to 2^32 - 1, whatever `frames` of the scene
  /// is, and labels begin at 1 in each.
  bool each_alone = false;
  PsfMemory* psfs = nullptr;  ///< keeps the PSF for the next maker; null: it is not kept
};

/// The caller's buffers for one frame.
struct FrameVoxels {
  struct Image {
    VoxelView counts;                  ///< of the camera's type, on its grid
    std::optional<VoxelView> photons;  ///< float32; absent: not wanted
  };
  VoxelView labels;                     ///< uint16
  std::optional<VoxelView> structures;  ///< uint8; absent: not wanted
  std::vector<Image> images;            ///< one per channel
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
  ~FrameMaker();

  [[nodiscard]] const SceneSpec& scene() const;
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
  void warn_of_saturation(Log& log) const;

 private:
  struct Equipment;

  std::unique_ptr<Equipment> equipment_;
};

}  // namespace synthoscope::simulator
