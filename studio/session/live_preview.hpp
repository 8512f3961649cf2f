// SPDX-License-Identifier: MIT
// studio/session/live_preview.hpp — previews that a page asks for, of which the newest wins.
#pragma once
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>
#include "core/base/units.hpp"
#include "core/run/run_context.hpp"
#include "fftconv/executor.hpp"
#include "simulator/scene/channels.hpp"
#include "studio/preview/preview.hpp"
#include "studio/server/event_stream.hpp"
#include "studio/session/preview_event.hpp"

namespace synthoscope::studio {

/// A stack of a preview, and what its voxels are.
struct PublishedStack {
  SharedStack voxels;
  VoxelSize voxel;
  std::string channel;                ///< empty: the scene has no channels
  std::optional<double> emission_nm;  ///< none for labels
};

/// Makes previews on a thread of its own, one at a time. A new request stops the preview at work
/// and replaces one that waits. Publishes events:
///
///     {"type": "progress", "id": 7, "stage": "blur", "done": 3, "total": 10}
///     {"type": "preview", "id": 7, "region": {...}, "seconds": {"blur": 0.2, ...},
///      "stacks": [{"name": "image", "channel": "gfp", "type": "uint16", "extent": [z, y, x],
///       "since": 5}, ...], "objects": {"count": 14, "touching": 9},
///      "images": [{"channel": "gfp", "snr": 5.1, "saturated": 0.001, "median_counts": 104,
///       "found_dose": null, "psf_widths_um": [z, y, x], "psf_includes_pixel": false,
///       "light_ledger": {"emitted": 1e9, "collected": 1e9, "unbounded": 2e10, "image": 1.8e10,
///        "lost_by_window": 1e9, "lost_by_field": 1e9}, "collects_all": true}, ...],
///      "seed": 12, "is_seed_drawn": false, "warnings": [...]}
///     {"type": "failed", "id": 7, "error": "..."}
///
/// where "since" is the number of the preview that first had these voxels, stacks are labels, then
/// light, photons, image and psf of each channel, and images are the numbers of each channel, null
/// where they are not known: see ObjectCounts, ImageNumbers and EnergyBalance. Thread-safe.
class LivePreview {
 public:
  /// All outlive this. @param context  a stop of it ends the preview at work
  LivePreview(fftconv::Executor& blur, EventStream& events, const RunContext& context);
  LivePreview(const LivePreview&) = delete;
  LivePreview& operator=(const LivePreview&) = delete;
  ~LivePreview();

  /// Returns the number of the preview that will be made.
  std::int64_t request(PreviewRequest request);

  /// Returns a stack of the last preview, as it is shown: of a PSF its middle. Null if preview `id`
  /// is no longer the last one, or has no such stack.
  /// @param number  of the channel, from 0; 0 for labels
  [[nodiscard]] SharedStack stack(std::int64_t id, std::string_view name, std::size_t number) const;

  /// Returns the whole stack with its description; nothing where `stack` returns null.
  [[nodiscard]] std::optional<PublishedStack> published(std::int64_t id, std::string_view name,
                                                        std::size_t number) const;

 private:
  struct Asked {
    std::int64_t id;
    PreviewRequest request;
    std::shared_ptr<StopFlag> stop;
  };

  void work();
  [[nodiscard]] std::optional<Asked> next();
  void make(const Asked& asked);

  EventStream& events_;
  const RunContext& context_;
  Preview preview_;
  mutable std::mutex mutex_;
  std::condition_variable has_come_;
  std::optional<Asked> waiting_;
  std::shared_ptr<StopFlag> at_work_;  ///< of the newest request
  std::int64_t last_id_ = 0;
  bool ends_ = false;
  std::int64_t shown_id_ = 0;
  Shown shown_;
  std::vector<simulator::Channel> shown_channels_;
  FirstShown first_shown_;  ///< of its stacks
  std::thread thread_;
};

}  // namespace synthoscope::studio
