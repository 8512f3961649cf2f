// SPDX-License-Identifier: MIT
// simulator/timelapse/movie.hpp — the world of a movie: where every nucleus and every cell is in
// every frame.
#pragma once
#include <cstdint>
#include <vector>
#include "core/run/run_context.hpp"
#include "simulator/phantom/phantom.hpp"
#include "simulator/scene/scene.hpp"
#include "simulator/timelapse/history.hpp"
#include "simulator/timelapse/moving_kind.hpp"
#include "simulator/timelapse/tracks.hpp"

namespace synthoscope::simulator {

/// What determines a movie, in addition to its seed.
struct MovieSpec {
  PhantomSpec phantom;  ///< with positions in the sample
  TimeSpec time;
  Grid grid;  ///< that is recorded
  std::int64_t frames = 1;
  Extent3 margin = {};  ///< voxels at both ends of each axis that belong to the sample, too
  MaskKind masks = MaskKind::section;

  /// Returns the grid of the sample.
  [[nodiscard]] Grid sample() const { return widened(grid, margin); }
  /// Returns the position of the grid's corner in the sample.
  [[nodiscard]] Vector3 corner_um() const { return size_um({margin, grid.pitch}); }
};

/// The world of a movie, computed once, in steps from frame to frame; then any frame can be made by
/// itself. The world depends only on (spec, seed); a longer movie begins with the same frames as a
/// shorter one.
///
/// Nuclei and cells are placed in the first frame as without time, each with its size at that point
/// of its cycle. From frame to frame they grow, wander and turn (lineage.hpp, wandering.hpp); then
/// bodies that are too near each other are pushed apart (relaxation.hpp). A body that divides
/// is replaced by two daughters, side by side along its x axis. Each has half of its volume and new
/// textures, and its x axis lies along the y axis of the mother. The content of a cell is drawn for
/// its size at birth, when it has the least space, and moves and grows with it (Cell::posed);
/// daughters get new content.
///
/// With border "inside" each body stays in the grid as a whole, and its faces turn bodies back.
/// With "cut" a body may leave: it is followed until its middle is two of its radii beyond a face,
/// and then removed with all its daughters.
///
/// Each keeps the factor of its light; light_of_object says what daughters inherit.
///
/// Other objects stay where they are; nuclei and cells pass through beads and targets. Everything
/// drifts with the sample.
class Movie {
 public:
  /// Computes the movie.
  /// @throws InvalidSpec  the first frame cannot be placed, as make_phantom says; nuclei have no
  ///                      space left, with the number of the frame; there are too many tracks.
  /// @throws PlanError    working_bytes are beyond the budget.
  Movie(const MovieSpec& spec, std::uint64_t seed, const RunContext& context);

  /// Return the bytes that a movie keeps, and that making it needs in addition.
  static std::int64_t bytes(const MovieSpec& spec, std::uint64_t seed);
  static std::int64_t working_bytes(const MovieSpec& spec, std::uint64_t seed);

  /// Returns the objects of a frame on the recorded grid, where the camera sees them: with drift,
  /// and as bright as they still are. The content of cells is drawn again; the caller reports,
  /// once, if some of it found no place.
  [[nodiscard]] Phantom phantom(std::int64_t frame, const RunContext& context) const;

  [[nodiscard]] const History& nuclei() const { return nuclei_; }
  [[nodiscard]] const History& cells() const { return cells_; }

  /// Returns the label of each object of phantom(frame), in its order.
  [[nodiscard]] std::vector<std::uint16_t> labels(std::int64_t frame) const;
  /// Returns the first label that each of these objects had.
  [[nodiscard]] std::vector<std::uint16_t> first_labels(std::int64_t frame) const;
  [[nodiscard]] const Tracks& tracks() const { return tracks_; }

  /// Returns all objects but nuclei and cells, in the first frame, on the grid of the sample.
  [[nodiscard]] const Phantom& still() const { return still_; }

  /// Return the numbers by which tracks know objects: nuclei, then cells, as their histories number
  /// them; then objects that stay.
  [[nodiscard]] std::int64_t object_of_cell(std::int64_t number) const {
    return nuclei_.lives() + number;
  }
  [[nodiscard]] std::int64_t object_of_still(std::int64_t place) const {
    return nuclei_.lives() + cells_.lives() + place;
  }

  /// Return a nucleus, or a cell at its birth, before it is put into poses; centred at the origin.
  [[nodiscard]] Nucleus drawn_nucleus(std::int64_t number) const;
  [[nodiscard]] Cell drawn_cell(const PosedBody& body) const;
  /// Returns the pose relative to such a cell.
  static Pose pose_of_cell(const PosedBody& body);

  /// Returns whether objects differ in their light.
  [[nodiscard]] bool has_lights() const;
  /// Return the light of a nucleus or a cell in its pose.
  [[nodiscard]] ObjectLight light_of(const Nucleus& posed, std::int64_t number) const;
  [[nodiscard]] ObjectLight light_of(const Cell& posed, std::int64_t number) const;

  [[nodiscard]] std::int64_t frames() const { return spec_.frames; }
  [[nodiscard]] double seconds(std::int64_t frame) const { return spec_.time.seconds(frame); }
  /// Return the drift of the sample, and its drift along z against the focus, in micrometres.
  [[nodiscard]] Vector3 drift_um(std::int64_t frame) const;
  /// Returns the way from a position in the sample to that on the recorded grid.
  [[nodiscard]] Vector3 way_to_grid_um(std::int64_t frame) const {
    return drift_um(frame) - spec_.corner_um();
  }
  [[nodiscard]] const Grid& grid() const { return spec_.grid; }
  [[nodiscard]] double focus_um(std::int64_t frame) const {
    return seconds(frame) * spec_.time.focus_drift_um_per_second;
  }
  [[nodiscard]] double brightness(std::int64_t frame) const {
    return brightness_of(spec_.time, frame);
  }

 private:
  /// Numbers of a frame's objects, and of the objects that they come from; -1 for none.
  struct Present {
    std::vector<std::int64_t> objects, mothers;
  };
  [[nodiscard]] Present present(std::int64_t frame) const;

  [[nodiscard]] Cell drawn_cell(const PosedBody& body, const CellsSpec& contents) const;
  /// Returns a nucleus in its pose; daughters begin with half of the stain of their mother.
  [[nodiscard]] Nucleus nucleus_of(const PosedBody& body) const;
  [[nodiscard]] std::vector<Nucleus> nuclei_in(std::int64_t frame, const RunContext& context) const;
  [[nodiscard]] std::vector<Cell> cells_in(std::int64_t frame, const CellsSpec& contents,
                                           const RunContext& context) const;

  /// Returns nuclei and cells of a frame with all other objects, where the camera sees them.
  [[nodiscard]] Phantom shown(std::vector<Nucleus> nuclei, std::vector<Cell> cells,
                              std::int64_t frame) const;

  MovieSpec spec_;
  std::uint64_t seed_;
  MovingKind nuclei_kind_, cells_kind_;
  History nuclei_, cells_;
  Phantom still_;  ///< other objects, in the first frame
  Tracks tracks_;
};

/// Numbers of nuclei and cells in a movie.
struct MovingHeadcounts {
  Headcount nuclei, cells;
};
MovingHeadcounts headcounts_of(const MovieSpec& spec, std::uint64_t seed);

/// Returns the spec with as many nuclei and cells as the fullest frames have, for counting bytes.
PhantomSpec fullest(const MovieSpec& spec, std::uint64_t seed);

}  // namespace synthoscope::simulator
