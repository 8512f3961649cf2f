// SPDX-License-Identifier: MIT
// How close to the speed of the link does a device convolve volumes that the host holds, from
// pinned and from ordinary memory? Prints a table last; JSON to the file that is named first, and
// the times of every batch of one run to the one that is named second.
//
//     gpu_link_bench [OUT.json [TIMELINE.csv [1024 1536 2048 ...]]]
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include "core/cuda/buffer.hpp"
#include "core/cuda/device_rates.hpp"
#include "core/host_buffer.hpp"
#include "core/json.hpp"
#include "core/memory_stream.hpp"
#include "core/stopwatch.hpp"
#include "core/store_as.hpp"
#include "fftconv/candidates.hpp"
#include "fftconv/device/device_run.hpp"
#include "fftconv/device/timeline.hpp"
#include "fftconv/run_memory.hpp"

namespace synthoscope::fftconv::device {
namespace {

constexpr std::int64_t kKernel = 101, kPlanes = 128, kChecked = 200;  // kPlanes of the ring
constexpr std::int64_t kBatchBytes = std::int64_t{64} << 20;
constexpr int kRepeats = 3;

std::uint32_t hashed(std::int64_t index) {
  auto i = (static_cast<std::uint64_t>(index) + 1) * 0x9E3779B97F4A7C15ull;
  i = (i ^ (i >> 30)) * 0xBF58476D1CE4E5B9ull;
  i = (i ^ (i >> 27)) * 0x94D049BB133111EBull;
  return static_cast<std::uint32_t>(i >> 48);  // 16 bits
}

/// A voxel of the image; floats are what their 16 bits are over 65536.
template <class T>
T voxel_of(std::int64_t index) {
  const std::uint32_t bits = hashed(index);
  return std::is_same_v<T, float> ? static_cast<T>(static_cast<float>(bits) * 0x1p-16F)
                                  : static_cast<T>(bits);
}

/// Positive, of sum 1, and steep, so that results differ from voxel to voxel.
Volume<float> make_kernel() {
  Volume<float> kernel{{kKernel, kKernel, kKernel}};
  double sum = 0;
  const auto c = static_cast<double>(kKernel / 2);
  for (std::size_t i = 0; i < kernel.voxels.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    const double z = static_cast<double>(at / (kKernel * kKernel)) - c,
                 y = static_cast<double>(at / kKernel % kKernel) - c,
                 x = static_cast<double>(at % kKernel) - c;
    kernel.voxels[i] =
        static_cast<float>((0.5 + hashed(at + 77) * 0x1p-16) / (1 + z * z + y * y + x * x));
    sum += static_cast<double>(kernel.voxels[i]);
  }
  for (float& v : kernel.voxels) v = static_cast<float>(static_cast<double>(v) / sum);
  return kernel;
}

/// Image or result in one of the two memories; pinned memory is as costly as it is said to be.
class Room {
 public:
  Room(cuda::DeviceId device, MemoryBudget& budget, std::int64_t bytes, HostMemory kind)
      : memory{kind} {
    if (memory == HostMemory::pinned)
      pinned_ = {device, budget, bytes, "voxels"};
    else
      ordinary_ = {budget, bytes, "voxels"};
  }
  [[nodiscard]] std::byte* data() const {
    return memory == HostMemory::pinned ? pinned_.data() : ordinary_.data();
  }
  const HostMemory memory;

