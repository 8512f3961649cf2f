// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include <vector>
#include "kernels/correlate/device_correlation.hpp"
#include "kernels/device/code/counted.hpp"
#include "kernels/device/correlate/correlate_arguments.hpp"
#include "kernels/device/correlate/marching.hpp"
#include "kernels/device/correlate/separable_passes.hpp"
#include "kernels/device/correlate/volume_kernel.hpp"

namespace synthoscope::kernels::device {
namespace {

/// Neighbouring results that a thread makes at once, steps that are being loaded, and blocks of a
/// multiprocessor, which limits registers: the fastest on an H200.
struct SlidingShape {
  int columns, ahead, blocks;
};
SlidingShape rows_and_columns_for(PixelType from, std::int64_t reach) {
  // Unpacking narrow integers takes registers
  if (size_of(from) < 4 && reach <= 15) return {4, 1, reach <= 9 ? 6 : 4};
  if (reach <= 9) return {4, 1, 7};
  if (reach <= 15) return {4, 1, 5};
  if (reach <= 23) return {4, 1, 4};
  if (reach <= 31) return {4, 1, 3};
  return reach <= 65 ? SlidingShape{2, 1, 3} : SlidingShape{1, 1, 3};
}
SlidingShape columns_for(March axis, std::int64_t reach) {
  if (reach <= 17) return axis == March::along_y ? SlidingShape{2, 4, 4} : SlidingShape{4, 1, 4};
  return reach <= 65 ? SlidingShape{2, 1, 3} : SlidingShape{1, 1, 3};
}

/// What a pass reads and stores, and whether it adds to earlier sums.
struct PassTypes {
  PixelType from, to;
  bool adds = false;
};

/// The kernel of a pass, and its shape if it slides.
struct PassKernel {
  cuda::KernelName kernel;
  std::optional<Marching> sliding;
};

PassKernel kernel_of_pass(const Pass& pass, const Extent3& weights, const PassTypes& of) {
  const std::string types = fmt::format("{}, {}", cuda_name(of.from), cuda_name(of.to));
  const char* const source = "correlate/separable.cuh";
  if (pass.kind == Pass::Kind::axis)
    return {{source, fmt::format("correlate_axis<{}, {}>", types, of.adds)}, {}};
  Marching shape;
  shape.axis = pass.z ? March::along_z : March::along_y;
  shape.reach = static_cast<int>(pass.z ? weights.z : weights.y);
  const SlidingShape chosen = pass.x ? rows_and_columns_for(of.from, std::max(weights.y, weights.x))
                                     : columns_for(shape.axis, shape.reach);
  shape.columns = chosen.columns;
  const std::string how = fmt::format("{}, {}, {}, {}, {}", shape.columns, shape.warps,
                                      chosen.ahead, chosen.blocks, of.adds);
  if (pass.kind == Pass::Kind::columns)
    return {{source, fmt::format("correlate_columns<{}, {}, {}, {}>", types, cuda_name(shape.axis),
                                 shape.reach, how)},
            shape};
  return {{source, fmt::format("correlate_rows_and_columns<{}, {}, {}, {}>", types, shape.reach,
                               weights.x, how)},
          shape};
}

/// A compiled pass: one of the two is set.
struct CompiledPass {
  std::optional<MarchingKernel> sliding;
  std::optional<cuda::GpuKernel> plain;
};

CompiledPass compile_pass(const cuda::DeviceInfo& device, const PassKernel& of) {
  CompiledPass compiled;
  if (of.sliding)
    compiled.sliding.emplace(device, of.kernel.source, of.kernel.name, *of.sliding);
  else
    compiled.plain = device_library().kernel(device, of.kernel);
  return compiled;
}

class DeviceSeparable final : public DeviceOperation {
 public:
  DeviceSeparable(const NeighbourhoodSetting& setting, const SeparableStencil& stencil,
                  SeparableStrategy strategy, TellCounts tell)
      : setting_{setting}, plan_{stencil, strategy}, tell_{std::move(tell)} {}

  [[nodiscard]] std::int64_t working_bytes(const Extent3& box) const override {
    // A single sweep needs nothing between passes, but the device is not known yet
    std::int64_t floats = plan_.weights() + sum_voxels(box);
    for (std::size_t i = 0; i < last(); ++i) floats += plan_.voxels_made_by(i, box);
    return DeviceCounts::kBytes + floats * std::int64_t{sizeof(float)};
  }

  [[nodiscard]] std::vector<cuda::KernelName> kernels(const cuda::DeviceInfo& device,
                                                      PixelType type,
                                                      const Extent3&) const override {
    if (is_one_sweep(device)) return {volume_kernel(type)};
    std::vector<cuda::KernelName> all;
    for (std::size_t i = 0; i < last(); ++i)
      all.push_back(pass_kernel(i, type, PixelType::float32, false).kernel);
    const std::size_t products = plan_.products().size();
    if (products > 1) all.push_back(pass_kernel(last(), type, PixelType::float32, false).kernel);
    if (products > 2) all.push_back(pass_kernel(last(), type, PixelType::float32, true).kernel);
    all.push_back(pass_kernel(last(), type, setting_.type, products > 1).kernel);
    return all;
  }

