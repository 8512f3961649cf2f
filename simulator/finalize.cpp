// SPDX-License-Identifier: MIT
#include "simulator/finalize.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/volume/shard.hpp"
#include "imageio/output/atomic_file.hpp"
#include "imageio/output/lock_file.hpp"
#include "simulator/share/data_set_record.hpp"
#include "simulator/share/data_set_state.hpp"
#include "simulator/share/join_parts.hpp"
#include "simulator/share/scene_share.hpp"
#include "simulator/share/shared_work.hpp"
#include "simulator/share/volume_share.hpp"
#include "simulator/sweep/folder.hpp"

namespace synthoscope::simulator {
namespace {

namespace fs = std::filesystem;

/// A data set that was read, and its folder.
struct FoundPart {
  fs::path folder;
  DataSetRecord set;
  [[nodiscard]] FrameRange frames() const {
    return set.options.frames.value_or(FrameRange{0, set.scene.frames - 1});
  }
};

std::string frames_text(std::int64_t first, std::int64_t last) {
  return first == last ? fmt::format("frame {}", first) : fmt::format("frames {}-{}", first, last);
}

void require_one_scene(const fs::path& output, const std::vector<FoundPart>& parts) {
  for (const FoundPart& part : parts)
    if (part.set.record != parts.front().set.record)
      throw InvalidInput(fmt::format("join {}: {} and {} are parts of different data sets: {}",
                                     output.string(), parts.front().folder.string(),
                                     part.folder.string(),
                                     difference_of(parts.front().set.record, part.set.record)));
}

void require_every_frame_once(const fs::path& output, const std::vector<FoundPart>& parts) {
  std::int64_t next = 0;
  const auto require_none_missing = [&](std::int64_t until) {
    if (next < until)
      throw InvalidInput(
          fmt::format("join {}: {} of {} {} in none of the parts; simulate that with "
                      "--frames {}-{}",
                      output.string(), frames_text(next, until - 1), parts.front().set.scene.frames,
                      next == until - 1 ? "is" : "are", next, until - 1));
  };
  for (const FoundPart& part : parts) {
    const FrameRange frames = part.frames();
    require_none_missing(frames.first);
    if (frames.first < next)
      throw InvalidInput(
          fmt::format("join {}: frame {} of {} is also in another part; leave one out",
                      output.string(), frames.first, part.folder.string()));
    next = frames.last + 1;
  }
  require_none_missing(parts.front().set.scene.frames);
}

void join(const fs::path& output, bool overwrite, const std::vector<fs::path>& folders,
          const RunContext& context, const imageio::InputsAsRead* inputs) {
  std::vector<FoundPart> found;
  for (const fs::path& folder : folders) found.push_back({folder, read_data_set_record(folder)});
  std::sort(found.begin(), found.end(), [](const FoundPart& a, const FoundPart& b) {
    return a.frames().first < b.frames().first;
  });
  require_one_scene(output, found);
  require_every_frame_once(output, found);
  SimulateOptions options = found.front().set.options;
  options.directory = output;
  options.overwrite = overwrite;
  options.frames.reset();
  options.inputs = inputs;
  std::vector<PartOfSet> parts;
  for (const FoundPart& part : found) parts.push_back({part.frames(), part.folder});
  join_parts(found.front().set.scene, options, parts, context);
}

/// Returns whether a set of a sweep is the one that shards are to make, rather than an older one
/// that they are to replace.
bool is_set_as_begun(const fs::path& sweep, const std::string& set, const Json& begun,
                     const imageio::LockFile& lock) {
  const auto record = record_of_set(sweep / set, FileCheck::content);
  return record && read_begun(lock.path(), [&] {
           const auto choices = begun.at("choices").get<std::vector<std::string>>();
           return digest_of(*record, choices) == begun.at("sets").at(set).get<std::string>();
         });
}

/// Returns the steps of a volume that shards image.
std::int64_t steps_begun(const Json& begun, const fs::path& lock) {
  std::vector<fftconv::Plan> plans;
  for (const auto& plan :
       read_begun(lock, [&] { return begun.at("plans").get<std::vector<std::string>>(); }))
    plans.push_back(fftconv::plan_from_json(plan));
  return shared_steps(plans);
}

}  // namespace

Finalized finalize_sweep(const fs::path& path) {
  Finalized done;
  const SweepFolder folder = SweepFolder::shared(path);
  const imageio::LockFile lock{path / kSweepShards};
  const auto begun = begun_at(lock);
  const auto sets = recorded_sets(path);
  done.parts = static_cast<std::int64_t>(sets.size());
  for (const auto& set : sets)
    if (begun ? !is_set_as_begun(path, set, *begun, lock)
              : !problem_of_data_set(path / set, FileCheck::content).empty())
      done.missing.push_back(set);
  if (!done.missing.empty()) return done;
  done.was_whole = fs::exists(path / kSweepTableFile);
  if (begun) {
    const auto table =
        read_begun(lock.path(), [&] { return begun->at("table").get<std::string>(); });
    imageio::write_file_atomically(path / kSweepTableFile, table, true);
    lock.remove();
  } else if (!done.was_whole) {
    throw InvalidInput(
        fmt::format("finalize {}: all {} data sets are there, but {} is not; run the command that "
                    "made them with --resume",
                    path.string(), sets.size(), kSweepTableFile));
  }
  return done;
}

Finalized finalize_frames(const fs::path& path, bool overwrite, const RunContext& context) {
  Finalized done;
  const imageio::LockFile lock{path_with_ending(path, kShardsEnding)};
  const auto begun = begun_at(lock);
  if (!begun)
    throw InvalidInput(
        fmt::format("finalize {}: nothing is written in {}; run the command with --shard again",
                    path.string(), lock.path().string()));
  done.parts = whole_of(begun->at("shards"));
  const Json& request = begun->at("request");
  done.was_whole = record_of_set(path, FileCheck::content) == request;
  if (done.was_whole) {
    remove_parts(path);
    lock.remove();
    return done;
  }
  const auto frames =
      read_begun(lock.path(), [&] { return whole_of(request.at("scene").at("frames")); });
  const bool is_volume = frames == 1;
  const std::int64_t shared = is_volume ? steps_begun(*begun, lock.path()) : frames;
  std::vector<fs::path> folders;
  for (std::int64_t number = 1; number <= done.parts; ++number) {
    const Shard shard{number, done.parts};
    if (share_of(shard, shared).count == 0) continue;
    const fs::path folder = shard_folder(path, shard);
    // join() reads the content of the sets
    if (is_volume ? is_share_done(folder, request)
                  : record_of_set(folder, FileCheck::sizes) == request)
      folders.push_back(folder);
    else
      done.missing.push_back(name_of(shard));
  }
  if (done.missing.empty() && is_volume)
    throw InvalidInput(
        fmt::format("finalize {}: all of its {} shards are done, but labels, tables and preview "
                    "are not; run the command of one of them again, which makes these",
                    path.string(), done.parts));
  if (!done.missing.empty()) return done;
  join(path, overwrite, folders, context, nullptr);
  remove_parts(path);
  lock.remove();
  return done;
}

Finalized join_folders(const fs::path& output, bool overwrite, const std::vector<fs::path>& folders,
                       const RunContext& context, const imageio::InputsAsRead* inputs) {
  join(output, overwrite, folders, context, inputs);
  return {static_cast<std::int64_t>(folders.size()), {}, false};
}

}  // namespace synthoscope::simulator