 private:
  HostBuffer<std::byte> ordinary_;
  cuda::PinnedBuffer<std::byte> pinned_;
};

struct Bench {
  explicit Bench(cuda::DeviceInfo info)
      : device{std::move(info)}, gpu_memory{cuda::memory_of(device.id).free_bytes} {}
  cuda::DeviceInfo device;
  MemoryBudget gpu_memory;
  MemoryBudget host{available_memory_bytes()};
  TaskPool pool{available_threads()};
  NoProgress progress;
  NoLog log;
  StopFlag stop;
  RunContext context{pool, host, progress, log, stop};
  cuda::DeviceRates rates = cuda::measure_device(device.id, host, stop);
  double staging = 0;
  Volume<float> kernel = make_kernel();
  Json rows = Json::array();
  std::string table;
};

/// Bytes read and written in a second by all threads that copy in pieces as a run does.
double staging_rate(Bench& bench) {
  constexpr std::int64_t kBytes = std::int64_t{2} << 30, kPiece = std::int64_t{3} << 19;
  const HostBuffer<std::byte> from{bench.host, kBytes, "from"}, to{bench.host, kBytes, "to"};
  double best = 0;
  for (int i = 0; i < 6; ++i) {  // the first touches the memory
    Stages stages;
    const Stopwatch watch{stages};
    bench.pool.for_ranges(kBytes, kPiece, [&](std::int64_t begin, std::int64_t end) {
      if (i == 0) std::memset(from.data() + begin, 1, static_cast<std::size_t>(end - begin));
      std::memcpy(to.data() + begin, from.data() + begin, static_cast<std::size_t>(end - begin));
    });
    if (i > 0) best = std::max(best, 2 * static_cast<double>(kBytes) / watch.total());
  }
  return best;
}

Plan make_plan(const Bench& bench, std::int64_t n, std::int64_t voxel_bytes) {
  Problem p;
  p.image = {n, n, n};
  p.kernel = {kKernel, kKernel, kKernel};
  p.center = {kKernel / 2, kKernel / 2, kKernel / 2};
  p.image_voxel_bytes = p.result_voxel_bytes = 0;
  p.source_voxel_bytes = p.sink_voxel_bytes = voxel_bytes;
  Plan plan;
  plan.problem = plan.work = p;
  plan.strategy = Strategy::ring;
  plan.transform = ring_candidates(p).front().transform;
  plan.transform.z = kPlanes;
  plan.cut.result = {kPlanes - kKernel + 1, n, n};
  plan.cut.batch_planes = std::max<std::int64_t>(1, kBatchBytes / (n * n * voxel_bytes));
  plan.where = Place::gpu;
  plan.machine.host_bytes = bench.host.limit();
  plan.machine.gpu = Gpu{bench.device.name, bench.device.capability, block_limits(bench.device),
                         bench.gpu_memory.limit()};
  const RunMemory memory = run_memory_of(plan);
  plan.memory = memory.host;
  plan.device_memory = memory.device;
  return plan;
}

struct Error {
  double relative_l2 = 0, largest = 0;  ///< of the results' spread; in units of the voxel
};

/// Of some voxels, against sums in double precision.
template <class T>
Error error_of(Bench& bench, std::int64_t n, const T* result) {
  std::vector<double> exact(kChecked), found(kChecked);
  bench.pool.for_each(kChecked, [&](std::int64_t i) {
    const auto pick = [&](std::int64_t salt) {  // borders among them
      return static_cast<std::int64_t>(hashed(3 * i + salt)) * n / 65536;
    };
    const std::int64_t z = pick(1000), y = pick(2001), x = pick(3002), half = kKernel / 2;
    double sum = 0;
    for (std::int64_t a = std::max<std::int64_t>(0, z - half); a <= std::min(n - 1, z + half); ++a)
      for (std::int64_t b = std::max<std::int64_t>(0, y - half); b <= std::min(n - 1, y + half);
           ++b)
        for (std::int64_t c = std::max<std::int64_t>(0, x - half); c <= std::min(n - 1, x + half);
             ++c)
          sum += static_cast<double>(voxel_of<T>((a * n + b) * n + c)) *
                 static_cast<double>(
                     std::as_const(bench.kernel).view()(z - a + half, y - b + half, x - c + half));
    exact[static_cast<std::size_t>(i)] = sum;
    found[static_cast<std::size_t>(i)] = static_cast<double>(result[(z * n + y) * n + x]);
  });
  double mean = 0, spread = 0, off = 0, largest = 0;
  for (const double v : exact) mean += v / static_cast<double>(kChecked);
  for (std::size_t i = 0; i < exact.size(); ++i) {
    spread += (exact[i] - mean) * (exact[i] - mean);
    off += (exact[i] - found[i]) * (exact[i] - found[i]);
    largest = std::max(largest, std::abs(exact[i] - found[i]));
  }
  return {std::sqrt(off / spread), largest};
}

struct Seconds {
  double prepare = 0, run = 0;
};

template <class T>
Seconds run_once(Bench& bench, const Plan& plan, const Room& in, const Room& out,
                 Timeline* timeline) {
  const Extent3 e = plan.problem.image;
  MemorySource image{ConstVoxelView{HostView3<const T>{reinterpret_cast<const T*>(in.data()), e}},
                     in.memory};
  MemorySource kernel{ConstVoxelView{std::as_const(bench.kernel).view()}};
  MemorySink sink{VoxelView{HostView3<T>{reinterpret_cast<T*>(out.data()), e}}, out.memory};
  StoreAs store{pixel_type_of<T>()};
  const std::vector<Term> terms{{&image, {&kernel, 0, 1}, {}}};
  const RunReport report = run_on_device(bench.device, bench.gpu_memory, plan, terms, store, sink,
                                         bench.context, timeline);
  return {report.stages.front().second, report.seconds - report.stages.front().second};
}

template <class T>
void measure(Bench& bench, std::int64_t n, const Room& in, const Room& out,
             const char* timeline_path) {
  auto* const voxels = reinterpret_cast<T*>(in.data());
  bench.pool.for_ranges(n * n * n, 1 << 20, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) voxels[i] = voxel_of<T>(i);
    std::memset(out.data() + begin * std::int64_t{sizeof(T)}, 0,
                static_cast<std::size_t>(end - begin) * sizeof(T));
  });
  const bool pinned = in.memory == HostMemory::pinned;
  const double limit =
      pinned ? bench.rates.pinned_both : std::min(bench.rates.pinned_both, bench.staging / 2);
  const Plan plan = make_plan(bench, n, sizeof(T));
  Seconds best;
  for (int i = 0; i <= kRepeats; ++i) {  // the first one compiles
    const Seconds now = run_once<T>(bench, plan, in, out, nullptr);
    if (i == 1 || (i > 1 && now.run < best.run)) best = now;
  }
  const Error error = error_of(bench, n, reinterpret_cast<const T*>(out.data()));
  const double rate = 2 * static_cast<double>(n * n * n) * sizeof(T) / best.run;
  const std::string name =
      fmt::format("{}^3 {} {}", n, name_of(pixel_type_of<T>()), pinned ? "pinned" : "ordinary");
  bench.table +=
      fmt::format("{:24} {:8.3f} {:8.3f} {:8.1f} {:6.0f}% {:9.1e} {:9.1e}\n", name, best.prepare,
                  best.run, rate * 1e-9, 100 * rate / limit, error.relative_l2, error.largest);
  bench.rows.push_back({{"volume", name},
                        {"prepare_seconds", best.prepare},
                        {"seconds", best.run},
                        {"bytes_per_second", rate},
                        {"limit_bytes_per_second", limit},
                        {"relative_l2", error.relative_l2},
                        {"largest_difference", error.largest}});
  std::fputs(bench.table.substr(bench.table.rfind('\n', bench.table.size() - 2) + 1).c_str(),
             stderr);
  if (!timeline_path) return;
  Timeline timeline{bench.device.id};
  run_once<T>(bench, plan, in, out, &timeline);
  std::ofstream file{timeline_path, std::ios::app};
  for (const Timeline::Span& s : timeline.spans())
    file << fmt::format("{},{},{},{:.6f},{:.6f}\n", pinned ? "pinned" : "ordinary", s.what, s.slot,
                        s.from, s.to);
}

