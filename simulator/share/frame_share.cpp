// SPDX-License-Identifier: MIT
#include "simulator/share/frame_share.hpp"
#include <fmt/format.h>
#include <regex>
#include <string>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/stopwatch.hpp"
#include "fftconv/plan.hpp"
#include "simulator/data_set/data_set.hpp"
#include "simulator/data_set/folder.hpp"
#include "simulator/data_set/layout.hpp"
#include "simulator/scene/channels.hpp"
#include "simulator/scene/file/inputs.hpp"
#include "simulator/share/data_set_state.hpp"
#include "simulator/share/join_parts.hpp"
#include "simulator/share/shared_work.hpp"

namespace synthoscope::simulator {
namespace {

namespace fs = std::filesystem;

/// What was decided for all processes that make the frames.
struct SharedFrames {
  SceneSpec scene;  ///< with its seed
  std::vector<fftconv::Plan> plans;
};

FrameRange frames_of(const Shard& shard, const SceneSpec& scene) {
  const Interval share = share_of(shard, scene.frames);
  return {share.first, share.end() - 1};
}

/// Returns the options of a shard's part. It overwrites what an earlier run left there.
SimulateOptions options_of_part(const Shard& shard, const SceneSpec& scene,
                                SimulateOptions options) {
  options.directory = shard_folder(options.directory, shard);
  options.frames = frames_of(shard, scene);
  options.overwrite = true;
  return options;
}

/// One process of several that make the frames of a scene.
class FrameShare {
 public:
  FrameShare(const SceneSpec& scene, const SimulateOptions& options, const Shard& shard,
             fftconv::Executor& blur, const RunContext& context)
      : asked_{scene}, options_{options}, shard_{shard}, blur_{blur}, context_{context} {}

  FrameShareReport run() {
    Stages stages;
    Stopwatch watch{stages};
    const bool is_done = come_in();
    report_.seed = *shared_.scene.seed;
    report_.frames = frames_of(shard_, shared_.scene);
    if (!is_done) {
      if (report_.frames.count() > 0) make_part();
      go_out();
    }
    report_.seconds = watch.total();
    return report_;
  }

 private:
  [[nodiscard]] fs::path lock_path() const {
    return path_with_ending(options_.directory, kShardsEnding);
  }

  [[nodiscard]] Json request() {
    return expected_set(shared_.scene, options_, shared_.plans, inputs_, context_.pool).record;
  }

  /// Begins, or continues what others began. @returns whether the data set is whole
  bool come_in() {
    imageio::LockFile lock{lock_path()};
    const auto begun = begun_at(lock);
    if (begun)
      follow(*begun);
    else
      decide();
    if (state(options_, FileCheck::content).kind == DataSetState::Kind::finished) {
      clear(lock);
      return true;
    }
    DataSet::require_free(options_);
    if (begun) return false;
    fs::create_directory(path_with_ending(options_.directory, kPartsEnding));
    Json plans = Json::array();
    for (const fftconv::Plan& plan : shared_.plans) plans.push_back(to_json(plan));
    lock.write(text_of({{"shards", shard_.count},
                        {"seed", *shared_.scene.seed},
                        {"request", request()},
                        {"plans", plans}}));
    return false;
  }

  void decide() {
    shared_.scene = asked_;
    shared_.scene.seed =
        seed_to_resume(asked_.seed, options_.directory / kSceneRecord, context_.log);
    if (!shared_.scene.seed) shared_.scene.seed = drawn_seed(context_.log);
    shared_.plans = plan_simulation(shared_.scene, blur_.machine(), context_, options_, inputs_);
  }

  void follow(const Json& begun) {
    const fs::path lock = lock_path();
    const SharedWork work{options_.directory, lock, begun};
    work.require_shards(shard_);
    shared_.scene = asked_;
    shared_.scene.seed = work.seed(asked_.seed);
    const auto plans =
        read_begun(lock, [&] { return begun.at("plans").get<std::vector<std::string>>(); });
    work.require_images(plans.size(), channels_of(asked_, options_.channel).size());
    for (const std::string& plan : plans) shared_.plans.push_back(fftconv::plan_from_json(plan));
    work.require_request(request());
  }