  void prepare(const cuda::DeviceContext& gpu, PixelType type, const Extent3& box,
               const cuda::Stream& stream) override {
    release();  // frees what a failed run left
    counts_.prepare(gpu, stream);
    send_weights(gpu, stream);
    if (is_one_sweep(gpu.device)) {
      volume_.emplace(gpu.device, volume_types(type), plan_.extent(),
                      VolumeKernel::choice_for(plan_.extent()));
      return;
    }
    const auto compile = [&](std::size_t pass, PixelType to, bool adds) {
      return compile_pass(gpu.device, pass_kernel(pass, type, to, adds));
    };
    for (std::size_t i = 0; i < last(); ++i) {
      between_.emplace_back(gpu.device.id, gpu.memory, plan_.voxels_made_by(i, box),
                            "volumes between passes");
      inner_.push_back(compile(i, PixelType::float32, false));
    }
    if (sum_voxels(box) > 0) sums_ = {gpu.device.id, gpu.memory, sum_voxels(box), "sums"};
    const std::size_t products = plan_.products().size();
    if (products > 1) first_ = compile(last(), PixelType::float32, false);
    if (products > 2) next_ = compile(last(), PixelType::float32, true);
    final_ = products > 2 && setting_.type == PixelType::float32
                 ? next_
                 : compile(last(), setting_.type, products > 1);
  }

  void enqueue_apply(const cuda::Stream& stream, const DeviceWindow& in, const Box3& box,
                     std::span<std::byte* const> out) override {
    const MadeVoxels result = made_voxels(box, out[0], counts_.data());
    if (volume_) return run_volume(stream, in, result);
    // float32 sums use the memory of the result
    std::byte* const sums = sums_.data() ? reinterpret_cast<std::byte*>(sums_.data()) : out[0];
    // Not counted yet: what is not finite between passes is not finite at the end
    const MadeVoxels summed = made_voxels(box, sums, nullptr);
    const auto* const before = reinterpret_cast<const float*>(sums);
    const std::size_t products = plan_.products().size();
    for (std::size_t p = 0; p < products; ++p) {
      const HeldVoxels from = run_inner(stream, p, in, box);
      if (p + 1 == products)
        run(stream, final_, {last(), p}, from, result, before);
      else
        run(stream, p == 0 ? first_ : next_, {last(), p}, from, summed, before);
    }
  }

  void finish(const cuda::Stream& stream) override {
    tell_(counts_.finish(stream));
    release();
  }

 private:
  [[nodiscard]] bool is_one_sweep(const cuda::DeviceInfo& device) const {
    return plan_.may_be_one() && VolumeKernel::has_room_for(plan_.extent(), device);
  }
  [[nodiscard]] std::string volume_types(PixelType type) const {
    return fmt::format("{}, {}", cuda_name(type), cuda_name(setting_.type));
  }
  [[nodiscard]] cuda::KernelName volume_kernel(PixelType type) const {
    return VolumeKernel::name_of(volume_types(type), plan_.extent(),
                                 VolumeKernel::choice_for(plan_.extent()));
  }
  /// @param type  of windows, which the first pass reads
  [[nodiscard]] PassKernel pass_kernel(std::size_t pass, PixelType type, PixelType to,
                                       bool adds) const {
    return kernel_of_pass(plan_.passes()[pass], plan_.extent(),
                          {pass == 0 ? type : PixelType::float32, to, adds});
  }
  /// Numbers of a pass and a product.
  struct Step {
    std::size_t pass, product;
  };
  [[nodiscard]] std::size_t last() const { return plan_.passes().size() - 1; }
  /// Returns the voxels of sums of several products that cannot use the result's memory.
  [[nodiscard]] std::int64_t sum_voxels(const Extent3& box) const {
    return plan_.products().size() > 1 && setting_.type != PixelType::float32 ? volume(box) : 0;
  }

  void release() {
    weights_ = {};
    sums_ = {};
    between_.clear();
    inner_.clear();
    volume_.reset();
  }

  void send_weights(const cuda::DeviceContext& gpu, const cuda::Stream& stream) {
    weights_ = {gpu.device.id, gpu.memory, plan_.weights(), "weights"};
    float* to = weights_.data();
    for (const auto& product : plan_.products())
      for (const std::vector<float>* axis : {&product.z, &product.y, &product.x}) {
        cuda::enqueue_copy(stream, to, axis->data(),
                           static_cast<std::int64_t>(axis->size() * sizeof(float)));
        to += axis->size();
      }
  }

