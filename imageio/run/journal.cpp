// SPDX-License-Identifier: MIT
#include "imageio/run/journal.hpp"
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <exception>
#include <fstream>
#include <limits>
#include <system_error>
#include <utility>
#include <vector>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/version.hpp"
#include "core/system/file_bytes.hpp"
#include "imageio/image/name.hpp"
#include "imageio/input/folder_files.hpp"
#include "imageio/output/partial_file.hpp"
#include "imageio/run/content_hash.hpp"

namespace synthoscope::imageio {
namespace {

constexpr int kFormat = 3;  ///< from this one on, states have sums of what was written

std::string checksum_of(std::string_view text) {
  ContentHash hash;
  hash.update(std::as_bytes(std::span{text.data(), text.size()}));
  return fmt::format("{:016x}", hash.value());
}

std::int64_t nanoseconds(const timespec& time) {
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

/// Names, sizes and times of all files in a folder. Their times of status do not change when the
/// folder gets its name.
std::string identity_of_content(const std::filesystem::path& folder) {
  ContentHash hash;
  for (const auto& file : files_in(folder)) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0) continue;
    const std::string name = file.lexically_relative(folder).string();
    const std::int64_t facts[] = {status.st_size, nanoseconds(status.st_mtim),
                                  nanoseconds(status.st_ctim)};
    hash.update(std::as_bytes(std::span{name}));
    hash.update(std::as_bytes(std::span{facts}));
  }
  return fmt::format("{:016x}", hash.value());
}

/// Identifies a file or folder and its present state on its disk.
Json file_identity(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return nullptr;
  if (S_ISDIR(status.st_mode)) return {status.st_dev, status.st_ino, identity_of_content(path)};
  return {status.st_dev, status.st_ino, status.st_size, nanoseconds(status.st_mtim)};
}

/// [[first, count], ...]
Json json_of(const IntervalSet& stretches) {
  Json list = Json::array();
  for (const Interval& stretch : stretches.all()) list.push_back({stretch.first, stretch.count});
  return list;
}

/// What no journal of ours says, though it is JSON.
struct NoJournal : std::exception {};

/// @throws Json::exception, NoJournal
IntervalSet stretches_of(const Json& list) {
  std::vector<Interval> all;
  for (const Json& pair : list) {
    const Interval steps{whole_of(pair.at(0)), whole_of(pair.at(1))};
    if (steps.first < 0 || steps.count < 1 ||
        steps.count > std::numeric_limits<std::int64_t>::max() - steps.first)
      throw NoJournal{};
    all.push_back(steps);
  }
  // Sorted stretches are appended; others would be inserted, which takes quadratic time
  std::ranges::sort(all, {}, &Interval::first);
  IntervalSet stretches;
  for (const Interval& steps : all) stretches.add(steps);
  return stretches;
}

/// @throws Json::exception, NoJournal
std::string request_of(const Json& header) {
  auto request = header.at("request").get<std::string>();
  if (!parse_json(request).is_object()) throw NoJournal{};
  return request;
}

[[noreturn]] void refuse_journal(const std::filesystem::path& output) {
  throw InvalidSpec(
      fmt::format("resume {}: {} is not a journal of this program; start over without --resume",
                  output.string(), journal_path(output).string()));
}

/// Texts of all whole records, and how many bytes they take.
struct Records {
  std::vector<std::string> texts;
  std::int64_t bytes = 0;
};

Records read_records(const std::filesystem::path& path) {
  Records records;
  std::ifstream file{path, std::ios::binary};
  constexpr std::size_t kChecksum = 16;
  for (std::string line; std::getline(file, line) && !file.eof();) {
    if (line.size() <= kChecksum || line[kChecksum] != ' ') break;
    const std::string text = line.substr(kChecksum + 1);
    if (line.compare(0, kChecksum, checksum_of(text)) != 0) break;
    records.texts.push_back(text);
    records.bytes += std::ssize(line) + 1;
  }
  if (file.bad())
    throw IoError(fmt::format("read {}: it cannot be read; check the disk", path.string()));
  return records;
}

}  // namespace

