// SPDX-License-Identifier: MIT
#include "jobs/output/certified_output.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cerrno>
#include "core/base/error.hpp"
#include "imageio/formats.hpp"
#include "imageio/image/name.hpp"
#include "imageio/output/partial_folder.hpp"
#include "imageio/run/counted_image.hpp"
#include "imageio/zarr/folder.hpp"

namespace synthoscope::jobs {
namespace {

/// Removes a file, or the folder that is one, unless it got its name or is kept.
class Uncertified {
 public:
  explicit Uncertified(std::filesystem::path path) : path_{std::move(path)} {}
  Uncertified(const Uncertified&) = delete;
  Uncertified& operator=(const Uncertified&) = delete;
  ~Uncertified() {
    std::error_code ignored;
    if (!path_.empty() && !is_kept_) std::filesystem::remove_all(path_, ignored);
  }
  void keep() { is_kept_ = true; }
  void discard() { is_kept_ = false; }
  /// @throws NameTaken  and the file stays  @throws IoError
  void rename_to(const std::filesystem::path& name, bool overwrite) {
    const int failure =
        std::filesystem::is_directory(path_)
            ? imageio::put_folder_in_place(path_, name, overwrite, imageio::is_zarr_name)
            : imageio::put_file_in_place(path_, name, overwrite);
    is_kept_ = failure == EEXIST;
    if (is_kept_) imageio::fail_appeared(name, path_);
    if (failure != 0) imageio::fail_write(name, failure, 0);
    path_.clear();
  }

 private:
  std::filesystem::path path_;
  bool is_kept_ = false;
};

std::int64_t count_of(const CertifyChoice& choice, const fftconv::Problem& problem) {
  return std::min(choice.voxels, volume(output_extent(problem)));
}

/// Returns OpenOptions::cache_bytes for the result. Kept chunks and decoded chunks each take up to
/// that much.
/// @param certifying  bytes that are needed in any case
std::int64_t left_to_cache(const MemoryBudget& memory, std::int64_t certifying) {
  return std::max<std::int64_t>(0, (memory.limit() - memory.used() - certifying) / 2);
}

/// Opens the result, which is closed again before it is renamed.
/// @param cache_bytes  of OpenOptions
Certificates recompute(const CertifyChoice& choice, const std::filesystem::path& written,
                       std::int64_t cache_bytes, const fftconv::Problem& problem,
                       const fftconv::Term& term, const RunContext& context) {
  imageio::OpenOptions opening;
  opening.cache_bytes = std::min(opening.cache_bytes, cache_bytes);
  const imageio::CountedImage result = imageio::open_counted(written, opening, context);
  Certificates found;
  if (choice.voxels > 0)
    found.by_sums = certify(problem, term, *result.source, count_of(choice, problem),
                            static_cast<std::uint64_t>(choice.seed), context);
  if (choice.by)
    found.by_library =
        certify_by_library({*choice.by, choice.gpu}, problem, term, *result.source, context);
  return found;
}

}  // namespace

std::int64_t CertifyChoice::bytes(const fftconv::Problem& problem, int threads,
                                  const imageio::ImageSpec& spec) const {
  if (!is_wanted()) return 0;
  const std::int64_t sums =
      voxels > 0 ? fftconv::certify_bytes(problem, count_of(*this, problem), threads) : 0;
  const std::int64_t whole = by ? fftconv::certify_by_library_bytes(problem, threads) : 0;
  return std::max(sums, whole) + imageio::least_reading_bytes(spec);
}

std::filesystem::path CertifyChoice::uncertified_path(const std::filesystem::path& output) const {
  if (!is_wanted()) return output;
  const imageio::ImageName name = imageio::image_name(output);
  auto path = name.file;
  path += ".uncertified";
  const bool is_tiff = imageio::format_of(name.file, imageio::FileFormat::by_name) ==
                       imageio::FileFormat::tiff;  // the format of any other name
  if (!is_tiff) path += name.file.extension();
  return name.data_set.empty() ? path : path += ":" + name.data_set;
}

Certificates certify_and_rename(const CertifyChoice& choice, const std::filesystem::path& output,
                                bool overwrite, bool keeps, const imageio::ImageSpec& spec,
                                const fftconv::Problem& problem, const fftconv::Term& term,
                                const imageio::InputsAsRead& inputs, const RunContext& context) {
  if (!choice.is_wanted()) return {};
  std::filesystem::path written = choice.uncertified_path(output);
  // An earlier run may have been killed when the result had its name and its record was missing
  const bool has_name = !std::filesystem::exists(imageio::file_of(written));
  if (has_name) written = output;
  Uncertified file{imageio::file_of(written)};
  if (keeps || has_name) file.keep();  // what ends here too soon, --resume begins with
  const std::int64_t certifying = choice.bytes(problem, context.pool.threads(), spec);
  Certificates found =
      recompute(choice, written, left_to_cache(context.memory, certifying), problem, term, context);
  file.discard();
  inputs.require_unchanged();
  for (const auto& certificate : {found.by_sums, found.by_library})
    if (certificate && !certificate->holds())
      throw VerificationFailed(
          fmt::format("certify {}: {}; nothing was kept, please report this as a defect",
                      output.string(), sentence_of(*certificate)));
  if (has_name)
    file.keep();
  else
    file.rename_to(imageio::file_of(output), overwrite);
  return found;
}

std::string sentence_of(const fftconv::Certificate& c) {
  return fmt::format(
      "{} voxels recomputed by {}, largest difference {:.3g} at {} ({:.3g} of the peak "
      "{:.3g}; allowed {:.3g})",
      c.voxels, c.by, c.largest_error, c.worst, c.peak > 0 ? c.largest_error / c.peak : 0.0, c.peak,
      c.tolerance);
}

}  // namespace synthoscope::jobs
