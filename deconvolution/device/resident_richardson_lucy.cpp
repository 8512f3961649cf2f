// SPDX-License-Identifier: MIT
#include "deconvolution/device/resident_richardson_lucy.hpp"
#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>
#include "core/stream/joined_source.hpp"
#include "core/stream/part_source.hpp"
#include "deconvolution/device/resident_part.hpp"

namespace synthoscope::deconvolution {
namespace {

using device::ResidentPart;
using device::WholeField;

}  // namespace

class ResidentRichardsonLucy::Run {
 public:
  Run(const Model& model, Source& image, bool has_momentum, std::span<const GpuShare> shares,
      std::int64_t device_bytes, const RunContext& context, const HostVolumes& host)
      : model_{model} {
    const SeenShare seen{model.geometry, model.kernel, context};
    const ImageLight light = light_of(image, model.background, context);
    const WholeField whole{model_, has_momentum, light, even_light(light, seen, context)};
    const std::vector<fftconv::Plan> plans = device::plans_of(shares);
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const auto& [gpu, part] = shares[i];
      PartSource part_image{image, part.field};
      // What is pinned is known of the image itself
      Source& its_image = shares.size() == 1 ? image : part_image;
      parts_.push_back(std::make_unique<ResidentPart>(whole, seen, part, its_image, plans[i], gpu,
                                                      device_bytes, context, host));
      places_.push_back(part);
    }
    for (const auto& part : parts_) part->meet(parts_);
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  /// Copies between GPUs may be on their way from and to memory that goes.
  ~Run() {
    for (const auto& part : parts_) part->drain();
  }

  void begin() {
    for (const auto& part : parts_) part->begin();
  }

  void go_on_after(int iterations, Source& estimate, Source* before) {
    if (parts_.size() == 1) return parts_.front()->go_on_after(iterations, estimate, before);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const Box3& box = places_[i].estimate;
      PartSource here{estimate, box}, before_here{before ? *before : estimate, box};
      parts_[i]->go_on_after(iterations, here, before ? &before_here : nullptr);
    }
  }

  double iterate() {
    for (const auto& part : parts_) part->begin_iteration();
    for (const auto& part : parts_) part->end_iteration();
    double sum = 0;
    for (const auto& part : parts_) sum += part->likelihood();
    return sum;
  }

  [[nodiscard]] int iterations() const { return parts_.front()->iterations(); }

  Source& result() { return joined(result_, &ResidentPart::result); }
  Source* before() {
    if (!parts_.front()->before()) return nullptr;
    return &joined(last_, [](ResidentPart& part) -> Source& { return *part.before(); });
  }

  [[nodiscard]] LinkBytes copied() const { return parts_.front()->copied(); }
  [[nodiscard]] std::int64_t iteration_bytes() const {
    std::int64_t sum = 0;
    for (const auto& part : parts_) sum += part->iteration_bytes();
    return sum;
  }
  [[nodiscard]] std::int64_t peak_device_bytes() const {
    std::int64_t most = 0;
    for (const auto& part : parts_) most = std::max(most, part->peak_device_bytes());
    return most;
  }

 private:
  /// Returns a volume whose parts lie on different GPUs.
  template <class VolumeOf>
  Source& joined(std::optional<JoinedSource>& joined, VolumeOf&& of) {
    for (const auto& part : parts_) part->wait();
    if (parts_.size() == 1) return std::invoke(of, *parts_.front());
    std::vector<JoinedSource::Piece> pieces;
    for (std::size_t i = 0; i < parts_.size(); ++i)
      pieces.push_back({&std::invoke(of, *parts_[i]), places_[i].own, places_[i].estimate.origin});
    return joined.emplace(estimate_extent(model_.geometry), std::move(pieces));
  }

  Model model_;
  std::vector<FieldPart> places_;
  std::vector<std::unique_ptr<ResidentPart>> parts_;
  std::optional<JoinedSource> result_, last_;
};

ResidentRichardsonLucy::ResidentRichardsonLucy(const Model& model, Source& image, bool has_momentum,
                                               std::span<const GpuShare> shares,
                                               std::int64_t device_bytes, const RunContext& context,
                                               const HostVolumes& host)
    : run_{std::make_unique<Run>(model, image, has_momentum, shares, device_bytes, context, host)} {
}

ResidentRichardsonLucy::~ResidentRichardsonLucy() = default;

void ResidentRichardsonLucy::begin() {
  run_->begin();
}

void ResidentRichardsonLucy::go_on_after(int iterations, Source& estimate, Source* before) {
  run_->go_on_after(iterations, estimate, before);
}

double ResidentRichardsonLucy::iterate() {
  return run_->iterate();
}

int ResidentRichardsonLucy::iterations() const {
  return run_->iterations();
}

Source& ResidentRichardsonLucy::result() {
  return run_->result();
}

Source* ResidentRichardsonLucy::before() {
  return run_->before();
}

LinkBytes ResidentRichardsonLucy::copied() const {
  return run_->copied();
}

std::int64_t ResidentRichardsonLucy::iteration_bytes() const {
  return run_->iteration_bytes();
}

std::int64_t ResidentRichardsonLucy::peak_device_bytes() const {
  return run_->peak_device_bytes();
}

}  // namespace synthoscope::deconvolution
