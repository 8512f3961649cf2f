// SPDX-License-Identifier: MIT
#include "fftconv/device/passes/cufft_plan.hpp"
#include <fmt/format.h>
#include <utility>
#include "core/base/error.hpp"

namespace synthoscope::fftconv::device {
namespace {

void check(int result, const char* what) {
  if (result != 0)
    throw CudaError(fmt::format(
        "{} with cuFFT: it failed with code {}; leave --fft cufft and --certify-by cufft out", what,
        result));
}

int type_of(CufftKind kind) {
  return kind == CufftKind::double_to_complex   ? Cufft::kDoubleToComplex
         : kind == CufftKind::complex_to_double ? Cufft::kComplexToDouble
                                                : Cufft::kComplex;
}

}  // namespace

CufftPlan::CufftPlan(const CufftLines& lines, CufftKind kind) : kind_{kind} {
  const Cufft& library = cufft();
  check(library.create(&plan_), "begin a plan");
  check(library.set_auto_allocation(plan_, 0), "begin a plan");
  CufftLines copy = lines;  // cuFFT takes no constants
  if (copy.other_embedded.empty()) {
    copy.other_embedded = copy.embedded;
    copy.other_apart = copy.apart;
  }
  if (kind == CufftKind::complex_to_double) {
    std::swap(copy.embedded, copy.other_embedded);
    std::swap(copy.apart, copy.other_apart);
  }
  std::size_t bytes = 0;
  check(library.make_plan_many(plan_, static_cast<int>(copy.lengths.size()), copy.lengths.data(),
                               copy.embedded.data(), copy.stride, copy.apart,
                               copy.other_embedded.data(), copy.stride, copy.other_apart,
                               type_of(kind), copy.count, &bytes),
        "make a plan");
  workspace_bytes_ = static_cast<std::int64_t>(bytes);
}

CufftPlan::CufftPlan(CufftPlan&& other) noexcept
    : plan_{std::exchange(other.plan_, -1)},
      kind_{other.kind_},
      workspace_bytes_{other.workspace_bytes_} {}

CufftPlan& CufftPlan::operator=(CufftPlan&& other) noexcept {
  std::swap(plan_, other.plan_);
  std::swap(kind_, other.kind_);
  std::swap(workspace_bytes_, other.workspace_bytes_);
  return *this;
}

CufftPlan::~CufftPlan() {
  if (plan_ >= 0) cufft().destroy(plan_);
}

void CufftPlan::set_workspace(void* workspace) {
  check(cufft().set_work_area(plan_, workspace), "give a workspace to a plan");
}

void CufftPlan::run(const cuda::Stream& stream, void* values, int direction) const {
  check(cufft().set_stream(plan_, stream.handle()), "choose a stream");
  auto* const reals = static_cast<double*>(values);
  const int result = kind_ == CufftKind::double_to_complex
                         ? cufft().exec_double_to_complex(plan_, reals, values)
                     : kind_ == CufftKind::complex_to_double
                         ? cufft().exec_complex_to_double(plan_, values, reals)
                         : cufft().exec_complex(plan_, values, values, direction);
  check(result, "transform");
}

}  // namespace synthoscope::fftconv::device
