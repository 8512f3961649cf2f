// SPDX-License-Identifier: MIT
#include "simulator/sweep/share.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <numeric>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "fftconv/plan.hpp"
#include "imageio/output/atomic_file.hpp"
#include "simulator/imaging/psf_memory.hpp"
#include "simulator/scene/channels.hpp"
#include "simulator/share/shared_work.hpp"
#include "simulator/sweep/folder.hpp"
#include "simulator/sweep/sets.hpp"

namespace synthoscope::simulator {
namespace {

/// Lists each plan once, since many sets have the same plans.
Json plans_record(const std::vector<std::vector<fftconv::Plan>>& plans) {
  std::map<std::string, std::size_t> numbers;
  Json different = Json::array(), of_sets = Json::array();
  for (const auto& of_set : plans) {
    Json of_channels = Json::array();
    for (const fftconv::Plan& plan : of_set) {
      const auto [place, is_new] = numbers.emplace(to_json(plan), numbers.size());
      if (is_new) different.push_back(place->first);
      of_channels.push_back(place->second);
    }
    of_sets.push_back(of_channels);
  }
  return {{"different", different}, {"of_sets", of_sets}};
}

std::vector<std::vector<fftconv::Plan>> plans_in(const Json& record) {
  std::vector<fftconv::Plan> different;
  for (const Json& text : record.at("different"))
    different.push_back(fftconv::plan_from_json(text.get<std::string>()));
  std::vector<std::vector<fftconv::Plan>> plans;
  for (const Json& of_channels : record.at("of_sets")) {
    auto& of_set = plans.emplace_back();
    for (const Json& number : of_channels) of_set.push_back(different.at(number));
  }
  return plans;
}

/// Returns the approximate work for a set: its voxels.
double work_of(const SceneSpec& scene) {
  const auto images = std::max<std::size_t>(1, scene.channels.size());
  return static_cast<double>(volume(scene.grid.extent)) * static_cast<double>(scene.frames) *
         static_cast<double>(images);
}

std::vector<std::size_t> sets_of_shard(const DecidedSweep& decided, const Shard& shard) {
  std::vector<double> works;
  for (const auto& set : decided.sets) works.push_back(work_of(set.scene));
  const auto owners = shared_out(works, shard.count);
  std::vector<std::size_t> own;
  for (std::size_t i = 0; i < owners.size(); ++i)
    if (owners[i] == shard.number) own.push_back(i);
  return own;
}

/// One process of several that make the sets of a sweep.
class SweepShare {
 public:
  SweepShare(const SceneSpec& scene, const SweepSpec& sweep, const SimulateOptions& options,
             const Shard& shard, fftconv::Executor& blur, const RunContext& context)
      : scene_{scene},
        sweep_{sweep},
        options_{options},
        shard_{shard},
        blur_{blur},
        context_{context},
        lock_path_{options.directory / kSweepShards},
        folder_{SweepFolder::shared(options.directory)} {}

  SweepReport run() {
    Stopwatch watch{report_.stages};
    const bool is_done = come_in();
    report_.seed = decided_.seed;
    for (const auto& set : decided_.sets) report_.folders.push_back(set.folder);
    watch.lap("plan");
    if (is_done) {
      for (const auto& set : decided_.sets) keep_set(set, options_, report_);
    } else {
      make_own();
      go_out();
    }
    report_.seconds = watch.total();
    return report_;
  }

 private:
  /// Begins the sweep, or continues what others began. @returns whether all of it is there
  bool come_in() {
    imageio::LockFile lock{lock_path_};
    if (const auto begun = begun_at(lock)) {
      follow(*begun);
      return false;
    }
    decided_ = decide_sweep(folder_, scene_, sweep_, options_, /*resume=*/true, inputs_,
                            blur_.machine(), context_);
    if (is_whole(decided_, sweep_, options_)) return true;
    begin_sweep(folder_, decided_, sweep_, options_);
    lock.write(text_of({{"shards", shard_.count},
                        {"seed", decided_.seed},
                        {"request", request()},
                        {"plans", plans_record(decided_.plans)},
                        {"sets", digests()},
                        {"choices", free_choices(options_)},
                        {"table", sweep_table(sweep_, decided_.sets)}}));
    return false;
  }

  /// Uses seed and plans of the process that began the sweep.
  void follow(const Json& begun) {
    const SharedWork work{options_.directory, lock_path_, begun};
    work.require_shards(shard_);
    decided_.seed = work.seed(scene_.seed);
    decided_.sets = sets_of(scene_, sweep_, static_cast<std::uint64_t>(decided_.seed));
    work.require_key("sweep", sweep_now());
    decided_.plans = read_begun(lock_path_, [&] { return plans_in(begun.at("plans")); });
    if (decided_.plans.size() != decided_.sets.size()) refuse_lock_file(lock_path_);
    for (std::size_t i = 0; i < decided_.sets.size(); ++i)
      work.require_images(decided_.plans[i].size(),
                          channels_of(decided_.sets[i].scene, options_.channel).size());
    work.require_request(request());
  }