  [[nodiscard]] DataSetState state(const SimulateOptions& options, FileCheck check) {
    return data_set_state_of(shared_.scene, options, shared_.plans, inputs_, context_.pool, check);
  }

  /// Returns whether a part is whole and cut as the others are, so that the whole has the bytes of
  /// one process.
  bool is_there(const SimulateOptions& part, FileCheck check) {
    const DataSetState its = state(part, check);
    return its.kind == DataSetState::Kind::finished && its.is_blurred_alike;
  }

  void make_part() {
    auto its = options_of_part(shard_, shared_.scene, options_);
    if (is_there(its, FileCheck::content)) return;
    its.plans = shared_.plans;
    report_.made = simulate(shared_.scene, its, blur_, context_);
  }

  /// Joins the parts if all are there.
  void go_out() {
    const imageio::LockFile lock{lock_path()};
    if (!begun_at(lock)) return;  // another process was faster
    // Only the last process reads the content of the parts
    static_cast<void>(parts_that_are_there(FileCheck::sizes));
    if (!report_.missing.empty()) return;
    const auto parts = parts_that_are_there(FileCheck::content);
    if (!report_.missing.empty()) return;
    join_parts(shared_.scene, options_, parts, context_);
    clear(lock);
  }

  /// Returns the parts that exist, and reports the others as missing.
  std::vector<PartOfSet> parts_that_are_there(FileCheck check) {
    std::vector<PartOfSet> parts;
    for (std::int64_t number = 1; number <= shard_.count; ++number) {
      const auto its = options_of_part({number, shard_.count}, shared_.scene, options_);
      if (its.frames->count() == 0) continue;
      if (is_there(its, check))
        parts.push_back({*its.frames, its.directory});
      else
        report_.missing.push_back(number);
    }
    return parts;
  }

  /// Removes parts and lock file, since the data set is whole.
  void clear(const imageio::LockFile& lock) const {
    remove_parts(options_.directory);
    lock.remove();
  }

  const SceneSpec& asked_;
  const SimulateOptions& options_;
  Shard shard_;
  fftconv::Executor& blur_;
  const RunContext& context_;
  SceneInputs inputs_{context_.stop, &context_.log};
  SharedFrames shared_;
  FrameShareReport report_;
};

/// Returns whether a folder holds only files of a simulation, which a killed process may have left.
bool holds_nothing_foreign(const fs::path& folder) {
  try {
    DataSetFolder::require_free(folder, true, may_be_simulated);
    return true;
  } catch (const InvalidSpec&) {
    return false;
  }
}

}  // namespace

fs::path path_with_ending(const fs::path& folder, const char* ending) {
  return (folder.has_filename() ? folder : folder.parent_path()).string() + ending;
}

fs::path shard_folder(const fs::path& folder, const Shard& shard) {
  return path_with_ending(folder, kPartsEnding) /
         fmt::format("part-{}-of-{}", shard.number, shard.count);
}

void remove_parts(const fs::path& folder) {
  static const std::regex kParts{R"(part-[0-9]+-of-[0-9]+(\.partial)?)"};
  const fs::path parts = path_with_ending(folder, kPartsEnding);
  std::error_code ignored;
  std::vector<fs::path> made;
  for (const auto& entry : fs::directory_iterator{parts, ignored})
    if (std::regex_match(entry.path().filename().string(), kParts) &&
        holds_nothing_foreign(entry.path()))
      made.push_back(entry.path());
  for (const fs::path& part : made) fs::remove_all(part, ignored);
  fs::remove(parts, ignored);  // fails if something is in it
}

FrameShareReport share_frames(const SceneSpec& scene, const SimulateOptions& options,
                              const Shard& shard, fftconv::Executor& blur,
                              const RunContext& context) {
  if (scene.frames == 1)
    throw InvalidSpec(
        fmt::format("simulate --shard {}: the scene has only one frame, so it cannot be shared; "
                    "leave --shard out, or give frames or [sweep]",
                    name_of(shard)));
  return FrameShare{scene, options, shard, blur, context}.run();
}

}  // namespace synthoscope::simulator
