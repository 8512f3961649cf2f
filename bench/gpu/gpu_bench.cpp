// SPDX-License-Identifier: MIT
// How fast does a device convolve volumes that it holds already, beside cuFFT and beside its own
// memory? Prints a table last, and JSON to the file that is named.
#include <cufft.h>
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include "bench/timed_on_gpu.hpp"
#include "core/base/json.hpp"
#include "core/cuda/code/module.hpp"
#include "core/cuda/memory/memory_pool.hpp"
#include "core/stream/memory_stream.hpp"
#include "fftconv/device/passes/spectra.hpp"
#include "fftconv/plan/cuts/candidates.hpp"
#include "fftconv/plan/gpu/site.hpp"

namespace synthoscope::fftconv::device {
namespace {

struct Case {
  const char* name;
  Extent3 image, kernel;
  Extent3 transform;  ///< zero: what the planner takes
  Shape shape = Shape::same;
  bool beside_cufft = false;
  /// Each plane is convolved by itself.
  [[nodiscard]] bool of_planes() const { return transform.z == 1; }
};

constexpr Case kCases[] = {
    {"256^3, all voxels", {256, 256, 256}, {9, 9, 9}, {256, 256, 256}, Shape::same, true},
    {"512^3, all voxels", {512, 512, 512}, {9, 9, 9}, {512, 512, 512}, Shape::same, true},
    {"768^3, all voxels", {768, 768, 768}, {9, 9, 9}, {768, 768, 768}, Shape::same, true},
    {"1024^3, all voxels", {1024, 1024, 1024}, {9, 9, 9}, {1024, 1024, 1024}, Shape::same, true},
    {"1536^3, all voxels", {1536, 1536, 1536}, {9, 9, 9}, {1536, 1536, 1536}, Shape::same, true},
    {"100x900x900 of 200x1000x1000", {100, 900, 900}, {9, 9, 9}, {200, 1000, 1000}},
    {"200x1000x1000, all voxels",
     {200, 1000, 1000},
     {9, 9, 9},
     {200, 1000, 1000},
     Shape::same,
     true},
    {"192x992x992 full 9^3", {192, 992, 992}, {9, 9, 9}, {0, 0, 0}, Shape::full},
    {"512 planes of 512^2", {512, 512, 512}, {1, 31, 31}, {1, 512, 512}, Shape::same, true},
    {"2048 planes of 256^2", {2048, 256, 256}, {1, 15, 15}, {1, 256, 256}, Shape::same, true},
    {"256 planes of 768^2", {256, 768, 768}, {1, 31, 31}, {1, 768, 768}, Shape::same, true},
    {"512^3 full 64^3", {512, 512, 512}, {64, 64, 64}, {0, 0, 0}, Shape::full},
    {"1024^3 full 128^3", {1024, 1024, 1024}, {128, 128, 128}, {0, 0, 0}, Shape::full},
};

constexpr const char* kHelpers = R"(
__device__ unsigned hash(unsigned long long i) {
  i = (i + 1) * 0x9E3779B97F4A7C15ull;
  i = (i ^ (i >> 30)) * 0xBF58476D1CE4E5B9ull;
  i = (i ^ (i >> 27)) * 0x94D049BB133111EBull;
  return (unsigned)(i >> 40);
}
__global__ void fill(float* values, long long count, long long seed) {
  for (long long i = blockIdx.x * 256ll + threadIdx.x; i < count; i += gridDim.x * 256ll)
    values[i] = hash(i + seed) * 0x1p-24f - 0.5f;
}
__global__ void multiply(float2* a, const float2* b, long long count) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= count) return;
  a += blockIdx.y * count;
  const float2 x = a[i], y = b[i];
  a[i] = {x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x};
}
)";

/// As the device's fill, in the same order.
float filled(std::int64_t index, std::int64_t seed) {
  auto i = static_cast<std::uint64_t>(index + seed + 1) * 0x9E3779B97F4A7C15ull;
  i = (i ^ (i >> 30)) * 0xBF58476D1CE4E5B9ull;
  i = (i ^ (i >> 27)) * 0x94D049BB133111EBull;
  return static_cast<float>(static_cast<std::uint32_t>(i >> 40)) * 0x1p-24F - 0.5F;
}

struct Helpers {
  explicit Helpers(const cuda::DeviceInfo& device)
      : request{{"helpers.cu", kHelpers}, {}, {"fill", "multiply"}, {}, device.capability},
        module{device.id, request, cuda::compile(request)} {}
  cuda::CompileRequest request;
  cuda::Module module;
  cuda::GpuKernel fill = module.kernel("fill"), multiply = module.kernel("multiply");
};

using synthoscope::bench::timed;

