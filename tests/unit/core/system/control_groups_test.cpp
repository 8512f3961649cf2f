// SPDX-License-Identifier: MIT
#include "core/system/control_groups.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <string>
#include <utility>
#include <vector>
#include "tests/support/case_name.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope {
namespace {

constexpr std::int64_t kMi = std::int64_t{1} << 20;
constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

/// Files below a root: where, and what they hold.
using FakeTree = std::vector<std::pair<const char*, const char*>>;

constexpr auto kGroups = "proc/self/cgroup";
constexpr auto kMounts = "proc/self/mountinfo";
constexpr auto kVersion2 = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n";
constexpr auto kVersion1 =
    "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
    "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 master:1 - cgroup cgroup rw,cpu,cpuacct\n";
constexpr auto kNoLimitInPages = "9223372036854771712\n";

struct GroupCase {
  const char* name;
  FakeTree tree;
  std::int64_t memory_bytes;
  double cores;
};

const GroupCase kGroupCases[] = {
    {"no_proc", {}, kNone, INFINITY},
    {"no_groups",
     {{kGroups, ""}, {kMounts, "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"}},
     kNone,
     INFINITY},
    {"v2_root_only",
     {{kGroups, "0::/\n"},
      {kMounts, kVersion2},
      {"sys/fs/cgroup/memory.max", "314572800\n"},
      {"sys/fs/cgroup/memory.current", "104857600\n"},
      {"sys/fs/cgroup/cpu.max", "150000 100000\n"}},
     200 * kMi,
     1.5},
    {"v2_no_limit",
     {{kGroups, "0::/a\n"},
      {kMounts, kVersion2},
      {"sys/fs/cgroup/a/memory.max", "max\n"},
      {"sys/fs/cgroup/a/memory.high", "max\n"},
      {"sys/fs/cgroup/a/memory.current", "104857600\n"},
      {"sys/fs/cgroup/a/cpu.max", "max 100000\n"}},
     kNone,
     INFINITY},
    {"v2_least_is_the_outer",
     {{kGroups, "0::/user.slice/run.scope\n"},
      {kMounts, kVersion2},
      {"sys/fs/cgroup/user.slice/memory.max", "104857600\n"},
      {"sys/fs/cgroup/user.slice/cpu.max", "200000 100000\n"},
      {"sys/fs/cgroup/user.slice/run.scope/memory.max", "209715200\n"},
      {"sys/fs/cgroup/user.slice/run.scope/cpu.max", "800000 100000\n"},
      {"sys/fs/cgroup/other.slice/memory.max", "1048576\n"}},
     100 * kMi,
     2},
    {"v2_least_is_the_inner",
     {{kGroups, "0::/user.slice/run.scope\n"},
      {kMounts, kVersion2},
      {"sys/fs/cgroup/user.slice/memory.max", "209715200\n"},
      {"sys/fs/cgroup/user.slice/run.scope/memory.max", "104857600\n"}},
     100 * kMi,
     INFINITY},
    {"v2_least_is_what_others_left",  // 300 - 250 of the outer, 200 - 10 of the inner
     {{kGroups, "0::/a/b\n"},
      {kMounts, kVersion2},
      {"sys/fs/cgroup/a/memory.max", "314572800\n"},
      {"sys/fs/cgroup/a/memory.current", "262144000\n"},
      {"sys/fs/cgroup/a/b/memory.max", "209715200\n"},
      {"sys/fs/cgroup/a/b/memory.current", "10485760\n"}},
     50 * kMi,
     INFINITY},
    {"v2_files_in_cache_can_go",  // 200 - (150 - 60 - 30 - 10)
     {{kGroups, "0::/a\n"},
      {kMounts, kVersion2},
      {"sys/fs/cgroup/a/memory.max", "209715200\n"},
      {"sys/fs/cgroup/a/memory.current", "157286400\n"},
      {"sys/fs/cgroup/a/memory.stat",
       "anon 41943040\nfile 94371840\nshmem 0\ninactive_file 62914560\nactive_file 31457280\n"
       "slab_reclaimable 10485760\n"}},
     150 * kMi,
     INFINITY},
    {"v2_slowed_down",
     {{kGroups, "0::/a\n"},
      {kMounts, kVersion2},
      {"sys/fs/cgroup/a/memory.max", "209715200\n"},
      {"sys/fs/cgroup/a/memory.high", "104857600\n"},
      {"sys/fs/cgroup/a/memory.current", "1048576\n"}},
     99 * kMi,
     INFINITY},
    {"v2_all_used",
     {{kGroups, "0::/a\n"},
      {kMounts, kVersion2},
      {"sys/fs/cgroup/a/memory.max", "104857600\n"},
      {"sys/fs/cgroup/a/memory.current", "104861696\n"}},
     0,
     INFINITY},
    {"v2_more_cache_than_used",
     {{kGroups, "0::/a\n"},
      {kMounts, kVersion2},
      {"sys/fs/cgroup/a/memory.max", "104857600\n"},
      {"sys/fs/cgroup/a/memory.current", "4096\n"},
      {"sys/fs/cgroup/a/memory.stat", "inactive_file 1048576\n"}},
     100 * kMi,
     INFINITY},
    {"v2_removed_group",
     {{kGroups, "0::/a/b (deleted)\n"},
      {kMounts, kVersion2},
      {"sys/fs/cgroup/a/memory.max", "104857600\n"}},
     100 * kMi,
     INFINITY},
    {"v2_unreadable_number",
     {{kGroups, "0::/a\n"},
      {kMounts, kVersion2},
      {"sys/fs/cgroup/a/memory.max", "\n"},
      {"sys/fs/cgroup/a/cpu.max", "many\n"}},
     kNone,
     INFINITY},
    {"v2_colon_and_space_in_names",
     {{kGroups, "0::/a:b c/d\n"},
      {kMounts, "30 23 0:26 / /sys/my\\040groups rw - cgroup2 cgroup2 rw\n"},
      {"sys/my groups/a:b c/memory.max", "104857600\n"}},
     100 * kMi,
     INFINITY},
    {"v1_nested",
     {{kGroups, "4:memory:/slurm/job_7/step_0\n3:cpu,cpuacct:/slurm/job_7\n1:name=systemd:/\n"},
      {kMounts, kVersion1},
      {"sys/fs/cgroup/memory/memory.limit_in_bytes", kNoLimitInPages},
      {"sys/fs/cgroup/memory/slurm/job_7/memory.limit_in_bytes", "157286400\n"},
      {"sys/fs/cgroup/memory/slurm/job_7/memory.usage_in_bytes", "62914560\n"},
      {"sys/fs/cgroup/memory/slurm/job_7/memory.stat",
       "inactive_file 1\ntotal_inactive_file 20971520\ntotal_active_file 10485760\n"},
      {"sys/fs/cgroup/memory/slurm/job_7/step_0/memory.limit_in_bytes", kNoLimitInPages},
      {"sys/fs/cgroup/cpu,cpuacct/slurm/job_7/cpu.cfs_quota_us", "250000\n"},
      {"sys/fs/cgroup/cpu,cpuacct/slurm/job_7/cpu.cfs_period_us", "100000\n"},
      {"sys/fs/cgroup/cpu,cpuacct/slurm/cpu.cfs_quota_us", "-1\n"},
      {"sys/fs/cgroup/cpu,cpuacct/slurm/cpu.cfs_period_us", "100000\n"}},
     120 * kMi,
     2.5},
    {"v1_no_limit",
     {{kGroups, "4:memory:/\n"},
      {kMounts, kVersion1},
      {"sys/fs/cgroup/memory/memory.limit_in_bytes", kNoLimitInPages},
      {"sys/fs/cgroup/memory/memory.usage_in_bytes", "62914560\n"},
      {"sys/fs/cgroup/memory/memory.stat", "hierarchical_memory_limit 9223372036854771712\n"}},
     kNone,
     INFINITY},
    {"v1_container_sees_its_group_alone",  // and the limit of a group around it
     {{kGroups, "4:memory:/docker/77\n"},
      {kMounts, "35 31 0:32 /docker/77 /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n"},
      {"sys/fs/cgroup/memory/memory.limit_in_bytes", "209715200\n"},
      {"sys/fs/cgroup/memory/memory.stat", "hierarchical_memory_limit 104857600\n"}},
     100 * kMi,
     INFINITY},
    {"v1_other_hierarchy",  // a limit of what happens to have the same path
     {{kGroups, "4:memory:/a\n3:cpu,cpuacct:/b\n"},
      {kMounts, kVersion1},
      {"sys/fs/cgroup/memory/b/memory.limit_in_bytes", "1048576\n"},
      {"sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "100000\n"},
      {"sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n"}},
     kNone,
     INFINITY},
    {"hybrid",  // memory in version 1, processors in version 2
     {{kGroups, "4:memory:/m\n0::/u\n"},
      {kMounts,
       "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
       "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"},
      {"sys/fs/cgroup/memory/m/memory.limit_in_bytes", "104857600\n"},
      {"sys/fs/cgroup/unified/u/cpu.max", "300000 100000\n"}},
     100 * kMi,
     3},
    {"namespace_own_root",
     {{kGroups, "0::/\n"}, {kMounts, kVersion2}, {"sys/fs/cgroup/memory.max", "104857600\n"}},
     100 * kMi,
     INFINITY},
    {"namespace_mounted_outside",  // names of the groups between are hidden
     {{kGroups, "0::/\n"},
      {kMounts, "30 23 0:26 /../.. /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"},
      {"sys/fs/cgroup/memory.max", "104857600\n"}},
     100 * kMi,
     INFINITY},
    {"namespace_entered_from_outside",
     {{kGroups, "0::/../../a\n"},
      {kMounts, "30 23 0:26 /../.. /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"},
      {"sys/fs/cgroup/memory.max", "209715200\n"},
      {"sys/fs/cgroup/a/memory.max", "104857600\n"}},
     100 * kMi,
     INFINITY},
    {"namespace_without_this_group",  // limits of a group that this process is not in
     {{kGroups, "0::/../b\n"}, {kMounts, kVersion2}, {"sys/fs/cgroup/memory.max", "1048576\n"}},
     kNone,
     INFINITY},
    {"mount_of_other_groups",
     {{kGroups, "0::/a\n"},
      {kMounts, "30 23 0:26 /b /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"},
      {"sys/fs/cgroup/memory.max", "1048576\n"}},
     kNone,
     INFINITY},
    {"name_that_begins_alike",
     {{kGroups, "0::/ab\n"},
      {kMounts, "30 23 0:26 /a /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"},
      {"sys/fs/cgroup/memory.max", "1048576\n"}},
     kNone,
     INFINITY},
    {"no_words_in_a_line",
     {{kGroups, "0::/a\nnonsense\n:\n"}, {kMounts, "\n30\n"}},
     kNone,
     INFINITY},
};

class ControlGroups : public testing::TestWithParam<GroupCase> {};

TEST_P(ControlGroups, LeaveTheLeastOfAllThatAProcessIsIn) {
  const test::TemporaryFolder root;
  for (const auto& [name, content] : GetParam().tree) {
    std::filesystem::create_directories((root / name).parent_path());
    root.write(name, content);
  }
  const GroupLimits limits = group_limits(root.path());
  EXPECT_EQ(limits.memory_bytes, GetParam().memory_bytes);
  EXPECT_EQ(limits.cores, GetParam().cores);
}

INSTANTIATE_TEST_SUITE_P(Table, ControlGroups, testing::ValuesIn(kGroupCases), test::kCaseName);

}  // namespace
}  // namespace synthoscope
