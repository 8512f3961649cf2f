// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <optional>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"
#include "core/stream/store_as.hpp"
#include "fftconv/host/executor.hpp"
#include "fftconv/kernel/line_rows.hpp"
#include "fftconv/plan/cuts/cost.hpp"
#include "fftconv/plan/cuts/sums.hpp"
#include "python/arrays/convolution_request.hpp"
#include "python/arrays/functions.hpp"
#include "python/session/arrays.hpp"
#include "python/session/call.hpp"

namespace synthoscope::python {
namespace {

namespace nb = nanobind;

constexpr const char* kDocstring =
    R"(Convolves two volumes in memory, as scipy.signal does, into a third.

image, kernel : arrays (z, y, x), C order, of int8 to uint32, float32 or float64.
result : float32 or float64, C order, of the extent that `shape` gives; its type is the precision.
shape : "full", "same" (the image's extent, centred) or "valid" (kernel no larger than the image).
method : "direct" (sums, for kernels of at most 2**18 voxels), "fft" (transforms) or "auto".
workers : threads, at least 1; None: all cores.
memory : bytes of buffers beside the three arrays, as "1073741824" or "1GiB"; None: 70 % of what is
    free.

Raises ValueError for shapes or types that do not go together, MemoryError for too little `memory`.
)";

void require_result(const VoxelView& result, const fftconv::Problem& problem) {
  if (!is_floating(result.type()))
    throw InvalidSpec(
        fmt::format("convolve: the result's voxels are {}; use float32 or float64", result.type()));
  if (const Extent3 extent = output_extent(problem); result.extent() != extent)
    throw InvalidSpec(fmt::format("convolve: the result has {} voxels, but shape {} gives {}",
                                  result.extent(), name_of(problem.shape), extent));
}

double seconds_of(const fftconv::Plan& plan) {
  return plan.chosen()->seconds - fftconv::kStartSeconds;
}

void run(const fftconv::Plan& plan, const Asked& asked, Source& image, Source& kernel,
         Sink& result) {
  Allowed allowed{asked, seconds_of(plan)};
  allowed.memory_bytes = plan.machine.host_bytes;
  run_allowed(allowed, seconds_of(plan), [&](const RunContext& context) {
    StoreAs store{result.pixel_type()};
    const fftconv::Term term{&image, {&kernel, 0, 1}, {}};
    fftconv::make_host_executor(plan.machine)->run(plan, {&term, 1}, store, result, context);
  });
}

/// Returns the plan of the rows if it fits and is faster.
std::optional<fftconv::Plan> better_in_rows(const fftconv::LineRows& cut,
                                            const fftconv::Plan& uncut) {
  try {
    const auto plan = remembered_plan(cut.problem, uncut.machine, fftconv::Strategy::automatic);
    // What transforms of lines that are not cut are predicted to take does not count
    if (!fftconv::is_by_sums(uncut.strategy) || seconds_of(plan) < seconds_of(uncut)) return plan;
  } catch (const PlanError&) {  // they need more than there is
  }
  return {};
}

void run_in_rows(const fftconv::LineRows& cut, const fftconv::Plan& plan, const Asked& asked,
                 Source& image, Source& kernel, Sink& result) {
  const fftconv::Problem& rows = cut.problem;
  const std::int64_t of_line = cut.rows_of_line + rows.kernel.y - 1;
  fftconv::RowsOfLines image_rows{image, rows.image, of_line, cut.image_first, cut.row};
  fftconv::RowsOfLines kernel_rows{kernel, rows.kernel, rows.kernel.y, 0, rows.kernel.x};
  fftconv::LinesOfRows result_rows{result, output_extent(rows), cut.rows_of_line};
  run(plan, asked, image_rows, kernel_rows, result_rows);
}

void convolve_arrays(const ReadArray& image, const ReadArray& kernel, const WrittenArray& result,
                     const std::string& shape, const std::string& method,
                     std::optional<int> workers, const std::optional<std::string>& memory) {
  const ConstVoxelView f = view_of(image), g = view_of(kernel);
  const VoxelView h = view_of(result);
  fftconv::Problem problem = problem_of(f, g, h.type(), shape_of(shape));
  require_result(h, problem);
  MemorySource image_source{f}, kernel_source{g};
  MemorySink sink{h};
  const fftconv::Strategy wanted = examine_kernel_for(kernel_source, method_of(method), problem);
  const Asked asked{workers, memory};
  const std::int64_t bytes = memory ? parse_bytes(*memory) : usual_allowance().memory_bytes;

  const fftconv::Plan plan = remembered_plan(problem, {bytes}, wanted);
  if (const auto cut = fftconv::line_rows(problem); cut && !fftconv::is_by_sums(wanted))
    if (const auto in_rows = better_in_rows(*cut, plan))
      return run_in_rows(*cut, *in_rows, asked, image_source, kernel_source, sink);
  run(plan, asked, image_source, kernel_source, sink);
}

}  // namespace

void add_convolve(nb::module_& module) {
  module.def("convolve", convolve_arrays, nb::arg("image").noconvert(),
             nb::arg("kernel").noconvert(), nb::arg("result").noconvert(), nb::arg("shape"),
             nb::arg("method") = "auto", nb::arg("workers") = nb::none(),
             nb::arg("memory") = nb::none(), kDocstring);
}

}  // namespace synthoscope::python
