// SPDX-License-Identifier: MIT
// simulator/world/movie.cpp — a movie in the tables of a world: each body once, and its poses.
#include "simulator/timelapse/movie.hpp"
#include <optional>
#include "simulator/phantom/kinds.hpp"
#include "simulator/world/kinds.hpp"

namespace synthoscope::simulator {
namespace {

Matrix3 turn_of(const Nucleus& nucleus) {
  return nucleus.own_axes();
}
Matrix3 turn_of(const Cell& cell) {
  return cell.surface().own_axes();
}

void move_by(Nucleus& nucleus, const Vector3& way) {
  nucleus.move_to(nucleus.centre() + way);
}
void move_by(Cell& cell, const Vector3& way) {
  cell.move_by(way);
}

/// Moving bodies of one kind, and their tables in a world.
template <class Drawn, class PoseOf, class LabelOf, class LightOf>
struct Moving {
  const char *group, *owner;
  const History& history;
  Drawn drawn;       ///< a body as it was drawn, centred at the origin
  PoseOf pose_of;    ///< its pose, relative to that body
  LabelOf label_of;  ///< first label of a body, by its number
  LightOf light_of;  ///< light of a posed body, by its number

  /// Writes every body once, where it was first, and its pose in every frame.
  void describe_in(const WorldTables& tables, const Movie& movie) const {
    std::vector<std::optional<Matrix3>> turns(history.lineage().size());  // as they were drawn
    for (std::int64_t frame = 0; frame < movie.frames(); ++frame)
      for (const PosedBody& body : history.at(frame)) {
        const PlacedObject placed{tables, label_of(body.number), frame};
        const Vector3 centre = body.pose.centre + movie.way_to_grid_um(frame);
        auto& turn = turns[static_cast<std::size_t>(body.number)];
        if (!turn) {
          auto its = drawn(body);
          turn = turn_of(its);
          move_by(its, centre);
          describe(placed, its);
          if (movie.has_lights()) {
            auto posed = drawn(body).posed(pose_of(body));
            move_by(posed, movie.way_to_grid_um(frame));
            describe(placed, light_of(posed, body.number));
          }
        }
        TableRow row = placed.part(group, owner);
        row.whole("frame", frame);
        row.vector("centre_um", centre);
        row.matrix("to_shape", transposed(*turn) * to_own_frame(pose_of(body)));
      }
  }
};
// For compilers that do not deduce the arguments of aggregates, such as clang 16
template <class Drawn, class PoseOf, class LabelOf, class LightOf>
Moving(const char*, const char*, const History&, Drawn, PoseOf, LabelOf, LightOf)
    -> Moving<Drawn, PoseOf, LabelOf, LightOf>;

void describe_frames(const WorldTables& tables, const Movie& movie) {
  for (std::int64_t frame = 0; frame < movie.frames(); ++frame) {
    TableRow row{tables, "/frame"};
    row.real("seconds", movie.seconds(frame));
    row.vector("drift_um", movie.drift_um(frame));
    row.real("focus_um", movie.focus_um(frame));
    row.real("brightness", movie.brightness(frame));
  }
}

void describe_tracks(const WorldTables& tables, const Tracks& tracks) {
  for (const Track& track : tracks.all()) {
    if (!track.is_seen()) continue;
    TableRow row{tables, "/track"};
    row.whole("id", track.label);
    row.whole("begin", track.begin);
    row.whole("end", track.end);
    row.whole("parent", track.parent);
    row.whole("object", tracks.first(track.object).label);
  }
}

}  // namespace

TableSizes table_sizes_of_movie(const WorldSize& size) {
  return {{"/track", size.tracks, 5}, {"/frame", size.movie_frames, 6}};
}

void describe(const WorldTables& tables, const Movie& movie) {
  const Tracks& tracks = movie.tracks();
  const auto first_label = [&](std::int64_t object) { return tracks.first(object).label; };
  Moving{
      "/nucleus/pose",
      "nucleus",
      movie.nuclei(),
      [&](const PosedBody& body) { return movie.drawn_nucleus(body.number); },
      [](const PosedBody& body) { return body.pose; },
      first_label,
      [&](const Nucleus& nucleus, std::int64_t number) { return movie.light_of(nucleus, number); }}
      .describe_in(tables, movie);
  Moving{"/cell/pose",
         "cell",
         movie.cells(),
         [&](const PosedBody& body) { return movie.drawn_cell(body); },
         [](const PosedBody& body) { return Movie::pose_of_cell(body); },
         [&](std::int64_t number) { return first_label(movie.object_of_cell(number)); },
         [&](const Cell& cell, std::int64_t number) { return movie.light_of(cell, number); }}
      .describe_in(tables, movie);
  const Bounds field{{}, size_um(movie.grid())};
  const Vector3 way = movie.way_to_grid_um(0);
  for_each_object(movie.still(), [&](std::int64_t id, auto body) {
    if (way != Vector3{}) simulator::move_by(body, way, field);
    const PlacedObject placed{tables, first_label(movie.object_of_still(id - 1)), 0};
    describe(placed, body);
    if (movie.has_lights())
      describe(placed, movie.still().lights[static_cast<std::size_t>(id - 1)]);
  });
  describe_frames(tables, movie);
  describe_tracks(tables, tracks);
}

}  // namespace synthoscope::simulator
