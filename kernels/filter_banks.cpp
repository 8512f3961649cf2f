// SPDX-License-Identifier: MIT
#include "kernels/filter_banks.hpp"
#include <cmath>
#include <numbers>
#include <numeric>
#include "core/names.hpp"
#include "kernels/body/strongest.hpp"
#include "kernels/device/device_filter_bank.hpp"

namespace synthoscope::kernels {
namespace {

constexpr NameTable<FilterBank, 3> kFilterBankNames{
    {{FilterBank::leung_malik, "lm"}, {FilterBank::schmid, "schmid"}, {FilterBank::mr8, "mr8"}}};

constexpr int kBankRadius = 24;
constexpr int kOrientations = 6;
constexpr double kElongation = 3;

/// A filter of values at (y, x), y upwards, of sum 0 and magnitudes' sum 1.
template <class Value>
Stencil bank_filter(Value&& value) {
  std::vector<double> weights;
  for (int y = kBankRadius; y >= -kBankRadius; --y)
    for (int x = -kBankRadius; x <= kBankRadius; ++x) weights.push_back(value(y, x));
  const double mean =
      std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(weights.size());
  double magnitudes = 0;
  for (double& weight : weights) magnitudes += std::abs(weight -= mean);
  for (double& weight : weights) weight /= magnitudes;
  constexpr int kSize = 2 * kBankRadius + 1;
  return convolution_stencil({1, kSize, kSize}, std::move(weights));
}

/// A derivative of a Gaussian across a line at an angle, 1 for an edge and 2 for a bar; its scale
/// is left to bank_filter.
Stencil oriented(double sigma, int derivative, int orientation) {
  const double angle = std::numbers::pi * orientation / kOrientations;
  const double cosine = std::cos(angle), sine = std::sin(angle);
  return bank_filter([&](int y, int x) {
    const double along = (cosine * x - sine * y) / (kElongation * sigma);
    const double across = (sine * x + cosine * y) / sigma;
    const double factor = derivative == 1 ? -across : across * across - 1;
    return factor * std::exp(-(along * along + across * across) / 2);
  });
}

Stencil round_gaussian(double sigma) {
  return bank_filter(
      [&](int y, int x) { return std::exp(-(x * x + y * y) / (2 * sigma * sigma)); });
}

Stencil round_laplacian(double sigma) {
  return bank_filter([&](int y, int x) {
    const double square = (x * x + y * y) / (sigma * sigma);
    return (square - 2) * std::exp(-square / 2);
  });
}

std::vector<BankResponse> leung_malik() {
  std::vector<BankResponse> responses;
  for (const int derivative : {1, 2})
    for (const int octave_halves : {1, 2, 3})
      for (int i = 0; i < kOrientations; ++i)
        responses.push_back({{oriented(std::pow(2, 0.5 * octave_halves), derivative, i)}});
  for (const int octave_halves : {1, 2, 3, 4}) {
    const double sigma = std::pow(2, 0.5 * octave_halves);
    responses.push_back({{round_gaussian(sigma)}});
    responses.push_back({{round_laplacian(sigma)}});
    responses.push_back({{round_laplacian(3 * sigma)}});
  }
  return responses;
}

std::vector<BankResponse> schmid() {
  std::vector<BankResponse> responses;
  const auto add = [&](double sigma, int most_waves) {
    for (int tau = 1; tau <= most_waves; ++tau)
      responses.push_back({{bank_filter([&](int y, int x) {
        const double r = std::hypot(x, y);
        return std::cos(std::numbers::pi * tau * r / sigma) *
               std::exp(-r * r / (2 * sigma * sigma));
      })}});
  };
  add(2, 1);
  add(4, 2);
  add(6, 3);
  add(8, 3);
  add(10, 4);
  return responses;
}

std::vector<BankResponse> mr8() {
  std::vector<BankResponse> responses;
  for (const int derivative : {1, 2})
    for (const double sigma : {1.0, 2.0, 4.0}) {
      BankResponse strongest{{}, derivative == 1};
      for (int i = 0; i < kOrientations; ++i)
        strongest.filters.push_back(oriented(sigma, derivative, i));
      responses.push_back(std::move(strongest));
    }
  responses.push_back({{round_gaussian(10)}});
  responses.push_back({{round_laplacian(10)}});
  return responses;
}

class FilterBankOperation final : public Operation {
 public:
  FilterBankOperation(const NeighbourhoodSetting& setting, FilterBank bank, FilterStrategy strategy,
                      double tolerance);
  [[nodiscard]] std::string_view stage() const override { return "filter"; }
  [[nodiscard]] Extent3 extent() const override { return {image_.z * count(), image_.y, image_.x}; }
  [[nodiscard]] std::vector<PixelType> types() const override { return {store_.format({}).type}; }
  [[nodiscard]] Box3 needs(const Box3& box) const override;
  [[nodiscard]] std::int64_t working_bytes(const Extent3& box, int threads) const override;
  void apply(const Window& in, const Box3& box, std::span<const VoxelView> out,
             TaskPool& pool) override;
  [[nodiscard]] StoredCounts stored() const override;
  [[nodiscard]] DeviceOperation* on_device() override { return there_.get(); }
  [[nodiscard]] double host_seconds() const { return host_seconds_; }

 private:
  struct Response {
    std::vector<std::unique_ptr<TiledOperation>> filters;
    bool takes_magnitudes;
  };
  void set_device();
  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(responses_.size()); }
  void apply_strongest(const Response& response, const Window& in, const Box3& plane,
                       const VoxelView& out, TaskPool& pool);

