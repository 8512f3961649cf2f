// SPDX-License-Identifier: MIT
// simulator/timelapse/colony.hpp — the nuclei or the cells of a movie as they are now, and the step
// to the next frame.
#pragma once
#include <cstdint>
#include <span>
#include <vector>
#include "core/run/run_context.hpp"
#include "simulator/phantom/nucleus.hpp"
#include "simulator/phantom/relaxation.hpp"
#include "simulator/timelapse/history.hpp"
#include "simulator/timelapse/moving_kind.hpp"
#include "simulator/timelapse/wandering.hpp"

namespace synthoscope::simulator {

/// Bodies of one kind that live together, by their surfaces; see Movie. References are kept alive
/// by the caller.
class Colony {
 public:
  /// The first frame. @param others  beside which they are placed, and what they keep between
  /// @throws InvalidSpec as `place`.
  Colony(const MovingKind& kind, const TimeSpec& time, const Grid& grid,
         const std::vector<Life>& lineage, std::uint64_t seed, const RunContext& context,
         std::span<const Nucleus> others = {}, double others_gap_um = 0);

  /// To `frame` from the one before: all grow, wander and divide, and may be too near each other.
  /// The faces of the grid turn them back, or they are gone.
  void advance(std::int64_t frame);

  /// All of them with the room that each has, or what flat ones have of it.
  enum class Leeway { planes, rooms };
  [[nodiscard]] std::vector<Pushed> pushed(Leeway leeway);

  /// Takes over where they have been pushed; those that are far outside are gone.
  void settle();

  /// By number.
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
  };

  [[nodiscard]] Member born(std::int64_t number, std::int64_t frame) const;
  void begin_growth(Member& member, double birth_um3, std::int64_t frame) const;
  void grow(Member& member, std::int64_t frame) const;
  void divide(std::int64_t frame);
  [[nodiscard]] std::vector<Member> daughters_of(const Member& mother, std::size_t first,
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
  std::size_t next_ = 0;         ///< the first of the lineage that is not born yet
};

/// Brings colonies that live beside each other to `frame` from the one before, and pushes apart
/// what is too near.
/// @throws InvalidSpec  there is no room any more. @throws Interrupted
void step(std::span<Colony> colonies, std::int64_t frame, const StopFlag& stop);

}  // namespace synthoscope::simulator
