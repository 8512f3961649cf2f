// SPDX-License-Identifier: MIT
#include "simulator/share/frame_share.hpp"
#include "simulator/share/join_parts.hpp"

namespace synthoscope::simulator {
namespace {

class FrameShare final : public SharedSet {
 public:
  FrameShare(const SceneSpec& scene, const SimulateOptions& options, const Shard& shard,
             fftconv::Executor& blur, const RunContext& context)
      : SharedSet{scene, options, shard, blur, context} {}

 private:
  [[nodiscard]] std::vector<fftconv::Plan> make_plans() override {
    return plan_simulation(scene_, blur_.machine(), context_, options_, inputs_);
  }

  [[nodiscard]] std::int64_t all() const override { return scene_.frames; }

  /// A part must be cut as the others are, so that the whole has the bytes of one process.
  [[nodiscard]] bool is_there(const Shard& shard, FileCheck check) override {
    const DataSetState its = state(options_of_part(shard), check);
    return its.kind == DataSetState::Kind::finished && its.is_blurred_alike;
  }

  Stages make() override {
    SimulateOptions its = options_of_part(shard_);
    its.plans = plans_;
    return simulate(scene_, its, blur_, context_).stages;
  }

  std::vector<std::int64_t> join(Stages& stages) override {
    Stopwatch watch{stages};
    std::vector<PartOfSet> parts;
    for (std::int64_t number = 1; number <= shard_.count; ++number) {
      const auto its = options_of_part({number, shard_.count});
      if (its.frames->count() > 0) parts.push_back({*its.frames, its.directory});
    }
    join_parts(scene_, options_, parts, context_);
    watch.lap("join");
    return {};
  }

  /// Returns the options of a shard's part. It overwrites what an earlier run left there.
  [[nodiscard]] SimulateOptions options_of_part(const Shard& shard) const {
    SimulateOptions options = options_;
    options.directory = shard_folder(options_.directory, shard);
    const Interval share = share_of_shard(shard);
    options.frames = FrameRange{share.first, share.end() - 1};
    options.overwrite = true;
    return options;
  }
};

}  // namespace

std::unique_ptr<SharedSet> make_frame_share(const SceneSpec& scene, const SimulateOptions& options,
                                            const Shard& shard, fftconv::Executor& blur,
                                            const RunContext& context) {
  return std::make_unique<FrameShare>(scene, options, shard, blur, context);
}

}  // namespace synthoscope::simulator
