// SPDX-License-Identifier: MIT
#include <list>
#include <optional>
#include "core/cuda/memory/buffer.hpp"
#include "simulator/device/packaged_kernels.hpp"
#include "simulator/device/programs.hpp"
#include "simulator/phantom/device_phantom.hpp"
#include "simulator/phantom/flat/flat_phantom.hpp"
#include "simulator/phantom/flat/plain_phantom.hpp"

namespace synthoscope::simulator::device {
namespace {

class DevicePhantom final : public cuda::DeviceSource {
 public:
  /// @param labels  of each object; null for light
  DevicePhantom(const Phantom& phantom, const LightSpec& light,
                const std::vector<std::uint16_t>* labels)
      : phantom_{phantom}, light_{light}, labels_{labels} {}

  void prepare(const cuda::DeviceContext& gpu, const cuda::Stream& stream) override {
    const FlatPhantom flat{phantom_, light_};
    kernel_ = device_library().kernel(gpu.device, kernel_for(gpu.device, flat.kinds));
    const auto send = [&](const auto* from, std::size_t count) {
      const auto bytes = static_cast<std::int64_t>(count * sizeof *from);
      const auto& there =
          arrays_.emplace_back(gpu.device.id, gpu.memory, bytes, "objects of the phantom");
      if (bytes > 0) cuda::enqueue_copy(stream, there.data(), from, bytes);
      return reinterpret_cast<decltype(from)>(there.data());
    };
    const auto send_all = [&](const auto& all) { return send(all.data(), all.size()); };
    there_ = flat.figures;
    there_.index = flat.index.lists();
    flat.for_each_array(there_, [&](const auto& all, auto& pointer) { pointer = send_all(all); });
    labels_there_ = labels_ ? send_all(*labels_) : nullptr;
    factors_ = send(&harmonic_factors(), 1);
    stream.finish();  // the arrays of `flat` are freed on return
  }

  void enqueue_read(const cuda::Stream& stream, const Box3& box, std::byte* out) override {
    if (!is_positive(box.size)) return;
    const RenderArguments arguments{there_,        factors_,   box.origin.z, box.origin.y,
                                    box.origin.x,  box.size.z, box.size.y,   box.size.x,
                                    labels_there_, out};
    const auto blocks = [](std::int64_t count, std::int64_t each) {
      return (count + each - 1) / each;
    };
    kernel_->launch(
        stream,
        {{blocks(box.size.x, kRenderColumns), blocks(box.size.y, kRenderRows), box.size.z},
         {kRenderColumns, kRenderRows},
         0},
        arguments);
  }

 private:
  /// Returns the kernel for these kinds alone, or the slower one for all kinds if only that one
  /// came with the program and nothing can be compiled here.
  [[nodiscard]] cuda::KernelName kernel_for(const cuda::DeviceInfo& device, int kinds) const {
    const auto named = [&](int of) { return labels_ ? labels_kernel(of) : light_kernel(of); };
    const cuda::KernelName exact = named(kinds);
    return device_library().can_load(device, exact) ? exact : named(PlainBodies::kEvery);
  }

  const Phantom& phantom_;
  LightSpec light_;
  const std::vector<std::uint16_t>* labels_;
  std::optional<cuda::GpuKernel> kernel_;
  std::list<cuda::DeviceBuffer<std::byte>> arrays_;
  PlainPhantom there_;
  const HarmonicFactors* factors_ = nullptr;
  const std::uint16_t* labels_there_ = nullptr;
};

}  // namespace

std::unique_ptr<cuda::DeviceSource> make_device_light(const Phantom& phantom,
                                                      const LightSpec& light) {
  return std::make_unique<DevicePhantom>(phantom, light, nullptr);
}

std::unique_ptr<cuda::DeviceSource> make_device_labels(const Phantom& phantom,
                                                       const std::vector<std::uint16_t>& labels) {
  return std::make_unique<DevicePhantom>(phantom, LightSpec{}, &labels);
}

}  // namespace synthoscope::simulator::device
