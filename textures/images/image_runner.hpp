// SPDX-License-Identifier: MIT
// textures/images/image_runner.hpp — streams an image through an operation, on the host or on a
// GPU.
#pragma once
#include "core/run/run_context.hpp"
#include "core/stream/stream.hpp"
#include "kernels/operation/operation.hpp"

namespace synthoscope::textures {

class ImageRunner {
 public:
  virtual ~ImageRunner() = default;

  /// Makes the one result of `operation` from `source` and hands its boxes to `sink`, in any order.
  /// @param host_seconds  that one thread of the host is expected to take
  /// @throws PlanError  the memory of `context` has no room for the smallest boxes.
  /// @throws Interrupted, and what source, operation and sink throw.
  virtual void run(kernels::Operation& operation, Source& source, Sink& sink, double host_seconds,
                   const RunContext& context) = 0;
};

/// Plans bricks for what is left of the memory, and makes them on the threads of the context.
class HostRunner final : public ImageRunner {
 public:
  void run(kernels::Operation& operation, Source& source, Sink& sink, double host_seconds,
           const RunContext& context) override;
};

}  // namespace synthoscope::textures