/// Bytes read and written in a second by a copy within the device's memory, of twice 4 GiB.
double copy_rate(const cuda::DeviceInfo& device, cuda::Stream& stream, MemoryBudget& memory) {
  const std::int64_t count = std::int64_t{1} << 30;
  const cuda::DeviceBuffer<float> from{device.id, memory, count, "from"},
      to{device.id, memory, count, "to"};
  cuda::enqueue_zeros(stream, from.data(), from.bytes());
  const double ms =
      timed(stream, [&] { cuda::enqueue_copy(stream, to.data(), from.data(), from.bytes()); });
  return 2e3 * static_cast<double>(from.bytes()) / ms;
}

class NoVoxels final : public Source {
 public:
  explicit NoVoxels(const Extent3& extent) : extent_{extent} {}
  [[nodiscard]] Extent3 extent() const override { return extent_; }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::float32; }
  void read(const Box3&, VoxelView) override {}

 private:
  Extent3 extent_;
};

struct Measured {
  double kernel = 0, forward = 0, columns = 0, back = 0, error = 0, cufft = 0;
  std::int64_t bytes = 0;  ///< of image, kernel, spectra and tables, and of the result
  Extent3 transform;
  [[nodiscard]] double ready() const { return forward + columns + back; }
};

/// @param batch  of independent transforms
double cufft_ms(const Extent3& n, std::int64_t batch, cuda::Stream& stream, const Helpers& helpers,
                const cuda::DeviceInfo& device, MemoryBudget& memory) {
  const std::int64_t half = n.z * n.y * (n.x / 2 + 1);
  const cuda::DeviceBuffer<float> data{device.id, memory, 2 * half * batch, "data"},
      transfer{device.id, memory, 2 * half, "transfer"};
  cuda::enqueue_zeros(stream, data.data(), data.bytes());
  cufftHandle forward = 0, back = 0;
  const auto z = static_cast<int>(n.z), y = static_cast<int>(n.y), x = static_cast<int>(n.x);
  std::array<int, 3> lengths{z, y, x}, reals{z, y, 2 * (x / 2 + 1)}, values{z, y, x / 2 + 1};
  const int first = batch > 1 ? 1 : 0, rank = 3 - first, count = static_cast<int>(batch);
  const auto apart = static_cast<int>(half);
  if (cufftPlanMany(&forward, rank, &lengths[first], &reals[first], 1, 2 * apart, &values[first], 1,
                    apart, CUFFT_R2C, count) != CUFFT_SUCCESS ||
      cufftPlanMany(&back, rank, &lengths[first], &values[first], 1, apart, &reals[first], 1,
                    2 * apart, CUFFT_C2R, count) != CUFFT_SUCCESS)
    return NAN;
  cufftSetStream(forward, stream.handle());
  cufftSetStream(back, stream.handle());
  helpers.fill.launch(stream, {{4096}, {256}, 0}, data.data(), 2LL * half * batch, 1LL);
  helpers.fill.launch(stream, {{4096}, {256}, 0}, transfer.data(), 2LL * half, 2LL);
  const double ms = timed(stream, [&] {
    auto* const spectrum = reinterpret_cast<cufftComplex*>(data.data());
    cufftExecR2C(forward, data.data(), spectrum);
    helpers.multiply.launch(stream, {{(half + 255) / 256, batch}, {256}, 0}, data.data(),
                            transfer.data(), static_cast<long long>(half));
    cufftExecC2R(back, spectrum, data.data());
  });
  stream.finish();
  cufftDestroy(forward);
  cufftDestroy(back);
  return ms;
}

/// Relative L2 of some voxels that nothing wraps into, against a sum in double.
double error_of(const Case& c, const Problem& p, const Layout& layout, const float* result,
                cuda::Stream& stream) {
  const Extent3 wanted{layout.z.wanted, layout.y.wanted, layout.x.wanted};
  double difference = 0, size = 0;
  for (std::int64_t i = 0; i < 64; ++i) {
    const auto pick = [&](std::int64_t image, std::int64_t kernel, std::int64_t salt) {
      const std::int64_t span = std::max<std::int64_t>(1, image - 2 * kernel);
      return kernel +
             static_cast<std::int64_t>((filled(i, salt) + 0.5F) * static_cast<float>(span - 1));
    };
    // A voxel of the image; results of shape full stand K - 1 - (K - 1) earlier, at the same index
    const std::int64_t z = pick(c.image.z, c.kernel.z, 10), y = pick(c.image.y, c.kernel.y, 20),
                       x = pick(c.image.x, c.kernel.x, 30);
    const Index3 center = p.shape == Shape::full ? Index3{0, 0, 0} : p.center;
    double sum = 0;
    for (std::int64_t kz = 0; kz < c.kernel.z; ++kz)
      for (std::int64_t ky = 0; ky < c.kernel.y; ++ky)
        for (std::int64_t kx = 0; kx < c.kernel.x; ++kx) {
          const std::int64_t at =
              ((z + center.z - kz) * c.image.y + y + center.y - ky) * c.image.x + x + center.x - kx;
          sum += static_cast<double>(filled(at, 1)) *
                 static_cast<double>(filled((kz * c.kernel.y + ky) * c.kernel.x + kx, 2));
        }
    float found = 0;
    cuda::enqueue_copy(stream, &found, result + (z * wanted.y + y) * wanted.x + x, 4);
    stream.finish();
    difference += (static_cast<double>(found) - sum) * (static_cast<double>(found) - sum);
    size += sum * sum;
  }
  return std::sqrt(difference / size);
}

