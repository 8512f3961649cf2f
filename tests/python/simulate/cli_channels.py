# SPDX-License-Identifier: MIT
# tests/python/simulate/cli_channels.py — scenes with channels, as a user meets them.
import json
import xml.etree.ElementTree as ElementTree

import numpy
import tifffile

from program import TINY_SCENE, ProgramTest, main, size_in

BEADS = "[beads]\ncount = 3\ndiameter_um = 0.4\n"
CHANNELS = BEADS + """[[channel]]
name = "dapi"
optics.wavelength_nm = 461
light.nuclei = 1
[[channel]]
name = "gfp"
optics.model = "confocal"
optics.shift_nm = [0, 150, -300]
light.beads = 1
camera.kind = "ccd"
"""
OME = "{http://www.openmicroscopy.org/Schemas/OME/2016-06}"


class Channels(ProgramTest):
    def setUp(self):
        super().setUp()
        self.text("scene.toml", TINY_SCENE + CHANNELS)

    def simulate(self, folder, *options):
        return self.result_of("simulate", "scene.toml", "-o", folder, "--quiet", *options)

    def refuse(self, said, *arguments):
        result = self.command(*arguments)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn(said, result.stderr)

    def stack(self, path):
        return tifffile.imread(self.path(path))

    def test_have_a_file_each_and_one_truth(self):
        result = self.simulate("set")
        self.assertEqual(sorted(self.files("set")), sorted(
            [f"{stack}_{name}.ome.tif" for stack in ("image", "photons", "psf")
             for name in ("dapi", "gfp")] +
            ["labels.ome.tif", "objects.csv", "preview.png", "scene.json", "scene.toml",
             "world.h5"]))
        self.assertEqual([row["channel"] for row in result["channels"]], ["dapi", "gfp"])
        for row in result["channels"]:
            self.assertGreater(row["photons"]["emitted"], 0)

    def test_the_least_memory_that_is_named_does_for_all_of_them(self):
        wide = """[[channel]]
name = "wide"
light.nuclei = 1
optics.size = [23, 95, 79]
"""
        others = CHANNELS.removeprefix(BEADS)
        for scene in (TINY_SCENE + CHANNELS + wide, TINY_SCENE + BEADS + wide + others):
            self.text("scene.toml", scene)
            small = self.command("simulate", "scene.toml", "-o", "no", "--memory", "1M")
            self.assertEqual(small.returncode, 5, small.stderr)
            self.assertIn("channel wide: plan", small.stderr)
            least = size_in(small.stderr)
            self.simulate("set", "--memory", least, "--overwrite")

    def test_that_see_nothing_are_told(self):
        said = self.simulate("set", "--set", "channel.gfp.light.beads=0")
        dark = [text for text in said["warnings"] if "the channel records no light" in text]
        self.assertEqual([text[:13] for text in dark], ["channel gfp: "])
        self.assertNotIn("records no light", " ".join(self.simulate("lit")["warnings"]))

    def test_say_in_ome_what_light_they_are_of(self):
        self.simulate("set")

        def channel(name):
            with tifffile.TiffFile(self.path(f"set/{name}")) as file:
                return ElementTree.fromstring(file.ome_metadata).find(f".//{OME}Channel").attrib
        dapi, gfp = channel("image_dapi.ome.tif"), channel("photons_gfp.ome.tif")
        self.assertEqual((dapi["Name"], dapi["EmissionWavelength"], dapi["EmissionWavelengthUnit"]),
                         ("dapi", "461", "nm"))
        self.assertNotIn("ExcitationWavelength", dapi)
        self.assertEqual((gfp["Name"], gfp["ExcitationWavelength"]), ("gfp", "488"))
        red, green, blue = (int(dapi["Color"]) >> shift & 0xFF for shift in (24, 16, 8))
        self.assertGreater(blue, max(red, green))
        self.assertNotIn("Name", channel("labels.ome.tif"))

    def test_shift_images_and_no_labels(self):
        self.simulate("moved")
        self.simulate("still", "--set", "channel.gfp.optics.shift_nm=0,0,0")
        moved, still = (self.stack(f"{name}/photons_gfp.ome.tif") for name in ("moved", "still"))
        # 150 and -300 nm are one voxel up y and two down x
        peak = still.max()
        numpy.testing.assert_allclose(moved[:, 1:, :-2], still[:, :-1, 2:], atol=2e-5 * peak)
        self.assertEqual(self.files("moved")["labels.ome.tif"][-4000:],
                         self.files("still")["labels.ome.tif"][-4000:])

    def test_are_made_one_alone_with_the_same_voxels(self):
        self.simulate("set")
        self.simulate("one", "--channel", "gfp")
        self.assertNotIn("image_dapi.ome.tif", self.files("one"))
        self.assertTrue(numpy.array_equal(self.stack("one/image_gfp.ome.tif"),
                                          self.stack("set/image_gfp.ome.tif")))
        self.simulate("net", "--channel", "dapi", "--truth-layout", "cellpose")
        self.assertTrue(numpy.array_equal(self.stack("net/images/t000.tif"),
                                          self.stack("set/image_dapi.ome.tif")))

    def test_are_put_into_one_file_that_all_commands_read(self):
        self.simulate("apart")
        self.simulate("set", "--join-channels")
        names = self.files("set")
        self.assertIn("image.ome.tif", names)
        self.assertFalse([name for name in names if name.startswith("image_")])
        both = self.stack("set/image.ome.tif")
        self.assertEqual(both.shape, (2, 12, 48, 40))
        for channel, voxels in zip(("dapi", "gfp"), both):
            self.assertTrue(numpy.array_equal(voxels,
                                              self.stack(f"apart/image_{channel}.ome.tif")))
        with tifffile.TiffFile(self.path("set/image.ome.tif")) as file:
            self.assertIn('Name="gfp"', file.ome_metadata)
        self.assertIs(self.simulate("set", "--join-channels", "--resume").get("kept"), True)
        self.succeed("show", "set", "-o", "set.png")
        self.succeed("report", "set", "-o", "set.html")
        apart, joined = (json.loads(self.succeed("report", name, "-o", f"{name}.html", "--json",
                                                 "--overwrite")) for name in ("apart", "set"))
        self.assertEqual(joined["channels"], apart["channels"])

    def test_are_planes_of_pairs_for_cellpose(self):
        self.simulate("set", "--truth-layout", "cellpose", "--set", "frames=2")
        self.assertEqual(sorted(name for name in self.files("set/images")),
                         ["t000.tif", "t000_masks.tif", "t001.tif", "t001_masks.tif"])
        self.simulate("apart", "--set", "frames=2")
        both = self.stack("set/images/t001.tif")  # z, channel, y, x: as ImageJ has them
        self.assertEqual(both.shape, (12, 2, 48, 40))
        self.assertTrue(numpy.array_equal(both[:, 1],
                                          self.stack("apart/image_gfp_t001.ome.tif")))
        self.assertTrue(numpy.array_equal(self.stack("set/images/t001_masks.tif"),
                                          self.stack("apart/labels_t001.ome.tif")))

    def test_are_joined_by_shares_of_frames(self):
        whole = ("--join-channels", "--set", "frames=2")
        self.simulate("set", *whole)
        for share in ("1/2", "2/2"):
            self.succeed("simulate", "scene.toml", "-o", "parts", "--quiet", *whole, "--shard",
                         share)
        for frame in ("t000", "t001"):
            self.assertTrue(numpy.array_equal(self.stack(f"parts/image_{frame}.ome.tif"),
                                              self.stack(f"set/image_{frame}.ome.tif")))

    def test_of_several_sizes_or_types_stay_apart(self):
        for more, said in (
                (["--format", "hdf5"], "--format hdf5 is asked for"),
                (["--tiff-flavor", "plain"], "--tiff-flavor plain is asked for"),
                (["--set", "channel.gfp.camera.binning=2"], "2 and 12 in channel gfp"),
                (["--set", "channel.gfp.camera.bit_depth=8"], "1 and 8 in channel gfp")):
            self.refuse(said, "simulate", "scene.toml", "-o", "no", "--join-channels", *more)
        for more, said in (
                (["--compression", "zstd"], "leave --compression out"),
                (["--format", "hdf5"], "leave --format out"),
                (["--set", "grid.size=1500,1024,1024"], "ImageJ's TIFF holds at most 4 GB")):
            self.refuse(said, "simulate", "scene.toml", "-o", "no", "--truth-layout", "cellpose",
                        *more)
        self.assertNotIn("no", self.listing())

    def test_are_recorded_again_by_detect(self):
        self.simulate("set")
        unsaid = self.result_of("detect", "set/photons_gfp.ome.tif", "-o", "first.tif", "--camera",
                                "scene.toml", "--seed", "7")
        self.assertIn("camera and the noise are those of dapi, the first", unsaid["warnings"][0])
        self.succeed("detect", "set/photons_gfp.ome.tif", "-o", "again.tif", "--camera",
                     "scene.toml", "--camera-channel", "gfp", "--seed", "7", "--quiet")
        self.assertTrue(numpy.array_equal(self.stack("again.tif"),
                                          self.stack("set/image_gfp.ome.tif")))

    def test_have_the_psf_and_the_phantom_that_commands_make(self):
        self.simulate("set")
        self.succeed("psf", "scene.toml", "--channel", "gfp", "-o", "psf.tif", "--quiet")
        self.assertTrue(numpy.array_equal(self.stack("psf.tif"),
                                          self.stack("set/psf_gfp.ome.tif")))
        light = {}
        for name in ("dapi", "gfp"):
            self.succeed("phantom", "scene.toml", "--channel", name, "-o", f"{name}.tif", "--quiet")
            light[name] = self.stack(f"{name}.tif")
        self.succeed("phantom", "scene.toml", "-o", "first.tif", "--quiet")
        self.assertTrue(numpy.array_equal(self.stack("first.tif"), light["dapi"]))
        self.assertEqual(float((light["dapi"] * light["gfp"]).max()), 0)  # nuclei or beads

    def test_have_a_plan_each(self):
        plans = json.loads(self.succeed("simulate", "scene.toml", "--dry-run", "--json"))
        self.assertEqual([row["channel"] for row in plans], ["dapi", "gfp"])
        text = self.succeed("plan", "simulate", "scene.toml")
        self.assertIn("channel dapi\n", text)
        self.text("plan.json", json.dumps(plans[0]["plan"]))
        self.simulate("one", "--channel", "dapi", "--plan", "plan.json")
        self.refuse("1 plans for 2 channels", "simulate", "scene.toml", "-o", "no", "--plan",
                    "plan.json")

    def test_are_kept_when_they_are_whole(self):
        self.simulate("set")
        self.assertIs(self.simulate("set", "--resume").get("kept"), True)
        self.refuse("scene.channel", "simulate", "scene.toml", "-o", "set", "--resume",
                    "--set", "channel.gfp.light.beads=2")

    def test_are_shown_on_the_report(self):
        self.simulate("set")
        figures = json.loads(self.succeed("report", "set", "-o", "set.html", "--json"))
        self.assertEqual(list(figures["channels"]), ["dapi", "gfp"])
        wide, confocal = (figures["channels"][name]["psf_widths_um"] for name in ("dapi", "gfp"))
        self.assertGreater(wide[0], 0)
        self.assertGreater(confocal[0], 0)
        with open(self.path("set.html"), encoding="utf-8") as page:
            text = page.read()
        self.assertIn("<h1>gfp</h1>", text)
        self.assertIn("channel gfp, [optics]", text)

    def test_are_swept_by_name(self):
        self.text("sweep.toml", TINY_SCENE + CHANNELS +
                  "[sweep]\nchannel.gfp.light.nuclei = [0, 0.5]\n")
        self.succeed("simulate", "sweep.toml", "-o", "sets", "--quiet")
        without, bled = (self.stack(f"sets/nuclei-{value}/photons_gfp.ome.tif")
                         for value in ("0", "0.5"))
        self.assertGreater(bled.sum(), 1.05 * without.sum())

    def test_warn_by_name(self):
        result = self.simulate("set", "--set", "grid.pitch_nm=300,170,170")
        self.assertTrue(any(text.startswith("channel gfp: psf: pixels of")
                            for text in result["warnings"]), result["warnings"])

    def test_are_named_where_they_are_wrong(self):
        for words, said in (
                (("--channel", "rfp"), "there is no channel rfp; the scene has dapi, gfp"),
                (("--truth-layout", "stardist"), "choose one with --channel"),
                (("--set", "channel.gfp.optics.na=9"), "optics.na is 9; give 0.01 to 4"),
                (("--set", "light.beads=0"), "[light] is for scenes without channels")):
            self.refuse(said, "simulate", "scene.toml", "-o", "no", *words)


if __name__ == "__main__":
    main()
