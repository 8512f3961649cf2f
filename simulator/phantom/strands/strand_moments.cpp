// SPDX-License-Identifier: MIT
// simulator/phantom/strands/strand_moments.cpp — volume and centroid of connected tubes.
#include <algorithm>
#include <array>
#include <cmath>
#include "simulator/phantom/geometry/draws.hpp"
#include "simulator/phantom/geometry/reach.hpp"
#include "simulator/phantom/strands/strand.hpp"

namespace synthoscope::simulator {
namespace {

/// Sums volumes and their first moments.
struct Sum {
  double volume = 0;
  Vector3 moment{};
  void add(double um3, const Vector3& at) {
    volume += um3;
    moment = moment + um3 * at;
  }
};

/// The solid of a segment: a cone between two planes, with half balls at ends where no tube
/// continues smoothly; or a ball.
struct Part {
  Segment segment;
  double length = 0;
  Vector3 axis{1, 0, 0};
  bool begins_round = true, ends_round = true;
  double box_radius = 0;

  explicit Part(const Segment& s)
      : segment{s}, length{s.length_um()}, box_radius{std::max(s.from_radius_um, s.to_radius_um)} {
    if (length > 0) axis = (1 / length) * (s.to - s.from);
  }
  [[nodiscard]] bool is_ball() const { return length == 0; }
  [[nodiscard]] double radius_at(double t) const {
    return segment.from_radius_um + t * (segment.to_radius_um - segment.from_radius_um);
  }
  [[nodiscard]] bool contains(const Vector3& p) const {
    const Vector3 from = p - segment.from;
    if (is_ball()) return dot(from, from) <= box_radius * box_radius;
    const double along = dot(from, axis);
    if (along < 0)
      return begins_round && dot(from, from) <= segment.from_radius_um * segment.from_radius_um;
    if (along > length) {
      const Vector3 to = p - segment.to;
      return ends_round && dot(to, to) <= segment.to_radius_um * segment.to_radius_um;
    }
    const double radius = radius_at(along / length);
    return dot(from, from) - along * along <= radius * radius;
  }
};

/// Adds the cone between two places, 0 ... 1, along a part.
void add_cone(const Part& part, double begin, double end, Sum& sum) {
  const double a = part.radius_at(begin), b = part.radius_at(end);
  const double squares = a * a + a * b + b * b;
  const double middle = (a * a + 2 * a * b + 3 * b * b) / (4 * squares);
  sum.add(kPi / 3 * (end - begin) * part.length * squares,
          part.segment.from + ((begin + middle * (end - begin)) * part.length) * part.axis);
}

double half_ball_um3(double radius) {
  return 2 * kPi / 3 * radius * radius * radius;
}

/// Adds a half ball, whose centroid lies 3/8 of its radius beyond its face.
void add_half_ball(const Vector3& middle, const Vector3& outward, double radius, Sum& sum) {
  sum.add(half_ball_um3(radius), middle + (3 * radius / 8) * outward);
}

/// Returns point `i` of a sequence that fills the unit cube evenly.
/// @source Roberts, "The unreasonable effectiveness of quasirandom sequences" (2018): the powers of
///         the inverse of the root of x^4 = x + 1.
Vector3 even_point(std::int64_t i) {
  constexpr double kSteps[] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
  Vector3 point{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double at = 0.5 + static_cast<double>(i) * kSteps[axis];
    point[axis] = at - std::floor(at);
  }
  return point;
}

/// Cubes of space, each with a number and a point somewhere in it.
class SampledCubes {
 public:
  /// Makes cubes as small as possible if boxes may reach into `most` in total. A cube counts once
  /// for each box that reaches into it.
  SampledCubes(const std::vector<Bounds>& boxes, std::int64_t most) {
    double whole = 1e-6;
    for (const Bounds& box : boxes)
      for (std::size_t axis = 0; axis < 3; ++axis)
        whole = std::max({whole, std::abs(box.low[axis]), std::abs(box.high[axis])});
    constexpr double kStep = 1.125;
    edge_um_ = whole * 0x1p-20;
    while (reached(boxes, static_cast<double>(most)) > static_cast<double>(most)) edge_um_ *= kStep;
  }

