// SPDX-License-Identifier: MIT
// simulator/timelapse/timelapse.hpp — the objects in each frame of a scene: independent worlds, or
// one that moves.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>
#include "core/run/run_context.hpp"
#include "simulator/phantom/phantom.hpp"
#include "simulator/scene/scene.hpp"
#include "simulator/timelapse/lineage.hpp"

namespace synthoscope::simulator {

class Movie;

/// Labels of each object of a frame, in the order of its phantom.
struct FrameLabels {
  std::vector<std::uint16_t> labels;
  std::vector<std::int64_t> parents;  ///< label of the object that it comes from; 0 for none
  std::vector<std::uint16_t>
      objects;  ///< first label of the object, which identifies it through a movie
};

/// The frames of one data set. Each can be requested by itself, in any order.
class Timelapse {
 public:
  /// Computes the world of a movie. @param scene  valid, with a seed  @throws as Movie.
  Timelapse(const SceneSpec& scene, const RunContext& context);

  /// Return the bytes that this keeps, that making it needs in addition, and that masks hold.
  static std::int64_t bytes(const SceneSpec& scene);
  static std::int64_t working_bytes(const SceneSpec& scene);
  static std::int64_t masks_bytes(const SceneSpec& scene, int threads);

  /// Returns the objects of a frame on the scene's grid, with those in its margin. Independent
  /// frames are drawn from frame_seed(seed, frame).
  /// @throws as make_phantom.
  [[nodiscard]] Phantom phantom(std::int64_t frame, const RunContext& context) const;

  /// Returns a source of the masks of a phantom of this scene, uint16. The phantom must outlive it.
  /// @param labels  the label of each object
  [[nodiscard]] std::unique_ptr<Source> masks(const Phantom& phantom,
                                              const std::vector<std::uint16_t>& labels) const;

  /// Returns what the objective sees of `phantom`: shifted along z if the focus drifts, otherwise
  /// null.
  [[nodiscard]] std::optional<Phantom> shifted_by_focus_drift(const Phantom& phantom,
                                                              std::int64_t frame) const;

  /// Returns the labels of a frame. Those in independent frames continue from frame to frame; in a
  /// movie they number its tracks.
  [[nodiscard]] FrameLabels labels_of(std::int64_t frame) const;

  /// Returns whether the scene has objects with structures. Every frame of it then has a mask of
  /// structures, also one without objects.
  [[nodiscard]] bool has_structures() const;

  /// Returns null if frames are independent.
  [[nodiscard]] const Movie* movie() const { return movie_.get(); }

 private:
  /// Returns the objects' spec with the numbers of an independent frame.
  [[nodiscard]] PhantomSpec spec_of(std::int64_t frame) const;

  PhantomSpec phantom_;
  Grid grid_, sample_;
  Extent3 margin_;
  MaskKind masks_;
  TimeSpec time_;
  std::uint64_t seed_;
  std::shared_ptr<const Movie> movie_;  ///< null if frames are independent
};

/// Upper bounds on the numbers of rows in a data set's tables: nuclei, cells, and all objects.
struct Headcounts {
  Headcount nuclei, cells, all;
};
Headcounts headcounts_of(const SceneSpec& scene);

/// Returns the phantom's spec with as many objects as the fullest frame has, for counting bytes.
PhantomSpec fullest_phantom_of(const SceneSpec& scene);

}  // namespace synthoscope::simulator
