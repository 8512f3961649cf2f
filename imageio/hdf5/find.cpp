// SPDX-License-Identifier: MIT
#include "imageio/hdf5/find.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hdf5.h>
#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <vector>
#include "core/base/error.hpp"
#include "imageio/hdf5/bdv_layout.hpp"
#include "imageio/hdf5/trial.hpp"

namespace synthoscope::imageio {
namespace {

/// Where a search is and what it has collected.
struct Search {
  std::string group;  ///< "/outer/inner"; empty for the root
  int depth = 0;
  std::set<haddr_t> met;  ///< objects that several links may lead to
  std::int64_t objects = 0, limit = 0;
  std::vector<std::string> data_sets;
};

constexpr int kDeepest = 64;
constexpr herr_t kTooMany = 1, kTooDeep = 2;

/// Goes from group to group: to find an object by its whole path takes as long as that is deep.
herr_t look_at_link(hid_t group, const char* name, const H5L_info_t* link, void* into) {
  auto& search = *static_cast<Search*>(into);
  if (link->type != H5L_TYPE_HARD) return 0;
  H5O_info_t info;
  if (H5Oget_info_by_name(group, name, &info, H5P_DEFAULT) < 0) return -1;
  if (info.rc > 1 && !search.met.insert(info.addr).second) return 0;
  if (++search.objects > search.limit) return kTooMany;
  const std::size_t outer = search.group.size();
  search.group.append("/").append(name);
  herr_t done = 0;
  if (info.type == H5O_TYPE_DATASET) search.data_sets.push_back(search.group);
  if (info.type == H5O_TYPE_GROUP) {
    if (search.depth == kDeepest) return kTooDeep;
    ++search.depth;
    const Hdf5Handle inner{H5Gopen2(group, name, H5P_DEFAULT), H5Gclose};
    done = inner ? H5Literate(inner.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, look_at_link, into)
                 : -1;
    --search.depth;
  }
  search.group.resize(outer);
  return done;
}

Hdf5Handle open_data_set(const Hdf5Handle& file, const std::string& name, bool& met_external) {
  Hdf5Handle access{H5Pcreate(H5P_DATASET_ACCESS), H5Pclose};
  const auto refuse = [](const char*, const char*, const char*, const char*, unsigned*, hid_t,
                         void* met) -> herr_t {
    *static_cast<bool*>(met) = true;
    return -1;
  };
  H5Pset_elink_cb(access.get(), refuse, &met_external);
  // Decoded chunks are kept by the reader, not once more by the library
  H5Pset_chunk_cache(access.get(), 1, 0, H5D_CHUNK_CACHE_W0_DEFAULT);
  return {H5Dopen2(file.get(), name.c_str(), access.get()), H5Dclose};
}

/// Axes of an array of numbers; 0 for others.
int axes_of_numbers(const Hdf5Handle& data_set) {
  const Hdf5Handle space{H5Dget_space(data_set.get()), H5Sclose};
  const Hdf5Handle type{H5Dget_type(data_set.get()), H5Tclose};
  const H5T_class_t kind = H5Tget_class(type.get());
  // An enumeration may be a bool, which is read; the storage refuses others by name
  if (kind != H5T_INTEGER && kind != H5T_FLOAT && kind != H5T_ENUM) return 0;
  return std::max(0, H5Sget_simple_extent_ndims(space.get()));
}

/// "/a, /b and 3 more".
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kMax = 8;
  if (names.empty()) return "none";
  if (names.size() <= kMax) return fmt::format("{}", fmt::join(names, ", "));
  const std::vector<std::string> shown{names.begin(), names.begin() + kMax};
  return fmt::format("{} and {} more", fmt::join(shown, ", "), names.size() - kMax);
}

std::vector<std::string> all_data_sets(const Hdf5Handle& file, const ImageName& name,
                                       const InputLimits& limits) {
  Search search;
  search.limit = limits.directories;
  H5O_info_t root;
  if (H5Oget_info(file.get(), &root) < 0) refuse_broken_hdf5(name.file, "find its groups");
  search.met.insert(root.addr);
  const herr_t done =
      H5Literate(file.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, look_at_link, &search);
  if (done < 0) refuse_broken_hdf5(name.file, "list its arrays");
  constexpr const char* kNameIt = "add the name of the array to the file's name, as FILE:/path";
  if (done == kTooDeep)
    refuse_hdf5(name.file, fmt::format("its groups are nested deeper than {}", kDeepest), kNameIt);
  if (done == kTooMany)
    refuse_hdf5(name.file,
                fmt::format("it holds more than {} groups and arrays", limits.directories),
                fmt::format("raise the limit with --max-directories if you trust the file, or {}",
                            kNameIt));
  return search.data_sets;
}

/// Lists only the whole images of BigDataViewer's pyramids; the other levels are smaller copies.
void leave_out_levels(std::vector<std::string>& stacks) {
  const std::set<std::string> all{stacks.begin(), stacks.end()};
  std::erase_if(stacks, [&](const std::string& name) {
    const auto place = bdv_place(name);
    return place && place->level > 0 &&
           all.contains(bdv_cells({place->timepoint, place->setup, 0}));
  });
}

std::string only_image(const Hdf5Handle& file, const ImageName& name, const InputLimits& limits) {
  std::vector<std::string> stacks, planes;
  for (const std::string& candidate : all_data_sets(file, name, limits)) {
    bool met_external = false;
    const Hdf5Handle data_set = open_data_set(file, candidate, met_external);
    const int axes = data_set ? axes_of_numbers(data_set) : 0;
    if (axes >= 3) stacks.push_back(candidate);
    if (axes == 2) planes.push_back(candidate);
  }
  leave_out_levels(stacks);
  const auto& images = stacks.empty() ? planes : stacks;
  if (images.empty())
    refuse_hdf5(name.file, "it holds no array of numbers with two or more axes",
                "give a file with an image");
  if (images.size() > 1)
    throw InvalidSpec(fmt::format(
        "open {}: it holds {} images ({}); choose one by adding its name to the file's, as {}:{}",
        name.file.string(), images.size(), listed(images), name.file.string(), images.front()));
  return images.front();
}

}  // namespace

