// SPDX-License-Identifier: MIT
#include "simulator/share/volume_share.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include "core/base/error.hpp"
#include "fftconv/plan/cuts/ring_turns.hpp"
#include "imageio/formats.hpp"
#include "imageio/output/partial_file.hpp"
#include "simulator/imaging/psf_memory.hpp"
#include "simulator/run/volume_part.hpp"
#include "simulator/scene/channels.hpp"
#include "simulator/share/shared_stacks.hpp"

namespace synthoscope::simulator {
namespace {

namespace fs = std::filesystem;

/// Key of what a shard wrote, in its scene.json.
constexpr const char* kShareKey = "share";

/// The steps of a shard. Nothing is recorded before they are all done.
class StepsOfShard final : public Checkpoint {
 public:
  explicit StepsOfShard(const Shard& shard) : shard_{shard} {}
  [[nodiscard]] IntervalSet to_do(std::int64_t all) const override {
    return IntervalSet{share_of(shard_, all)};
  }
  void finish(const IntervalSet&) override {}
  [[nodiscard]] bool is_due() const override { return false; }

 private:
  Shard shard_;
};

class VolumeShare final : public SharedSet {
 public:
  VolumeShare(const SceneSpec& scene, const SimulateOptions& options, const Shard& shard,
              fftconv::Executor& blur, const RunContext& context)
      : SharedSet{scene, options, shard, blur, context} {}

 private:
  /// Returns plans with at least one step for each shard, which a part of the memory makes if all
  /// of it does not; otherwise those with the most steps.
  [[nodiscard]] std::vector<fftconv::Plan> make_plans() override {
    require_shareable();
    std::vector<fftconv::Plan> best;
    fftconv::Machine machine = blur_.machine();
    for (bool is_whole = true; shared_steps(best) < shard_.count; is_whole = false) {
      auto possible = plans_on(machine, is_whole);
      if (possible.empty()) break;
      for (auto& plans : possible)
        if (shared_steps(plans) > std::max<std::int64_t>(1, shared_steps(best)))
          best = std::move(plans);
      machine.host_bytes = std::min(machine.host_bytes, context_.memory.limit()) / 2;
      if (machine.gpu) machine.gpu->memory_bytes /= 2;
    }
    if (best.empty())
      throw InvalidSpec(fmt::format(
          "simulate --shard {}: the scene has one frame, and its blur has only one step, so it "
          "cannot be shared; leave --shard out, or give --strategy ring or tiles",
          name_of(shard_)));
    if (shared_steps(best) < shard_.count)
      context_.log.note(
          fmt::format("there are {} steps for {} shards, so some shards have nothing to do; use "
                      "fewer shards",
                      shared_steps(best), shard_.count));
    return best;
  }

  /// Returns the plans of each strategy that the machine can run: the one that is asked for, or
  /// also rings and tiles.
  /// @param must  what is asked for has to be possible
  std::vector<std::vector<fftconv::Plan>> plans_on(const fftconv::Machine& machine, bool must) {
    using fftconv::Strategy;
    std::vector<Strategy> strategies{options_.strategy};
    if (options_.strategy == Strategy::automatic && options_.plans.empty())
      strategies.insert(strategies.end(), {Strategy::ring, Strategy::tiles});
    std::vector<std::vector<fftconv::Plan>> all;
    for (const Strategy strategy : strategies) try {
        SimulateOptions its = options_;
        its.strategy = strategy;
        all.push_back(plan_simulation(scene_, machine, context_, its, inputs_));
      } catch (const PlanError&) {
        if (must && strategy == options_.strategy) throw;
      } catch (const OutOfDeviceMemory&) {
        if (must && strategy == options_.strategy) throw;
      }
    return all;
  }

  void require_shareable() const {
    const bool is_packed = options_.compression != imageio::Compression::none;
    if (is_packed || imageio::order_of(options_.format, options_.compression) != BoxOrder::any)
      throw InvalidSpec(fmt::format(
          "simulate --shard {} with --compression {}: the scene has one frame, which all shards "
          "write, and the place of a compressed plane depends on the planes before it; use "
          "--compression none",
          name_of(shard_), name_in(imageio::kCompressionNames, options_.compression)));
  }

  [[nodiscard]] std::int64_t all() const override { return shared_steps(plans_); }

  [[nodiscard]] bool is_there(const Shard& shard, FileCheck) override {
    return is_share_done(shard_folder(options_.directory, shard), request());
  }

