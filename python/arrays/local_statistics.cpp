// SPDX-License-Identifier: MIT
#include "python/arrays/local_statistics.hpp"
#include <fmt/format.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <array>
#include <deque>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"
#include "kernels/operation/run_bricks.hpp"
#include "python/arrays/functions.hpp"
#include "python/session/arrays.hpp"
#include "python/session/call.hpp"

namespace synthoscope::python {
namespace {

namespace nb = nanobind;

constexpr const char* kDocstring =
    R"(Computes mean and variance of the neighbourhood of every voxel, in single precision.

image : array (z, y, x), C order, of int8 to uint32, float32 or float64.
results : float32 arrays of its extent: of each window the mean, then the variance.
window : "box", "triangle" or "gaussian".
sizes : (z, y, x) of each window, each a multiple of the one before.
boundary : "zero", "nearest", "reflect", "mirror" or "wrap".
workers, memory : threads and bytes.
)";

// Seconds of one thread, for a voxel of a window
constexpr double kVoxelSeconds = 5e-9;

void local_statistics(const ReadArray& image, const std::vector<WrittenArray>& results,
                      const std::string& window, const std::vector<std::array<double, 3>>& sizes,
                      const std::string& boundary, std::optional<int> workers,
                      std::optional<std::string> memory) {
  const ConstVoxelView from = view_of(image);
  if (results.size() != 2 * sizes.size())
    throw InvalidSpec(fmt::format("local statistics: {} results of {} windows; give two of each",
                                  results.size(), sizes.size()));
  const kernels::LocalVarianceSpec spec = mean_and_variance(window, sizes, boundary);
  const auto operation = kernels::local_variance(spec, from.extent(), from.type());

  std::deque<MemorySink> stores;
  std::vector<Sink*> sinks;
  for (const WrittenArray& result : results) sinks.push_back(&stores.emplace_back(view_of(result)));
  const double seconds =
      kVoxelSeconds *
      static_cast<double>(volume(from.extent()) * static_cast<std::int64_t>(sizes.size()));
  run_kernel({workers, std::move(memory)}, seconds, [&](const RunContext& context) {
    const kernels::BrickPlan plan =
        kernels::plan_bricks(*operation, from.extent(), from.type(), BoxOrder::any,
                             {context.memory.limit(), 0}, context.pool.threads());
    MemorySource source{from};
    kernels::run_bricks(plan, *operation, source, sinks, context);
  });
}

}  // namespace

kernels::LocalVarianceSpec mean_and_variance(const std::string& window,
                                             const std::vector<std::array<double, 3>>& sizes,
                                             const std::string& boundary) {
  const auto shape = kernels::window_shape_named(window);
  const auto outside = boundary_named(boundary);
  if (!shape || !outside)
    throw InvalidSpec(
        fmt::format("local statistics: the window is '{}' and the boundary '{}'; use box, triangle "
                    "or gaussian, and zero, nearest, reflect, mirror or wrap",
                    window, boundary));
  kernels::LocalVarianceSpec spec;
  for (const auto& [z, y, x] : sizes) spec.windows.push_back({*shape, z, y, x});
  spec.statistics = {kernels::LocalStatistic::mean, kernels::LocalStatistic::variance};
  spec.boundary = *outside;
  return spec;
}

void add_local_statistics(nb::module_& module) {
  module.def("local_statistics", local_statistics, nb::arg("image").noconvert(), nb::arg("results"),
             nb::arg("window"), nb::arg("sizes"), nb::arg("boundary"), nb::arg("workers").none(),
             nb::arg("memory").none(), kDocstring);
}

}  // namespace synthoscope::python