  /// Calls `visit(number, point)` for the cubes that a box reaches into. Points are not on a
  /// lattice, which would put too many or too few into a thin layer along it.
  template <class Visit>
  void for_each_point(const Bounds& box, Visit&& visit) const {
    const auto part = [](double at) { return static_cast<std::uint64_t>(at + 0x1p20); };
    for (double z = at(box.low[0]); z <= at(box.high[0]); ++z)
      for (double y = at(box.low[1]); y <= at(box.high[1]); ++y)
        for (double x = at(box.low[2]); x <= at(box.high[2]); ++x) {
          const std::uint64_t number = (part(z) << 42) + (part(y) << 21) + part(x);
          visit(number, edge_um_ * (Vector3{z, y, x} + even_point(scattered(number))));
        }
  }

 private:
  [[nodiscard]] double at(double um) const { return std::floor(um / edge_um_); }

  /// Returns the number of cubes of all boxes, or any number above `most`.
  [[nodiscard]] double reached(const std::vector<Bounds>& boxes, double most) const {
    double cubes = 0;
    for (const Bounds& box : boxes) {
      double of_box = 1;
      for (std::size_t axis = 0; axis < 3; ++axis)
        of_box *= at(box.high[axis]) - at(box.low[axis]) + 1;
      cubes += of_box;
      if (cubes > most) break;
    }
    return cubes;
  }

  /// Returns a number of 24 bits, unrelated for neighbouring cubes.
  static std::int64_t scattered(std::uint64_t number) {
    number = (number ^ number >> 29) * 0x9e3779b97f4a7c15;
    return static_cast<std::int64_t>((number ^ number >> 32) * 0xd1b54a32d192ed03 >> 40);
  }

  double edge_um_ = 0;
};

class PartsTogether {
 public:
  explicit PartsTogether(const std::vector<Segment>& segments) {
    parts_.reserve(segments.size());
    for (const Segment& segment : segments) parts_.emplace_back(segment);
    join();
  }

  [[nodiscard]] Sum sum() {
    std::vector<Bounds> boxes;
    boxes.reserve(parts_.size());
    for (const Part& part : parts_) boxes.push_back(part.segment.bounds());
    const NearBoxes near{boxes};
    const std::int64_t most_looks = std::max(kMaxLooks, kLooksOfAPart * std::ssize(parts_));
    std::int64_t looks = 0;
    Sum sum;
    for (std::int32_t i = 0; i < std::ssize(parts_); ++i) {
      std::vector<const Part*> others;
      for (const std::int32_t other : near.of(i, looks))
        if (!is_along(i, other)) others.push_back(&at(other));
      if (looks > most_looks) return sum_by_cubes(boxes);
      add(at(i), others, sum);
    }
    return sum;
  }

 private:
  // Limits of compared pairs of boxes; beyond them more parts meet than in any neuron. They keep
  // the time for a file from growing with the square of the number of parts
  static constexpr std::int64_t kMaxLooks = std::int64_t{1} << 22, kLooksOfAPart = 64;
  static constexpr std::int64_t kMaxCubes = std::int64_t{1} << 22;

