// SPDX-License-Identifier: MIT
// studio/preview/preview.hpp — previews of scenes in memory: only stages that a change touches are
// done again.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>
#include "core/run/run_context.hpp"
#include "fftconv/executor.hpp"
#include "simulator/scene/scene.hpp"
#include "studio/preview/shown.hpp"

namespace synthoscope::studio {

struct PreviewRequest {
  simulator::SceneSpec scene;
  std::optional<Box3> region = {};  ///< of the grid; absent: its middle, at most kDefaultRegion
  std::int64_t frame = 0;
  /// Plans of simulate, one per channel, for a region that is the whole grid; empty: they are made.
  std::vector<fftconv::Plan> plans = {};
};

/// Makes previews one after another, and keeps the products of the last one. Objects, light, PSFs
/// and noise are computed by the code of `simulate`: labels equal those of its files. Counts are
/// equal, too, if the plans are; other plans, such as those for a GPU, round photons differently,
/// so that a few pixels in 100,000 collect one electron more or less.
class Preview {
 public:
  /// @param blur  must outlive this object; its machine is what plans are made for
  explicit Preview(fftconv::Executor& blur);
  ~Preview();
  Preview(const Preview&) = delete;
  Preview& operator=(const Preview&) = delete;

  /// Makes a preview. A scene without a seed gets one that is drawn once. After a failure or a
  /// stop, what was finished is kept, and the next call makes the rest. One call at a time; all
  /// calls have a context with the same memory budget.
  /// @throws InvalidSpec  the scene is not valid, or has no such region or frame; plans are given
  ///                      for a part of the grid.
  /// @throws PlanError    the memory budget is too small.
  /// @throws Interrupted  context.stop was set.  @throws as simulate
  Shown make(const PreviewRequest& request, const RunContext& context);

 private:
  struct Products;
  std::unique_ptr<Products> products_;
};

}  // namespace synthoscope::studio