  /// Returns what must be equal for all processes: the whole record of the first set covers keys
  /// that are not swept, and how files are written.
  Json request() {
    const SweepSet& first = decided_.sets.front();
    Json request = expected_set(first.scene, options_for(first, options_), decided_.plans.front(),
                                inputs_, context_.pool)
                       .record;
    request["sweep"] = sweep_now();
    return request;
  }

  /// Returns the digest of every set to be made; older sets have different ones.
  [[nodiscard]] Json digests() {
    Json digests = Json::object();
    for (std::size_t i = 0; i < decided_.sets.size(); ++i) {
      const SweepSet& set = decided_.sets[i];
      digests[set.folder] = digest_of(expected_set(set.scene, options_for(set, options_),
                                                   decided_.plans[i], inputs_, context_.pool)
                                          .record,
                                      free_choices(options_));
    }
    return digests;
  }

  [[nodiscard]] Json sweep_now() const {
    return parse_json(sweep_record(decided_.seed, sweep_, decided_.sets));
  }

  void make_own() {
    const auto own = sets_of_shard(decided_, shard_);
    for (const std::size_t i : own) try {
        make_unless_there(i);
      } catch (const Interrupted&) {
        throw Interrupted(
            fmt::format("shard {} was stopped when {} of its {} data sets were complete; the same "
                        "command continues",
                        name_of(shard_), report_.made + report_.kept, own.size()));
      }
  }

  void make_unless_there(std::size_t i) {
    const DataSetState state = state_now(i, FileCheck::content);
    if (state.kind == DataSetState::Kind::finished)
      return keep_set(decided_.sets[i], options_, report_);
    if (state.kind == DataSetState::Kind::other && !options_.overwrite)
      refuse_other(
          fmt::format("share sweep {}: {}", options_.directory.string(), decided_.sets[i].folder),
          state);
    SimulateOptions shared = options_;
    shared.psfs = &psfs_;
    make_set(decided_, i, shared, blur_, context_, report_);
  }

  /// Returns the present state of a set, which another shard may have made meanwhile.
  DataSetState state_now(std::size_t i, FileCheck check) {
    const SweepSet& set = decided_.sets[i];
    return data_set_state_of(set.scene, options_for(set, options_), decided_.plans[i], inputs_,
                             context_.pool, check);
  }

  /// Writes the table if all sets are there.
  void go_out() {
    const imageio::LockFile lock{lock_path_};
    if (!begun_at(lock)) return;  // another process was faster
    // Only the last process reads the content of the sets
    for (const FileCheck check : {FileCheck::sizes, FileCheck::content}) {
      for (std::size_t i = 0; i < decided_.sets.size(); ++i)
        if (state_now(i, check).kind != DataSetState::Kind::finished)
          report_.missing.push_back(decided_.sets[i].folder);
      if (!report_.missing.empty()) return;
    }
    imageio::write_file_atomically(options_.directory / kSweepTableFile,
                                   sweep_table(sweep_, decided_.sets), true);
    lock.remove();
  }

  const SceneSpec& scene_;
  const SweepSpec& sweep_;
  const SimulateOptions& options_;
  Shard shard_;
  fftconv::Executor& blur_;
  PsfMemory psfs_;
  const RunContext& context_;
  std::filesystem::path lock_path_;
  SweepFolder folder_;
  SceneInputs inputs_{context_.stop, &context_.log};
  DecidedSweep decided_;
  SweepReport report_;
};

}  // namespace

std::vector<std::int64_t> shared_out(const std::vector<double>& works, std::int64_t shards) {
  std::vector<std::size_t> order(works.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return works[a] > works[b]; });
  std::vector<double> load(static_cast<std::size_t>(shards), 0);
  std::vector<std::int64_t> owners(works.size());
  for (const std::size_t i : order) {
    const auto least = std::min_element(load.begin(), load.end());
    *least += works[i];
    owners[i] = least - load.begin() + 1;
  }
  return owners;
}

SweepReport share_sweep(const SceneSpec& scene, const SweepSpec& sweep,
                        const SimulateOptions& options, const Shard& shard, fftconv::Executor& blur,
                        const RunContext& context) {
  return SweepShare{scene, sweep, options, shard, blur, context}.run();
}

}  // namespace synthoscope::simulator
