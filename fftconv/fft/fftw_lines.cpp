// SPDX-License-Identifier: MIT
#include "fftconv/fft/fftw_lines.hpp"
#include <unistd.h>
#include <algorithm>
#include <filesystem>
#include <new>
#include <system_error>
#include <tuple>
#include "core/base/recent.hpp"
#include "core/system/cache_folder.hpp"
#include "fftconv/fft/fftw_api.hpp"

namespace synthoscope::fftconv::fftw {
namespace {

/// Returns the file of FFTW's wisdom; empty if the user has no cache folder.
template <class Real>
std::filesystem::path wisdom_file() {
  const std::filesystem::path folder = cache_folder();
  return folder.empty() ? folder : folder / Api<Real>::kWisdomName;
}

/// Replaces the file, so that another process reads the old wisdom or the new. A folder that cannot
/// be written is no failure.
template <class Real>
void write_wisdom(const std::filesystem::path& file) {
  std::error_code ignored;
  std::filesystem::create_directories(file.parent_path(), ignored);
  std::filesystem::path part = file;
  part += "." + std::to_string(::getpid());
  if (Api<Real>::kExportWisdom(part.c_str()) != 0)
    std::filesystem::rename(part, file, ignored);
  else
    std::filesystem::remove(part, ignored);
}

/// Reads the wisdom of earlier runs. If the file is missing, or of another FFTW, lengths are
/// measured again.
template <class Real>
void learn_wisdom() {
  Api<Real>::kImportWisdom(wisdom_file<Real>().c_str());
}

/// Writes the wisdom of the process, and forgets it: FFTW would also use it where it estimates,
/// which must give the same plans in every process.
template <class Real>
void keep_wisdom() {
  const std::filesystem::path file = wisdom_file<Real>();
  if (!file.empty()) write_wisdom<Real>(file);
  Api<Real>::kForgetWisdom();
}

/// FFTW's plans for lines whose real and imaginary parts are apart, in place.
template <class Real>
class LinePlans {
 public:
  LinePlans(std::int64_t length, std::int64_t lanes, Planning planning) {
    const std::lock_guard lock{planner_mutex()};
    if (planning == Planning::measured) learn_wisdom<Real>();
    const auto bytes = sizeof(Real) * static_cast<std::size_t>(2 * lanes * length);
    const OwnedMemory<Real> memory{static_cast<Real*>(Api<Real>::kMalloc(bytes))};
    if (!memory) throw std::bad_alloc{};
    Real* const re = memory.get();
    Real* const im = re + lanes;
    const fftw_iodim64 line{length, 2 * lanes, 2 * lanes}, lane{lanes, 1, 1};
    const unsigned how = planning == Planning::measured ? FFTW_MEASURE : FFTW_ESTIMATE;
    // FFTW's inverse is its forward transform with real and imaginary parts exchanged
    forward.reset(Api<Real>::kPlanSplit(1, &line, 1, &lane, re, im, re, im, how));
    inverse.reset(Api<Real>::kPlanSplit(1, &line, 1, &lane, im, re, im, re, how));
    if (!forward || !inverse) throw std::bad_alloc{};  // it refuses nothing else
    if (planning == Planning::measured) keep_wisdom<Real>();
  }
  OwnedPlan<Real> forward, inverse;
};

/// Returns the plans of the process: sweeps and loops transform the same lengths again and again.
template <class Real>
std::shared_ptr<const LinePlans<Real>> plans_of(std::int64_t length, std::int64_t lanes,
                                                Planning planning) {
  using Question = std::tuple<std::int64_t, std::int64_t, Planning>;
  static Recent<Question, std::shared_ptr<const LinePlans<Real>>> recent{64};
  return recent.get({length, lanes, planning}, [&] {
    return std::make_shared<const LinePlans<Real>>(length, lanes, planning);
  });
}

/// Transforms in place in `work`.
/// @source Frigo & Johnson, The design and implementation of FFTW3, Proc. IEEE 93, 2005.
template <class Real>
class FftwLines final : public LineTransform<Real> {
 public:
  FftwLines(std::int64_t length, std::int64_t lanes, Planning planning)
      : length_{length}, lanes_{lanes}, plans_{plans_of<Real>(length, lanes, planning)} {}

  void forward(Line<const Real> in, Line<Real> out, Real* work) const override {
    gather(in, work);
    Api<Real>::kExecuteSplit(plans_->forward.get(), work, work + lanes_, work, work + lanes_);
    scatter(work, out);
  }
  void inverse(Line<const Real> in, Line<Real> out, Real* work) const override {
    gather(in, work);
    Api<Real>::kExecuteSplit(plans_->inverse.get(), work + lanes_, work, work + lanes_, work);
    scatter(work, out);
  }

 private:
  [[nodiscard]] std::int64_t element() const { return 2 * lanes_; }
  [[nodiscard]] std::int64_t reals() const { return length_ * element(); }

  void gather(Line<const Real> in, Real* work) const {
    if (!in.offsets) {
      if (in.base != work) std::copy_n(in.base, reals(), work);
      return;
    }
    for (std::int64_t e = 0; e < length_; ++e) {
      Real* const to = work + e * element();
      if (in.offsets[e] < 0)
        std::fill_n(to, element(), Real{0});
      else
        std::copy_n(in.base + in.offsets[e], element(), to);
    }
  }

  void scatter(const Real* work, Line<Real> out) const {
    if (!out.offsets) {
      if (out.base != work) std::copy_n(work, reals(), out.base);
      return;
    }
    for (std::int64_t e = 0; e < length_; ++e)
      if (out.offsets[e] >= 0)
        std::copy_n(work + e * element(), element(), out.base + out.offsets[e]);
  }

  std::int64_t length_, lanes_;
  std::shared_ptr<const LinePlans<Real>> plans_;
};

}  // namespace

bool is_built_in() {
  return true;
}

std::string version() {
  return fftwf_version;
}

template <class Real>
std::unique_ptr<LineTransform<Real>> make_lines(std::int64_t length, std::int64_t lanes,
                                                Planning planning) {
  return std::make_unique<FftwLines<Real>>(length, lanes, planning);
}

template std::unique_ptr<LineTransform<float>> make_lines(std::int64_t, std::int64_t, Planning);
template std::unique_ptr<LineTransform<double>> make_lines(std::int64_t, std::int64_t, Planning);

}  // namespace synthoscope::fftconv::fftw
