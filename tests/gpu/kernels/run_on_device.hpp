// SPDX-License-Identifier: MIT
// tests/gpu/kernels/run_on_device.hpp — an operation on neighbourhoods, run on a device.
#pragma once
#include <gtest/gtest.h>
#include "core/stream/memory_stream.hpp"
#include "kernels/device/bricks/device_bricks.hpp"
#include "tests/support/operation_case.hpp"

namespace synthoscope::test {

/// In bricks of at most so many bytes, within the memory that was planned.
template <class To, class From>
Volume<To> run_on_device(const cuda::DeviceInfo& device, kernels::Operation& operation,
                         const Volume<From>& image, std::int64_t brick_bytes,
                         BoxOrder order = BoxOrder::any) {
  TestContext test;
  MemoryBudget budget{std::int64_t{2} << 30, 0, "--gpu-memory"};
  MemorySource source{image.view()};
  const kernels::BrickPlan plan =
      kernels::device::plan_bricks_on_device(operation, image.extent, pixel_type_of<From>(), order,
                                             {budget.limit(), {test.memory.limit()}}, brick_bytes);
  Volume<To> result{operation.extent()};
  MemorySink sink{result.view()};
  Sink* const sinks[] = {&sink};
  kernels::device::run_bricks_on_device(plan, operation, source, sinks, device, budget,
                                        test.context);
  EXPECT_LE(test.memory.peak(), kernels::device::device_bytes(plan).host);
  EXPECT_LE(budget.peak(), kernels::device::device_bytes(plan).device);
  EXPECT_EQ(budget.used(), 0);
  return result;
}

}  // namespace synthoscope::test
