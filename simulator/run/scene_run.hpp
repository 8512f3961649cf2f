// SPDX-License-Identifier: MIT
// simulator/run/scene_run.hpp — the objects that the stages of a run of a scene share.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include "core/base/stopwatch.hpp"
#include "simulator/data_set/data_set.hpp"
#include "simulator/phantom/phantom.hpp"
#include "simulator/timelapse/timelapse.hpp"
#include "simulator/truth/objects.hpp"

namespace synthoscope::simulator {

/// Holds the phantom of the current frame.
class PlacedFrame {
 public:
  PlacedFrame(const Timelapse& timelapse, Stopwatch& watch)
      : timelapse_{timelapse}, watch_{watch} {}

  /// Makes the phantom of a frame. @throws as make_phantom.
  void place(std::int64_t frame, const RunContext& context) {
    phantom_.reset();
    phantom_ = timelapse_.phantom(frame, context);
    watch_.lap("phantom");
  }
  /// Returns the phantom. Requires a place() since the last clear().
  [[nodiscard]] const Phantom& phantom() const { return *phantom_; }
  void clear() { phantom_.reset(); }

 private:
  const Timelapse& timelapse_;
  Stopwatch& watch_;
  std::optional<Phantom> phantom_;
};

/// The data of all stages: the scene and its objects over time, the files, the current frame, and
/// the watch that times the stages.
struct SceneRun {
  const SceneSpec& scene;
  const Timelapse& timelapse;
  const DataSet& files;
  ObjectTable& objects;
  PlacedFrame& placed;
  Stopwatch& watch;
};

/// Returns "frame 3/10", or nothing if there is one.
inline std::string part_name(std::int64_t frame, std::int64_t frames) {
  return frames == 1 ? "" : "frame " + std::to_string(frame + 1) + "/" + std::to_string(frames);
}

}  // namespace synthoscope::simulator
