// SPDX-License-Identifier: MIT
// tests/gpu/device_doors.hpp — a source and an epilogue that work on a device alone.
#pragma once
#include <gtest/gtest.h>
#include <atomic>
#include <memory>
#include <optional>
#include "core/cuda/code/module.hpp"
#include "core/cuda/memory/buffer.hpp"
#include "core/stream/device_stream.hpp"
#include "core/stream/stream.hpp"

namespace synthoscope::test {

inline constexpr const char* kHalves = R"(
__global__ void make(float* out, int z, int y, int x, int rows, int columns, int count) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= count) return;
  const int plane = i / (rows * columns), row = i / columns % rows, column = i % columns;
  out[i] = float(((z + plane) * 31 + (y + row) * 7 + (x + column) * 3) % 251);
}
__global__ void halve(const float* in, unsigned short* out, int count, unsigned* applied) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= count) return;
  out[i] = (unsigned short)(min(fabsf(in[i]), 60000.0f) * 0.5f);
  atomicAdd(applied, 1u);
}
)";

/// Compiled when it is prepared.
struct Halves {
  explicit Halves(const cuda::DeviceContext& gpu)
      : request{{"halves.cu", kHalves}, {}, {"make", "halve"}, {}, gpu.device.capability},
        module{gpu.device.id, request, cuda::compile(request)} {}
  cuda::CompileRequest request;
  cuda::Module module;
  cuda::GpuKernel make = module.kernel("make"), halve = module.kernel("halve");
};

inline int blocks_of(std::int64_t count) {
  return static_cast<int>((count + 255) / 256);
}

/// Never read on the host.
class MadeOnDevice final : public Source {
 public:
  explicit MadeOnDevice(const Extent3& extent) : extent_{extent} {}
  [[nodiscard]] Extent3 extent() const override { return extent_; }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::float32; }
  void read(const Box3&, VoxelView) override { ADD_FAILURE() << "read on the host"; }
  [[nodiscard]] std::unique_ptr<cuda::DeviceSource> make_on_device() override {
    return std::make_unique<Maker>();
  }

 private:
  class Maker final : public cuda::DeviceSource {
    void prepare(const cuda::DeviceContext& gpu, const cuda::Stream&) override {
      halves_.emplace(gpu);
    }
    void enqueue_read(const cuda::Stream& stream, const Box3& box, std::byte* out) override {
      const auto i = [](std::int64_t n) { return static_cast<int>(n); };
      const std::int64_t count = volume(box.size);
      halves_->make.launch(stream, {{blocks_of(count)}, {256}, 0}, reinterpret_cast<float*>(out),
                           i(box.origin.z), i(box.origin.y), i(box.origin.x), i(box.size.y),
                           i(box.size.x), i(count));
    }
    std::optional<Halves> halves_;
  };

  Extent3 extent_;
};

/// Never applied on the host.
class HalvedOnDevice final : public Epilogue {
 public:
  [[nodiscard]] StreamFormat format(const Extent3& e) const override {
    return {e, PixelType::uint16, {1, 1, 1}};
  }
  void apply(const Box3&, HostView3<const float>, VoxelView) override { ADD_FAILURE(); }
  void apply(const Box3&, HostView3<const double>, VoxelView) override { ADD_FAILURE(); }
  [[nodiscard]] std::unique_ptr<cuda::DeviceEpilogue> make_on_device() override {
    return std::make_unique<Finisher>(applied);
  }
  std::atomic<unsigned> applied = 0;  ///< blocks of all devices

 private:
  class Finisher final : public cuda::DeviceEpilogue {
   public:
    explicit Finisher(std::atomic<unsigned>& applied) : applied_{applied} {}
    void prepare(const cuda::DeviceContext& gpu, const cuda::Stream& stream) override {
      halves_.emplace(gpu);
      counter_ = {gpu.device.id, gpu.memory, 1, "a counter"};
      cuda::enqueue_zeros(stream, counter_.data(), counter_.bytes());
    }
    void enqueue_apply(const cuda::Stream& stream, const Box3& core, const float* in,
                       std::byte* out) override {
      const std::int64_t count = volume(core.size);
      halves_->halve.launch(stream, {{blocks_of(count)}, {256}, 0}, in,
                            reinterpret_cast<unsigned short*>(out), static_cast<int>(count),
                            counter_.data());
    }
    void finish(const cuda::Stream& stream) override {
      unsigned counted = 0;
      cuda::enqueue_copy(stream, &counted, counter_.data(), counter_.bytes());
      stream.finish();
      applied_ += counted;
    }

   private:
    std::atomic<unsigned>& applied_;
    std::optional<Halves> halves_;
    cuda::DeviceBuffer<unsigned> counter_;
  };
};

}  // namespace synthoscope::test
