// SPDX-License-Identifier: MIT
// simulator/timelapse/timelapse.hpp — what is there in each frame of a scene: independent worlds,
// or one that moves.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>
#include "core/run/run_context.hpp"
#include "simulator/scene.hpp"
#include "simulator/timelapse/movie.hpp"

namespace synthoscope::simulator {

/// Of each object of a frame, in the order of its phantom.
struct FrameNames {
  std::vector<std::uint16_t> labels;
  std::vector<std::int64_t> parents;   ///< label of the object that it came of; 0 for none
  std::vector<std::uint16_t> objects;  ///< first label of it: names it through a movie
};

/// The frames of one data set. Each can be asked for by itself, in any order.
class Timelapse {
 public:
  /// Computes the world of a movie. @param scene  valid, with a seed  @throws as Movie.
  Timelapse(const SceneSpec& scene, const RunContext& context);

  /// What it keeps, and what making it takes beside, in bytes.
  static std::int64_t bytes(const SceneSpec& scene);
  static std::int64_t working_bytes(const SceneSpec& scene);

  /// The objects of a frame. Independent frames are drawn from frame_seed(seed, frame).
  /// @throws as make_phantom.
  [[nodiscard]] Phantom phantom(std::int64_t frame, const RunContext& context) const;

  /// What the objective sees of `phantom`: elsewhere along z, if the focus drifts.
  [[nodiscard]] std::optional<Phantom> out_of_focus(const Phantom& phantom,
                                                    std::int64_t frame) const;

  /// Labels of independent frames go on from frame to frame; those of a movie are its tracks.
  [[nodiscard]] FrameNames names(std::int64_t frame) const;

  /// Null where frames are independent.
  [[nodiscard]] const Movie* movie() const { return movie_ ? &*movie_ : nullptr; }

 private:
  PhantomSpec phantom_;
  Grid grid_;
  TimeSpec time_;
  std::uint64_t seed_;
  std::optional<Movie> movie_;
};

/// How many objects a data set has rows for, at most: in its fullest frame, and in all together.
struct Headcounts {
  Headcount nuclei, cells, all;
};
Headcounts headcounts_of(const SceneSpec& scene);

/// The phantom's spec with as many objects as the fullest frame has, for counting bytes.
PhantomSpec fullest_phantom_of(const SceneSpec& scene);

}  // namespace synthoscope::simulator
