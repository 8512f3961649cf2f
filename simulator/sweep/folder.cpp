// SPDX-License-Identifier: MIT
#include "simulator/sweep/folder.hpp"
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>
#include "core/base/csv_cell.hpp"
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/version.hpp"
#include "core/system/file_bytes.hpp"
#include "core/system/system_failure.hpp"
#include "simulator/data_set/folder.hpp"
#include "simulator/data_set/layout.hpp"
#include "simulator/share/data_set_state.hpp"

namespace synthoscope::simulator {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_sweep(const fs::path& path, std::string_view what, int error) {
  throw IoError(fmt::format("write sweep {}: {} ({}); {}", path.string(), what, cause_of(error),
                            remedy_of(error, "choose another folder with -o")));
}

/// Throws unless a sweep can be resumed in an existing folder, or made there anew.
void require_sweep(const fs::path& folder, bool resume, bool overwrite) {
  if (!resume && !overwrite)
    throw InvalidSpec(
        fmt::format("write sweep {}: it exists; resume it with --resume, choose another folder "
                    "with -o or give --overwrite",
                    folder.string()));
  // A run that was killed at its start can have left an empty folder, or these files
  const auto can_come_first = [](const fs::path& name) {
    return name == fmt::format("{}.partial", kSweepRecord) || name == kSweepShards;
  };
  for (const auto& entry : fs::directory_iterator{folder}) {
    const fs::path name = entry.path().filename();
    if (can_come_first(name)) continue;
    // The record is looked for last: another process can write it, and its sets, meanwhile
    if (fs::exists(folder / kSweepRecord)) return;
    throw InvalidSpec(
        fmt::format("write sweep {}: it holds {} and no {}, so no sweep made it; choose another "
                    "folder with -o",
                    folder.string(), name.string(), kSweepRecord));
  }
}

}  // namespace

SweepFolder::SweepFolder(fs::path path, bool resume, bool overwrite, bool is_shared)
    : path_{path.has_filename() ? std::move(path) : path.parent_path()} {
  made_ = ::mkdir(path_.c_str(), 0777) == 0;
  if (!made_ && errno != EEXIST) fail_sweep(path_, "its folder cannot be created", errno);
  if (!fs::is_directory(fs::symlink_status(path_)))
    throw InvalidSpec(fmt::format("write sweep {}: it is not a folder; choose another name with -o",
                                  path_.string()));
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor_ < 0) fail_sweep(path_, "its folder cannot be opened", errno);
  try {
    lock(is_shared);
    if (!made_) require_sweep(path_, resume, overwrite);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

SweepFolder::~SweepFolder() {
  if (made_) ::rmdir(path_.c_str());  // fails if something is in it
  ::close(descriptor_);
}

std::vector<std::string> recorded_sets(const fs::path& sweep) {
  std::vector<std::string> names;
  const auto record = try_parse_json(text_in(sweep / kSweepRecord));
  if (!record || !record->is_object() || !record->contains("sets")) return names;
  for (const Json& row : record->at("sets")) {
    if (!row.is_object() || !row.contains("folder") || !row.at("folder").is_string()) continue;
    const std::string name = row.at("folder").get<std::string>();
    const bool is_inside = !name.empty() && name != "." && name != ".." &&
                           name.find_first_of(std::string_view{"/\0", 2}) == std::string::npos;
    if (is_inside) names.push_back(name);
  }
  return names;
}

std::vector<std::string> SweepFolder::sets_missing_from(
    const std::vector<std::string>& folders) const {
  std::vector<std::string> left;
  for (const auto& name : recorded_sets(path_)) {
    if (std::find(folders.begin(), folders.end(), name) != folders.end()) continue;
    bool lies_there = false;
    for (const auto& part : {name, name + ".partial"}) {
      if (!fs::exists(fs::symlink_status(path_ / part))) continue;
      DataSetFolder::require_free(path_ / part, true, may_be_simulated);
      lies_there = true;
    }
    if (lies_there) left.push_back(name);
  }
  return left;
}

void SweepFolder::remove_sets(const std::vector<std::string>& folders) const {
  for (const auto& name : folders)
    for (const auto& part : {name, name + ".partial"}) {
      std::error_code failure;
      fs::remove_all(path_ / part, failure);
      if (failure)
        fail_sweep(path_, fmt::format("its data set {} cannot be removed", part), failure.value());
    }
}

void SweepFolder::remove_table() const {
  const bool is_gone = ::unlinkat(descriptor_, kSweepTableFile, 0) == 0 || errno == ENOENT;
  if (!is_gone || ::fsync(descriptor_) != 0)
    fail_sweep(path_, fmt::format("its {} cannot be removed", kSweepTableFile), errno);
}

void SweepFolder::remove_shards() const {
  ::unlinkat(descriptor_, kSweepShards, 0);
}

void SweepFolder::lock(bool is_shared) {
  const bool locked = ::flock(descriptor_, (is_shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0;
  if (!locked && errno != EWOULDBLOCK) fail_sweep(path_, "its folder cannot be locked", errno);
  if (!locked || !is_named(descriptor_, path_))
    throw IoError(fmt::format(
        "write sweep {}: another run is writing it; wait until it ends, or choose another folder "
        "with -o",
        path_.string()));
}

std::string sweep_record(std::int64_t seed, const SweepSpec& sweep,
                         const std::vector<SweepSet>& sets) {
  Json record{{"program", "synthoscope"}, {"version", kVersion}, {"seed", seed}};
  record["seeds"] = name_in(kSweepSeedsNames, sweep.seeds);
  record["repeats"] = sweep.repeats.value_or(1);
  Json keys = Json::array(), rows = Json::array();
  for (const auto& axis : sweep.axes) keys.push_back(axis.key);
  record["keys"] = keys;
  for (const auto& set : sets) {
    Json row{{"folder", set.folder}, {"seed", *set.scene.seed}, {"repeat", set.repeat}};
    for (std::size_t i = 0; i < set.texts.size(); ++i)
      row[sweep.axes[i].key] = parse_json(set.texts[i]);  // JSON writes values as TOML does
    rows.push_back(row);
  }
  record["sets"] = rows;
  return indented_text_of(record) + "\n";
}

std::string sweep_table(const SweepSpec& sweep, const std::vector<SweepSet>& sets) {
  std::string csv = "folder,seed,repeat";
  for (const auto& axis : sweep.axes) csv += fmt::format(",{}", axis.key);
  for (const auto& set : sets) {
    csv += fmt::format("\n{},{},{}", set.folder, *set.scene.seed, set.repeat);
    for (const auto& text : set.texts) {
      const bool is_string = text.size() > 1 && text.front() == '"';
      csv += fmt::format(",{}", csv_cell(is_string ? parse_json(text).get<std::string>() : text));
    }
  }
  csv += '\n';
  return csv;
}

}  // namespace synthoscope::simulator
