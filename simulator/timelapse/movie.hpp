// SPDX-License-Identifier: MIT
// simulator/timelapse/movie.hpp — the world of a movie: where every nucleus and every cell is in
// every frame.
#pragma once
#include <cstdint>
#include <vector>
#include "core/run/run_context.hpp"
#include "simulator/phantom/phantom.hpp"
#include "simulator/timelapse/history.hpp"
#include "simulator/timelapse/moving_kind.hpp"
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
/// Nuclei and cells are placed in the first frame as without time, each as large as its place in
/// its cycle makes it. From frame to frame they grow, wander and turn (lineage.hpp,
/// wandering.hpp); then those that are too near each other are pushed apart (relaxation.hpp). One
/// that divides leaves two, side by side along its own x axis, each with half of its volume, its
/// axes (their x along its y) and textures of its own. What is in a cell is drawn for its size at
/// birth, where it has the least room, and moves and grows with it (Cell::posed); daughters are
/// furnished anew.
///
/// With border "inside" all of each body stays in the grid, whose faces turn it back. With "cut" it
/// may leave: it is followed until its middle is two of its radii beyond a face, and then gone with
/// all its daughters.
///
/// All else stays where it is; nuclei and cells pass through beads and targets. All drifts with the
/// sample.
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
  /// Cells are furnished anew; that some of it found no place is left to the caller to tell, once.
  [[nodiscard]] Phantom phantom(std::int64_t frame, const RunContext& context) const;

  [[nodiscard]] const History& nuclei() const { return nuclei_; }
  [[nodiscard]] const History& cells() const { return cells_; }

  /// Of each object of phantom(frame), in its order.
  [[nodiscard]] std::vector<std::uint16_t> labels(std::int64_t frame) const;
  /// The first that each of them had.
  [[nodiscard]] std::vector<std::uint16_t> first_labels(std::int64_t frame) const;
  [[nodiscard]] const Tracks& tracks() const { return tracks_; }

  /// All objects but nuclei and cells, in the first frame.
  [[nodiscard]] const Phantom& still() const { return still_; }

  /// Numbers of objects, by which tracks know them: nuclei, then cells, as their histories count
  /// them; then what stays.
  [[nodiscard]] std::int64_t object_of_cell(std::int64_t number) const {
    return nuclei_.lives() + number;
  }
  [[nodiscard]] std::int64_t object_of_still(std::int64_t place) const {
    return nuclei_.lives() + cells_.lives() + place;
  }

  /// A nucleus, or a cell at its birth, before it is put into poses; centred at the origin.
  [[nodiscard]] Nucleus drawn_nucleus(std::int64_t number) const;
  [[nodiscard]] Cell drawn_cell(const PosedBody& body) const;
  /// Of such a cell.
  static Pose pose_of_cell(const PosedBody& body);

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
  /// Of a frame's objects: their numbers, and those of the objects that they came of; -1 for none.
  struct Present {
    std::vector<std::int64_t> objects, mothers;
  };
  [[nodiscard]] Present present(std::int64_t frame) const;

  [[nodiscard]] Cell drawn_cell(const PosedBody& body, const CellsSpec& furniture) const;
  [[nodiscard]] std::vector<Nucleus> nuclei_in(std::int64_t frame, const RunContext& context) const;
  [[nodiscard]] std::vector<Cell> cells_in(std::int64_t frame, const CellsSpec& furniture,
                                           const RunContext& context) const;

  /// Nuclei and cells of a frame with all else, where the camera sees them.
  [[nodiscard]] Phantom shown(std::vector<Nucleus> nuclei, std::vector<Cell> cells,
                              std::int64_t frame) const;

  MovieSpec spec_;
  std::uint64_t seed_;
  MovingKind nuclei_kind_, cells_kind_;
  History nuclei_, cells_;
  Phantom still_;  ///< all else, in the first frame
  Tracks tracks_;
};

/// How many nuclei and cells a movie has.
struct MovingHeadcounts {
  Headcount nuclei, cells;
};
MovingHeadcounts headcounts_of(const MovieSpec& spec, std::uint64_t seed);

/// The spec with as many nuclei and cells as the fullest frames have, for counting bytes.
PhantomSpec fullest(const MovieSpec& spec, std::uint64_t seed);

}  // namespace synthoscope::simulator