bool is_hdf5(const InputFile& file) {
  constexpr std::string_view kSignature{"\x89HDF\r\n\x1a\n", 8};
  std::array<std::byte, 8> head{};
  for (std::int64_t at = 0; at < file.size(); at = at == 0 ? 512 : 2 * at) {
    const std::string_view found{reinterpret_cast<const char*>(head.data()),
                                 file.read_some(at, head)};
    if (found == kSignature) return true;
    if (at == 0 && (found.starts_with("II") || found.starts_with("MM"))) return false;
  }
  return false;
}

Hdf5Handle open_hdf5(const std::filesystem::path& file) {
  const Hdf5Handle access{H5Pcreate(H5P_FILE_ACCESS), H5Pclose};
  // The default driver resolves links, which fails for /proc/self/fd/N of a file without a name
  std::error_code has_no_name;
  static_cast<void>(std::filesystem::canonical(file, has_no_name));
  if (has_no_name) H5Pset_fapl_stdio(access.get());
  H5Pset_file_locking(access.get(), true, /*ignore_when_disabled=*/true);
  Hdf5Handle opened{H5Fopen(file.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose};
  if (opened) return opened;
  const std::string complaint = hdf5_complaint();
  if (complaint.find("unable to lock file") != std::string::npos)
    throw IoError(fmt::format("open {}: another program is writing it; wait until it is done",
                              file.string()));
  refuse_broken_hdf5(file, "open it", complaint);
}

Hdf5Found find_data_set(const Hdf5Handle& file, const ImageName& name, const InputLimits& limits) {
  const std::string wanted = name.data_set.empty() ? only_image(file, name, limits) : name.data_set;
  bool met_external = false;
  Hdf5Handle data_set = open_data_set(file, wanted, met_external);
  if (met_external)
    refuse_hdf5(name.file, fmt::format("{} is a link into another file", wanted),
                "links to other files are not followed: give the file it leads to");
  if (data_set) return {std::move(data_set), wanted};
  const std::string complaint = hdf5_complaint();
  const auto names = all_data_sets(file, name, limits);
  if (std::find(names.begin(), names.end(), wanted) != names.end())
    refuse_hdf5(name.file, fmt::format("its array {} cannot be opened ({})", wanted, complaint),
                "the file is damaged: create it again");
  throw InvalidSpec(fmt::format("open {}: there is no array {}; choose one of its arrays: {}",
                                name.file.string(), wanted, listed(names)));
}

std::vector<std::string> data_sets_of(const std::filesystem::path& file) {
  const Hdf5Lock lock;
  return after_trial(file, [&] { return all_data_sets(open_hdf5(file), {file, ""}, {}); });
}

void refuse_hdf5(const std::filesystem::path& file, const std::string& found,
                 const std::string& advice) {
  throw InvalidInput(fmt::format("open {}: {}; {}", file.string(), found, advice));
}

void refuse_broken_hdf5(const std::filesystem::path& file, const std::string& attempt,
                        const std::string& complaint) {
  refuse_hdf5(file, fmt::format("the HDF5 library cannot {} ({})", attempt, complaint),
              "the file is truncated or damaged: copy or create it again");
}

}  // namespace synthoscope::imageio
