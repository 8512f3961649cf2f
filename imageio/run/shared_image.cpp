// SPDX-License-Identifier: MIT
#include "imageio/run/shared_image.hpp"
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <system_error>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/version.hpp"
#include "imageio/image/name.hpp"
#include "imageio/output/partial_file.hpp"

namespace synthoscope::imageio {
namespace {

namespace fs = std::filesystem;

/// Returns what identifies a file on its disk, whatever its name; empty if there is no such file.
std::string identity_of(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return "";
  return fmt::format("{}-{}", status.st_dev, status.st_ino);
}

}  // namespace

SharedFileLock::SharedFileLock(const fs::path& output)
    : output_{output}, lock_{shares_path(output)} {}

/// An incomplete record means that its process was killed before any other process took the lock.
std::optional<SharedRun> SharedFileLock::begun() const {
  const auto json = try_parse_json(lock_.text());
  if (!json) return std::nullopt;
  try {
    return run_in(*json);
  } catch (const Json::exception&) {
    throw InvalidSpec(
        fmt::format("share {}: {} is not what this program writes; remove it to start over",
                    output_.string(), lock_.path().string()));
  }
}

std::optional<SharedRun> SharedFileLock::run_in(const Json& json) const {
  const auto identity = json.at("identity").get<std::string>();
  const bool has_name = identity == identity_of(file_of(output_));
  if (!has_name && identity != identity_of(partial_path(output_))) return std::nullopt;
  if (json.at("version") != kVersion)
    throw InvalidSpec(fmt::format(
        "share {}: it was begun by version {}, this is {}; use that one, or remove {} to start "
        "over",
        output_.string(), json.at("version").get<std::string>(), kVersion, lock_.path().string()));
  return SharedRun{json.at("request").get<std::string>(),
                   json.at("plan").get<std::string>(),
                   json.at("file").get<std::string>(),
                   whole_of(json.at("shares")),
                   whole_of(json.at("steps")),
                   has_name,
                   json.at("command").get<std::string>()};
}

void SharedFileLock::begin(const SharedRun& run) {
  lock_.write(text_of({{"program", "synthoscope"},
                       {"version", kVersion},
                       {"request", run.request},
                       {"plan", run.plan},
                       {"file", run.file},
                       {"shares", run.shares},
                       {"steps", run.steps},
                       {"command", run.command},
                       {"identity", identity_of(partial_path(output_))}}));
}

void SharedFileLock::finish() {
  remove_share_journals(output_);
  lock_.remove();
}

ShareLock::ShareLock(const fs::path& output, std::int64_t number, std::int64_t shares) {
  const fs::path path = share_journal_path(output, number, shares);
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (descriptor_ < 0) fail_write(path, errno, 0);
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  ::close(descriptor_);
  throw IoError(fmt::format(
      "share {}: another process is doing shard {} of {}; wait for it, or do another one",
      output.string(), number, shares));
}

ShareLock::~ShareLock() {
  ::close(descriptor_);
}

std::string joined_states(const fs::path& output, const std::vector<std::string>& states) try {
  Json all;
  for (const std::string& state : states) {
    const Json one = parse_json(state);
    if (all.is_null()) {
      all = one;
      continue;
    }
    all["voxels"] = whole_of(all.at("voxels")) + whole_of(one.at("voxels"));
    for (const auto& [key, value] : one.items()) {
      if (key == "voxels") continue;
      if (key == "pieces" && all.contains(key)) {
        all[key].insert(all[key].end(), value.begin(), value.end());
        continue;
      }
      if (key == "range" && all.contains(key))
        all[key] = {std::min(all[key].at(0).get<double>(), value.at(0).get<double>()),
                    std::max(all[key].at(1).get<double>(), value.at(1).get<double>())};
      else if (!all.contains(key))
        all[key] = value;
      else if (all[key] != value)
        throw InvalidSpec(fmt::format(
            "share {}: its shards were begun as different files; remove {} and start over",
            output.string(), partial_path(output).string()));
    }
  }
  return text_of(all);
} catch (const Json::exception& failure) {
  throw InvalidInput(
      fmt::format("share {}: the journal of a shard is damaged ({}); remove {} and start over",
                  output.string(), failure.what(), partial_path(output).string()));
}

}  // namespace synthoscope::imageio
