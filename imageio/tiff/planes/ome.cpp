// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <string>
#include "core/base/error.hpp"
#include "imageio/tiff/planes/flavours.hpp"

namespace synthoscope::imageio {
namespace {

class Placer {
 public:
  Placer(const OmeImage& image, const OpenOptions& options, TiffStacks& stacks)
      : image_{image},
        options_{options},
        stacks_{stacks},
        path_{stacks.files[0]->index().file.path()} {}

  AxesOfFile run();

 private:
  std::size_t file_of(const OmeTiffData& data);
  [[nodiscard]] bool is_only_file(const std::string& name) const {
    return std::all_of(image_.data.begin(), image_.data.end(),
                       [&](const OmeTiffData& d) { return d.file == name; });
  }
  [[nodiscard]] bool is_this_file(const OmeTiffData& data) const {
    return data.file.empty() || data.file == path_.filename() ||
           (!data.uuid.empty() && data.uuid == image_.uuid);
  }
  void require_description_of_this_file();
  [[nodiscard]] std::filesystem::path name_beside(const std::string& file) const;
  void place(const OmeTiffData& data);
  [[nodiscard]] std::int64_t whole_frames() const;
  [[nodiscard]] bool advance(std::int64_t& c, std::int64_t& t, std::int64_t& z) const;
  [[nodiscard]] std::int64_t pages_of(std::size_t file) const {
    return static_cast<std::int64_t>(stacks_.files[file]->index().pages.size());
  }
  [[noreturn]] void refuse(const std::string& found) const {
    throw InvalidInput(
        fmt::format("open {}: its OME-XML {}; write the file again or remove its "
                    "description",
                    path_.string(), found));
  }