/// Who transforms: cuFFT, or kernels of ours, by whole planes where those are faster or by rows and
/// columns one after the other.
enum class By { planes, rows, cufft };

Measured measure(const Case& c, By by, const cuda::DeviceInfo& device, cuda::Stream& stream,
                 const Helpers& helpers, TaskPool& pool) {
  MemoryBudget memory{cuda::memory_of(device.id).free_bytes};
  Problem p;
  p.image = c.image;
  p.kernel = c.kernel;
  p.center = {(c.kernel.z - 1) / 2, (c.kernel.y - 1) / 2, (c.kernel.x - 1) / 2};
  p.shape = c.shape;
  Measured m;
  m.transform = c.transform;
  if (c.transform.z == 0) {
    Machine machine;
    machine.gpu = Gpu{device.name, device.capability, block_limits(device), device.memory_bytes};
    Problem resident = p;
    resident.image_made_on_gpu = true;
    resident.image_voxel_bytes = resident.result_voxel_bytes = 0;
    auto all = in_core_candidates(resident, GpuSite{machine});
    std::erase_if(all, [](const Candidate& one) { return one.cut.direct_z; });
    m.transform = std::min_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
                    return a.seconds < b.seconds;
                  })->transform;
  }
  Cut cut{wanted_extent(p)};
  cut.direct_z = c.of_planes();
  const Layout layout = make_layout(p, m.transform, cut);
  cut.fft = by == By::cufft ? FftLibrary::cufft : FftLibrary::own;
  DeviceLayout sizes = make_device_layout(p, m.transform, cut, block_limits(device));
  if (by != By::planes) sizes.fused = {};
  // A call uses its kernel once; where it is said to be ready, it is for the next image too
  if (c.shape == Shape::same) {
    sizes.keeps_transfer = true;
    sizes.ring_planes = layout.ring_planes;
  }
  const cuda::DeviceBuffer<float> image{device.id, memory, volume(c.image), "image"},
      kernel{device.id, memory, volume(c.kernel), "kernel"};
  helpers.fill.launch(stream, {{4096}, {256}, 0}, image.data(),
                      static_cast<long long>(image.count()), 1LL);
  helpers.fill.launch(stream, {{4096}, {256}, 0}, kernel.data(),
                      static_cast<long long>(kernel.count()), 2LL);

  NoVoxels image_source{c.image}, kernel_source{c.kernel};
  Spectra spectra{device, memory, layout, sizes, false};
  const Term term{&image_source, {&kernel_source, 0, 1}, {}};
  const Loading f = spectra.describe(image_input(layout, WorkAxes{}, term, 0));
  const Loading g = spectra.describe(kernel_input(layout, term.kernel));
  const RingTurnTables tables = spectra.describe(ring_turns_of(layout).front());
  if (c.of_planes()) spectra.describe_planes(f);
  spectra.prepare(stream, pool);
  m.bytes = memory.peak();

  m.kernel = timed(stream, [&] {
    spectra.take_kernel(stream, g, kernel.data(), {0, layout.kernel_planes});
    spectra.finish_kernel(stream);
  });
  const auto forward = [&] { spectra.take_image(stream, f, image.data(), {0, layout.z.loaded}); };
  const auto columns = [&] { spectra.convolve(stream, tables); };
  // Results of the same shape lie where the image did, those of a call in the room of the spectra
  const float* result = image.data();
  const auto back = [&] {
    const std::int64_t rows = layout.y.wanted, width = layout.x.wanted;
    if (sizes.keeps_transfer)
      spectra.give(stream, {0, layout.z.wanted}, rows, width, image.data());
    else
      result = spectra.give_here(stream, rows, width);
  };
  if (spectra.convolves_planes()) {
    const auto convolve = [&] {
      spectra.convolve_planes(stream, f, image.data(), {0, layout.z.loaded}, layout.y.wanted,
                              layout.x.wanted, image.data());
    };
    convolve();
    stream.finish();
    m.error = error_of(c, p, layout, result, stream);
    m.columns = timed(stream, convolve);
    return m;
  }
  forward(), columns(), back();
  stream.finish();
  m.error = error_of(c, p, layout, result, stream);
  m.forward = timed(stream, forward);
  m.columns = timed(stream, columns);
  m.back = timed(stream, back);
  return m;
}

