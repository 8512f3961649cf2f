// SPDX-License-Identifier: MIT
#include "fftconv/plan/cuts/sums.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include "core/base/error.hpp"
#include "fftconv/axis.hpp"
#include "fftconv/plan/cuts/cost.hpp"
#include "fftconv/row_reading.hpp"
#include "kernels/correlate/correlation.hpp"
#include "kernels/correlate/product.hpp"
#include "kernels/filters/filter.hpp"
#include "kernels/operation/bricks.hpp"
#include "kernels/operation/device_operation.hpp"

namespace synthoscope::fftconv {
namespace {

// For a reference core (cost.hpp), fitted to docs/benchmarks/crossover.md

/// Its nanoseconds for what kernels/filters/filter.hpp counts as a second of a slower core.
constexpr double kPerKernelSecond = 0.45e9;
/// Nanoseconds of a product that is added to a sum in double.
constexpr double kDoubleTap = 1.5;
/// Nanoseconds of reading a voxel, converting it and storing its result.
constexpr double kVoxel = 0.6;

/// Largest brick of a flat image: such bricks overlap little, and memory for large ones, which is
/// new, takes longer than their sums.
constexpr std::int64_t kFlatBrickBytes = std::int64_t{2} << 20;
/// A byte of new memory for the bricks of a flat image, whose sums take no longer than that.
constexpr double kNewByteSeconds = 3.5e-10;

bool is_flat(const Problem& p) {
  return p.image.z == 1 && p.kernel.z == 1;
}

/// Results of the problem, relative to the image.
Box3 results_of(const Problem& p) {
  const AxisGeometry z = axis_geometry(p, kAlongZ), y = axis_geometry(p, kAlongY),
                     x = axis_geometry(p, kAlongX);
  return {{z.result_begin, y.result_begin, x.result_begin}, {z.wanted, y.wanted, x.wanted}};
}

/// What InRegion does, done on a device.
class InRegionThere final : public kernels::DeviceOperation {
 public:
  InRegionThere(kernels::DeviceOperation& inner, const Index3& first)
      : inner_{inner}, first_{first} {}
  [[nodiscard]] std::int64_t working_bytes(const Extent3& box) const override {
    return inner_.working_bytes(box);
  }
  [[nodiscard]] std::vector<cuda::KernelName> kernels(const cuda::DeviceInfo& device,
                                                      PixelType type,
                                                      const Extent3& box) const override {
    return inner_.kernels(device, type, box);
  }
  void prepare(const cuda::DeviceContext& gpu, PixelType type, const Extent3& box,
               const cuda::Stream& stream) override {
    inner_.prepare(gpu, type, box, stream);
  }
  void enqueue_apply(const cuda::Stream& stream, const kernels::DeviceWindow& in, const Box3& box,
                     std::span<std::byte* const> out) override {
    inner_.enqueue_apply(stream, in, shifted(box, first_), out);
  }
  void finish(const cuda::Stream& stream) override { inner_.finish(stream); }

 private:
  kernels::DeviceOperation& inner_;
  Index3 first_;
};

/// The results of another operation in `region`, which may extend beyond the image, numbered from
/// the first.
class InRegion final : public kernels::Operation {
 public:
  InRegion(std::unique_ptr<kernels::Operation> inner, const Box3& region,
           std::int64_t stored_voxel_bytes)
      : inner_{std::move(inner)}, region_{region}, stored_voxel_bytes_{stored_voxel_bytes} {
    if (kernels::DeviceOperation* const there = inner_->on_device())
      there_.emplace(*there, region_.origin);
  }

  [[nodiscard]] std::string_view stage() const override { return "convolve"; }
  [[nodiscard]] Extent3 extent() const override { return region_.size; }
  [[nodiscard]] std::vector<PixelType> types() const override { return inner_->types(); }
  [[nodiscard]] Box3 needs(const Box3& box) const override {
    return inner_->needs(shifted(box, region_.origin));
  }
  [[nodiscard]] std::int64_t working_bytes(const Extent3& box, int threads) const override {
    return inner_->working_bytes(box, threads) + threads * box.y * box.x * stored_voxel_bytes_;
  }
  void apply(const kernels::Window& in, const Box3& box, std::span<const VoxelView> out,
             TaskPool& pool) override {
    inner_->apply(in, shifted(box, region_.origin), out, pool);
  }
  [[nodiscard]] StoredCounts stored_counts() const override { return inner_->stored_counts(); }
  [[nodiscard]] kernels::DeviceOperation* on_device() override {
    return there_ ? &*there_ : nullptr;
  }

