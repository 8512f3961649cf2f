// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <list>
#include <optional>
#include "core/cuda/memory/buffer.hpp"
#include "simulator/device/phantom_arguments.hpp"
#include "simulator/device/programs.hpp"
#include "simulator/phantom/device_phantom.hpp"
#include "simulator/phantom/flat/flat_phantom.hpp"

namespace synthoscope::simulator::device {
namespace {

class DevicePhantom final : public cuda::DeviceSource {
 public:
  /// @param labels  of each object; null for light
  DevicePhantom(const Phantom& phantom, const char* kernel, const LightSpec& light,
                const std::vector<std::uint16_t>* labels)
      : phantom_{phantom}, kernel_name_{kernel}, light_{light}, labels_{labels} {}

  void prepare(const cuda::DeviceSetting& setting, const cuda::Stream& stream) override {
    const FlatPhantom flat{phantom_, light_};
    kernel_ = device_library().kernel(setting.device, "phantom.cuh",
                                      fmt::format("{}<{}>", kernel_name_, flat.kinds));
    const auto send = [&](const auto* from, std::size_t count) {
      const auto bytes = static_cast<std::int64_t>(count * sizeof *from);
      const auto& there =
          arrays_.emplace_back(setting.device.id, setting.memory, bytes, "objects of the phantom");
      if (bytes > 0) cuda::enqueue_copy(stream, there.data(), from, bytes);
      return reinterpret_cast<decltype(from)>(there.data());
    };
    const auto send_all = [&](const auto& all) { return send(all.data(), all.size()); };
    PlainPhantom p = flat.figures;
    p.index = flat.index.lists();
    p.index.starts = send_all(flat.index.starts());
    p.index.ids = send_all(flat.index.ids());
    p.objects = send_all(flat.objects);
    p.nuclei = send_all(flat.nuclei);
    p.noise = send_all(flat.noise);
    p.lobes = send_all(flat.lobes);
    p.voxels = send_all(flat.voxels);
    p.nucleoli = send_all(flat.nucleoli);
    p.before = send_all(flat.before);
    p.cells = send_all(flat.cells);
    p.chromatin = send_all(flat.chromatin);
    p.cytoplasm = send_all(flat.cytoplasm);
    p.beads = send_all(flat.beads);
    p.points = send_all(flat.points);
    p.lines = send_all(flat.lines);
    p.shells = send_all(flat.shells);
    p.stars = send_all(flat.stars);
    p.regions = send_all(flat.regions);
    p.tissue = send_all(flat.tissue);
    p.sides = send_all(flat.sides);
    if (flat.volume) {
      p.labelled.labels = send_all(flat.volume->voxels->labels);
      p.volume_light.values = send_all(flat.volume->voxels->values);
    }
    p.strands = send_all(flat.strands);
    p.pieces = send_all(flat.pieces);
    there_ = p;
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
  const Phantom& phantom_;
  const char* kernel_name_;
  LightSpec light_;
  const std::vector<std::uint16_t>* labels_;
  std::optional<cuda::Kernel> kernel_;
  std::list<cuda::DeviceBuffer<std::byte>> arrays_;
  PlainPhantom there_;
  const HarmonicFactors* factors_ = nullptr;
  const std::uint16_t* labels_there_ = nullptr;
};

}  // namespace

std::unique_ptr<cuda::DeviceSource> make_device_light(const Phantom& phantom,
                                                      const LightSpec& light) {
  return std::make_unique<DevicePhantom>(phantom, "render_light", light, nullptr);
}

std::unique_ptr<cuda::DeviceSource> make_device_labels(const Phantom& phantom,
                                                       const std::vector<std::uint16_t>& labels) {
  return std::make_unique<DevicePhantom>(phantom, "render_labels", LightSpec{}, &labels);
}

}  // namespace synthoscope::simulator::device
