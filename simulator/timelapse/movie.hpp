// SPDX-License-Identifier: MIT
// simulator/timelapse/movie.hpp — the world of a movie: where every nucleus is in every frame.
#pragma once
#include <cstdint>
#include <span>
#include <vector>
#include "core/run_context.hpp"
#include "simulator/phantom/phantom.hpp"
#include "simulator/timelapse/colony.hpp"
#include "simulator/timelapse/tracks.hpp"

namespace synthoscope::simulator {

/// What determines a movie, beside its seed.
struct MovieSpec {
  PhantomSpec phantom;
  TimeSpec time;
  Grid grid;
  std::int64_t frames = 1;
};

/// All that happens, computed once, in steps from frame to frame; then any frame can be made by
/// itself. A function of (spec, seed); the first frames of a longer movie are those of a shorter
/// one.
///
/// Nuclei are placed in the first frame as without time, each as large as its place in its cycle
/// makes it. From frame to frame they grow, wander and turn (lineage.hpp, wandering.hpp); then
/// those that are too near each other are pushed apart (relaxation.hpp). A nucleus that divides
/// leaves two, side by side along its own x axis, each with half of its volume, its axes (their x
/// along its y) and a texture of its own.
///
/// With border "inside" all of each nucleus stays in the grid, whose faces turn it back. With "cut"
/// it may leave: it is followed until its middle is two of its radii beyond a face, and then gone
/// with all its daughters.
///
/// Beads and targets stay where they are; nuclei pass through them. All drifts with the sample.
class Movie {
 public:
  /// @throws InvalidSpec  the first frame cannot be placed as make_phantom says; nuclei have no
  ///                      room any more: says in which frame; there are too many tracks.
  /// @throws PlanError    working_bytes are beyond the budget.
  Movie(const MovieSpec& spec, std::uint64_t seed, const RunContext& context);

  /// What it keeps, and what making it takes beside, in bytes.
  static std::int64_t bytes(const MovieSpec& spec, std::uint64_t seed);
  static std::int64_t working_bytes(const MovieSpec& spec, std::uint64_t seed);

  /// The objects of a frame, where the camera sees them: with drift, as bright as they still are.
  [[nodiscard]] Phantom phantom(std::int64_t frame, const RunContext& context) const;

  /// Those that are there in a frame, by number; without drift.
  [[nodiscard]] std::span<const PosedNucleus> nuclei(std::int64_t frame) const;
  [[nodiscard]] const std::vector<Life>& lineage() const { return lineage_; }

  /// Of each object of phantom(frame), in its order.
  [[nodiscard]] std::vector<std::uint16_t> labels(std::int64_t frame) const;
  [[nodiscard]] const Tracks& tracks() const { return tracks_; }

  /// All objects but nuclei, in the first frame. Their numbers follow those of the lineage.
  [[nodiscard]] const Phantom& still() const { return still_; }
  /// A nucleus of the lineage before it is put into poses.
  [[nodiscard]] Nucleus drawn(std::int64_t number) const {
    return Nucleus::draw(spec_.phantom.nuclei, seed_, number);
  }

  [[nodiscard]] std::int64_t frames() const { return spec_.frames; }
  [[nodiscard]] double seconds(std::int64_t frame) const { return spec_.time.seconds(frame); }
  /// How far the sample has drifted, and along z against the focus, in micrometres.
  [[nodiscard]] Vector3 drift_um(std::int64_t frame) const;
  [[nodiscard]] double focus_um(std::int64_t frame) const {
    return seconds(frame) * spec_.time.focus_drift_um_per_second;
  }
  [[nodiscard]] double brightness(std::int64_t frame) const {
    return brightness_of(spec_.time, frame);
  }

 private:
  /// Numbers of a frame's objects.
  [[nodiscard]] std::vector<std::int64_t> objects(std::int64_t frame) const;

  /// Nuclei of a frame with all else, where the camera sees them.
  [[nodiscard]] Phantom shown(std::vector<Nucleus> nuclei, std::int64_t frame) const;

  MovieSpec spec_;
  std::uint64_t seed_;
  std::vector<Life> lineage_;
  std::vector<PosedNucleus> rows_;   ///< frame by frame
  std::vector<std::size_t> starts_;  ///< of each frame in rows_, and the end
  Phantom still_;                    ///< all but nuclei, in the first frame
  Tracks tracks_;
};

/// The spec with as many nuclei as the fullest frame has, for counting bytes.
PhantomSpec fullest(const MovieSpec& spec, std::uint64_t seed);

}  // namespace synthoscope::simulator