 private:
  std::unique_ptr<kernels::Operation> inner_;
  Box3 region_;
  std::int64_t stored_voxel_bytes_;
  std::optional<InRegionThere> there_;
};

kernels::NeighbourhoodSetting setting_of(const Problem& p) {
  const bool is_single = p.precision == Precision::float32;
  return {p.image, p.boundary, is_single ? PixelType::float32 : PixelType::float64};
}

std::unique_ptr<kernels::Operation> in_region(const Problem& p,
                                              std::unique_ptr<kernels::Operation> inner) {
  return std::make_unique<InRegion>(std::move(inner), results_of(p), p.sink_voxel_bytes);
}

std::unique_ptr<kernels::Operation> make_direct(const Problem& p, kernels::Stencil stencil) {
  const auto setting = setting_of(p);
  if (p.precision == Precision::float64)
    return in_region(p, kernels::make_plain_correlation(setting, std::move(stencil)));
  return in_region(
      p, kernels::make_filter(setting, stencil, kernels::FilterStrategy::registers).operation);
}

std::unique_ptr<kernels::Operation> make_separable(const Problem& p,
                                                   const kernels::SeparableStencil& product) {
  return in_region(
      p,
      kernels::make_filter(setting_of(p), product, kernels::FilterStrategy::separable).operation);
}

/// Nanoseconds of a reference core for the sum of a voxel.
double sum_nanoseconds(const Problem& p, Strategy strategy) {
  if (strategy == Strategy::separable)
    return kPerKernelSecond * kernels::separable_seconds(p.kernel);
  return p.precision == Precision::float64 ? kDoubleTap * static_cast<double>(volume(p.kernel))
                                           : kPerKernelSecond * kernels::direct_seconds(p.kernel);
}

/// @param held  voxels of all windows; voxels of several windows are read for each
/// @param memory_bytes  of a brick
RunCost sums_cost(const Problem& p, Strategy strategy, std::int64_t held, std::int64_t memory_bytes,
                  const MachineRates& rates) {
  const Extent3 results = output_extent(p);
  RunCost cost;
  cost.read_bytes = held * p.image_voxel_bytes;
  cost.written_bytes = volume(results) * p.result_voxel_bytes;
  cost.compute_seconds =
      kStartSeconds +
      value_seconds(static_cast<double>(volume(results)), sum_nanoseconds(p, strategy) + kVoxel,
                    Precision::float32, rates) +
      value_seconds(static_cast<double>(held), kVoxel, Precision::float32, rates) +
      file_copy_seconds(static_cast<double>(cost.read_bytes + cost.written_bytes), rates);
  // Threads wait for each other where they write to one plane, and for the next brick
  if (is_flat(p))
    cost.compute_seconds += kNewByteSeconds * static_cast<double>(memory_bytes) +
                            static_cast<double>(rates.cores - 1) *
                                file_copy_seconds(static_cast<double>(cost.written_bytes), rates);
  return cost;
}

}  // namespace

std::vector<std::unique_ptr<kernels::Operation>> any_sums(const Problem& p, Strategy strategy) {
  const Extent3& k = p.kernel;
  const auto ones = [](std::int64_t n) {
    return std::vector<double>(static_cast<std::size_t>(n), 1.0);
  };
  std::vector<std::unique_ptr<kernels::Operation>> operations;
  // Their centre decides which windows are held
  const auto as_used = [&](auto stencil) {
    stencil.centre = p.center;
    return p.correlate ? stencil : kernels::flipped(std::move(stencil));
  };
  if (strategy == Strategy::direct) {
    operations.push_back(make_direct(p, as_used(kernels::Stencil{k, ones(volume(k)), {}})));
    return operations;
  }
  // Boxes hold other rows than other weights do
  for (const double first : {1.0, 2.0}) {
    auto y = ones(k.y);
    if (k.y > 1) y.front() = first;
    operations.push_back(
        make_separable(p, as_used(kernels::separable_stencil(ones(k.z), y, ones(k.x)))));
  }
  return operations;
}

double sums_seconds(std::int64_t voxels, double kernel_seconds, const MachineRates& rates) {
  return value_seconds(static_cast<double>(voxels), kPerKernelSecond * kernel_seconds + kVoxel,
                       Precision::float32, rates);
}

std::vector<double> weights_of(const Kernel& kernel, const StopFlag& stop) {
  const Extent3 extent = kernel.voxels->extent();
  std::vector<double> weights(static_cast<std::size_t>(volume(extent)));
  auto next = weights.begin();
  for_each_row(*kernel.voxels, stop, [&](std::int64_t, std::int64_t, const auto* row) {
    next = std::transform(row, row + extent.x, next, [&](auto voxel) {
      return kernel.scale * (static_cast<double>(voxel) - kernel.background);
    });
  });
  return weights;
}

bool is_product(const Kernel& kernel, const StopFlag& stop) {
  const Extent3 extent = kernel.voxels->extent();
  return volume(extent) <= kMaxSummed && is_product(extent, weights_of(kernel, stop));
}

bool is_product(const Extent3& extent, std::vector<double> weights) {
  return kernels::as_product({extent, std::move(weights), {}}).has_value();
}

std::string why_no_sums(const Problem& p, Strategy strategy) {
  if (!p.may_sum || volume(p.kernel) > kMaxSummed)
    return fmt::format(
        "direct sums are not for kernels of more than {} voxels, nor for the PSFs of a scene; use "
        "--strategy auto",
        kMaxSummed);
  if (strategy == Strategy::direct) return "";
  if (!p.is_product)
    return "the kernel is not a product of weights along the axes; use --strategy auto";
  if (p.precision != Precision::float32)
    return "passes along the axes are of single precision; use --precision single, or --strategy "
           "auto";
  return "";
}

std::unique_ptr<kernels::Operation> make_sums(const Problem& p, Strategy strategy,
                                              std::vector<double> weights) {
  kernels::Stencil stencil{p.kernel, std::move(weights), p.center};
  if (!p.correlate) stencil = kernels::flipped(std::move(stencil));
  if (strategy == Strategy::direct) return make_direct(p, std::move(stencil));
  const auto product = kernels::as_product(stencil);
  if (!product)
    throw InvalidSpec(
        "convolve by passes along the axes: the kernel is not a product of weights along them; use "
        "--strategy auto");
  return make_separable(p, *product);
}

std::vector<MemoryItem> sums_memory(const Problem& p, Strategy strategy, const Extent3& brick) {
  kernels::BrickPlan most;
  for (const auto& operation : any_sums(p, strategy)) {
    const auto cut = kernels::cut_into(*operation, p.source_voxel_bytes, brick, 1);
    most.working_bytes = std::max(most.working_bytes, cut.working_bytes);
    most.window_bytes = cut.window_bytes;
    most.result_bytes = cut.result_bytes;
  }
  return {{"a window of the image", most.window_bytes},
          {"results of a window", most.result_bytes},
          {std::string{kThreadScratch}, most.working_bytes}};
}

std::vector<Candidate> sums_candidates(const Problem& p, Strategy strategy,
                                       const MachineRates& rates, std::int64_t host_bytes) {
  if (!why_no_sums(p, strategy).empty()) return {};
  Candidate c;
  c.strategy = strategy;
  c.transform = {1, 1, 1};
  for (const auto& operation : any_sums(p, strategy)) {
    const auto brick =
        kernels::best_bricks(*operation, p.image, p.source_voxel_bytes, p.order, host_bytes, 1,
                             is_flat(p) ? kFlatBrickBytes : kernels::kLargestBrickBytes)
            .brick;
    if (c.cut.result == Extent3{} || volume(brick) < volume(c.cut.result)) c.cut.result = brick;
  }
  for (const MemoryItem& item : sums_memory(p, strategy, c.cut.result))
    c.memory_bytes += item.bytes;
  const std::int64_t held =
      kernels::cut_into(*any_sums(p, strategy).front(), p.source_voxel_bytes, c.cut.result, 1)
          .voxels_held;
  set_cost(c, sums_cost(p, strategy, held, c.memory_bytes, rates), rates);
  return {c};
}

}  // namespace synthoscope::fftconv
