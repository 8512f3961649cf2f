// SPDX-License-Identifier: MIT
// core/system/control_groups.hpp — what the control groups (cgroups) of this process leave it of
// memory and processor time.
#pragma once
#include <cstdint>
#include <filesystem>
#include <limits>

namespace synthoscope {

/// What is left within the limits of all groups that a process is in.
struct GroupLimits {
  std::int64_t memory_bytes = std::numeric_limits<std::int64_t>::max();  ///< may still be taken
  double cores = std::numeric_limits<double>::infinity();  ///< processor time per time

  friend bool operator==(const GroupLimits&, const GroupLimits&) = default;
};

/// Returns the smallest limits along the path from the group of this process up to the first one
/// that can be seen, in hierarchies of version 1 and 2. A group that has no limit, or whose files
/// cannot be read, limits nothing.
///
/// Memory: `memory.max` and `memory.high` of version 2 (the kernel slows a group above the latter
/// down until it hardly moves), `memory.limit_in_bytes` and `hierarchical_memory_limit` of version
/// 1; less what the group uses now, apart from the cache of files that the kernel gives up when it
/// needs memory. Cores: `cpu.max`, or `cpu.cfs_quota_us` by `cpu.cfs_period_us`. The processors
/// that `cpuset` allows are those of the thread's affinity.
/// @param root  the folder that is taken for `/`: `proc/self/cgroup`, `proc/self/mountinfo` and the
///              mounted hierarchies are read below it.
/// @source  Linux, Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst; proc(5),
///          cgroup_namespaces(7).
GroupLimits group_limits(const std::filesystem::path& root = "/");

}  // namespace synthoscope
