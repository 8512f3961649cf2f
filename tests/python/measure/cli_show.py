# SPDX-License-Identifier: MIT
# tests/python/measure/cli_show.py — pictures of files and data sets.
import csv
import fcntl
import os
import pathlib
import pty
import re
import struct
import subprocess
import termios
import zlib

from program import (PROGRAM, TINY_SCENE, ProgramTest, main, numpy, random_volume,
                     tifffile)

USAGE, IO, MEMORY = 2, 4, 5
DATA = os.environ.get("SYNTHOSCOPE_TEST_DATA")
CHANNELS = """[[channel]]
name = "blue"
optics.wavelength_nm = 460
light.nuclei = 1
[[channel]]
name = "red"
optics.wavelength_nm = 640
light.nuclei = 1
"""


def pixels_of(path):
    """The pixels of an 8-bit PNG of ours, [row, column, rgb]: filters 0 to 4 of the standard."""
    data = pathlib.Path(path).read_bytes()
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
            assert (depth, colour) == (8, 2)
        packed += body if kind == b"IDAT" else b""
        at += size + 12
    raw = numpy.frombuffer(zlib.decompress(packed), "u1").reshape(height, 1 + 3 * width)
    out = numpy.zeros((height + 1, 3 * width + 3), int)
    for y in range(height):
        kind, line = raw[y, 0], raw[y, 1:]
        for x in range(3 * width):
            left, up, corner = out[y + 1, x], out[y, x + 3], out[y, x]
            guess = left + up - corner
            paeth = min((left, up, corner), key=lambda near: abs(guess - near))
            out[y + 1, x + 3] = (line[x] + (0, left, up, (left + up) // 2, paeth)[kind]) % 256
    return out[1:, 3:].reshape(height, width, 3)


def unpacked(bits, least):
    """The bytes that LZW of a GIF packs: codes grow from `least` + 1 bits to 12."""
    clear, out, width, at = 1 << least, bytearray(), least + 1, 0
    table, last = [bytes([i]) for i in range(clear)] + [b"", b""], None
    number = int.from_bytes(bits, "little")
    while True:
        code = (number >> at) & ((1 << width) - 1)
        at += width
        if code == clear:
            width, last = least + 1, None
            table = table[:clear + 2]
        elif code == clear + 1:
            return bytes(out)
        else:
            entry = table[code] if code < len(table) else last + last[:1]
            if last is not None and len(table) < 4096:
                table.append(last + entry[:1])
            out += entry
            last = entry
            if len(table) == 1 << width and width < 12:
                width += 1


def frames_of(path):
    """The frames of a GIF, [row, column, rgb], and the hundredths of a second of each."""
    data = pathlib.Path(path).read_bytes()
    assert data[:6] == b"GIF89a"
    width, height, flags = struct.unpack("<HHB", data[6:11])
    colours = numpy.frombuffer(data[13:13 + 3 * (2 << (flags & 7))], "u1").reshape(-1, 3)
    at, frames, delays = 13 + colours.size, [], []

    def blocks(at):
        body = b""
        while data[at]:
            body += data[at + 1:at + 1 + data[at]]
            at += 1 + data[at]
        return body, at + 1

    while data[at:at + 1] != b";":
        if data[at] == 0x21:
            kind = data[at + 1]
            body, at = blocks(at + 2)
            if kind == 0xf9:
                delays.append(struct.unpack("<H", body[1:3])[0])
        else:
            body, after = blocks(at + 11)
            pixels = numpy.frombuffer(unpacked(body, data[at + 10]), "u1")
            frames.append(colours[pixels.reshape(height, width)])
            at = after
    return frames, delays


class Movies(ProgramTest):
    def test_have_a_frame_for_each_of_the_image_and_do_not_flicker(self):
        # A bright square that moves over a background that is the same in all frames
        data = numpy.full((6, 1, 40, 60), 100, "uint16")
        for frame in range(6):
            data[frame, 0, 10:20, 8 * frame:8 * frame + 8] = 1000
        tifffile.imwrite(self.path("movie.ome.tif"), data, ome=True, metadata={"axes": "TZYX"})
        told = self.result_of("show", "movie.ome.tif", "-o", "out.gif", "--size", "60", "--fps",
                              "5", "--contrast", "0,100")
        frames, delays = frames_of(self.path("out.gif"))
        self.assertEqual((told["frames"], len(frames), delays), (6, 6, [20] * 6))
        self.assertEqual(frames[0].shape, (told["height"], told["width"], 3))
        for number, frame in enumerate(frames):
            image = frame[-56:-16, 16:76].astype(int)
            where = image[15, :, 0].argmax()
            self.assertIn(where, range(8 * number, 8 * number + 8))
            self.assertGreater(image[12:18, 8 * number + 2:8 * number + 6].min(), 250)
            self.assertLess(image[25:, :, :].max(), 6)

    def test_of_a_stack_go_through_its_planes(self):
        data = numpy.zeros((5, 30, 30), "uint16")
        for plane in range(5):
            data[plane, 6 * plane:6 * plane + 6] = 500
        self.write("stack.tif", data)
        self.succeed("show", "stack.tif", "-o", "out.gif", "--size", "30", "--contrast", "0,100")
        frames, delays = frames_of(self.path("out.gif"))
        self.assertEqual((len(frames), set(delays)), (5, {10}))
        for plane, frame in enumerate(frames):
            self.assertIn(frame[-46:-16, 30, 0].argmax(), range(6 * plane, 6 * plane + 6))

    def test_keep_colours_and_outlines(self):
        self.text("scene.toml", TINY_SCENE.replace("seed", "frames = 3\nseed", 1) + CHANNELS)
        self.succeed("simulate", "scene.toml", "-o", "set", "--quiet")
        self.succeed("show", "set", "-o", "out.gif", "--size", "80")
        self.succeed("show", "set", "-o", "one.png", "--size", "80", "--frame", "1")
        frames, _ = frames_of(self.path("out.gif"))
        # The same picture, but for what the colours of a GIF and a brightness for all frames change
        difference = numpy.abs(frames[1].astype(int) - pixels_of(self.path("one.png")))
        self.assertLess(numpy.median(difference), 4)
        self.assertLess(numpy.percentile(difference, 99), 60)


class Pictures(ProgramTest):
    def test_show_where_it_is_bright_and_where_it_is_dark(self):
        image = numpy.zeros((1, 40, 60), "uint16")
        image[0, :20, 30:] = 1000
        self.write("in.tif", image)
        self.succeed("show", "in.tif", "-o", "out.png", "--size", "60", "--contrast", "0,100",
                     "--voxel-um", "0.1")
        picture = pixels_of(self.path("out.png"))
        grey = picture[-56:-16, 16:76]  # within the margins
        self.assertEqual(grey[:19, 32:].min(), 255)
        self.assertEqual(grey[22:, :28].max(), 0)

    def test_of_labels_have_a_colour_for_each(self):
        labels = numpy.zeros((4, 40, 60), "uint16")
        for number, (y, x) in enumerate(((2, 2), (2, 20), (20, 2), (20, 32)), 1):
            labels[:, y:y + 12, x:x + 12] = number
        self.write("labels.tif", labels)
        for options, told in (((), True), (("--contrast", "0,100"), False)):
            shown = self.command("show", "labels.tif", "-o", "out.png", "--size", "60", "--plane",
                                 "1", "--overwrite", "--voxel-um", "1", *options)
            self.assertEqual(shown.returncode, 0, shown.stderr)
            picture = pixels_of(self.path("out.png"))[46:86, 16:76]
            colours = {tuple(picture[y + 6, x + 6]) for y, x in
                       ((2, 2), (2, 20), (20, 2), (20, 32))}
            are_grey = all(len(set(colour)) == 1 for colour in colours)
            self.assertEqual((len(colours), are_grey, "numbers of objects" in shown.stderr),
                             (4, not told, told), colours)
            self.assertEqual(picture[38, 58].max(), 0)

    def test_of_a_single_bead_go_through_it(self):
        bead = numpy.random.default_rng(2).normal(100, 2, (16, 40, 60)).round()
        bead[2:5, 8:11, 48:51] = 900
        self.write("bead.tif", bead.astype("uint16"))
        self.succeed("show", "bead.tif", "-o", "out.png", "--size", "60", "--projection", "slice",
                     "--voxel-um", "1")
        picture = pixels_of(self.path("out.png"))
        self.assertGreater(picture[46 + 9, 16 + 49].min(), 250)       # y-x
        self.assertGreater(picture[46 + 44 + 3, 16 + 49].min(), 250)  # z-x below
        self.assertGreater(picture[46 + 9, 16 + 64 + 3].min(), 250)   # y-z to the right
        self.assertLess(picture[46 + 25, 16 + 20].max(), 128)

    def test_of_frames_keep_the_panels_of_a_frame_in_a_row(self):
        data = random_volume((3 * 2 * 3, 20, 60), 2, numpy.uint16).reshape(3, 2, 3, 20, 60)
        tifffile.imwrite(self.path("movie.ome.tif"), data, ome=True, metadata={"axes": "TCZYX"})
        words = ("show", "movie.ome.tif", "--size", "60")
        one = self.result_of(*words, "-o", "one.png", "--frame", "0")
        three = self.result_of(*words, "-o", "three.png")
        self.assertEqual(three["width"], one["width"], "three panels: two channels, and both")
        self.assertEqual(three["height"] - 16, 3 * (one["height"] - 16))

    def test_do_not_stretch_noise_to_black_and_white(self):
        noise = numpy.random.default_rng(1).normal(100, 5, (1, 100, 100)).astype("float32")
        self.write("noise.tif", noise)
        self.succeed("show", "noise.tif", "-o", "noise.png", "--size", "100")
        grey = pixels_of(self.path("noise.png"))[-116:-16, 16:116, 0]
        self.assertLess(grey.std(), 255 / 10)
        self.assertLess(grey.max(), 200)

    def test_have_a_panel_for_each_channel_and_one_for_all(self):
        self.text("scene.toml", TINY_SCENE + CHANNELS)
        self.succeed("simulate", "scene.toml", "-o", "two", "--quiet")
        one = self.result_of("show", "two", "-o", "one.png", "--channel", "0", "--size", "100",
                             "--projection", "max")
        both = self.result_of("show", "two", "-o", "both.png", "--size", "100")
        # One channel has its image and its labels; two have both images, and what they are together
        self.assertAlmostEqual(both["width"] / one["width"], 3 / 2, delta=0.1)
        picture = pixels_of(self.path("both.png"))
        together = picture[:, -both["width"] // 3:]
        colourful = together.max(axis=2) - together.min(axis=2)
        self.assertGreater(colourful.max(), 100)
        self.refused(USAGE, ["there is no channel 2"], "show", "two", "-o", "no.png", "--channel",
                     "2")

    def test_of_a_sweep_are_those_of_one_of_its_sets(self):
        self.text("scene.toml", TINY_SCENE + "[sweep]\nnuclei.count = [1, 2]\n")
        self.succeed("simulate", "scene.toml", "-o", "all", "--quiet")
        self.refused(USAGE, ["it is a sweep", "such as all/count-1"], "show", "all", "-o", "a.png")
        self.succeed("show", "all/count-1", "-o", "a.png")

    def test_outline_labels_beside_the_image(self):
        self.text("scene.toml", TINY_SCENE)
        self.succeed("simulate", "scene.toml", "-o", "set", "--quiet")
        # The labels of a data set are known; for a file they are named
        self.succeed("show", "set", "-o", "set.png", "--size", "100")
        self.succeed("show", "set/image.ome.tif", "-o", "file.png", "--size", "100", "--labels",
                     "set/labels.ome.tif")
        known, named = (pixels_of(self.path(name)) for name in ("set.png", "file.png"))
        numpy.testing.assert_array_equal(known, named)
        colourful = known.max(axis=2) - known.min(axis=2) > 60
        half = known.shape[1] // 2
        self.assertFalse(colourful[:, :half].any())
        self.assertTrue(colourful[:, half:].any())

    def test_of_movies_show_first_middle_and_last(self):
        data = random_volume((5, 3, 8, 9), 2, numpy.uint16)
        tifffile.imwrite(self.path("movie.ome.tif"), data, ome=True, metadata={"axes": "TZYX"})
        three = self.result_of("show", "movie.ome.tif", "-o", "three.png", "--size", "50")
        one = self.result_of("show", "movie.ome.tif", "-o", "one.png", "--frame", "4", "--size",
                             "50")
        self.assertGreater(three["width"], 2.5 * one["width"])
        self.refused(USAGE, ["there is no frame 5"], "show", "movie.ome.tif", "-o", "no.png",
                     "--frame", "5")

    def test_of_every_real_image_are_made(self):
        if not DATA:
            self.skipTest("SYNTHOSCOPE_TEST_DATA names no folder")
        for file in sorted(pathlib.Path(DATA).glob("*.tif")):
            with self.subTest(file.name):
                told = self.result_of("show", file, "-o", "out.png", "--overwrite")
                self.assertGreater(told["width"], 200)
                self.assertLess(told["width"], 1700)

    def test_keep_the_promise_of_memory(self):
        self.write("in.tif", random_volume((64, 512, 512), 1, numpy.uint16))
        words = ("show", "in.tif", "-o", "out.png", "--overwrite", "--memory")
        self.assertEqual(self.command(*words, "1M").returncode, MEMORY)
        self.succeed(*words, "128M")
        self.refused(MEMORY, ["--size 8000 needs", "smaller --size or more --memory"], *words,
                     "128M", "--size", "8000")
        self.refused(USAGE, ["--size", "16 to 20000"], *words, "128M", "--size", "99999")
        self.assertNotIn("out.png.partial", self.listing())

    def test_of_packed_data_sets_count_the_chunks_that_are_unpacked(self):
        scene = TINY_SCENE.replace("[12, 48, 40]", "[24, 512, 512]")
        self.text("scene.toml", scene)
        self.succeed("simulate", "scene.toml", "-o", "set", "--format", "hdf5", "--compression",
                     "deflate", "--chunks", "24,512,512", "--quiet")
        self.refused(MEMORY, ["chunks of set/image.h5"], "show", "set", "-o", "out.png",
                     "--memory", "24M")
        self.refused(MEMORY, ["chunks of set/"], "report", "set", "-o", "out.html", "--memory",
                     "24M")
        self.succeed("show", "set", "-o", "out.png", "--memory", "200M")


class Previews(ProgramTest):
    """preview.png of simulate: panels have 400 pixels along the longest edge, here of 20 um."""

    # Long and thin: previews take time where there is much to paint
    SCENE = """seed = 3
[grid]
size = [10, 24, 200]
pitch_nm = [300, 100, 100]
[nuclei]
count = 2
radius_um = 0.5
[beads]
count = 6
diameter_um = 0.4
photons = 50000
[optics]
model = "gaussian"
na = 0.8
size = [9, 21, 21]
"""

    def objects(self):
        with open(self.path("set/objects.csv"), encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def positions_of(self, kind):
        """Rows and columns of the picture in the slice along y and x of the first panel."""
        return [(46 + round(float(row["centroid_y_um"]) * 20),
                 16 + round(float(row["centroid_x_um"]) * 20))
                for row in self.objects() if row["class"] == kind]

    def simulated(self, scene):
        self.text("scene.toml", scene)
        self.succeed("simulate", "scene.toml", "-o", "set", "--quiet")
        return pixels_of(self.path("set/preview.png"))

    def test_show_beads_of_all_planes(self):
        picture = self.simulated(self.SCENE)
        self.assertEqual(len(self.positions_of("bead")), 6)
        for row, column in self.positions_of("bead"):
            self.assertGreater(picture[row, column].max(), 100, (row, column))

    def test_show_thick_objects_in_slices(self):
        picture = self.simulated(self.SCENE.replace("count = 6", "count = 0")
                                 .replace("count = 2", "count = 9"))
        seen = [picture[place].max() > 50 for place in self.positions_of("nucleus")]
        self.assertTrue(any(seen))
        self.assertFalse(all(seen), "some nuclei lie above or below the slice")

    def test_leave_objects_without_light_out(self):
        channels = """[[channel]]
name = "dapi"
light.nuclei = 1
[[channel]]
name = "beads"
light.beads = 1
"""
        picture = self.simulated(self.SCENE + channels)
        step = (picture.shape[1] - 16) // 4  # truth, two channels, both
        colourful = picture.max(axis=2) - picture.min(axis=2) > 60

        def outlined(panel, kind, reach):
            return [colourful[row - reach:row + reach, column + panel * step - reach:
                              column + panel * step + reach].any()
                    for row, column in self.positions_of(kind)]

        self.assertTrue(all(outlined(2, "bead", 8)))
        self.assertFalse(all(outlined(1, "bead", 8)), "only those next to a nucleus")
        self.assertTrue(any(outlined(1, "nucleus", 14)))


class Terminals(ProgramTest):
    def drawn(self, *words, columns=60):
        outer, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        with subprocess.Popen([PROGRAM, *words], cwd=self.folder, stdout=inner,
                              stderr=subprocess.PIPE) as run:
            os.close(inner)
            text = b""
            while True:
                try:
                    more = os.read(outer, 65536)
                except OSError:
                    break
                if not more:
                    break
                text += more
        os.close(outer)
        self.assertEqual(run.returncode, 0)
        return text.decode()

    def test_get_half_blocks_that_fit(self):
        self.write("in.tif", random_volume((1, 50, 70), 1, numpy.uint16))
        for columns in (40, 100):
            lines = self.drawn("show", "in.tif", columns=columns).splitlines()
            widths = {len(re.sub("\x1b\\[[0-9;]*m", "", line)) for line in lines}
            self.assertLessEqual(max(widths), columns)
            self.assertGreater(max(widths), columns // 2)
            self.assertEqual(len(widths), 1)

    def test_are_needed_without_a_file_to_write(self):
        self.write("in.tif", random_volume((1, 50, 70), 1, numpy.uint16))
        self.refused(USAGE, ["--output is missing", "no terminal"], "show", "in.tif")
        for words, code, said in (
                (("in.tif", "-o", "a.jpg"), USAGE, ["a.jpg", "a.png"]),
                (("in.tif", "-o", "a.png", "--contrast", "9,1"), USAGE, ["percentiles"]),
                (("in.tif", "-o", "a.png", "--plane", "1"), USAGE, ["--plane 0 to 0"]),
                (("in.tif", "-o", "a.gif"), USAGE, ["no movie", "-o a.png"]),
                (("in.tif", "-o", "a.gif", "--fps", "0"), USAGE, ["--fps"]),
                (("in.tif", "-o", "in.tif"), USAGE, ["in.tif"]),
                (("none.tif", "-o", "a.png"), IO, ["none.tif"]),
                (("in.tif", "-o", "a.png", "--labels", "small.tif"), USAGE, ["do not fit"])):
            self.write("small.tif", random_volume((1, 5, 7), 1, numpy.uint16))
            with self.subTest(words):
                self.refused(code, said, "show", *words)
        self.assertEqual(self.listing(), ["in.tif", "small.tif"])


if __name__ == "__main__":
    main()
