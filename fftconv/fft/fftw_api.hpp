// SPDX-License-Identifier: MIT
// fftconv/fft/fftw_api.hpp — FFTW's interface of both precisions under the same names. Only for
// builds with FFTW.
#pragma once
#include <fftw3.h>
#include <memory>
#include <mutex>
#include <type_traits>

namespace synthoscope::fftconv::fftw {

/// The functions of one precision.
template <class Real>
struct Api;

template <>
struct Api<float> {
  using Plan = fftwf_plan;
  using Complex = fftwf_complex;
  static constexpr auto kPlanSplit = fftwf_plan_guru64_split_dft;
  static constexpr auto kExecuteSplit = fftwf_execute_split_dft;
  static constexpr auto kDestroy = fftwf_destroy_plan;
  static constexpr auto kMalloc = fftwf_malloc;
  static constexpr auto kFree = fftwf_free;
  static constexpr auto kImportWisdom = fftwf_import_wisdom_from_filename;
  static constexpr auto kExportWisdom = fftwf_export_wisdom_to_filename;
  static constexpr auto kForgetWisdom = fftwf_forget_wisdom;
  static constexpr const char* kWisdomName = "fftw-single.wisdom";
};

template <>
struct Api<double> {
  using Plan = fftw_plan;
  using Complex = fftw_complex;
  static constexpr auto kPlanSplit = fftw_plan_guru64_split_dft;
  static constexpr auto kExecuteSplit = fftw_execute_split_dft;
  static constexpr auto kDestroy = fftw_destroy_plan;
  static constexpr auto kMalloc = fftw_malloc;
  static constexpr auto kFree = fftw_free;
  static constexpr auto kImportWisdom = fftw_import_wisdom_from_filename;
  static constexpr auto kExportWisdom = fftw_export_wisdom_to_filename;
  static constexpr auto kForgetWisdom = fftw_forget_wisdom;
  static constexpr const char* kWisdomName = "fftw-double.wisdom";
};

/// Only executing is safe for several threads, so planning and destroying plans hold this.
inline std::mutex& planner_mutex() {
  static std::mutex mutex;
  return mutex;
}

/// A plan that is destroyed with its owner.
template <class Real>
struct DestroyPlan {
  void operator()(std::remove_pointer_t<typename Api<Real>::Plan>* plan) const {
    const std::lock_guard lock{planner_mutex()};
    Api<Real>::kDestroy(plan);
  }
};
template <class Real>
using OwnedPlan =
    std::unique_ptr<std::remove_pointer_t<typename Api<Real>::Plan>, DestroyPlan<Real>>;

/// Memory of FFTW's own alignment, for planning.
template <class Real>
struct FreeMemory {
  void operator()(Real* memory) const { Api<Real>::kFree(memory); }
};
template <class Real>
using OwnedMemory = std::unique_ptr<Real, FreeMemory<Real>>;

}  // namespace synthoscope::fftconv::fftw
