// SPDX-License-Identifier: MIT
// deconvolution/device/neighbours.hpp — what parts of a field exchange in an iteration.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>
#include "core/cuda/code/module.hpp"
#include "core/cuda/memory/buffer.hpp"
#include "deconvolution/device/field_parts.hpp"
#include "fftconv/device/resident_convolution.hpp"
#include "fftconv/planes/access.hpp"

namespace synthoscope::deconvolution::device {

/// The places of a part that another one has, too, as planes and rows of its work problem.
struct SharedRows {
  Interval planes, rows;
  [[nodiscard]] std::int64_t count() const { return planes.count * rows.count; }
};
SharedRows shared_rows(const FieldPart& part, const FieldPart& other,
                       const fftconv::WorkAxes& axes);

/// The neighbours of a part, and the spectra of rows of H^T d that both have. Each sends its own,
/// and adds the other's. Either all neighbours have rows of all planes, or each has planes of its
/// own. Nothing here waits.
class Neighbours {
 public:
  /// All outlive this.
  Neighbours(const FieldPart& part, cuda::DeviceId device,
             const fftconv::device::ResidentConvolution& convolution);

  /// Takes memory for what `other` sends, if both share places.
  void meet(Neighbours& other, const fftconv::WorkAxes& axes, MemoryBudget& device_memory);
  [[nodiscard]] bool none() const { return links_.empty(); }

  using OfPlanes = std::function<void(const Interval& planes)>;
  /// Calls `make` for all planes, in groups: first for those of which neighbours have rows, and
  /// sends these rows while the others are made.
  void send(const cuda::Stream& compute, const OfPlanes& make);
  /// Calls `use` for all planes, in groups, once what neighbours sent was added: last where
  /// neighbours have to be waited for. All parts have called `send` before.
  void receive(cuda::Stream& compute, const cuda::GpuKernel& add_rows, const OfPlanes& use);

  /// After a failure: waits for all copies.
  void drain() const noexcept { exchange_.drain(); }

 private:
  /// Planes whose shared rows are sent at once.
  struct Piece {
    Interval planes;
    cuda::Event sent;  ///< in the last iteration
  };
  struct Link {
    Neighbours* other;
    SharedRows shared;
    std::vector<Piece> pieces;       ///< of all that is shared; as many on both sides
    cuda::DeviceBuffer<float> came;  ///< [plane, row] of spectra
  };

  [[nodiscard]] std::vector<Piece> pieces_of(const SharedRows& shared, std::int64_t bytes) const;
  [[nodiscard]] std::vector<Interval> planes_alone() const;
  [[nodiscard]] Link& link_to(const Neighbours& other);
  void send(const cuda::Stream& compute, Link& link, std::size_t piece);
  void add(cuda::Stream& compute, const cuda::GpuKernel& add_rows, Link& link, std::size_t piece);

  const FieldPart& part_;
  const fftconv::device::ResidentConvolution& convolution_;
  cuda::Stream exchange_;
  cuda::Event made_, added_;  ///< in the last iteration
  std::vector<Link> links_;
};

}  // namespace synthoscope::deconvolution::device
