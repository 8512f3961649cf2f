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

namespace synthoscope::studio {
namespace {

Json json_of(const Extent3& e) {
  return {e.z, e.y, e.x};
}

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

/// The stacks of an image by their names, in the order in which they are published.
std::vector<std::pair<std::string_view, SharedStack>> stacks_of(const ShownImage& image) {
  return {{"light", image.light},
          {"photons", image.photons},
          {"image", image.counts},
          {"psf", image.psf}};
}

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

Json json_of(std::string_view name, const Json& channel, const Stack& stack) {
  return {{"name", name},
          {"channel", channel},
          {"type", name_of(stack.type)},
          {"extent", json_of(stack.extent)}};
}

Json json_of_channel(const ShownImage& image) {
  return image.channel.empty() ? Json(nullptr) : Json(image.channel);
}

Json stacks_json(const Shown& shown) {
  Json rows = Json::array();
  rows.push_back(json_of("labels", nullptr, *shown.labels));
  for (const ShownImage& image : shown.images)
    for (const auto& [name, stack] : stacks_of(image))
      rows.push_back(json_of(name, json_of_channel(image), *stack));
  return rows;
}

Json json_of(const std::optional<double>& number) {
  return number ? Json(*number) : Json(nullptr);
}

Json json_of(const std::optional<simulator::EnergyBalance>& light) {
  if (!light) return nullptr;
  return {{"emitted", light->emitted},
          {"collected", light->collected},
          {"unbounded", light->unbounded},
          {"image", light->image},
          {"lost_by_window", light->lost_by_window},
          {"lost_by_field", light->lost_by_field}};
}

Json images_json(const Shown& shown) {
  Json rows = Json::array();
  for (const ShownImage& image : shown.images) {
    const ImageNumbers& numbers = image.numbers;
    Json widths = Json::array();
    for (const auto& width : numbers.psf_widths_um) widths.push_back(json_of(width));
    rows.push_back({{"channel", json_of_channel(image)},
                    {"snr", json_of(numbers.median_snr)},
                    {"objects", numbers.objects},
                    {"saturated", numbers.saturated},
                    {"median_counts", numbers.median_counts},
                    {"found_dose", json_of(numbers.found_dose)},
                    {"psf_widths_um", widths},
                    {"light_ledger", json_of(numbers.light_ledger)}});
  }
  return rows;
}

Json event_of(std::int64_t id, const Shown& shown) {
  Json walls = Json::object();
  for (const auto& [stage, wall] : shown.seconds) walls[stage] = wall;
  const Index3& origin = shown.region.origin;
  return {{"type", "preview"},
          {"id", id},
          {"region",
           {{"origin", {origin.z, origin.y, origin.x}}, {"extent", json_of(shown.region.size)}}},
          {"seconds", walls},
          {"stacks", stacks_json(shown)},
          {"images", images_json(shown)},
          {"seed", shown.seed},
          {"is_seed_drawn", shown.is_seed_drawn},
          {"warnings", shown.warnings}};
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
  const auto found = published(id, name, number);
  return found ? found->voxels : nullptr;
}

std::optional<PublishedStack> LivePreview::published(std::int64_t id, std::string_view name,
                                                     std::size_t number) const {
  const std::scoped_lock lock{mutex_};
  if (id != shown_id_ || id == 0 || number >= shown_.images.size()) return std::nullopt;
  const simulator::Channel& channel = shown_channels_.at(number);
  const VoxelSize& grid = channel.scene.grid.pitch;
  if (name == "labels")
    return number == 0 ? std::optional{PublishedStack{shown_.labels, grid, {}, {}}} : std::nullopt;
  for (const auto& [known, stack] : stacks_of(shown_.images[number]))
    if (known == name)
      return PublishedStack{stack,
                            name == "psf" ? psf_voxel(channel.scene)
                                          : voxel_of(stack->extent, shown_.region.size, grid),
                            channel.name, channel.scene.optics.wavelength_nm};
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
    const Json event = event_of(asked.id, shown);
    {
      const std::scoped_lock lock{mutex_};
      shown_id_ = asked.id;
      shown_ = std::move(shown);
      shown_channels_ = std::move(channels);
    }
    events_.publish(event);
  } catch (const Interrupted&) {
  } catch (const std::exception& failure) {
    events_.publish({{"type", "failed"}, {"id", asked.id}, {"error", failure.what()}});
  }
}

}  // namespace synthoscope::studio
