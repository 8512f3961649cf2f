// SPDX-License-Identifier: MIT
#include "jobs/light/iterations.hpp"
#include <array>
#include "core/base/error.hpp"

namespace synthoscope::jobs {
namespace {

using deconvolution::Model;

/// Volumes of the host, and convolutions wherever their plans say.
class BetweenHostVolumes final : public Iterations {
 public:
  BetweenHostVolumes(const IterationPlan& plan, const Model& model, Source& image,
                     const IterationResources& resources, const RunContext& context)
      : estimate_{resources.place.make(estimate_extent(model.geometry), "the estimate")},
        ratio_{resources.place.make(model.geometry.field, "the ratio")} {
    if (plan.has_momentum)
      last_ = resources.place.make(estimate_extent(model.geometry), "the last estimate");
    if (model.variation)
      copy_ = resources.place.make(estimate_extent(model.geometry), "a copy of the estimate");
    if (!model.depths.empty())
      sum_ = resources.place.make(estimate_extent(model.geometry), "the sum over PSFs");
    lucy_.emplace(
        model, image,
        deconvolution::WorkingVolumes{*estimate_, *ratio_, last_.get(), copy_.get(), sum_.get()},
        *plan.steps, resources.executor, context);
  }

  void begin() override { lucy_->begin(); }
  void go_on_after(int iterations, const Load& load) override {
    load(all<Sink>());
    lucy_->go_on_after(iterations);
  }
  double iterate() override { return lucy_->iterate(); }
  [[nodiscard]] int iterations() const override { return lucy_->iterations(); }
  [[nodiscard]] std::vector<Source*> kept() override { return all<Source>(); }
  [[nodiscard]] Source& result() override { return lucy_->result(); }

 private:
  template <class Stream>
  [[nodiscard]] std::vector<Stream*> all() {
    std::vector<Stream*> volumes{estimate_.get()};
    if (last_) volumes.push_back(last_.get());
    return volumes;
  }

  std::unique_ptr<ScratchVolume> estimate_, ratio_, last_, copy_, sum_;
  std::optional<deconvolution::RichardsonLucy> lucy_;
};

/// Spectra in the memory of GPUs, and voxels there or on the host.
class InDeviceMemory final : public Iterations {
 public:
  InDeviceMemory(const IterationPlan& plan, const Model& model, Source& image,
                 const IterationResources& resources, const RunContext& context)
      : extent_{estimate_extent(model.geometry)}, place_{resources.place} {
    deconvolution::HostVolumes host{.which = plan.on_host};
    if (plan.on_host.estimates) {
      host.estimate = (estimate_ = place_.make(extent_, "the estimate")).get();
      if (plan.has_momentum) host.last = (last_ = place_.make(extent_, "the last estimate")).get();
    }
    lucy_.emplace(model, image, plan.has_momentum, plan.gpus, resources.device_bytes, context,
                  host);
  }

  void begin() override { lucy_->begin(); }
  void go_on_after(int iterations, const Load& load) override {
    // What lies on the host is loaded there
    std::unique_ptr<ScratchVolume> made, made_before;
    ScratchVolume *estimate = estimate_.get(), *before = last_.get();
    if (!estimate) {
      estimate = (made = place_.make(extent_, "a checkpoint")).get();
      if (lucy_->before()) before = (made_before = place_.make(extent_, "a checkpoint")).get();
    }
    std::vector<Sink*> volumes{estimate};
    if (before) volumes.push_back(before);
    load(volumes);
    lucy_->go_on_after(iterations, *estimate, before);
  }
  double iterate() override { return lucy_->iterate(); }
  [[nodiscard]] int iterations() const override { return lucy_->iterations(); }
  [[nodiscard]] std::vector<Source*> kept() override {
    std::vector<Source*> volumes{&lucy_->result()};
    if (Source* const before = lucy_->before()) volumes.push_back(before);
    return volumes;
  }
  [[nodiscard]] Source& result() override { return lucy_->result(); }

 private:
  Extent3 extent_;
  VolumePlace place_;
  std::unique_ptr<ScratchVolume> estimate_, last_;  ///< on the host, if the plan has them there
  std::optional<deconvolution::ResidentRichardsonLucy> lucy_;
};

}  // namespace

std::unique_ptr<ScratchVolume> VolumePlace::make(const Extent3& extent,
                                                 std::string_view what) const {
  if (folder) return std::make_unique<ScratchVolume>(extent, PixelType::float32, *folder);
  if (pinned_for)
    return std::make_unique<ScratchVolume>(extent, PixelType::float32, *pinned_for, memory, what);
  return std::make_unique<ScratchVolume>(extent, PixelType::float32, memory, what);
}

std::int64_t volume_bytes(const deconvolution::Geometry& geometry, std::int64_t estimates) {
  return std::int64_t{sizeof(float)} *
         (volume(geometry.field) + estimates * volume(estimate_extent(geometry)));
}

std::unique_ptr<Iterations> make_iterations(const IterationPlan& plan, const Model& model,
                                            Source& image, const IterationResources& resources,
                                            const RunContext& context) {
  if (plan.steps)
    return std::make_unique<BetweenHostVolumes>(plan, model, image, resources, context);
  return std::make_unique<InDeviceMemory>(plan, model, image, resources, context);
}

}  // namespace synthoscope::jobs
