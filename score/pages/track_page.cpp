// SPDX-License-Identifier: MIT
#include "score/pages/track_page.hpp"
#include <fmt/format.h>
#include "simulator/report/markup.hpp"
#include "simulator/report/svg_plot.hpp"

namespace synthoscope::score {
namespace {

using simulator::PlotSeries;
using Mark = PlotSeries::Mark;

std::string measure(double value) {
  return fmt::format("{:.3f}", value);
}

std::string measure(const std::optional<double>& value) {
  return value ? measure(*value) : "undefined";
}

std::string table_of_tracks(const TrackScores& s) {
  const GraphErrors& e = s.errors;
  std::vector<std::vector<std::string>> rows{
      {"score", "value", "definition"},
      {"tracks", fmt::format("{} true, {} found", s.truth_tracks, s.result_tracks),
       "tracks of both tables"},
      {"match", "", "a result matches a true object if it covers more than half of its voxels"},
      {"DET", measure(s.det),
       "one minus the cost of mending the detections (5 for a split, 10 for a missed object, 1 for "
       "a false one), relative to the cost of adding all objects"},
      {"SEG", measure(s.seg),
       "mean over true objects of the intersection over union with the match; 0 without one"},
      {"TRA", measure(s.tra),
       "as DET with links (1 for a link too many, 1.5 for a missing one, 1 for a wrong kind), "
       "relative to the cost of adding all objects and links"},
      {"LNK", measure(s.lnk), "the same for links alone"},
      {"AOGM", fmt::format("{:g}", e.all()),
       "the sum of these costs: the work that turns the graph of the result into the true one"},
      {"NS, FN, FP", fmt::format("{}, {}, {}", e.ns, e.fn, e.fp),
       "splits, missed objects, false objects"},
      {"ED, EA, EC", fmt::format("{}, {}, {}", e.ed, e.ea, e.ec),
       "links to delete, to add, and to change in kind"},
      {"CT", measure(s.ct),
       "complete tracks: F1 of true tracks that one result track follows from the first frame to "
       "the last"},
      {"TF", measure(s.tf),
       "track fractions: the longest part of a true track that one result track follows, averaged "
       "over all tracks that are followed in any frame"}};
  for (std::size_t i = 0; i < s.bc.size(); ++i)
    rows.push_back({fmt::format("BC({})", i), measure(s.bc[i]),
                    fmt::format("branching correctness: F1 of divisions found at most {} frames "
                                "early or late, with the right mother and daughters",
                                i)});
  rows.push_back({"HOTA", measure(s.hota),
                  "root of how well the whole tracks of each match agree, averaged over matches, "
                  "misses and false objects"});
  rows.push_back({"CHOTA", measure(s.chota),
                  "the same with all ancestors and descendants as parts of a track"});
  return simulator::table(rows);
}

std::string errors_over_time(const TrackScores& scores) {
  const auto curve = [&](std::string name, std::string colour, std::int64_t GraphErrors::*count) {
    PlotSeries series{std::move(name), std::move(colour), Mark::line, {}};
    for (std::size_t frame = 0; frame < scores.by_frame.size(); ++frame)
      series.points.emplace_back(static_cast<double>(frame),
                                 static_cast<double>(scores.by_frame[frame].*count));
    return series;
  };
  return simulator::svg_plot(
      {"frame"}, {"errors", simulator::Scale::linear, 1},
      {curve("missed", "#2f6fb3", &GraphErrors::fn), curve("false", "#d9772b", &GraphErrors::fp),
       curve("splits", "#3a8f5c", &GraphErrors::ns),
       curve("links to add", "#7a5aa6", &GraphErrors::ea),
       curve("links to delete", "#9aa3b0", &GraphErrors::ed)});
}

}  // namespace

std::string track_sections(const TrackScores& scores) {
  return simulator::section("Scores", table_of_tracks(scores)) +
         simulator::section(
             "Errors over time",
             errors_over_time(scores) +
                 "<p class='note'>A link belongs to the frame that it leads to.</p>");
}

}  // namespace synthoscope::score