  /// Returns the same from points, one in each cube, whose number does not depend on how many parts
  /// meet. Each part counts by the points that it holds, and all parts that hold a point share it;
  /// a part that holds none counts with the mean share. Accurate to some percent.
  [[nodiscard]] Sum sum_by_cubes(const std::vector<Bounds>& boxes) {
    const SampledCubes cubes{boxes, kMaxCubes};
    std::vector<std::uint64_t> held;  // cubes whose point a part holds, for all parts
    for (std::size_t i = 0; i < parts_.size(); ++i)
      cubes.for_each_point(boxes[i], [&](std::uint64_t cube, const Vector3& point) {
        if (parts_[i].contains(point)) held.push_back(cube);
      });
    std::sort(held.begin(), held.end());
    const double mean_share = held.empty() ? 1 : distinct(held) / static_cast<double>(held.size());
    Sum sum;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      Sum whole, shared;
      add(parts_[i], {}, whole);
      double count = 0;
      cubes.for_each_point(boxes[i], [&](std::uint64_t cube, const Vector3& point) {
        if (!parts_[i].contains(point)) return;
        const auto [first, last] = std::equal_range(held.begin(), held.end(), cube);
        shared.add(1 / static_cast<double>(last - first), point);
        ++count;
      });
      const Sum& counted = count > 0 ? shared : whole;
      const double um3 = count > 0 ? whole.volume / count : mean_share;
      sum.volume += um3 * counted.volume;
      sum.moment = sum.moment + um3 * counted.moment;
    }
    return sum;
  }

  /// Returns how many different numbers there are.
  static double distinct(const std::vector<std::uint64_t>& sorted) {
    double count = 1;
    for (std::size_t i = 1; i < sorted.size(); ++i) count += sorted[i] != sorted[i - 1] ? 1 : 0;
    return count;
  }

  [[nodiscard]] const Part& at(std::int32_t i) const { return parts_[static_cast<std::size_t>(i)]; }

  /// Finds chains of parts that continue smoothly, and the place of each part in its chain.
  void join() {
    std::vector<bool> has_next(parts_.size());
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      places_.push_back({static_cast<std::int32_t>(i), 0});
      const std::int32_t before = parts_[i].segment.before;
      if (before < 0) continue;
      const auto b = static_cast<std::size_t>(before);
      if (has_next[b]) continue;  // a branch
      has_next[b] = true;
      if (!goes_on_evenly(parts_[b], parts_[i])) continue;
      parts_[b].ends_round = parts_[i].begins_round = false;
      places_[i] = {places_[b].chain, places_[b].um + parts_[b].length};
    }
  }

  static bool goes_on_evenly(const Part& a, const Part& b) {
    if (a.is_ball() || b.is_ball() || a.segment.to != b.segment.from ||
        a.segment.to_radius_um != b.segment.from_radius_um)
      return false;
    constexpr double kSteepest = 0.5;  // of a cone's side
    for (const Part* part : {&a, &b})
      if (std::abs(part->radius_at(1) - part->radius_at(0)) > kSteepest * part->length)
        return false;
    // The wedge of a bend reaches radius * tan(angle / 2) along both
    const double cosine = dot(a.axis, b.axis);
    if (cosine <= 0) return false;
    const double tangent = std::sqrt(std::max(0.0, 1 - cosine * cosine)) / (1 + cosine);
    return a.segment.to_radius_um * tangent <= 0.5 * std::min(a.length, b.length);
  }

  /// Returns whether two parts are so near in one chain that they meet as neighbours do.
  [[nodiscard]] bool is_along(std::int32_t a, std::int32_t b) const {
    if (a > b) std::swap(a, b);
    const Place &first = places_[static_cast<std::size_t>(a)],
                &second = places_[static_cast<std::size_t>(b)];
    if (first.chain != second.chain) return false;
    constexpr double kNear = 3;
    return second.um - first.um - at(a).length <
           kNear * std::max(at(a).box_radius, at(b).box_radius);
  }