  const OmeImage& image_;
  const OpenOptions& options_;
  TiffStacks& stacks_;
  const std::filesystem::path path_;
  std::map<std::string, std::size_t> opened_;
  /// Each TiffData may speak of all planes: of many that do, the time would grow as their product.
  static constexpr std::int64_t kMaxPlacesOfAPlane = 8;
  std::int64_t placed_ = 0, most_placed_ = 0;
  std::string beyond_;  ///< the first page that is spoken of and does not exist
};

AxesOfFile Placer::run() {
  const std::int64_t planes = volume({image_.t, stacks_.page_channels, image_.z});
  stacks_.planes.assign(static_cast<std::size_t>(planes), {});
  most_placed_ = kMaxPlacesOfAPlane * planes + std::ssize(image_.data);
  require_description_of_this_file();
  // Without TiffData the pages follow in dimension order
  if (image_.data.empty()) place(OmeTiffData{});
  for (const auto& data : image_.data) place(data);
  const auto is_missing = [](const StackPlane& p) { return p.page < 0; };
  const auto missing = std::ranges::count_if(stacks_.planes, is_missing);
  const std::int64_t frames = whole_frames();
  const std::int64_t per_frame = stacks_.page_channels * image_.z;
  const auto left = per_frame * (image_.t - frames);
  if (missing > 0 && (frames == 0 || left - missing >= per_frame))
    refuse(!beyond_.empty()
               ? beyond_
               : fmt::format("declares {} planes but {} of them are in no page", planes, missing));
  if (missing > 0)
    stacks_.info.notes.push_back(
        fmt::format("its OME-XML declares {} frames, of which the first {} are complete; the "
                    "others, left by an interrupted acquisition, are left out",
                    image_.t, frames));
  stacks_.planes.resize(static_cast<std::size_t>(per_frame * frames));
  return {{frames, stacks_.page_channels, image_.z}, "TCZ", "its OME-XML"};
}

/// Frames at the beginning that miss no plane.
std::int64_t Placer::whole_frames() const {
  const auto first =
      std::ranges::find_if(stacks_.planes, [](const StackPlane& p) { return p.page < 0; });
  return (first - stacks_.planes.begin()) / (stacks_.page_channels * image_.z);
}

/// The name of a file in the same folder; any other is refused.
std::filesystem::path Placer::name_beside(const std::string& file) const {
  const std::filesystem::path name{file};
  if (name != name.filename() || file == ".." || file == "." ||
      file.find('\\') != std::string::npos)
    refuse(fmt::format("names the file '{}', which is not in the same folder", file));
  return name;
}

/// A copy under another name keeps the description of the original, whose pixels are not its own.
void Placer::require_description_of_this_file() {
  if (image_.data.empty() || std::ranges::any_of(image_.data, [this](const OmeTiffData& data) {
        return is_this_file(data);
      }))
    return;
  const std::string& name = image_.data.front().file;
  if (!is_only_file(name))
    refuse(
        fmt::format("names {} and other files, and none of them is this one; is it a renamed copy? "
                    "Give it its original name",
                    name));
  std::error_code ignored;  // a name may be longer than any file has
  const bool is_there = std::filesystem::exists(path_.parent_path() / name_beside(name), ignored);
  if (is_there && pages_of(0) < std::ssize(stacks_.planes)) return;
  stacks_.info.notes.push_back(
      fmt::format("its OME-XML calls it {}; its own pixels are read", name));
  opened_[name] = 0;
}

std::size_t Placer::file_of(const OmeTiffData& data) {
  if (is_this_file(data)) return 0;
  if (const auto known = opened_.find(data.file); known != opened_.end()) return known->second;
  const auto name = name_beside(data.file);
  const auto path = path_.parent_path() / name;
  auto index = std::make_shared<TiffIndex>(InputFile{path, options_.digests}, options_.limits);
  index->description = {};  // each file of a large set may hold the same text
  index->second_description = {};
  stacks_.files.push_back(std::make_shared<TiffPageReader>(std::move(index)));
  return opened_[data.file] = stacks_.files.size() - 1;
}

/// The next plane in dimension order; false after the last.
bool Placer::advance(std::int64_t& c, std::int64_t& t, std::int64_t& z) const {
  for (const char axis : image_.order.substr(2)) {
    std::int64_t& at = axis == 'C' ? c : axis == 'T' ? t : z;
    const std::int64_t end = axis == 'C'   ? stacks_.page_channels
                             : axis == 'T' ? image_.t
                                           : image_.z;
    if (++at < end) return true;
    at = 0;
  }
  return false;
}

void Placer::place(const OmeTiffData& data) {
  const std::size_t file = file_of(data);
  // The schema's default: one page where a first page is named, else all pages of the file
  std::int64_t page = data.first_page.value_or(0);
  const std::int64_t count = data.count.value_or(data.first_page ? 1 : pages_of(file));
  std::int64_t c = data.c / (image_.c / stacks_.page_channels), t = data.t, z = data.z;
  if (c >= stacks_.page_channels || t >= image_.t || z >= image_.z)
    refuse(fmt::format("places a plane at C={} T={} Z={}, outside its {} x {} x {}", data.c, t, z,
                       image_.c, image_.t, image_.z));
  for (std::int64_t i = 0; i < count; ++i, ++page) {
    if (page >= pages_of(file)) {
      if (beyond_.empty())
        beyond_ = fmt::format("refers to page {} of {} but that file has {}", page,
                              stacks_.files[file]->index().file.path().filename().string(),
                              pages_of(file));
      return;
    }
    if (++placed_ > most_placed_)
      refuse(fmt::format("places {} planes more than {} times", stacks_.planes.size(),
                         kMaxPlacesOfAPlane));
    const auto at = (t * stacks_.page_channels + c) * image_.z + z;
    stacks_.planes[static_cast<std::size_t>(at)] = {file, page, 0};
    if (!advance(c, t, z)) return;
  }
}

}  // namespace

AxesOfFile place_ome_planes(const OmeImage& image, const OpenOptions& options, TiffStacks& stacks) {
  return Placer{image, options, stacks}.run();
}

}  // namespace synthoscope::imageio
