// SPDX-License-Identifier: MIT
// deconvolution/device/resident_part.hpp — iterations of one part of a field on one GPU.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>
#include "core/cuda/memory/buffer.hpp"
#include "deconvolution/device/code/arguments.hpp"
#include "deconvolution/device/neighbours.hpp"
#include "deconvolution/device/plane_passes.hpp"
#include "deconvolution/device/resident_richardson_lucy.hpp"
#include "fftconv/device/resident_convolution.hpp"

namespace synthoscope::deconvolution::device {

/// What all parts of a field have in common.
struct WholeField {
  const Model& model;  ///< outlives them
  bool has_momentum;
  ImageLight light;
  float even;  ///< even_light
};

/// Returns the plan of each share. All have the transform of the largest part, because neighbours
/// exchange spectra. @throws PlanError  an axis is longer than the GPU transforms.
std::vector<fftconv::Plan> plans_of(std::span<const GpuShare> shares);

/// Returns the number of classes of shares of a whole field.
std::int64_t classes_of(const Geometry& geometry);

/// Returns how many planes of the host pass at once.
SlotSize slot_size(const Geometry& geometry, bool has_momentum, const VolumesOnHost& on_host);

/// A part and its volumes. An iteration has two steps: all parts begin it before any ends it. What
/// neighbours share goes from one GPU to the other while the rest is computed. Only `likelihood`,
/// `wait` and what moves volumes of the host wait.
class ResidentPart {
 public:
  /// Reads the kernel and the part's image, and takes all memory but that of neighbours.
  /// @param image  float32, of part.field
  /// @param plan   resident_plan, with the same transform for all parts
  ResidentPart(const WholeField& whole, const SeenShare& share, const FieldPart& part,
               Source& image, const fftconv::Plan& plan, const cuda::DeviceInfo& gpu,
               std::int64_t device_bytes, const RunContext& context, const HostVolumes& host);
  ~ResidentPart() { drain(); }
  ResidentPart(const ResidentPart&) = delete;
  ResidentPart& operator=(const ResidentPart&) = delete;

  /// Takes memory for what other parts compute of the places that both have. Only before the first
  /// iteration.
  void meet(std::span<const std::unique_ptr<ResidentPart>> all);

  void begin();
  /// @param estimate, before  of the part
  void go_on_after(int iterations, Source& estimate, Source* before);

  /// Enqueues all up to H^T d, and sends to neighbours what they share of it.
  void begin_iteration();
  /// Enqueues the sums of what neighbours share, and the next estimate.
  void end_iteration();
  /// Waits for the likelihood of the part's image, and returns its logarithm.
  [[nodiscard]] double likelihood();

  [[nodiscard]] int iterations() const { return iterations_; }
  [[nodiscard]] Source& result() { return light_->source(); }
  [[nodiscard]] Source* before() { return before_ ? &before_->source() : nullptr; }
  /// Waits for all work. @throws CudaError
  void wait() const;
  /// After a failure: waits for all work, also for copies to and from neighbours.
  void drain() const noexcept;

  [[nodiscard]] LinkBytes copied() const { return passes_.copied(); }
  [[nodiscard]] std::int64_t iteration_bytes() const;
  [[nodiscard]] std::int64_t peak_device_bytes() const { return device_memory_.peak(); }

 private:
  using SpectrumRows = fftconv::device::SpectrumRows;
  void begin_at(int iterations);
  void load_kernels(const cuda::DeviceInfo& gpu);
  void send_shares(const SeenShare& share);
  void pass_estimates(const Passing& how, const PlanePasses::Work& work);
  void load(const Interval& planes, const float* voxels);
  void fill_evenly(const Interval& planes, float* light) const;
  void go_beyond(const Interval& planes, const float* light, float* before) const;
  void find_residual(const SpectrumRows& rows, const Interval& planes, const float* image) const;
  void sum_likelihoods();
  void update_planes(const Interval& planes, std::span<float* const> estimates);
  void update(const SpectrumRows& rows, const Interval& planes,
              std::span<float* const> estimates) const;
  [[nodiscard]] const cuda::GpuKernel& at(const std::string& name) const {
    return kernels_.at(name);
  }
  [[nodiscard]] cuda::LaunchShape shape_for(const SpectrumRows& rows) const;
  [[nodiscard]] float least_beyond() const { return kLeastBeyond * whole_.even; }

  WholeField whole_;
  FieldPart part_;
  const RunContext& context_;
  MemoryBudget device_memory_;
  cuda::Stream stream_;
  fftconv::WorkAxes axes_;
  WorkedVolume estimate_, last_, image_;
  cuda::DeviceBuffer<float> inverse_;
  cuda::DeviceBuffer<double> of_rows_, of_pieces_;
  cuda::PinnedBuffer<double> pieces_;
  cuda::Event summed_;
  fftconv::device::ResidentConvolution convolution_;
  PlanePasses passes_;
  Neighbours neighbours_;
  WorkedVolume *light_ = nullptr,
               *before_ = nullptr;  ///< the present estimate and the one before: they take turns
  Shares shares_;
  std::string residual_name_, update_name_;
  std::map<std::string, cuda::GpuKernel> kernels_;
  int iterations_ = 0;
};

}  // namespace synthoscope::deconvolution::device