int run(const char* json_path) {
  const cuda::DeviceList list = cuda::list_devices();
  if (list.devices.empty()) {
    fmt::print("{}\n", list.why_none);
    return 0;
  }
  const cuda::DeviceInfo& device = list.devices.front();
  MemoryBudget memory{cuda::memory_of(device.id).free_bytes};
  TaskPool pool{available_threads()};
  cuda::Stream stream{device.id};
  const double copy = copy_rate(device, stream, memory);
  const Helpers helpers{device};

  std::string table = fmt::format(
      "{}, copy {:.2f} TB/s; milliseconds, the middle of 9 runs\n"
      "{:30} {:>16} {:>8} {:>8} {:>8} {:>8} {:>9} {:>7} {:>8} {:>8} {:>9} {:>7} {:>9} {:>9} "
      "{:>7} | {:>8} {:>8} {:>8} {:>8} {:>9} {:>6} {:>9}\n",
      device.name, copy * 1e-12, "volume in device memory", "transform", "kernel", "forward",
      "columns", "back", "ready", "of 44/8", "call", "cuFFT", "rel. L2", "GiB", "by cuFFT",
      "rel. L2", "GiB", "rows:", "forward", "columns", "back", "ready", "share", "rel. L2");
  Json found = Json::array();
  for (const Case& c : kCases) {
    Measured m = measure(c, By::planes, device, stream, helpers, pool);
    const Measured rows = measure(c, By::rows, device, stream, helpers, pool);
    const Measured library = measure(c, By::cufft, device, stream, helpers, pool);
    if (c.beside_cufft)
      m.cufft =
          cufft_ms(m.transform, c.of_planes() ? c.image.z : 1, stream, helpers, device, memory);
    const double voxels = static_cast<double>(volume(m.transform)) *
                          static_cast<double>(c.of_planes() ? c.image.z : 1);
    const double ideal = (c.of_planes() ? 8.0 : 44.0) * voxels / copy * 1e3;
    table += fmt::format(
        "{:30} {:>16} {:8.3f} {:8.3f} {:8.3f} {:8.3f} {:9.3f} {:6.0f}% {:8.3f} {:>8} {:9.1e} "
        "{:7.2f} {:9.3f} {:9.1e} {:7.2f} | {:8.3f} {:8.3f} {:8.3f} {:8.3f} {:9.3f} {:6.3f} "
        "{:9.1e}\n",
        c.name, fmt::format("{}x{}x{}", m.transform.z, m.transform.y, m.transform.x), m.kernel,
        m.forward, m.columns, m.back, m.ready(), 100 * ideal / m.ready(), m.kernel + m.ready(),
        c.beside_cufft ? fmt::format("{:.3f}", m.cufft) : "", m.error,
        static_cast<double>(m.bytes) / (1 << 30), library.ready(), library.error,
        static_cast<double>(library.bytes) / (1 << 30), rows.kernel, rows.forward, rows.columns,
        rows.back, rows.ready(), m.ready() / rows.ready(), rows.error);
    found.push_back(
        {{"volume", c.name},
         {"transform", {m.transform.z, m.transform.y, m.transform.x}},
         {"kernel_ms", m.kernel},
         {"forward_ms", m.forward},
         {"columns_ms", m.columns},
         {"back_ms", m.back},
         {"cufft_ms", m.cufft},
         {"relative_l2", m.error},
         {"by_rows_ms", {rows.kernel, rows.forward, rows.columns, rows.back}},
         {"by_rows_relative_l2", rows.error},
         {"by_cufft_ms", {library.kernel, library.forward, library.columns, library.back}},
         {"by_cufft_relative_l2", library.error},
         {"by_cufft_device_bytes", library.bytes},
         {"device_bytes", m.bytes}});
  }
  fmt::print("{}", table);
  if (json_path)
    std::ofstream{json_path} << text_of(
        Json{{"device", device.name}, {"copy_bytes_per_second", copy}, {"rows", found}});
  return 0;
}

}  // namespace
}  // namespace synthoscope::fftconv::device

int main(int count, char** arguments) {
  return synthoscope::fftconv::device::run(count > 1 ? arguments[1] : nullptr);
}