  Stages make() override {
    SimulateOptions its = options_;
    its.directory = shard_folder(options_.directory, shard_);
    its.overwrite = true;  // what an earlier run left there
    its.plans = plans_;
    its.psfs = &psfs_;
    const Blurs blurs{*this};
    DataSet own{scene_, its, blurs.all, context_};
    const StackFiles files = stack_files();
    const fs::path folder = stacks_folder(), lock = lock_path();
    const SharedStacks stacks{own, files, folder, lock};
    StepsOfShard steps{shard_};
    RunContext context = context_;
    context.checkpoint = &steps;
    Stages stages = image_part_of_volume(scene_, its, stacks, blur_, context);
    if (options_.inputs) options_.inputs->require_unchanged();
    Json record = request();
    for (const SharedStack& stack : stacks.written()) record[kShareKey].push_back(to_json(stack));
    own.begin_record(record);
    own.commit();
    return stages;
  }

  std::vector<std::int64_t> join(Stages& stages) override {
    Stopwatch watch{stages};
    const auto written = written_by_shards();
    const StackFiles files = stack_files();
    const fs::path folder = stacks_folder();
    try {
      for (std::size_t i = 0; i < written.begin()->second.size(); ++i) {
        std::vector<SharedStack> parts;
        for (const auto& [number, stacks] : written) parts.push_back(stacks.at(i));
        finish_shared_stack(files, folder, parts);
      }
    } catch (const imageio::LeftoverChanged&) {
      auto changed = forget_changed(files, written);
      if (changed.empty()) throw;
      return changed;
    }
    watch.lap("join");
    SimulateOptions its = options_;
    its.plans = plans_;
    its.psfs = &psfs_;
    its.recorded = folder;
    watch.add(simulate(scene_, its, blur_, context_).stages);
    return {};
  }

  /// Stacks by the number of the shard.
  using Written = std::map<std::int64_t, std::vector<SharedStack>>;

  [[nodiscard]] Written written_by_shards() const {
    Written written;
    for (std::int64_t number = 1; number <= shard_.count; ++number) {
      const Shard shard{number, shard_.count};
      if (share_of_shard(shard).count == 0) continue;
      const Json record =
          parse_json(text_in(shard_folder(options_.directory, shard) / kSceneRecord));
      for (const Json& stack : record.at(kShareKey))
        written[number].push_back(shared_stack_of(stack));
    }
    return written;
  }

  /// Removes the records of shards that were changed after they were made. @returns their numbers
  std::vector<std::int64_t> forget_changed(const StackFiles& files, const Written& written) const {
    std::vector<std::int64_t> changed;
    for (const auto& [number, stacks] : written) {
      const bool is_whole = std::all_of(stacks.begin(), stacks.end(), [&](const SharedStack& one) {
        return is_as_written(files, stacks_folder(), one);
      });
      if (is_whole) continue;
      changed.push_back(number);
      fs::remove(shard_folder(options_.directory, {number, shard_.count}) / kSceneRecord);
      context_.log.warn(fmt::format(
          "the part of shard {} of {} in {} was changed after that shard wrote it; run the command "
          "of that shard again",
          number, shard_.count, options_.directory.string()));
    }
    return changed;
  }

  /// The plans of all images with their PSFs.
  struct Blurs {
    explicit Blurs(const VolumeShare& share) {
      for (const Channel& channel : channels_of(share.scene_, share.options_.channel))
        references.push_back(references_of(channel.scene, share.context_.pool));
      for (std::size_t i = 0; i < references.size(); ++i)
        all.push_back({share.plans_[i], references[i]});
    }
    std::vector<References> references;
    std::vector<ImageBlur> all;
  };

  [[nodiscard]] StackFiles stack_files() const {
    return {scene_, options_, layout_of(scene_, options_, Blurs{*this}.all), context_};
  }
  [[nodiscard]] fs::path stacks_folder() const {
    return path_with_ending(options_.directory, kPartsEnding) / kSharedStacks;
  }

  PsfMemory psfs_;
};

}  // namespace

std::int64_t shared_steps(const std::vector<fftconv::Plan>& plans) {
  if (plans.empty()) return 0;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const fftconv::Plan& plan : plans) least = std::min(least, fftconv::step_count(plan));
  return least;
}

bool is_share_done(const fs::path& folder, const Json& request) {
  auto record = try_parse_json(text_in(folder / kSceneRecord));
  if (!record || !record->is_object() || !record->contains(kShareKey)) return false;
  record->erase(kShareKey);
  return *record == request;
}

std::unique_ptr<SharedSet> make_volume_share(const SceneSpec& scene, const SimulateOptions& options,
                                             const Shard& shard, fftconv::Executor& blur,
                                             const RunContext& context) {
  return std::make_unique<VolumeShare>(scene, options, shard, blur, context);
}

}  // namespace synthoscope::simulator
