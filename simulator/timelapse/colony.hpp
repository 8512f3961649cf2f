// SPDX-License-Identifier: MIT
// simulator/timelapse/colony.hpp — the nuclei of a movie as they are now, and the step to the next
// frame.
#pragma once
#include <cstdint>
#include <vector>
#include "core/run_context.hpp"
#include "simulator/phantom/nucleus.hpp"
#include "simulator/timelapse/lineage.hpp"
#include "simulator/timelapse/wandering.hpp"

namespace synthoscope::simulator {

/// A nucleus in a frame.
struct PosedNucleus {
  std::int64_t number = 0;  ///< in the lineage, and in Nucleus::draw
  Pose pose;
};

/// Nuclei that live together; see Movie. References are kept alive by the caller.
class Colony {
 public:
  /// The first frame. @throws InvalidSpec as `place`.
  Colony(const NucleiSpec& spec, const TimeSpec& time, const Grid& grid,
         const std::vector<Life>& lineage, std::uint64_t seed, const RunContext& context);

  /// To `frame` from the one before.
  /// @throws InvalidSpec  there is no room any more. @throws Interrupted
  void step(std::int64_t frame);

  /// By number.
  [[nodiscard]] std::vector<PosedNucleus> posed() const;
  [[nodiscard]] const std::vector<Nucleus>& nuclei() const { return now_; }

 private:
  struct Member {
    std::int64_t number = 0;
    Nucleus drawn;
    Pose pose;
    Vector3 velocity{};
    double birth_um3 = 0;  ///< volume at birth
  };

  [[nodiscard]] Member born(std::int64_t number, std::int64_t frame) const;
  void grow(Member& member, std::int64_t frame) const;
  void divide(std::int64_t frame);
  [[nodiscard]] std::vector<Member> daughters_of(const Member& mother, std::size_t first,
                                                 std::int64_t frame) const;
  void wander(Member& member, std::int64_t frame) const;
  void pose_all();
  void turn_back();
  void push_all_apart(std::int64_t frame);
  void warn_of_long_steps() const;
  void let_go();

  const NucleiSpec& spec_;
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

}  // namespace synthoscope::simulator
