// SPDX-License-Identifier: MIT
// simulator/share/shared_set.hpp — one of several processes that make a data set together. It
// follows what they agreed on, and joins the parts if all are there.
#pragma once
#include <cstdint>
#include <filesystem>
#include <vector>
#include "core/base/json.hpp"
#include "fftconv/plan.hpp"
#include "imageio/output/lock_file.hpp"
#include "simulator/scene/file/inputs.hpp"
#include "simulator/share/data_set_state.hpp"
#include "simulator/share/scene_share.hpp"

namespace synthoscope::simulator {

/// The order of work. What a share is, the derived classes say.
class SharedSet {
 public:
  SharedSet(const SharedSet&) = delete;
  SharedSet& operator=(const SharedSet&) = delete;
  virtual ~SharedSet() = default;

  /// Makes the share unless it is there, and joins all shares if no other is missing.
  SceneShareReport run();

 protected:
  /// All references must outlive this.
  SharedSet(const SceneSpec& scene, const SimulateOptions& options, const Shard& shard,
            fftconv::Executor& blur, const RunContext& context)
      : asked_{scene}, options_{options}, shard_{shard}, blur_{blur}, context_{context} {}

  /// Returns the plans of all images, which the first process makes for all.
  [[nodiscard]] virtual std::vector<fftconv::Plan> make_plans() = 0;

  /// Returns how much there is to share.
  [[nodiscard]] virtual std::int64_t all() const = 0;

  /// Returns whether the share of a shard is there, whole and as the plans say.
  [[nodiscard]] virtual bool is_there(const Shard& shard, FileCheck check) = 0;

  /// Makes the share of this process. @returns the stages
  virtual Stages make() = 0;

  /// Makes the data set of all shares. May find that some were changed after they were made, and
  /// leaves the set alone then.
  /// @returns the shards that have to be made again
  virtual std::vector<std::int64_t> join(Stages& stages) = 0;

  [[nodiscard]] std::filesystem::path lock_path() const {
    return path_with_ending(options_.directory, kShardsEnding);
  }
  [[nodiscard]] Interval share_of_shard(const Shard& shard) const { return share_of(shard, all()); }
  /// Returns the state of a data set of the scene with the plans.
  [[nodiscard]] DataSetState state(const SimulateOptions& options, FileCheck check);
  /// Returns scene.json without sizes and hashes of files.
  [[nodiscard]] Json request();

  const SceneSpec& asked_;
  const SimulateOptions& options_;
  Shard shard_;
  fftconv::Executor& blur_;
  const RunContext& context_;
  SceneInputs inputs_{context_.stop, &context_.log};
  SceneSpec scene_;                   ///< with its seed
  std::vector<fftconv::Plan> plans_;  ///< of the first process

 private:
  bool come_in();
  void decide();
  void follow(const Json& begun);
  void go_out();
  [[nodiscard]] std::vector<std::int64_t> missing(FileCheck check);
  void clear(const imageio::LockFile& lock) const;

  SceneShareReport report_;
};

}  // namespace synthoscope::simulator
