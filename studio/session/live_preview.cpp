// SPDX-License-Identifier: MIT
#include "studio/session/live_preview.hpp"
#include <atomic>
#include <chrono>
#include <exception>
#include <string>
#include <utility>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/volume/pixel_type.hpp"
#include "simulator/scene/blur_setup.hpp"
#include "studio/session/preview_event.hpp"

namespace synthoscope::studio {
namespace {

/// Publishes how far a preview has come, some times a second.
class PublishedProgress final : public Progress {
 public:
  PublishedProgress(std::int64_t id, EventStream& events) : id_{id}, events_{events} {}

  void begin(std::string_view stage, std::int64_t total) override {
    const std::scoped_lock lock{mutex_};
    stage_ = stage;
    total_ = total;
    done_ = 0;
    publish();
  }
  void advance(std::int64_t units) override {
    const std::scoped_lock lock{mutex_};
    done_ += units;
    if (std::chrono::steady_clock::now() - published_ >= kPause) publish();
  }

 private:
  static constexpr std::chrono::milliseconds kPause{100};

  void publish() {
    published_ = std::chrono::steady_clock::now();
    events_.publish(
        {{"type", "progress"}, {"id", id_}, {"stage", stage_}, {"done", done_}, {"total", total_}});
  }

  const std::int64_t id_;
  EventStream& events_;
  std::mutex mutex_;
  std::string stage_;
  std::int64_t total_ = 0, done_ = 0;
  std::chrono::steady_clock::time_point published_;
};

/// Returns the voxel of a stack that covers a region of the grid: a camera that bins has larger
/// ones.
VoxelSize voxel_of(const Extent3& stack, const Extent3& region, const VoxelSize& grid) {
  const auto ratio = [](std::int64_t region_voxels, std::int64_t stack_voxels) {
    return static_cast<double>(region_voxels) / static_cast<double>(stack_voxels);
  };
  return {grid.z_um * ratio(region.z, stack.z), grid.y_um * ratio(region.y, stack.y),
          grid.x_um * ratio(region.x, stack.x)};
}

/// Returns the voxel of the grid of the blur.
VoxelSize psf_voxel(const simulator::SceneSpec& scene) {
  return simulator::blur_grid(scene).pitch;
}

}  // namespace

LivePreview::LivePreview(fftconv::Executor& blur, EventStream& events, const RunContext& context)
    : events_{events}, context_{context}, preview_{blur}, thread_{[this] { work(); }} {}

LivePreview::~LivePreview() {
  {
    const std::scoped_lock lock{mutex_};
    ends_ = true;
    if (at_work_) at_work_->request();
  }
  has_come_.notify_all();
  thread_.join();
}

std::int64_t LivePreview::request(PreviewRequest request) {
  auto stop = std::make_shared<StopFlag>(context_.stop);
  const std::scoped_lock lock{mutex_};
  if (at_work_) at_work_->request();
  at_work_ = stop;
  waiting_ = Asked{++last_id_, std::move(request), std::move(stop)};
  has_come_.notify_all();
  return last_id_;
}

SharedStack LivePreview::stack(std::int64_t id, std::string_view name, std::size_t number) const {
  const std::scoped_lock lock{mutex_};
  if (id != shown_id_ || id == 0 || number >= shown_.images.size()) return nullptr;
  if (name == "labels") return number == 0 ? shown_.labels : nullptr;
  for (const auto& [known, stack] : stacks_of(shown_.images[number]))
    if (known == name) return stack;
  return nullptr;
}

std::optional<PublishedStack> LivePreview::published(std::int64_t id, std::string_view name,
                                                     std::size_t number) const {
  const std::scoped_lock lock{mutex_};
  if (id != shown_id_ || id == 0 || number >= shown_.images.size()) return std::nullopt;
  const simulator::Channel& channel = shown_channels_.at(number);
  const VoxelSize& grid = channel.scene.grid.pitch;
  if (name == "labels")
    return number == 0 ? std::optional{PublishedStack{shown_.labels, grid, {}, {}}} : std::nullopt;
  const ShownImage& image = shown_.images[number];
  const auto described = [&](const SharedStack& stack, const VoxelSize& voxel) {
    return PublishedStack{stack, voxel, channel.name, channel.scene.optics.wavelength_nm};
  };
  if (name == "psf") return described(image.psf, psf_voxel(channel.scene));
  for (const auto& [known, stack] : stacks_of(image))
    if (known == name) return described(stack, voxel_of(stack->extent, shown_.region.size, grid));
  return std::nullopt;
}

void LivePreview::work() {
  while (const auto asked = next()) make(*asked);
}

/// Waits for a request. Returns nothing at the end.
std::optional<LivePreview::Asked> LivePreview::next() {
  std::unique_lock lock{mutex_};
  has_come_.wait(lock, [this] { return ends_ || waiting_; });
  if (ends_) return std::nullopt;
  return std::exchange(waiting_, std::nullopt);
}

/// What a request that was replaced leaves is kept for the next one; nobody waits for its event.
void LivePreview::make(const Asked& asked) {
  PublishedProgress progress{asked.id, events_};
  const RunContext context{context_.pool, context_.memory, progress, context_.log, *asked.stop};
  try {
    Shown shown = preview_.make(asked.request, context);
    auto channels = channels_of(asked.request.scene);
    first_shown_ = first_shown_in(asked.id, shown, first_shown_);
    const Json event = event_of(asked.id, shown, first_shown_);
    {
      const std::scoped_lock lock{mutex_};
      shown_id_ = asked.id;
      std::swap(shown_, shown);  // what was shown is released after the lock
      shown_channels_ = std::move(channels);
    }
    events_.publish(event);
  } catch (const Interrupted&) {
  } catch (const std::exception& failure) {
    events_.publish({{"type", "failed"}, {"id", asked.id}, {"error", failure.what()}});
  }
}

}  // namespace synthoscope::studio
