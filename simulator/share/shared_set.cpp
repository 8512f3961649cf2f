// SPDX-License-Identifier: MIT
#include "simulator/share/shared_set.hpp"
#include "core/base/error.hpp"
#include "simulator/data_set/data_set.hpp"
#include "simulator/scene/channels.hpp"
#include "simulator/share/shared_work.hpp"

namespace synthoscope::simulator {

SceneShareReport SharedSet::run() {
  Stages total;
  Stopwatch watch{total};
  const bool is_done = come_in();
  report_.seed = *scene_.seed;
  report_.are_frames = scene_.frames > 1;
  report_.own = share_of_shard(shard_);
  if (!is_done) {
    if (report_.own.count > 0 && !is_there(shard_, FileCheck::content)) {
      report_.stages = make();
      report_.is_kept = false;
    }
    go_out();
  }
  report_.seconds = watch.total();
  return report_;
}

/// Begins, or continues what others began. @returns whether the data set is whole
bool SharedSet::come_in() {
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
  std::filesystem::create_directory(path_with_ending(options_.directory, kPartsEnding));
  Json plans = Json::array();
  for (const fftconv::Plan& plan : plans_) plans.push_back(to_json(plan));
  lock.write(text_of({{"shards", shard_.count},
                      {"seed", *scene_.seed},
                      {"request", request()},
                      {"plans", plans}}));
  return false;
}

void SharedSet::decide() {
  scene_ = asked_;
  scene_.seed = seed_to_resume(asked_.seed, options_.directory / kSceneRecord, context_.log);
  if (!scene_.seed) scene_.seed = drawn_seed(context_.log);
  plans_ = make_plans();
}

void SharedSet::follow(const Json& begun) {
  const std::filesystem::path lock = lock_path();
  const SharedWork work{options_.directory, lock, begun};
  work.require_shards(shard_);
  scene_ = asked_;
  scene_.seed = work.seed(asked_.seed);
  const auto plans =
      read_begun(lock, [&] { return begun.at("plans").get<std::vector<std::string>>(); });
  work.require_images(plans.size(), channels_of(asked_, options_.channel).size());
  for (const std::string& plan : plans) plans_.push_back(fftconv::plan_from_json(plan));
  work.require_request(request());
}

Json SharedSet::request() {
  return expected_set(scene_, options_, plans_, inputs_, context_.pool).record;
}

DataSetState SharedSet::state(const SimulateOptions& options, FileCheck check) {
  return data_set_state_of(scene_, options, plans_, inputs_, context_.pool, check);
}

/// Joins the shares if all are there.
void SharedSet::go_out() {
  const imageio::LockFile lock{lock_path()};
  if (!begun_at(lock)) return;  // another process was faster
  report_.missing = missing(FileCheck::sizes);
  // Only the last process reads the content
  if (report_.missing.empty()) report_.missing = missing(FileCheck::content);
  if (report_.missing.empty()) report_.missing = join(report_.stages);
  if (report_.missing.empty()) clear(lock);
}

std::vector<std::int64_t> SharedSet::missing(FileCheck check) {
  std::vector<std::int64_t> numbers;
  for (std::int64_t number = 1; number <= shard_.count; ++number) {
    const Shard shard{number, shard_.count};
    if (share_of_shard(shard).count > 0 && !is_there(shard, check)) numbers.push_back(number);
  }
  return numbers;
}

/// Removes parts and lock file, since the data set is whole.
void SharedSet::clear(const imageio::LockFile& lock) const {
  remove_parts(options_.directory);
  lock.remove();
}

}  // namespace synthoscope::simulator