  /// Adds what a part holds alone, and its share of what it holds with others.
  void add(const Part& part, const std::vector<const Part*>& others, Sum& sum) {
    const Segment& s = part.segment;
    const auto shared = [&](double um3, auto&& place) { add_points(um3, others, place, sum); };
    if (part.is_ball()) {
      const double um3 = 2 * half_ball_um3(part.box_radius);
      if (others.empty()) return sum.add(um3, s.from);
      return shared(um3, [&](const Vector3& u) {
        return in_ball(s.from, part.axis, part.box_radius, {u[0], u[1], 2 * u[2] - 1});
      });
    }
    const auto cap = [&](bool is_round, const Vector3& middle, const Vector3& outward,
                         double radius) {
      if (!is_round) return;
      if (others.empty()) return add_half_ball(middle, outward, radius, sum);
      shared(half_ball_um3(radius),
             [&](const Vector3& u) { return in_ball(middle, outward, radius, u); });
    };
    cap(part.begins_round, s.from, -1 * part.axis, s.from_radius_um);
    cap(part.ends_round, s.to, part.axis, s.to_radius_um);
    const auto [begin, end] = met_stretch(part, others);
    if (end <= begin) return add_cone(part, 0, 1, sum);
    add_cone(part, 0, begin, sum);
    add_cone(part, end, 1, sum);
    Sum all;
    add_cone(part, begin, end, all);
    const Vector3 u = across(part.axis), v = cross(part.axis, u);
    shared(all.volume, [&, begin = begin, end = end](const Vector3& at) {
      const double a = 2 * at[0] - 1, b = 2 * at[1] - 1, t = begin + at[2] * (end - begin);
      const double radius = part.radius_at(t), weight = a * a + b * b <= 1 ? radius * radius : 0;
      return Weighted{s.from + (t * part.length) * part.axis + (radius * a) * u + (radius * b) * v,
                      weight};
    });
  }

  struct Weighted {
    Vector3 point{};
    double weight = 0;
  };

  /// Maps a point of the unit cube into the box around a half ball; the weight is 0 outside the
  /// half ball.
  static Weighted in_ball(const Vector3& middle, const Vector3& outward, double radius,
                          const Vector3& at) {
    const double a = 2 * at[0] - 1, b = 2 * at[1] - 1, h = at[2];
    const Vector3 u = across(outward), v = cross(outward, u);
    return {middle + radius * (a * u + b * v + h * outward),
            a * a + b * b + h * h <= 1 ? 1.0 : 0.0};
  }

  /// Adds points of a body of `um3`, each shared by all parts that hold it.
  template <class Place>
  void add_points(double um3, const std::vector<const Part*>& others, Place&& place, Sum& sum) {
    // If there are many parts, each may be less exact
    constexpr std::size_t kAll = std::size_t{1} << 25, kMin = 8, kMax = 1024;
    const std::size_t points = std::clamp(kAll / (parts_.size() * others.size()), kMin, kMax);
    double all = 0;
    Sum own;
    for (std::size_t found = 0; found < points;) {
      const Weighted at = place(even_point(next_point_++));
      if (at.weight == 0) continue;
      ++found;
      all += at.weight;
      int holders = 1;
      for (const Part* other : others) holders += other->contains(at.point) ? 1 : 0;
      own.add(at.weight / holders, at.point);
    }
    sum.volume += um3 / all * own.volume;
    sum.moment = sum.moment + (um3 / all) * own.moment;
  }

  /// Returns the stretch of a part, within 0 ... 1, that others can reach.
  static std::array<double, 2> met_stretch(const Part& part,
                                           const std::vector<const Part*>& others) {
    double begin = 1, end = 0;
    for (const Part* other : others) {
      const double a = dot(other->segment.from - part.segment.from, part.axis);
      const double b = dot(other->segment.to - part.segment.from, part.axis);
      begin = std::min(begin, (std::min(a, b) - other->box_radius) / part.length);
      end = std::max(end, (std::max(a, b) + other->box_radius) / part.length);
    }
    return {std::max(0.0, begin), std::min(1.0, end)};
  }

  struct Place {
    std::int32_t chain = 0;
    double um = 0;  ///< from the beginning of the chain
  };
  std::vector<Part> parts_;
  std::vector<Place> places_;
  std::int64_t next_point_ = 0;  ///< continues, so that errors of many parts differ
};

}  // namespace

Strand::Moments Strand::moments() const {
  if (segments_.empty()) return {};
  const Sum sum = PartsTogether{segments_}.sum();
  return {sum.volume, (1 / sum.volume) * sum.moment};
}

}  // namespace synthoscope::simulator