int run(const std::vector<std::string>& arguments) {
  const cuda::DeviceList list = cuda::list_devices();
  if (list.devices.empty()) {
    fmt::print("{}\n", list.why_none);
    return 0;
  }
  Bench bench{list.devices.front()};
  bench.staging = staging_rate(bench);
  std::vector<std::int64_t> sizes;
  for (std::size_t i = 2; i < arguments.size(); ++i) sizes.push_back(std::stoll(arguments[i]));
  if (sizes.empty()) sizes = {1024, 1536};
  const char* timeline = arguments.size() > 1 ? arguments[1].c_str() : nullptr;
  if (timeline) std::ofstream{timeline} << "memory,what,slot,from,to\n";
  for (const std::int64_t n : sizes)
    for (const HostMemory memory : {HostMemory::ordinary, HostMemory::pinned}) {
      const std::int64_t bytes = n * n * n * std::int64_t{sizeof(float)};
      const Room in{bench.device.id, bench.host, bytes, memory},
          out{bench.device.id, bench.host, bytes, memory};
      measure<float>(bench, n, in, out, n == sizes.front() ? timeline : nullptr);
      measure<std::uint16_t>(bench, n, in, out, nullptr);
    }
  fmt::print(
      "{}, {} threads; GB/s: link up {:.1f}, down {:.1f}, both {:.1f}; staging {:.1f} read and "
      "written\n"
      "host to host with {}^3, a ring of {} planes, the best of {}\n"
      "{:24} {:>8} {:>8} {:>8} {:>7} {:>9} {:>9}\n{}",
      bench.device.name, bench.pool.threads(), bench.rates.pinned_up * 1e-9,
      bench.rates.pinned_down * 1e-9, bench.rates.pinned_both * 1e-9, bench.staging * 1e-9, kKernel,
      kPlanes, kRepeats, "volume", "prepare", "run s", "GB/s", "limit", "rel. L2", "largest",
      bench.table);
  if (!arguments.empty())
    std::ofstream{arguments[0]} << text_of(
        Json{{"device", bench.device.name},
             {"pinned_both_bytes_per_second", bench.rates.pinned_both},
             {"staging_bytes_per_second", bench.staging},
             {"rows", bench.rows}});
  return 0;
}

}  // namespace
}  // namespace synthoscope::fftconv::device

int main(int count, char** arguments) {
  return synthoscope::fftconv::device::run({arguments + 1, arguments + count});
}
