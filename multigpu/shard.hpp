// SPDX-License-Identifier: MIT
// multigpu/shard.hpp — which part of a run a process does: given by an option, or found in the
// environment.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include "core/run/checkpoint.hpp"
#include "core/volume/shard.hpp"

namespace synthoscope::multigpu {

/// Returns the value of an environment variable; nothing if it is not set.
using Environment = std::function<std::optional<std::string>(const char*)>;
Environment process_environment();

/// Parses "3/8", or "auto": the task of a Slurm array, otherwise the rank of a job of OpenMPI, of
/// another MPI (PMI) or of Slurm.
/// @throws InvalidSpec  it is neither, or "auto" and the environment names no such job.
Shard shard_named(std::string_view text, const Environment& environment);

/// What `whole` wants to be done, as far as it belongs to a shard.
class ShardSteps final : public Checkpoint {
 public:
  /// `whole` outlives this.
  ShardSteps(const Shard& shard, Checkpoint& whole) : shard_{shard}, whole_{whole} {}
  [[nodiscard]] IntervalSet to_do(std::int64_t all) const override;
  void finish(const IntervalSet& steps) override { whole_.finish(steps); }
  [[nodiscard]] bool is_due() const override { return whole_.is_due(); }

 private:
  Shard shard_;
  Checkpoint& whole_;
};

}  // namespace synthoscope::multigpu
