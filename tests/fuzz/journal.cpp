// SPDX-License-Identifier: MIT
// tests/fuzz/journal.cpp — the journal that a run goes on by. Lines get the checksums without which
// nothing behind them would be looked at.
#include "imageio/run/journal.hpp"
#include <fmt/format.h>
#include <string>
#include "core/base/assert.hpp"
#include "core/base/error.hpp"
#include "core/math/content_hash.hpp"
#include "imageio/image/name.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/support/temporary_folder.hpp"

namespace {

std::string with_checksums(std::string_view lines) {
  std::string journal;
  while (!lines.empty()) {
    const auto line = lines.substr(0, lines.find('\n'));
    synthoscope::ContentHash hash;
    hash.update(std::as_bytes(std::span{line.data(), line.size()}));
    journal += fmt::format("{:016x} {}\n", hash.value(), line);
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
  }
  return journal;
}

}  // namespace

void synthoscope::fuzz::read(std::string_view bytes) {
  static const test::TemporaryFolder folder;
  static const auto output = folder / "image.tif";
  static const auto begun = folder.write("image.tif.partial", "voxels");
  const auto run = imageio::read_journal(output, output, "this boot",
                                         folder.write("image.tif.journal", with_checksums(bytes)));
  if (!run) return;
  const IntervalSet& done = run->last.finished;
  SYNTHOSCOPE_ASSERT(done.without(done).count(), ==, 0);
  static_cast<void>(IntervalSet{{0, 1000}}.without(done));
  imageio::require_same_request(output, run->request, run->request);
  try {
    imageio::require_same_request(output, run->request, R"({"image": {"path": "a.tif"}})");
  } catch (const InvalidSpec&) {
    // It was another one
  }
}
