// SPDX-License-Identifier: MIT
// fftconv/machine.hpp — what the planner knows of a machine: memory, rates, and perhaps a GPU.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include "core/cuda/memory/device_rates.hpp"
#include "fftconv/fft/fft_library.hpp"
#include "fftconv/lines/shape.hpp"

namespace synthoscope::fftconv {

/// Lines of a transform of at most as many complex values form a class; the last one is the rest.
inline constexpr std::array<std::int64_t, 3> kLineClasses{64, 512, 4096};

/// One number for each class of lines.
using LineFactors = std::array<double, kLineClasses.size() + 1>;

/// What all cores of a machine do in a second. The defaults are a reference machine: transforms as
/// on two cores with AVX2, nominal memory and disk; plans without a record are equal everywhere.
struct MachineRates {
  std::int64_t cores = 2;                 ///< that the rates below are of
  double memory_bytes_per_second = 2e10;  ///< read and written, streaming
  double disk_read_bytes_per_second = 1e9, disk_write_bytes_per_second = 5e8;
  /// Seconds that transforms take over what line_cost says of one reference core, by class.
  LineFactors line_factor{1.35, 1.35, 1.35, 1.35};
  /// The same of FFTW's transforms.
  LineFactors fftw_line_factor{5.7, 4.1, 3.4, 4.9};
  [[nodiscard]] const LineFactors& factors_of(FftLibrary library) const {
    return library == FftLibrary::own ? line_factor : fftw_line_factor;
  }
  friend bool operator==(const MachineRates&, const MachineRates&) = default;
};

/// Rates of one H200 and its link, as measured; used for a GPU that has not been measured.
inline constexpr cuda::DeviceRates kReferenceGpuRates{.pinned_up = 5.55e10,
                                                      .pinned_down = 5.53e10,
                                                      .pinned_both = 1.01e11,
                                                      .ordinary_up = 8e9,
                                                      .ordinary_down = 8e9,
                                                      .copy = 4.27e12};

/// A GPU that plans may use.
struct Gpu {
  std::string name;    ///< "NVIDIA H200"
  int capability = 0;  ///< 90: sm_90. Results of other capabilities may differ in the last bits
  device::BlockLimits limits;     ///< which lines it transforms, and how
  std::int64_t memory_bytes = 0;  ///< budget for buffers there
  cuda::DeviceRates rates = kReferenceGpuRates;
  bool start_is_paid = false;  ///< CUDA works there already: no plan is charged for its start
  friend bool operator==(const Gpu&, const Gpu&) = default;
};

/// What the planner knows of the machine. Not the number of threads that a run is given: results
/// must not depend on it.
struct Machine {
  std::int64_t host_bytes = 0;     ///< budget for buffers, those that a GPU reads included
  std::int64_t process_bytes = 0;  ///< memory of the process and its other stages, in addition
  MachineRates rates = {};
  std::optional<Gpu> gpu = {};
  bool gpu_only = false;  ///< the host moves voxels, but transforms none
  bool has_fftw = false;  ///< the planner may choose FFTW where it is faster
  /// The only library of transforms that plans may use. None: each plan has the fastest, or sums
  /// without transforms where these are faster.
  std::optional<FftLibrary> fft = {};
  friend bool operator==(const Machine&, const Machine&) = default;
};

/// Where the transforms of a plan are done.
enum class Place { host, gpu };

std::string_view name_of(Place place);
std::optional<Place> place_named(std::string_view name);

}  // namespace synthoscope::fftconv