Journal::Journal(std::filesystem::path output, std::string request, std::string plan,
                 ImageFile& file, std::function<std::string()> counts, const UnfinishedRun* earlier,
                 Settings settings)
    : output_{std::move(output)},
      path_{settings.path.empty() ? journal_path(output_) : settings.path},
      request_{std::move(request)},
      plan_{std::move(plan)},
      file_{file},
      counts_{std::move(counts)},
      settings_{std::move(settings)} {
  if (!earlier) return;
  last_ = earlier->last;
  recorded_steps_ = last_.finished.count();
  bytes_ = earlier->bytes;
  open();
}

Journal::~Journal() {
  if (descriptor_ < 0) return;
  // Once the file has its final name, another process may start it again, with a new journal
  if (!left_ && is_named(descriptor_, path_)) ::unlink(path_.c_str());
  ::close(descriptor_);
}

IntervalSet Journal::to_do(std::int64_t all) const {
  return IntervalSet{{0, all}}.without(last_.finished);
}

void Journal::finish(const IntervalSet& steps) {
  last_.finished.add(steps);
  last_.file.clear();
  last_.counts = counts_();
  written_ = file_.written();
  if (is_due()) record(/*is_whole=*/false);
}

bool Journal::is_due() const {
  return descriptor_ < 0 || Clock::now() - recorded_at_ >= settings_.every;
}

void Journal::finish_file() {
  file_.build();
  last_.file.clear();
  last_.counts = counts_();
  try {
    record(/*is_whole=*/true);
  } catch (const IoError&) {
    // Without steps the journal is a help and no more: the file is whole
    if (recorded_steps_ > 0 || is_doubted_) throw;
    is_doubted_ = true;  // nobody can go on by it
  }
}

void Journal::finish_share() {
  if (last_.finished.count() > 0) record(/*is_whole=*/false, /*is_last=*/true);
}

bool Journal::keep_for_resume() noexcept {
  const bool is_trusted = descriptor_ >= 0 && !is_doubted_;
  const bool is_as_of_last_step = file_.written() == written_;
  try {
    if (is_trusted && recorded_steps_ < last_.finished.count() && is_as_of_last_step)
      record(/*is_whole=*/false);
  } catch (const std::exception&) {  // the records before this one hold
  }
  std::error_code ignored;
  const bool has_name = !std::filesystem::exists(partial_path(output_), ignored);
  left_ = is_trusted && !is_doubted_ && (recorded_steps_ > 0 || has_name);
  file_.keep(left_);
  return left_;
}

void Journal::begin() {
  open();
  put(text_of({{"format", kFormat},
               {"program", "synthoscope"},
               {"version", kVersion},
               {"request", request_},
               {"plan", plan_}}));
}

/// Drops an incomplete record at the end. Reserves space for the next records now, so that they can
/// be written even if the disk is full by then.
void Journal::open() {
  constexpr off_t kRoom = 1 << 16;
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (descriptor_ < 0 || ::ftruncate(descriptor_, bytes_) != 0) {
    const int failure = errno;
    if (descriptor_ >= 0) {
      if (bytes_ == 0) ::unlink(path_.c_str());  // nobody can go on by it
      ::close(std::exchange(descriptor_, -1));
    }
    fail_write(path_, failure, 0);
  }
  [[maybe_unused]] const int may_fail =
      ::fallocate(descriptor_, FALLOC_FL_KEEP_SIZE, bytes_, kRoom);
}

void Journal::put(const std::string& text) {
  const std::string line = checksum_of(text) + ' ' + text + '\n';
  const Moved written = write_bytes(descriptor_, bytes_, std::as_bytes(std::span{line}));
  if (written.bytes < line.size())
    fail_write(path_, written.errno_value, static_cast<std::int64_t>(line.size()));
  bytes_ += static_cast<std::int64_t>(line.size());
}

void Journal::sync_file() {
  is_doubted_ = true;
  file_.sync();
  is_doubted_ = false;
}

