// SPDX-License-Identifier: MIT
// Blurs one point with a box, as a project that found synthoscope would.
#include <cmath>
#include "core/stream/memory_stream.hpp"
#include "core/stream/store_as.hpp"
#include "fftconv/host/executor.hpp"

using namespace synthoscope;

int main() {
  Volume<float> image{{5, 6, 7}}, kernel{{3, 3, 3}}, blurred{{5, 6, 7}};
  image.view()(2, 3, 3) = 1;
  for (float& v : kernel.voxels) v = 1;
  MemorySource image_source{image.view()}, kernel_source{kernel.view()};
  MemorySink sink{blurred.view()};

  const auto executor = fftconv::make_host_executor({1 << 26});
  const auto plan =
      fftconv::plan_convolution({image.extent, kernel.extent, {1, 1, 1}}, executor->machine());
  TaskPool pool{1};
  MemoryBudget memory{1 << 26};
  NoProgress progress;
  NoLog log;
  StopFlag stop;
  StoreAs store{PixelType::float32};
  const fftconv::Term term{&image_source, {&kernel_source}, {}};
  executor->run(plan, {&term, 1}, store, sink, {pool, memory, progress, log, stop});

  const bool inside = std::abs(blurred.view()(1, 2, 2) - 1) < 1e-5;
  const bool outside = std::abs(blurred.view()(0, 0, 0)) < 1e-5;
  return inside && outside ? 0 : 1;
}