  Extent3 image_;
  std::vector<Response> responses_;
  StoreAs store_;
  double host_seconds_ = 0;  ///< of all filters, of a voxel
  std::vector<float> strongest_, next_;
  StoredCounts stored_there_;  ///< of the strongest of several, by a device
  std::unique_ptr<DeviceOperation> there_;
};

FilterBankOperation::FilterBankOperation(const NeighbourhoodSetting& setting, FilterBank bank,
                                         FilterStrategy strategy, double tolerance)
    : image_{setting.image}, store_{setting.type} {
  for (const BankResponse& response : responses_of(bank)) {
    // Of several the strongest is chosen before it is rounded
    NeighbourhoodSetting each = setting;
    if (response.filters.size() > 1) each.type = PixelType::float32;
    responses_.push_back({{}, response.takes_magnitudes});
    for (const Stencil& filter : response.filters) {
      ChosenFilter chosen = make_filter(each, filter, strategy, tolerance);
      host_seconds_ += chosen.host_seconds;
      responses_.back().filters.push_back(std::move(chosen.operation));
    }
  }
  set_device();
}

/// Null where a filter has none.
void FilterBankOperation::set_device() {
  std::vector<device::DeviceResponse> responses;
  for (const Response& response : responses_) {
    responses.push_back({{}, response.takes_magnitudes});
    for (const auto& filter : response.filters) {
      if (!filter->on_device()) return;
      responses.back().filters.push_back(filter->on_device());
    }
  }
  there_ = device::make_device_filter_bank(std::move(responses), types().front(),
                                           [this](const StoredCounts& counts) {
                                             stored_there_.clipped += counts.clipped;
                                             stored_there_.non_finite += counts.non_finite;
                                           });
}

Box3 FilterBankOperation::needs(const Box3& box) const {
  const std::int64_t first = box.origin.z / count();
  const std::int64_t last = (box.origin.z + box.size.z - 1) / count();
  return responses_[0].filters[0]->needs(
      {{first, box.origin.y, box.origin.x}, {last - first + 1, box.size.y, box.size.x}});
}

std::int64_t FilterBankOperation::working_bytes(const Extent3& box, int threads) const {
  const Extent3 plane{1, box.y, box.x};
  std::int64_t most = 0;
  for (const Response& response : responses_)
    for (const auto& filter : response.filters)
      most = std::max(most, filter->working_bytes(plane, threads));
  return most + 2 * volume(plane) * std::int64_t{sizeof(float)};
}

void FilterBankOperation::apply(const Window& in, const Box3& box, std::span<const VoxelView> out,
                                TaskPool& pool) {
  for (std::int64_t z = 0; z < box.size.z; ++z) {
    const std::int64_t at = box.origin.z + z;
    const Box3 plane{{at / count(), box.origin.y, box.origin.x}, {1, box.size.y, box.size.x}};
    const Response& response = responses_[static_cast<std::size_t>(at % count())];
    visit_pixel_type(out[0].type(), [&](auto zero) {
      const auto whole = out[0].as<decltype(zero)>();
      const VoxelView to = HostView3{whole.row(z, 0), plane.size, whole.pitch()};
      if (response.filters.size() == 1)
        response.filters[0]->apply(in, plane, std::span{&to, 1}, pool);
      else
        apply_strongest(response, in, plane, to, pool);
    });
  }
}

void FilterBankOperation::apply_strongest(const Response& response, const Window& in,
                                          const Box3& plane, const VoxelView& out, TaskPool& pool) {
  strongest_.resize(static_cast<std::size_t>(volume(plane.size)));
  next_.resize(strongest_.size());
  bool is_first = true;
  for (const auto& filter : response.filters) {
    const VoxelView to = HostView3<float>{next_.data(), plane.size};
    filter->apply(in, plane, std::span{&to, 1}, pool);
    if (response.takes_magnitudes)
      for (float& value : next_) value = strength(value, true);
    if (std::exchange(is_first, false))
      std::swap(strongest_, next_);
    else
      std::transform(strongest_.begin(), strongest_.end(), next_.begin(), strongest_.begin(),
                     stronger);
  }
  store_.apply(plane, HostView3<const float>{strongest_.data(), plane.size}, out);
}

StoredCounts FilterBankOperation::stored() const {
  StoredCounts all{store_.clipped() + stored_there_.clipped,
                   store_.non_finite() + stored_there_.non_finite};
  for (const Response& response : responses_) {
    if (response.filters.size() > 1) continue;
    const StoredCounts counts = response.filters[0]->stored();
    all.clipped += counts.clipped;
    all.non_finite += counts.non_finite;
  }
  return all;
}

}  // namespace

std::string_view name_of(FilterBank bank) {
  return name_in(kFilterBankNames, bank);
}

std::optional<FilterBank> filter_bank_named(std::string_view name) {
  return named_in(kFilterBankNames, name);
}

std::vector<BankResponse> responses_of(FilterBank bank) {
  if (bank == FilterBank::leung_malik) return leung_malik();
  return bank == FilterBank::schmid ? schmid() : mr8();
}

ChosenBank make_filter_bank(const NeighbourhoodSetting& setting, FilterBank bank,
                            FilterStrategy strategy, double tolerance) {
  auto operation = std::make_unique<FilterBankOperation>(setting, bank, strategy, tolerance);
  const double seconds = operation->host_seconds();
  return {std::move(operation), seconds};
}

}  // namespace synthoscope::kernels
