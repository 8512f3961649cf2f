// SPDX-License-Identifier: MIT
#include "imageio/run/run_files.hpp"
#include <fmt/format.h>
#include <sys/stat.h>
#include <map>
#include <unordered_map>
#include <utility>
#include "core/base/error.hpp"
#include "imageio/chunks/log.hpp"
#include "imageio/formats.hpp"
#include "imageio/image/name.hpp"
#include "imageio/open.hpp"
#include "imageio/output/leftover.hpp"
#include "imageio/output/partial_file.hpp"
#include "imageio/run/provenance.hpp"

namespace synthoscope::imageio {
namespace {

namespace fs = std::filesystem;

/// The target of a link whose target is missing, which a writer that follows links would make.
fs::path target_of(fs::path path) {
  constexpr int kMaxLinks = 40;
  std::error_code failure;
  for (int i = 0; i < kMaxLinks && fs::is_symlink(fs::symlink_status(path, failure)); ++i) {
    if (fs::exists(path, failure)) break;
    path = path.parent_path() / fs::read_symlink(path, failure);
  }
  return path;
}

/// Returns the path with symbolic links resolved, as far as it exists.
std::string key_of(const fs::path& path) {
  std::error_code failure;
  const fs::path whole = target_of(fs::absolute(path));
  const fs::path resolved = fs::weakly_canonical(whole, failure);
  std::string key = (failure ? whole.lexically_normal() : resolved).string();
  if (key.size() > 1 && key.back() == '/') key.pop_back();
  return key;
}

fs::path with_ending(const fs::path& path, const char* ending) {
  return path.string() + ending;
}

/// Files that have several names.
using FileId = std::pair<dev_t, ino_t>;

std::optional<FileId> id_of(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileId{status.st_dev, status.st_ino};
}

}  // namespace

void RunFiles::add(Entry entry) {
  entry.path = file_of(entry.path);
  entry.output = file_of(entry.output);
  entry.key = key_of(entry.path);
  entries_.push_back(std::move(entry));
}

/// The name that `made` has while it grows, and what is kept next to that.
void RunFiles::add_growing(const Entry& made, bool is_folder) {
  Entry growing = made;
  growing.path = partial_path(made.path);
  growing.use = Use::passing;
  growing.reach = Reach::family;
  growing.content = is_folder ? Content::partial_folder : Content::partial_file;
  add(growing);
}

void RunFiles::add_reference(const std::string& role, const fs::path& path) {
  if (path.empty()) return;
  add({.path = path, .output = {}, .role = role, .owner = ++owners_});
}

void RunFiles::add_input(const std::string& role, const fs::path& path) {
  if (path.empty()) return;
  inputs_.note(path);
  add_reference(role, path);
}

void RunFiles::add_input_image(const std::string& role, const fs::path& given,
                               const ImageInfo& info) {
  inputs_.note_image(given, info);
  add_input(role, files_of(given, info));
}

void RunFiles::add_input(const std::string& role, const std::vector<fs::path>& paths) {
  inputs_.note(paths);
  for (const fs::path& path : paths) add_reference(role, path);
}

void RunFiles::add_output_file(const std::string& role, const fs::path& path) {
  if (path.empty()) return;
  const Entry made{
      .path = path, .output = path, .role = role, .use = Use::made, .owner = ++owners_};
  add(made);
  add_growing(made);
}

void RunFiles::add_output_image(const std::string& role, const fs::path& output,
                                FileFormat format) {
  if (output.empty()) return;
  ++owners_;
  add_image(role, output, format);
}

void RunFiles::add_certified_output(const fs::path& output, const fs::path& before,
                                    FileFormat format) {
  if (output.empty()) return;
  ++owners_;
  add_image("result", output, format);
  if (before == output) return;
  const Entry uncertified{.path = before,
                          .output = output,
                          .role = "result",
                          .use = Use::passing,
                          .content = Content::certified,
                          .owner = owners_};
  add(uncertified);
  add_growing(uncertified, row_of(format_of(output, format)).is_folder);
  Entry chunks = uncertified;
  chunks.path = chunk_log_path(file_of(before));
  add_growing(chunks);
}

void RunFiles::add_image(const std::string& role, const fs::path& output, FileFormat format) {
  const ImageFormat& row = row_of(format_of(output, format));
  const Entry made{
      .path = output, .output = output, .role = role, .use = Use::made, .owner = owners_};
  add(made);
  const auto beside = [&](const fs::path& path) {
    Entry entry = made;
    entry.path = path;
    return entry;
  };
  add_growing(made, row.is_folder);
  add_growing(beside(chunk_log_path(file_of(output))));
  if (row.is_folder) {
    Entry older = beside(with_ending(file_of(output), ".older"));
    older.use = Use::passing;
    add(older);
  }
  Entry record = beside(record_path(output));
  record.content = Content::record;
  add(record);
  add_growing(record);
  if (!row.writer->second_file) return;
  const Entry second = beside(row.writer->second_file(file_of(output)));
  add(second);
  add_growing(second);
}

void RunFiles::add_output_folder(const std::string& role, const fs::path& folder) {
  if (folder.empty()) return;
  const Entry made{
      .path = folder, .output = folder, .role = role, .use = Use::made, .owner = ++owners_};
  add(made);
  add_growing(made, /*is_folder=*/true);
  for (const char* ending : {".older", ".shards", ".parts"}) {
    Entry beside = made;
    beside.path = with_ending(file_of(folder), ending);
    beside.use = Use::passing;
    add(beside);
  }
}

void RunFiles::add_continued(const fs::path& path) {
  const std::size_t first = entries_.size();
  add_output_folder("result", path);
  ++owners_;
  add_image("result", path, FileFormat::by_name);
  for (std::size_t i = first; i < entries_.size(); ++i) {
    entries_[i].owner = owners_;
    entries_[i].content = Content::any;
  }
}

void RunFiles::add_log(const fs::path& path) {
  if (path.empty()) return;
  add({.path = path, .output = path, .role = "log", .use = Use::log, .owner = ++owners_});
}

void RunFiles::check() const {
  // Each name is looked up by its beginnings: by folders that hold it, and by families
  std::unordered_map<std::string, std::vector<const Entry*>> by_key;
  std::map<FileId, std::vector<const Entry*>> by_id;
  for (const Entry& entry : entries_) {
    by_key[entry.key].push_back(&entry);
    if (const auto id = id_of(entry.path)) by_id[*id].push_back(&entry);
  }
  for (const Entry& inner : entries_)
    for (std::size_t end = 1; end <= inner.key.size(); ++end) {
      const char next = end == inner.key.size() ? '\0' : inner.key[end];
      if (next != '\0' && next != '/' && next != '.') continue;
      const auto found = by_key.find(inner.key.substr(0, end));
      if (found == by_key.end()) continue;
      for (const Entry* outer : found->second)
        if (next != '.' || outer->reach == Reach::family)
          require_apart(*outer, inner, /*is_one_file=*/false);
    }
  for (const auto& [id, names] : by_id)
    for (const Entry* first : names)
      for (const Entry* second : names) require_apart(*first, *second, /*is_one_file=*/true);
  for (const Entry& entry : entries_) require_ours(entry);
}

/// Nothing lies below a log, or below what is there and is no folder.
bool RunFiles::may_hold(const Entry& outer) {
  std::error_code ignored;
  if (outer.use == Use::log) return false;
  return outer.reach == Reach::family || fs::is_directory(outer.path, ignored) ||
         !fs::exists(outer.path, ignored);
}

/// What of two names that conflict can be chosen anew.
bool RunFiles::is_chosen(Use first, Use second) {
  constexpr auto rank = [](Use use) { return static_cast<int>(use); };
  static_assert(rank(Use::read) < rank(Use::made) && rank(Use::made) < rank(Use::passing) &&
                rank(Use::passing) < rank(Use::log));
  return rank(first) >= rank(second);
}

std::string RunFiles::conflict_of(const Entry& chosen, const Entry& other, Relation relation) {
  const std::string role = fmt::format("the {} {}", other.role, other.path.string());
  const char* does = other.use == Use::read  ? "which the run reads"
                     : other.use == Use::log ? "to which the run appends"
                                             : "which the run creates";
  if (other.use == Use::passing)
    return fmt::format("it has a name that is used until {} is complete", other.output.string());
  if (chosen.use == Use::passing)
    return fmt::format("{}, {}, has a name that is used until {} is complete", role, does,
                       chosen.output.string());
  if (relation == Relation::equal && chosen.use == Use::made && other.use == Use::made)
    return fmt::format("{} would be in the same file", role);
  const std::string name =
      chosen.path == chosen.output ? "it" : chosen.path.string() + ", which is written with it,";
  if (relation == Relation::equal) return fmt::format("{} is {} itself, {}", name, role, does);
  return fmt::format("{} {} {}, {}", name, relation == Relation::inside ? "would be in" : "holds",
                     role, does);
}

void RunFiles::require_apart(const Entry& outer, const Entry& inner, bool is_one_file) {
  const bool are_read = outer.use == Use::read && inner.use == Use::read;
  if (are_read || outer.owner == inner.owner) return;
  if (!is_one_file && outer.key != inner.key && !may_hold(outer)) return;
  const bool is_outer = is_chosen(outer.use, inner.use);
  const Entry &chosen = is_outer ? outer : inner, &other = is_outer ? inner : outer;
  const Relation relation = is_one_file || outer.key == inner.key ? Relation::equal
                            : is_outer                            ? Relation::around
                                                                  : Relation::inside;
  const bool is_log = chosen.use == Use::log;
  throw InvalidSpec(fmt::format("{} {}: {}; {}", is_log ? "write the log" : "write",
                                chosen.output.string(), conflict_of(chosen, other, relation),
                                is_log ? "give --log-file another name" : "choose another name"));
}

void RunFiles::require_ours(const Entry& entry) {
  const auto refuse = [&](const char* what) {
    throw InvalidSpec(fmt::format("write {}: {} exists, and {}; move it, or choose another name",
                                  entry.output.string(), entry.path.string(), what));
  };
  switch (entry.content) {
    case Content::any:
      return;
    case Content::record:
      if (!may_replace_record(entry.path)) refuse("it is not a record of this program");
      return;
    case Content::certified:
      if (fs::exists(fs::symlink_status(entry.path)) && !is_journal(journal_path(entry.path)))
        refuse("it was not left by a run of this program");
      return;
    case Content::partial_file:
    case Content::partial_folder:
      require_leftover_is_ours(fs::path{entry.path}.replace_extension(),
                               entry.content == Content::partial_folder);
      return;
  }
}

}  // namespace synthoscope::imageio