void Journal::record(bool is_whole, bool is_last) {
  const auto now = Clock::now();
  const bool is_due = is_whole || is_last || now - synced_at_ >= settings_.sync_every;
  if (last_.file.empty()) last_.file = file_.checkpoint();
  if (descriptor_ < 0) begin();
  if (is_due) sync_file();
  Json entry{{"finished", json_of(last_.finished)},
             {"file", last_.file},
             {"counts", last_.counts},
             {"synced", is_due},
             {"boot", settings_.boot}};
  if (is_whole) entry["whole"] = file_identity(partial_path(output_));
  put(text_of(entry));
  if (is_due) synced_at_ = now;
  // A file that is whole gets its name and is synced at once
  if (is_due && !is_whole) {
    const int failure = ::fdatasync(descriptor_) != 0 ? errno : sync_folder_of(path_);
    if (failure != 0) fail_write(path_, failure, 0);
  }
  recorded_at_ = now;
  recorded_steps_ = last_.finished.count();
}

std::string boot_id() {
  std::ifstream file{"/proc/sys/kernel/random/boot_id"};
  std::string id;
  std::getline(file, id);
  return id;
}

std::optional<UnfinishedRun> read_journal(const std::filesystem::path& output,
                                          const std::filesystem::path& named,
                                          const std::string& boot,
                                          std::filesystem::path journal) try {
  const auto path = journal.empty() ? journal_path(output) : std::move(journal);
  const Records records = read_records(path);
  if (records.texts.size() < 2) return std::nullopt;
  const auto header = parse_json(records.texts.front());
  if (header.at("format") != kFormat || header.at("version") != kVersion)
    throw InvalidSpec(
        fmt::format("resume {}: {} was written by version {} (format {}), this is {}; use that "
                    "one, or start over without --resume",
                    output.string(), path.string(), header.at("version").get<std::string>(),
                    text_of(header.at("format")), kVersion));
  UnfinishedRun run{
      request_of(header), header.at("plan").get<std::string>(), {}, false, records.bytes};
  Json last;
  for (std::size_t i = 1; i < records.texts.size(); ++i) {
    const auto entry = parse_json(records.texts[i]);
    const bool is_trusted = entry.at("synced").get<bool>() || entry.at("boot") == boot;
    // A file is synced before it gets its name
    run.is_whole = entry.contains("whole") && !entry["whole"].is_null() &&
                   (entry["whole"] == file_identity(file_of(output)) ||
                    entry["whole"] == file_identity(file_of(named)));
    if (is_trusted || run.is_whole) last = entry;
  }
  if (last.is_null()) return std::nullopt;
  run.last = {stretches_of(last.at("finished")), last.at("file").get<std::string>(),
              last.at("counts").get<std::string>()};
  if (run.is_whole) return run;
  if (run.last.finished.count() == 0 || !std::filesystem::exists(partial_path(output)))
    return std::nullopt;
  return run;
} catch (const Json::exception&) {
  refuse_journal(output);
} catch (const NoJournal&) {
  refuse_journal(output);
}

void require_same_request(const std::filesystem::path& output, const std::string& then,
                          const std::string& now, std::string_view anew) {
  const auto old_keys = parse_json(then).flatten(), new_keys = parse_json(now).flatten();
  const auto value = [](const Json& keys, const std::string& key) {
    return keys.contains(key) ? text_of(keys[key]) : "not given";
  };
  const auto refuse_if_changed = [&](const Json& keys) {
    for (const auto& [key, ignored] : keys.items()) {
      const std::string was = value(old_keys, key), is = value(new_keys, key);
      if (was == is) continue;
      // A request that is a single value has no name
      std::string name = key.empty() ? "the request" : key.substr(1);
      std::replace(name.begin(), name.end(), '/', ' ');
      throw InvalidSpec(
          fmt::format("resume {}: {} was {} when the run began and is {} now; undo the change, or "
                      "{} to start over",
                      output.string(), name, was, is, anew));
    }
  };
  refuse_if_changed(old_keys);
  refuse_if_changed(new_keys);
}

}  // namespace synthoscope::imageio
