# SPDX-License-Identifier: MIT
# tests/python/studio/cli_studio_files.py — files that the page is given, and files that it gives.
#
#   cli_studio_files.py PROGRAM [unittest arguments]
import json
import os
import struct
import time
import urllib.parse

import h5py
import numpy
import tifffile

from program import TINY_SCENE, main, random_volume
from studio_page import JSON, PATIENCE, StudioTest

BYTES = {"Content-Type": "application/octet-stream"}
CHANNELS = TINY_SCENE + """[camera]
binning = 2
[[channel]]
name = "dapi"
optics.wavelength_nm = 461
light.nuclei = 1
[[channel]]
name = "gfp"
optics.wavelength_nm = 509
light.nuclei = 0.5
"""


class FilesTest(StudioTest):
    def setUp(self):
        super().setUp()
        self.page = self.opened()

    def post(self, path, **body):
        """Returns status and JSON."""
        status, _, answer = self.page.ask(path, "POST", json.dumps(body).encode(), JSON)
        return status, json.loads(answer)

    def upload(self, name, content, headers=BYTES):
        path = "/api/images/upload/" + urllib.parse.quote(name, safe="")
        status, _, answer = self.page.ask(path, "POST", content, headers)
        return status, json.loads(answer)

    def bytes_of(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def voxels(self, image, channel=0, frame=0):
        status, headers, body = self.page.ask(f"/api/images/{image['id']}/{channel}/{frame}")
        self.assertEqual(status, 200, body[:300])
        self.assertEqual(headers.get_content_type(), "application/octet-stream")
        return numpy.frombuffer(body, image["type"]).reshape(image["shown"]["extent"])


class Images(FilesTest):
    def test_are_described_and_shown_from_the_folder_and_from_an_upload(self):
        voxels = random_volume((5, 14, 12), 1, numpy.uint16)
        tifffile.imwrite(self.path("a b.tif"), voxels, imagej=True, metadata={
            "axes": "ZYX", "spacing": 0.3, "unit": "um"}, resolution=(5, 10))
        for image in (self.post("/api/images", name="a b.tif")[1],
                      self.upload("ä b.tif", self.bytes_of("a b.tif"))[1]):
            self.assertEqual(image["extent"], [5, 14, 12])
            self.assertEqual((image["channels"], image["frames"]), (1, 1))
            numpy.testing.assert_allclose(image["voxel_um"], [0.3, 0.1, 0.2], rtol=1e-6)
            self.assertEqual(image["shown"], {"origin": [0, 0, 0], "extent": [5, 14, 12]})
            numpy.testing.assert_array_equal(self.voxels(image), voxels)
        self.assertEqual(image["name"], "ä b.tif")
        self.assertEqual(self.listing(), ["a b.tif"])

    def test_have_channels_and_frames_of_every_type(self):
        for dtype in ("uint8", "int16", "float32"):
            voxels = random_volume((2, 3, 4, 9, 8), 2, numpy.float32) * 100
            voxels = voxels.astype(dtype)
            tifffile.imwrite(self.path("set.ome.tif"), voxels, ome=True, metadata={
                "axes": "TCZYX", "Channel": {"Name": ["a", "b", "c"]}})
            image = self.post("/api/images", name="set.ome.tif")[1]
            self.assertEqual((image["channels"], image["frames"], image["type"]), (3, 2, dtype))
            self.assertEqual(image["channel_names"], ["a", "b", "c"])
            self.assertEqual(image["voxel_um"], [None, None, None])
            numpy.testing.assert_array_equal(self.voxels(image, 2, 1), voxels[1, 2])
            for path in ("3/0", "0/2", "x/0"):
                self.check(self.page, 400, f"/api/images/{image['id']}/{path}")

    def test_have_the_axes_that_the_user_names(self):
        voxels = random_volume((5, 9, 8), 8, numpy.uint8)
        tifffile.imwrite(self.path("movie.tif"), voxels, metadata=None)
        image = self.upload("movie.tif", self.bytes_of("movie.tif"))[1]
        self.assertEqual((image["axes_assumed"], image["letters"]), (True, "ZYX"))
        movie = self.post("/api/images/again", id=image["id"], axes="TYX")[1]
        self.assertEqual((movie["frames"], movie["extent"]), (5, [1, 9, 8]))
        self.assertFalse(movie["axes_assumed"])
        numpy.testing.assert_array_equal(self.voxels(movie, 0, 2), voxels[2:3])
        for axes in ("TX", "ABC", "TYXX", "TCZYX"):
            status, answer = self.post("/api/images/again", id=image["id"], axes=axes)
            self.assertEqual(status, 400, answer)
            self.assertIn("movie.tif", answer["error"])
        self.assertEqual(self.post("/api/images/again", id=99, axes="TYX")[0], 404)

    def test_of_a_file_with_several_are_chosen(self):
        first, second = random_volume((3, 5, 6), 9, numpy.uint16), random_volume((2, 7, 6), 10)
        with tifffile.TiffWriter(self.path("series.ome.tif"), ome=True) as file:
            file.write(first, metadata={"axes": "ZYX", "Name": "first"})
            file.write(second, metadata={"axes": "ZYX", "Name": "second"})
        with h5py.File(self.path("arrays.h5"), "w") as file:
            file["a"] = first
            file.create_dataset("g/b", data=second, chunks=(1, 4, 4), compression="gzip")
        for name, words in (("series.ome.tif", ("first", "second")), ("arrays.h5", ("/a", "/g/b"))):
            for image in (self.post("/api/images", name=name)[1],
                          self.upload(name, self.bytes_of(name))[1]):
                self.assertEqual(len(image.get("images", image)), 2, image)
                for word, text in zip(words, image["images"]):
                    self.assertIn(word, text)
                self.assertEqual(image["image"], 0)
                numpy.testing.assert_array_equal(self.voxels(image), first)
                other = self.post("/api/images/again", id=image["id"], axes="", image=1)[1]
                self.assertEqual((other["image"], other["name"]), (1, name))
                numpy.testing.assert_array_equal(self.voxels(other), second)
                for number in (2, -1):
                    status, answer = self.post("/api/images/again", id=image["id"], axes="",
                                               image=number)
                    self.assertEqual(status, 400, answer)

    def test_that_are_large_are_shown_in_their_middle(self):
        voxels = random_volume((2, 1030, 1100), 3, numpy.float32).astype(numpy.uint8)
        tifffile.imwrite(self.path("large.tif"), voxels)
        image = self.post("/api/images", name="large.tif")[1]
        self.assertEqual(image["shown"], {"origin": [0, 3, 38], "extent": [2, 1024, 1024]})
        numpy.testing.assert_array_equal(self.voxels(image), voxels[:, 3:1027, 38:1062])

    def test_that_are_none_are_refused_with_one_sentence_and_their_name(self):
        voxels = random_volume((4, 64, 64), 4, numpy.uint16)
        tifffile.imwrite(self.path("whole.tif"), voxels)
        whole = self.bytes_of("whole.tif")
        os.remove(self.path("whole.tif"))
        # a classic TIFF whose only directory declares 2^31 - 1 rows and columns of nothing
        entries = [(256, 4, 1, 2**31 - 1), (257, 4, 1, 2**31 - 1), (258, 3, 1, 8),
                   (262, 3, 1, 1), (273, 4, 1, 8), (277, 3, 1, 1), (279, 4, 1, 1)]
        huge = struct.pack("<2sHI", b"II", 42, 8) + struct.pack("<H", len(entries)) + b"".join(
            struct.pack("<HHII", *entry) for entry in entries) + bytes(4)
        for name, content in (("text.tif", b"no image"), ("empty.tif", b""), ("huge.tif", huge),
                              ("half.tif", whole[:len(whole) // 2]), ("head.tif", whole[:9]),
                              ("zeros.h5", bytes(5000)), ("h.h5", b"\x89HDF\r\n\x1a\n" + bytes(99)),
                              ("p.png", b"\x89PNG\r\n\x1a\n")):
            with self.subTest(name):
                status, answer = self.upload(name, content)
                if status == 200:  # what is missing may show only when voxels are read
                    status, _, body = self.page.ask(f"/api/images/{answer['id']}/0/0")
                    answer = json.loads(body)
                self.assertEqual(status, 400, answer)
                self.assertIn(name, answer["error"])
                self.assertNotIn("/proc", answer["error"])
        self.assertEqual(self.listing(), [])
        self.assertEqual(self.upload("whole.tif", whole)[0], 200)

    def test_of_other_folders_are_not_opened(self):
        for name in ("../a.tif", "/etc/passwd", ".a.tif", "a/b.tif", "", "..", "a\0.tif"):
            self.assertEqual(self.post("/api/images", name=name)[0], 400, name)
            self.assertEqual(self.post("/api/text", name=name)[0], 400, name)
        self.assertIn("none.tif", self.post("/api/images", name="none.tif")[1]["error"])

    def test_are_listed(self):
        for name in ("b.tif", "a.ome.tif", "c.h5", "scene.toml", "notes.txt", ".d.tif", "x.png"):
            self.text(name, "")
        os.mkdir(self.path("e.zarr"))
        os.mkdir(self.path("f.tif"))
        listed = json.loads(self.page.ask("/api/files")[2])["files"]
        self.assertEqual([(row["name"], row["kind"]) for row in listed],
                         [("a.ome.tif", "image"), ("b.tif", "image"), ("c.h5", "image"),
                          ("e.zarr", "image"), ("scene.toml", "toml"), ("x.png", "image")])

    def test_that_are_replaced_by_newer_ones_are_gone(self):
        tifffile.imwrite(self.path("a.tif"), random_volume((8, 9), 5, numpy.uint8))
        images = [self.post("/api/images", name="a.tif")[1] for _ in range(4)]
        self.check(self.page, 404, f"/api/images/{images[0]['id']}/0/0")
        self.check(self.page, 200, f"/api/images/{images[1]['id']}/0/0")


class Uploads(FilesTest):
    def test_are_refused_as_other_requests_are(self):
        tifffile.imwrite(self.path("a.tif"), random_volume((8, 9), 5, numpy.uint8))
        content, path = self.bytes_of("a.tif"), "/api/images/upload/a.tif"
        for status, headers in (
                (403, {**BYTES, "Cookie": None}), (403, {**BYTES, "Origin": "http://evil.example"}),
                (403, {**BYTES, "Host": "evil.example"}), (415, JSON), (415, {}),
                (415, {"Content-Type": "multipart/form-data; boundary=x"}),
                (415, {**BYTES, "Content-Encoding": "gzip"}),
                (415, {**BYTES, "Transfer-Encoding": "chunked"}), (200, BYTES),
                (413, {**BYTES, "Content-Length": str((512 << 20) + 1)}),
                (413, {**BYTES, "Content-Length": "9" * 30}),
                (411, {**BYTES, "Content-Length": "-1"})):
            with self.subTest(status=status, headers=headers):
                self.check(self.page, status, path, "POST", content, headers)
        self.check(self.page, 411, path, "POST", None, BYTES)
        self.check(self.page, 405, path)
        for other in ("/api/save", "/api/check", "/api/images", "/api/use"):
            self.check(self.page, 415, other, "POST", content, BYTES)

    def test_may_be_larger_than_other_bodies(self):
        voxels = random_volume((9, 512, 512), 6, numpy.float32)
        tifffile.imwrite(self.path("a.tif"), voxels)
        content = self.bytes_of("a.tif")
        self.assertGreater(len(content), 9 << 20)
        status, image = self.upload("a.tif", content)
        self.assertEqual(status, 200, image)
        numpy.testing.assert_array_equal(self.voxels(image), voxels)

    def test_leave_nothing_even_if_the_program_is_killed(self):
        before = set(os.listdir(self.environment().get("TMPDIR", "/tmp")))
        half = self.page.raw(
            f"POST /api/images/upload/a.tif HTTP/1.1\r\nHost: localhost\r\nCookie: "
            f"{self.page.cookie}\r\nContent-Type: application/octet-stream\r\n"
            f"Content-Length: 2000000\r\n\r\n".encode() + bytes(1000000))
        with half:
            time.sleep(0.2)
            self.assertEqual(self.listing(), [])
            self.page.program.kill()
            self.page.program.wait()
        self.assertEqual(self.listing(), [])
        after = set(os.listdir(self.environment().get("TMPDIR", "/tmp")))
        self.assertEqual([name for name in after - before if name.endswith((".tif", ".partial"))],
                         [])

    def test_that_end_early_are_dropped(self):
        with self.page.raw(
                f"POST /api/images/upload/a.tif HTTP/1.1\r\nHost: localhost\r\nCookie: "
                f"{self.page.cookie}\r\nContent-Type: application/octet-stream\r\n"
                "Content-Length: 100\r\n\r\nII".encode()) as half:
            half.shutdown(1)
            self.assertIn(half.recv(1000)[:12], (b"", b"HTTP/1.1 400"))
        self.check(self.page, 200, "/")
        self.assertEqual(self.listing(), [])


class Psfs(FilesTest):
    def test_are_saved_by_their_names_and_replaced_only_on_demand(self):
        psf = random_volume((9, 9, 9), 7)
        tifffile.imwrite(self.path("other.tif"), psf)
        content = self.bytes_of("other.tif")
        image = self.upload("my psf.tif", content)[1]
        self.assertEqual(image["likely"], "psf")
        self.text("taken.tif", "kept")
        os.symlink(self.path("taken.tif"), self.path("link.tif"))
        for status, name in ((200, "my psf.tif"), (200, "my psf.tif"), (409, "taken.tif"),
                             (409, "link.tif"), (400, "../psf.tif"), (400, ".psf.tif"),
                             (400, "psf.sh"), (400, "psf.toml"), (400, "a/psf.tif"), (400, "")):
            with self.subTest(name):
                got, answer = self.post("/api/images/save", id=image["id"], name=name)
                self.assertEqual(got, status, answer)
        self.assertEqual(self.bytes_of("my psf.tif"), content)
        self.assertEqual(self.bytes_of("taken.tif"), b"kept")
        self.assertEqual(self.post("/api/images/save", id=image["id"], name="taken.tif",
                                   overwrite=True)[0], 200)
        self.assertEqual(self.bytes_of("taken.tif"), content)
        self.assertEqual(self.post("/api/images/save", id=99, name="b.tif")[0], 404)
        self.assertEqual(self.listing(), ["link.tif", "my psf.tif", "other.tif", "taken.tif"])

    def test_become_those_of_the_scene(self):
        self.succeed("psf", "-o", "psf.ome.tif", "--size", "9,21,21")
        self.succeed("psf", "-o", "plain.tif", "--size", "9,21,21", "--tiff-flavor", "plain")
        for name, pitch in (("psf.ome.tif", None), ("plain.tif", [300, 150, 150])):
            status, answer = self.post("/api/use", toml=TINY_SCENE, psf=name, pitch_nm=pitch)
            self.assertEqual(status, 200, answer)
            self.assertTrue(answer["ok"], answer)
            self.assertEqual(answer["values"]["optics.model"], "file")
            self.assertEqual(answer["values"]["optics.file"], name)
            self.assertEqual(answer["values"]["optics.file_pitch_nm"], pitch)
            self.text("scene.toml", answer["toml"])
            self.succeed("simulate", "scene.toml", "-o", "data", "--overwrite")


class Cameras(FilesTest):
    MEASURED = ('# Measured\nkind = "scmos"\ngain_dn_per_electron = 2.25  # +- 0.01\n'
                'read_noise_electrons = 1.5\noffset_dn = 101.5\n')

    def test_are_told_from_scenes_by_their_content(self):
        for kind, text in (("camera", self.MEASURED), ("scene", TINY_SCENE),
                           ("camera", '[camera]\npreset = "zyla-4.2"\n'), ("scene", "seed = 3\n"),
                           ("scene", self.MEASURED + "seed = 3\n")):
            answer = self.post("/api/text", name="a.toml", text=text)[1]
            self.assertEqual(answer, {"text": text, "kind": kind})
        self.text("a.toml", self.MEASURED)
        self.assertEqual(self.post("/api/text", name="a.toml")[1]["kind"], "camera")
        self.assertEqual(self.post("/api/text", name="a.txt")[0], 400)
        status, answer = self.post("/api/text", name="b.toml", text="seed = 1\nno TOML at all")
        self.assertEqual(status, 400)
        self.assertIn("b.toml, line 2", answer["error"])

    def test_replace_the_camera_of_the_scene(self):
        scene = TINY_SCENE + '[camera]  # mine\nkind = "emccd"\nem_gain = 300\noffset_dn = 7\n'
        status, answer = self.post("/api/use", toml=scene, camera=self.MEASURED, name="a.toml")
        self.assertEqual(status, 200, answer)
        self.assertTrue(answer["ok"], answer)
        given = {key for key in answer["given"] if key.startswith("camera.")}
        self.assertEqual(given, {"camera.kind", "camera.gain_dn_per_electron",
                                 "camera.read_noise_electrons", "camera.offset_dn"})
        self.assertEqual(answer["values"]["camera.gain_dn_per_electron"], 2.25)
        self.assertEqual(answer["values"]["camera.kind"], "scmos")
        status, answer = self.post("/api/use", toml=scene, name="a.toml",
                                   camera="gain_dn_per_electron = -1\n")
        self.assertEqual(status, 400)
        self.assertIn("a.toml", answer["error"])
        self.assertIn("gain_dn_per_electron", answer["error"])


class Downloads(FilesTest):
    def previewed(self, toml):
        status, answer = self.post("/api/preview", toml=toml)
        self.assertEqual(status, 200, answer)
        began = time.monotonic()
        while self.page.ask(f"/api/preview/{answer['id']}/labels/0")[0] != 200:
            self.assertLess(time.monotonic() - began, PATIENCE)
            time.sleep(0.02)
        return answer["id"]

    def test_are_ome_tiffs_of_every_stack(self):
        at = self.previewed(CHANNELS)
        for name, number, channel, voxel in (
                ("labels", 0, None, (0.3, 0.15, 0.15)), ("light", 1, "gfp", (0.3, 0.15, 0.15)),
                ("photons", 0, "dapi", (0.3, 0.15, 0.15)), ("image", 1, "gfp", (0.3, 0.3, 0.3)),
                ("psf", 0, "dapi", (0.3, 0.15, 0.15))):
            with self.subTest(name):
                status, headers, body = self.page.ask(f"/api/stacks/{at}/{name}/{number}")
                self.assertEqual(status, 200, body[:300])
                self.assertEqual(headers.get_content_type(), "image/tiff")
                raw = self.page.ask(f"/api/preview/{at}/{name}/{number}")[2]
                with open(self.path("got.ome.tif"), "wb") as file:
                    file.write(body)
                with tifffile.TiffFile(self.path("got.ome.tif")) as got:
                    voxels = got.asarray()
                    series = got.series[0]
                    pixels = tifffile.xml2dict(got.ome_metadata)["OME"]["Image"]["Pixels"]
                self.assertEqual(series.axes, "ZYX")
                numpy.testing.assert_array_equal(
                    voxels.ravel(), numpy.frombuffer(raw, voxels.dtype))
                numpy.testing.assert_allclose(
                    [pixels[f"PhysicalSize{axis}"] for axis in "ZYX"], voxel, rtol=1e-9)
                self.assertEqual(pixels.get("PhysicalSizeXUnit", "µm"), "µm")
                self.assertEqual(pixels["Channel"].get("Name"), channel)
                self.assertEqual(pixels["Channel"].get("EmissionWavelength"),
                                 {"dapi": 461, "gfp": 509, None: None}[channel])
        self.check(self.page, 404, f"/api/stacks/{at}/image/2")
        self.check(self.page, 404, f"/api/stacks/{at + 1}/image/0")
        self.check(self.page, 404, f"/api/stacks/{at}/none/0")
        self.assertEqual(self.listing(), ["got.ome.tif"])


if __name__ == "__main__":
    main()
