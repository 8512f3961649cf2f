// SPDX-License-Identifier: MIT
#include "core/system/control_groups.hpp"
#include <algorithm>
#include <cmath>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace synthoscope {
namespace {

namespace fs = std::filesystem;

/// Version 1 writes the largest number of pages for "no limit"; version 2 writes "max".
constexpr std::int64_t kNoGroupLimit = std::int64_t{1} << 60;

/// A mounted hierarchy.
struct GroupMount {
  bool is_version_2 = false;
  fs::path root;         ///< the group that is mounted, as /proc/self/cgroup would name it
  fs::path point;        ///< where it is mounted
  std::string features;  ///< "rw,cpu,cpuacct": of version 1, the controllers are among them
};

/// A hierarchy and the group of this process in it, a line of /proc/self/cgroup.
struct GroupOfProcess {
  std::string controllers;  ///< "cpu,cpuacct"; empty in version 2
  fs::path path;
};

bool lists(std::string_view list, std::string_view wanted) {
  while (!list.empty()) {
    const std::string_view item = list.substr(0, list.find(','));
    if (item == wanted) return true;
    list.remove_prefix(std::min(item.size() + 1, list.size()));
  }
  return false;
}

/// mountinfo writes space, tab, newline and backslash as \040, \011, \012 and \134.
std::string without_octal(std::string_view text) {
  std::string plain;
  const auto is_octal = [](char c) { return c >= '0' && c <= '7'; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape = text[i] == '\\' && i + 3 < text.size() && is_octal(text[i + 1]) &&
                           is_octal(text[i + 2]) && is_octal(text[i + 3]);
    if (is_escape)
      plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 +
                                 (text[i + 3] - '0'));
    else
      plain += text[i];
    if (is_escape) i += 3;
  }
  return plain;
}

std::vector<GroupMount> mounts_of_groups(const fs::path& root) {
  std::vector<GroupMount> mounts;
  std::ifstream file{root / "proc/self/mountinfo"};
  for (std::string line; std::getline(file, line);) {
    // "36 35 0:31 /group /sys/fs/cgroup/memory rw,nosuid shared:5 - cgroup cgroup rw,memory"
    std::istringstream words{line};
    std::string id, parent, device, mounted, point, word, type, source, features;
    words >> id >> parent >> device >> mounted >> point;
    while (words >> word && word != "-") {
    }
    words >> type >> source >> features;
    if (type == "cgroup" || type == "cgroup2")
      mounts.push_back({type == "cgroup2", without_octal(mounted), without_octal(point), features});
  }
  return mounts;
}

std::vector<GroupOfProcess> groups_of_process(const fs::path& root) {
  std::vector<GroupOfProcess> groups;
  std::ifstream file{root / "proc/self/cgroup"};
  for (std::string line; std::getline(file, line);) {
    // "4:memory:/slurm/job_7" or "0::/user.slice"; paths may contain colons
    const auto first = line.find(':');
    const auto second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second != std::string::npos)
      groups.push_back({line.substr(first + 1, second - first - 1), line.substr(second + 1)});
  }
  return groups;
}

/// The folders of a mount that belong to `group` and the groups around it, from the innermost out;
/// none if the mounted group is not around it. Names of groups above the root of a namespace are
/// unknown: they read "..", and only the outermost of such groups can be found.
std::vector<fs::path> folders_of(const GroupMount& mount, const fs::path& group,
                                 const fs::path& root) {
  const fs::path inner = group.relative_path(), outer = mount.root.relative_path();
  auto at = inner.begin();
  for (const fs::path& name : outer) {
    const bool is_around = at != inner.end() && *at == name;
    if (!is_around && name != "..") return {};
    if (!is_around) return {root / mount.point.relative_path()};
    ++at;
  }
  std::vector<fs::path> folders{root / mount.point.relative_path()};
  for (; at != inner.end(); ++at) {
    if (*at == "..") return {};  // a group outside what is mounted
    if (!at->empty()) folders.push_back(folders.back() / *at);
  }
  std::ranges::reverse(folders);
  return folders;
}

std::optional<std::int64_t> number_in(const fs::path& file) {
  std::ifstream in{file};
  std::int64_t number = 0;
  if (in >> number) return number;  // "max" does not parse
  return std::nullopt;
}

/// The numbers that memory.stat gives these names, added up.
std::int64_t statistics_in(const fs::path& folder, std::initializer_list<std::string_view> names) {
  std::ifstream file{folder / "memory.stat"};
  std::int64_t sum = 0;
  std::string name;
  for (std::int64_t value = 0; file >> name >> value;)
    if (std::ranges::find(names, name) != names.end()) sum += value;
  return sum;
}

std::int64_t left_of(std::int64_t limit, std::int64_t used, std::int64_t reclaimable) {
  return std::max<std::int64_t>(0, limit - std::max<std::int64_t>(0, used - reclaimable));
}

std::int64_t memory_left_2(const fs::path& folder) {
  std::int64_t limit = kNoGroupLimit;
  for (const char* const name : {"memory.max", "memory.high"})
    limit = std::min(limit, number_in(folder / name).value_or(kNoGroupLimit));
  if (limit == kNoGroupLimit) return limit;
  return left_of(limit, number_in(folder / "memory.current").value_or(0),
                 statistics_in(folder, {"inactive_file", "active_file", "slab_reclaimable"}));
}

std::int64_t memory_left_1(const fs::path& folder) {
  // Groups around a container cannot be seen in it, but their limit can
  const std::int64_t around = statistics_in(folder, {"hierarchical_memory_limit"});
  const std::int64_t own = number_in(folder / "memory.limit_in_bytes").value_or(kNoGroupLimit);
  const std::int64_t limit = std::min(own, around > 0 ? around : kNoGroupLimit);
  if (limit >= kNoGroupLimit) return kNoGroupLimit;
  return left_of(limit, number_in(folder / "memory.usage_in_bytes").value_or(0),
                 statistics_in(folder, {"total_inactive_file", "total_active_file"}));
}

double cores_2(const fs::path& folder) {
  std::ifstream file{folder / "cpu.max"};
  double quota = 0, period = 0;
  return file >> quota >> period && quota > 0 && period > 0 ? quota / period : INFINITY;
}

double cores_1(const fs::path& folder) {
  const auto quota = number_in(folder / "cpu.cfs_quota_us");
  const auto period = number_in(folder / "cpu.cfs_period_us");
  if (!quota || !period || *quota <= 0 || *period <= 0) return INFINITY;  // -1: no limit
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

}  // namespace

GroupLimits group_limits(const fs::path& root) {
  GroupLimits limits;
  std::int64_t memory = kNoGroupLimit;
  const auto groups = groups_of_process(root);
  for (const GroupMount& mount : mounts_of_groups(root))
    for (const GroupOfProcess& group : groups) {
      const auto has = [&](std::string_view controller) {
        return mount.is_version_2
                   ? group.controllers.empty()
                   : lists(mount.features, controller) && lists(group.controllers, controller);
      };
      const bool has_memory = has("memory"), has_cpu = has("cpu");
      if (!has_memory && !has_cpu) continue;
      for (const fs::path& folder : folders_of(mount, group.path, root)) {
        if (has_memory)
          memory =
              std::min(memory, mount.is_version_2 ? memory_left_2(folder) : memory_left_1(folder));
        if (has_cpu)
          limits.cores =
              std::min(limits.cores, mount.is_version_2 ? cores_2(folder) : cores_1(folder));
      }
    }
  if (memory < kNoGroupLimit) limits.memory_bytes = memory;
  return limits;
}

}  // namespace synthoscope