  /// Enqueues all passes of a product except the last. @returns what the last one reads
  HeldVoxels run_inner(const cuda::Stream& stream, std::size_t product, const DeviceWindow& in,
                       const Box3& box) const {
    HeldVoxels from = held_voxels(in);
    for (std::size_t i = 0; i < last(); ++i) {
      const Box3 made = plan_.made_by(i, in.box, box);
      std::byte* const to = reinterpret_cast<std::byte*>(between_[i].data());
      run(stream, inner_[i], {i, product}, from, made_voxels(made, to, nullptr), nullptr);
      from = held_voxels({in.image, made, PixelType::float32, to});
    }
    return from;
  }

  void run(const cuda::Stream& stream, const CompiledPass& compiled, const Step& step,
           const HeldVoxels& in, const MadeVoxels& out, const float* before) const {
    if (compiled.plain) return run_plain(stream, *compiled.plain, step, in, out, before);
    const Pass& pass = plan_.passes()[step.pass];
    const SeparablePasses::Factors& product = plan_.products()[step.product];
    MarchArguments a;
    a.in = in;
    a.out = out;
    a.before = before;
    a.boundary = static_cast<int>(setting_.boundary);
    if (pass.z) a.centre_z = static_cast<int>(plan_.centre().z);
    if (pass.y) a.centre_y = static_cast<int>(plan_.centre().y);
    if (pass.x) a.centre_x = static_cast<int>(plan_.centre().x);
    MarchWeights weights{};
    // Axes of other passes may have more weights than fit here
    const auto give = [](const std::vector<float>& own, float* to) {
      SYNTHOSCOPE_ASSERT(own.size(), <=, std::size_t{MarchWeights::kMax});
      std::ranges::copy(own, to);
    };
    if (pass.z || pass.y) give(pass.z ? product.z : product.y, weights.march);
    if (pass.x) give(product.x, weights.x);
    compiled.sliding->launch(stream, a, weights);
  }

  void run_volume(const cuda::Stream& stream, const DeviceWindow& in, const MadeVoxels& out) const {
    MarchArguments a;
    a.in = held_voxels(in);
    a.out = out;
    a.boundary = static_cast<int>(setting_.boundary);
    a.centre_z = static_cast<int>(plan_.centre().z);
    a.centre_y = static_cast<int>(plan_.centre().y);
    a.centre_x = static_cast<int>(plan_.centre().x);
    const SeparablePasses::Factors& product = plan_.products().front();
    VolumeWeights weights{};
    std::ranges::copy(product.z, weights.z);
    std::ranges::copy(product.y, weights.y);
    std::ranges::copy(product.x, weights.x);
    volume_->launch(stream, a, weights);
  }

  void run_plain(const cuda::Stream& stream, const cuda::GpuKernel& kernel, const Step& step,
                 const HeldVoxels& in, const MadeVoxels& out, const float* before) const {
    const Pass& pass = plan_.passes()[step.pass];
    const Extent3& e = plan_.extent();
    CorrelateArguments a;
    a.in = in;
    a.out = out;
    a.before = before;
    a.boundary = static_cast<int>(setting_.boundary);
    a.weights = weights_.data() + static_cast<std::int64_t>(step.product) * (e.z + e.y + e.x) +
                (pass.z   ? 0
                 : pass.y ? e.z
                          : e.z + e.y);
    if (pass.z) {
      a.extent_z = static_cast<int>(e.z);
      a.centre_z = static_cast<int>(plan_.centre().z);
    } else if (pass.y) {
      a.extent_y = static_cast<int>(e.y);
      a.centre_y = static_cast<int>(plan_.centre().y);
    } else {
      a.extent_x = static_cast<int>(e.x);
      a.centre_x = static_cast<int>(plan_.centre().x);
    }
    kernel.launch(
        stream,
        {{(out.rows + kPlainY - 1) / kPlainY * out.planes, (out.columns + kPlainX - 1) / kPlainX},
         {kPlainX, kPlainY},
         0},
        a);
  }

  NeighbourhoodSetting setting_;
  SeparablePasses plan_;
  TellCounts tell_;
  std::optional<VolumeKernel> volume_;  ///< instead of all passes
  std::vector<CompiledPass> inner_;     ///< all passes except the last
  CompiledPass first_, next_, final_;   ///< the last pass, for the first, middle and last product
  std::vector<cuda::DeviceBuffer<float>> between_;
  cuda::DeviceBuffer<float> weights_, sums_;
  DeviceCounts counts_;
};

}  // namespace

std::unique_ptr<DeviceOperation> make_device_separable(const NeighbourhoodSetting& setting,
                                                       const SeparableStencil& stencil,
                                                       SeparableStrategy strategy,
                                                       TellCounts tell) {
  return std::make_unique<DeviceSeparable>(setting, stencil, strategy, std::move(tell));
}

}  // namespace synthoscope::kernels::device
