// SPDX-License-Identifier: MIT
// simulator/timelapse/colony.hpp — the nuclei or the cells of a movie in its current frame, and the
// step to the next frame.
#pragma once
#include <cstdint>
#include <span>
#include <vector>
#include "core/run/run_context.hpp"
#include "simulator/phantom/nuclei/nucleus.hpp"
#include "simulator/phantom/nuclei/relaxation.hpp"
#include "simulator/timelapse/history.hpp"
#include "simulator/timelapse/moving_kind.hpp"
#include "simulator/timelapse/wandering.hpp"

namespace synthoscope::simulator {

/// Moving bodies of one kind, by their surfaces; see Movie. The caller keeps references alive.
class Colony {
 public:
  /// Makes the first frame.
  /// @param others         bodies that are placed already
  /// @param others_gap_um  least distance to these
  /// @throws InvalidSpec  as `place`.
  Colony(const MovingKind& kind, const TimeSpec& time, const Grid& grid,
         const std::vector<Life>& lineage, std::uint64_t seed, const RunContext& context,
         std::span<const Nucleus> others = {}, double others_gap_um = 0);

  /// Advances to `frame` from the one before: all grow, wander and divide, and may then be too near
  /// each other. The faces of the grid turn bodies back, or they leave.
  void advance(std::int64_t frame);

  /// Returns whether bodies stay in their planes as they move.
  [[nodiscard]] bool stays_in_plane() const { return kind_.stays_in_plane(time_); }

  /// The space that a body may be pushed in: its whole region, or only its plane if it stays in
  /// one.
  enum class Leeway { planes, regions };
  [[nodiscard]] std::vector<Pushed> pushed(Leeway leeway);

  /// Takes over the positions after pushing; bodies far outside the grid are removed.
  void accept_positions();

  /// Returns the bodies' poses, by number.
  [[nodiscard]] std::vector<PosedBody> posed() const;
  [[nodiscard]] const std::vector<Nucleus>& surfaces() const { return now_; }
  [[nodiscard]] const MovingKind& kind() const { return kind_; }

 private:
  struct Member {
    std::int64_t number = 0;
    Nucleus drawn;
    Pose pose;
    Vector3 velocity{};
    double birth_um3 = 0;  ///< volume at birth
    double birth_scale = 1;
    Mitosis mitosis = {};
    Vector3 parting_um = {};  ///< from the middle of the mother, times ChromatinForm::apart
  };

  [[nodiscard]] Member born(std::int64_t number, std::int64_t frame) const;
  void begin_growth(Member& member, double birth_um3, std::int64_t frame) const;
  void grow(Member& member, std::int64_t frame) const;
  void condense(Member& member, std::int64_t frame) const;
  void part_from_sister(Member& member, std::int64_t frame) const;
  void divide(std::int64_t frame);

  /// Where the daughters of a body lie.
  struct DivisionAxis {
    int axis = 2;         ///< of the body's own axes
    Vector3 direction{};  ///< from one daughter to the other, a unit vector
  };
  [[nodiscard]] DivisionAxis division_axis(const Matrix3& turn) const;
  [[nodiscard]] std::vector<Member> daughters_of(const Member& mother, std::size_t first,
                                                 std::int64_t frame) const;
  [[nodiscard]] std::vector<Member> sister_plates_of(const Member& mother, std::size_t first,
                                                     std::int64_t frame) const;
  void wander(Member& member, std::int64_t frame) const;
  void pose_all();
  void turn_back();
  void warn_of_long_steps() const;
  void let_go();

  const MovingKind& kind_;
  const TimeSpec& time_;
  Vector3 size_;
  const std::vector<Life>& lineage_;
  std::uint64_t seed_;
  const RunContext& context_;
  Wandering wandering_;
  std::vector<Member> members_;  ///< by number
  std::vector<Nucleus> now_;     ///< in their poses
  std::size_t next_ = 0;         ///< first of the lineage that is not born yet
};

/// Advances colonies that share a grid to `frame` from the one before, and pushes apart bodies that
/// are too near each other.
/// @throws InvalidSpec  there is no space left. @throws Interrupted
void step(std::span<Colony> colonies, std::int64_t frame, const StopFlag& stop);

}  // namespace synthoscope::simulator
