// SPDX-License-Identifier: MIT
#include "python/convolve.hpp"
#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <tbb/global_control.h>
#include <algorithm>
#include <optional>
#include "core/error.hpp"
#include "core/memory_stream.hpp"
#include "core/store_as.hpp"
#include "fftconv/cost.hpp"
#include "fftconv/host_executor.hpp"
#include "fftconv/line_rows.hpp"
#include "fftconv/sums.hpp"
#include "python/arrays.hpp"
#include "python/convolution_request.hpp"
#include "python/interruptible.hpp"
#include "python/remembered.hpp"

namespace synthoscope::python {
namespace {

namespace nb = nanobind;

constexpr const char* kDocstring =
    R"(Convolves two volumes that lie in memory, as scipy.signal does, into a third.

image, kernel : arrays (z, y, x), C order, of int8 to uint32, float32 or float64.
result : float32 or float64, C order, of the extent that `shape` makes: the precision of the work.
shape : "full", "same" (the image's extent, centred) or "valid" (kernel no larger than the image).
method : "direct" (sums, for kernels of at most 2**18 voxels), "fft" (transforms) or "auto".
workers : threads, 1 to 1024; None: all cores.
memory : bytes of buffers beside the three arrays, as "1073741824" or "1GiB"; None: 70 % of what is
    free.

Raises ValueError for shapes or types that do not go together, MemoryError for too little `memory`.
)";

/// Work of fewer seconds is done before another thread has begun.
constexpr double kAloneSeconds = 2e-4;

void require_result(const VoxelView& result, const fftconv::Problem& problem) {
  if (!is_floating(result.type()))
    throw InvalidSpec(
        fmt::format("convolve: the result's voxels are {}; use float32 or float64", result.type()));
  if (const Extent3 extent = output_extent(problem); result.extent() != extent)
    throw InvalidSpec(fmt::format("convolve: the result has room for {}; shape {} makes {}",
                                  result.extent(), name_of(problem.shape), extent));
}

/// Threads and bytes that a call has asked for, or may take.
Allowance allowance_of(std::optional<int> workers, const std::optional<std::string>& memory) {
  Allowance allowed = usual_allowance();
  if (workers) allowed.threads = *workers;
  if (memory) allowed.memory_bytes = parse_bytes(*memory);
  return allowed;
}

void carry_out(const fftconv::Plan& plan, const fftconv::Term& term, Sink& sink,
               const Allowance& allowed, const StopFlag& stop) {
  StoreAs store{sink.pixel_type()};
  TaskPool pool{allowed.threads};
  MemoryBudget memory{allowed.memory_bytes};
  NoProgress progress;
  NoLog log;
  fftconv::make_host_executor(plan.machine)
      ->run(plan, {&term, 1}, store, sink, {pool, memory, progress, log, stop});
}

double seconds_of(const fftconv::Plan& plan) {
  return plan.chosen()->seconds - fftconv::kStartSeconds;
}

void run(const fftconv::Plan& plan, Source& image, Source& kernel, Sink& result,
         Allowance allowed) {
  if (seconds_of(plan) < kAloneSeconds) allowed.threads = std::min(allowed.threads, 1);
  std::optional<tbb::global_control> more;
  if (allowed.threads > usual_allowance().threads)  // than there are cores are the caller's choice
    more.emplace(tbb::global_control::max_allowed_parallelism,
                 static_cast<std::size_t>(allowed.threads));
  const fftconv::Term term{&image, {&kernel, 0, 1}, {}};
  StopFlag stop;
  run_interruptibly(stop, seconds_of(plan), [&] { carry_out(plan, term, result, allowed, stop); });
}

void run_in_rows(const fftconv::LineRows& cut, const fftconv::Plan& plan, Source& image,
                 Source& kernel, Sink& result, const Allowance& allowed) {
  const fftconv::Problem& rows = cut.problem;
  const std::int64_t of_line = cut.rows_of_line + rows.kernel.y - 1;
  fftconv::RowsOfLines image_rows{image, rows.image, of_line, cut.image_first, cut.row};
  fftconv::RowsOfLines kernel_rows{kernel, rows.kernel, rows.kernel.y, 0, rows.kernel.x};
  fftconv::LinesOfRows result_rows{result, output_extent(rows), cut.rows_of_line};
  run(plan, image_rows, kernel_rows, result_rows, allowed);
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
  const fftconv::Strategy wanted = look_at_kernel(kernel_source, method_of(method), problem);
  const Allowance allowed = allowance_of(workers, memory);
  const fftconv::Machine machine{allowed.memory_bytes};

  const fftconv::Plan plan = remembered_plan(problem, machine, wanted);
  if (const auto cut = fftconv::line_rows(problem); cut && !fftconv::is_by_sums(wanted)) {
    const fftconv::Plan in_rows = remembered_plan(cut->problem, machine, wanted);
    // What transforms of lines that are not cut are predicted to take does not count
    if (!fftconv::is_by_sums(plan.strategy) || seconds_of(in_rows) < seconds_of(plan))
      return run_in_rows(*cut, in_rows, image_source, kernel_source, sink, allowed);
  }
  run(plan, image_source, kernel_source, sink, allowed);
}

}  // namespace

void add_convolve(nb::module_& module) {
  module.def("convolve", convolve_arrays, nb::arg("image").noconvert(),
             nb::arg("kernel").noconvert(), nb::arg("result").noconvert(), nb::arg("shape"),
             nb::arg("method") = "auto", nb::arg("workers") = nb::none(),
             nb::arg("memory") = nb::none(), kDocstring);
}

}  // namespace synthoscope::python
