// SPDX-License-Identifier: MIT
// tools/score/request.hpp — what a score is asked for, and what each kind of score answers.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>
#include "core/base/names.hpp"
#include "core/run/run_context.hpp"
#include "imageio/open.hpp"
#include "score/pages/sweep_table.hpp"
#include "score/run/score_images.hpp"
#include "score/run/score_spots.hpp"
#include "score/spots/spot_columns.hpp"
#include "score/strata/scored_object.hpp"

namespace synthoscope::tools {

enum class ScoreKind { automatic, labels, tracks, spots, image };
inline constexpr NameTable<ScoreKind, 5> kScoreKindNames{{
    {ScoreKind::automatic, "auto"},
    {ScoreKind::labels, "labels"},
    {ScoreKind::tracks, "tracks"},
    {ScoreKind::spots, "spots"},
    {ScoreKind::image, "image"},
}};

/// Options of all kinds. Each kind reads its own.
struct ScoreRequest {
  std::filesystem::path truth, result;
  imageio::OpenOptions open;
  bool has_page = false;  ///< a page is wanted

  // Labels
  score::Selection selection;
  std::filesystem::path picture;  ///< image that was segmented; if empty, that of the data set
  bool surfaces = false;
  std::optional<double> tolerance_um;

  // Spots
  score::SpotSettings spots;
  score::SpotTableOptions columns;

  // Images
  score::ImageTruth beside = score::ImageTruth::photons;
  score::FourierWindow window = score::FourierWindow::tukey;
  bool shells = true;
};

/// A score as all that the command prints or writes.
struct ScoreAnswer {
  Json json;
  std::string text;  ///< for a terminal
  std::string page;  ///< sections of HTML; empty without has_page
};

/// A data set of a sweep, or the only one, and its result.
struct ScoredPair {
  std::filesystem::path truth, result;
  score::SweptSet set;  ///< of a sweep; otherwise its folder is empty
};

/// Returns the kind of a result: a table of spots, a folder with a table of tracks, an image of
/// real numbers that are no labels, or labels.
/// @throws as inspecting an image does
ScoreKind kind_of_result(const std::filesystem::path& result, const imageio::OpenOptions& open,
                         const RunContext& context);

// Score one pair; labels score all pairs together. @throws as the functions in score/run

ScoreAnswer answer_labels(const ScoreRequest& request, std::vector<ScoredPair>& pairs,
                          const RunContext& context);
ScoreAnswer answer_tracks(const ScoreRequest& request, const RunContext& context);
ScoreAnswer answer_spots(const ScoreRequest& request, const RunContext& context);
ScoreAnswer answer_image(const ScoreRequest& request, const RunContext& context);

}  // namespace synthoscope::tools
