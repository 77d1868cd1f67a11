"""The package on programs whose results are known.   python.py EXAMPLES NOTEBOOK PAGE CODE_OBJECT"""
import doctest
import importlib.util
import json
import os
import re
import signal
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock

import warpbeam

try:
    import numpy
except ImportError:
    numpy = None

EXAMPLES, NOTEBOOK, PAGE, TWO = map(os.path.abspath, sys.argv[1:5])

# Each thread adds 3 to its word of a buffer.
ADD = """
.kernel add
.chip g200
.param u32 data
.param u32 n
.block 32
    shl b32 $r1 $r0 0x2
    add b32 $r1 b32 s[0x10] $r1
    mov b32 $r3 b32 s[0x14]
    ld b32 $r2 g14[$r1]
    add b32 $r2 $r2 $r3
    exit st b32 g14[$r1] $r2
"""


# A loop whose state does not come again in any time.
SPIN = """
.kernel spin
.chip g200
.block 32
    mov b32 $r1 0x0
loop:
    add b32 $r1 $r1 0x1
    bra #loop
"""


class Package(unittest.TestCase):
    def test_report(self):
        result = warpbeam.load(os.path.join(EXAMPLES, "ifelse.s")).run()
        self.assertEqual(result.report["result"], "ok")
        self.assertEqual(sum(part for name, part in result.bill.items() if name != "lane_slots"),
                         result.bill["lane_slots"])
        self.assertEqual(result.counters["divergent_branch"], sum(pc["diverged"] for pc in result.pcs))
        self.assertEqual(set(result.warps[0]["stalls"]), set(result.stalls))
        report = result.report
        self.assertEqual(sum(result.stalls.values()), report["time"]["slot_cycles"])
        self.assertEqual((report["launch"]["kernel"], report["launch"]["chip"]), ("ifelse", "g200"))
        limits = {report["occupancy"]["limit_" + name] for name in report["occupancy"]["limiters"]}
        self.assertEqual(limits, {report["occupancy"]["blocks"]})
        self.assertIn(report["execution"]["kind"], ("trace-driven", "precise"))

    def test_interrupt(self):
        spin = warpbeam.loads(SPIN, "spin.s")
        launch = spin.launch()
        for move in (lambda: spin.run(max_seconds=60), lambda: spin.run(max_seconds=60, timing="off"),
                     lambda: launch.forward(cycles=1 << 40), lambda: launch.goto(issue=1 << 40)):
            timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            begin = time.monotonic()
            with self.assertRaises(KeyboardInterrupt):
                move()
            took = time.monotonic() - begin
            timer.join()
            self.assertLess(took, 5)
        self.assertEqual(launch.forward()["issue"], launch.forward()["issue"] - 1)

    def test_threads(self):
        path, results = os.path.join(EXAMPLES, "ifelse.s"), []
        threads = [threading.Thread(target=lambda: results.append(warpbeam.load(path).run().report["result"]))
                   for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, ["ok"] * 4)

    def test_prints(self):
        source = (b'kernel void k(global int *p) { if (get_local_id(0) % 40 == 7) '
                  b'printf("%d\\n", (int)get_global_id(0)); }')
        try:
            launch = warpbeam.loads(source, "prints.cl").launch("zero=4", grid=2, block=64)
        except warpbeam.Error as error:
            if "install" in str(error):
                self.skipTest(str(error))
            raise
        result = launch.run()
        self.assertEqual(result.prints(), [(b, 0, n, f"{64 * b + n}\n") for b in (0, 1) for n in (7, 47)])

    def test_kernels(self):
        kernel = warpbeam.load(os.path.join(EXAMPLES, "quad-cost.s")).kernels[0]
        self.assertEqual((kernel["mode"], kernel["mps"], len(kernel["scene"])), ("fp", 1, 2))

    def test_causes(self):
        result = warpbeam.load(os.path.join(EXAMPLES, "ifelse.s")).run(producers=True)
        operand = sum(cause["cycles"] for cause in result.report["causes"] if cause["reason"] == "operand")
        self.assertGreater(operand, 0)
        self.assertEqual(operand, result.stalls["operand"])

    def test_buffers(self):
        data = b"".join(n.to_bytes(4, "little") for n in range(32))
        result = warpbeam.loads(ADD).run(data, 3)
        words = [int.from_bytes(bytes(result.argument(0))[4 * i:4 * i + 4], "little") for i in range(32)]
        self.assertEqual(words, [n + 3 for n in range(32)])

    @unittest.skipUnless(numpy, "no NumPy")
    def test_arrays(self):
        data = numpy.arange(32, dtype="u4").reshape(4, 8)
        result = warpbeam.loads(ADD).run(data, numpy.uint32(3))
        self.assertTrue((result.argument(0) == data + 3).all())

    def test_another_chip(self):
        """A source is compiled again for the chip of a launch; compiled code is refused."""
        program = warpbeam.loads(ADD.replace(".chip g200\n", ""))
        self.assertEqual(program.run(bytes(128), 3, chip="g80").report["launch"]["chip"], "g80")
        self.assertEqual(program.run(bytes(128), 3).report["launch"]["chip"], "g200")
        with self.assertRaises(warpbeam.Error) as caught:
            warpbeam.load(TWO).run(bytes(256), 2.0, 3, kernel="fill", chip="tonga")
        self.assertEqual(caught.exception.status, 2)
        self.assertIn("is for gfx900; compile it for tonga with clang -mcpu=tonga", str(caught.exception))

    def test_opencl_for_another_chip(self):
        try:
            program = warpbeam.load(os.path.join(EXAMPLES, "scan.cl"))
        except warpbeam.Error as error:
            self.skipTest(str(error))
        tonga = program.run(chip="tonga")
        self.assertEqual((tonga.report["launch"]["chip"], tonga.report["result"]), ("tonga", "ok"))
        self.assertEqual(bytes(tonga.argument(0)), bytes(program.run().argument(0)))
        self.assertIn("v_add_u32", program.disassemble(chip="tonga"))

    def test_policy(self):
        program = warpbeam.load(os.path.join(EXAMPLES, "matmul.s"))
        cycles = {word: program.run(policy=word).counters["cycles"] for word in ("rr", "oldest")}
        self.assertLess(cycles["rr"], cycles["oldest"])

        def round_robin(choice):                    # an index
            after = [i for i, c in enumerate(choice.candidates) if c.slot > choice.previous]
            return after[0] if after else 0

        def oldest(choice):                         # a candidate
            choice.memory[0] += 1
            return min(choice.candidates, key=lambda warp: warp.age)

        self.assertEqual(program.run(policy=round_robin).counters["cycles"], cycles["rr"])
        self.assertEqual(program.run(policy=oldest, threads=2).counters["cycles"], cycles["oldest"])
        launch = program.launch(policy=oldest)
        there = launch.goto(issue=500)
        launch.goto(issue=900)
        self.assertEqual(launch.goto(issue=500), there)

    def test_policy_that_fails(self):
        program = warpbeam.load(os.path.join(EXAMPLES, "matmul.s"))
        for choose, kind, words in ((lambda c: 1 // 0, ZeroDivisionError, ""),
                                    (lambda c: len(c.candidates), ValueError, "expected one of its"),
                                    (lambda c: None, ValueError, "returned None")):
            with self.assertRaisesRegex(kind, words):
                program.run(policy=choose)
            with self.assertRaisesRegex(kind, words):
                program.launch(policy=choose).forward(issues=100)
        with self.assertRaisesRegex(ValueError, "--policy"):
            program.run(policy=lambda c: 0).picture()

    def test_picture_without_the_program(self):
        with unittest.mock.patch.dict(os.environ, {"WARPBEAM": "/nowhere/warpbeam"}):
            with self.assertRaisesRegex(warpbeam.Error, r"/nowhere/warpbeam cannot be started .*\$WARPBEAM"):
                warpbeam.loads(ADD).picture()

    def test_errors(self):
        with self.assertRaises(warpbeam.Error) as caught:
            warpbeam.loads("nop\nfrobnicate $r0\n", name="bad.s")
        self.assertEqual((caught.exception.status, caught.exception.file, caught.exception.line), (4, "bad.s", 2))
        with self.assertRaisesRegex(warpbeam.Error, 'or give format="opencl"'):
            warpbeam.loads("kernel void k(global uint *o) { o[0] = 1; }\n")
        with self.assertRaises(warpbeam.Error) as caught:
            warpbeam.loads(ADD).run(0, 3)           # nothing is at address 0
        self.assertEqual(caught.exception.status, 5)
        self.assertEqual(caught.exception.result.report["result"], "fault")
        with self.assertRaises(warpbeam.Error):
            warpbeam.loads(ADD, no_such_option=1)

    def test_nul(self):
        """A text with a NUL is refused wherever C would read the part before the NUL."""
        example, launch = os.path.join(EXAMPLES, "ifelse.s"), warpbeam.loads(ADD).launch(bytes(128), 3)
        for call in (lambda: warpbeam.load(example + "\0y"), lambda: warpbeam.load(os.fsencode(example) + b"\0y"),
                     lambda: warpbeam.loads(ADD, name="a.s\0y"), lambda: warpbeam.loads(ADD, chip="g80\0y"),
                     lambda: warpbeam.loads(ADD, **{"chip\0y": "g80"}),
                     lambda: warpbeam.loads(ADD).launch(bytes(128), 3, kernel="add\0y"),
                     lambda: warpbeam.loads(ADD).launch(bytes(128), "u32=3\0y"),
                     lambda: launch.memory("g14\0y", 0, 4), lambda: launch.register("$r3\0y"),
                     lambda: launch.forward(when="$r3\0y"), lambda: warpbeam.occupancy("g80\0y", 256, 11, 0),
                     lambda: warpbeam.Picture(example + "\0y"), lambda: warpbeam.Picture(example, ["--at", "1\0y"])):
            with self.assertRaises(ValueError):
                call()

    def test_picture_files(self):
        """Files whose names begin with - are files; the output is not for options to name."""
        with open(os.path.join(EXAMPLES, "ifelse.s"), encoding="utf-8") as f:
            source = f.read()
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            self.addCleanup(os.chdir, before)
            for name in ("-x.s", "--help", "--", "-"):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
                    f.write(source)
                picture = warpbeam.Picture(name, ["--format", "asm"])
                self.assertTrue(picture.png.startswith(b"\x89PNG"))
            program = warpbeam.load("-x.s")
            for options in (("-o", "y.png"), ("-oy.png",), ("--output", "y.png"), ("--output=y.png",),
                            ("--out=y.png",)):
                with self.assertRaises(ValueError):
                    program.picture(*options)
            for options in (("-qoy.png",), ("--at",), ("--",)):
                try:
                    program.picture(*options)
                except RuntimeError:
                    pass
            self.assertEqual(sorted(os.listdir(folder)), ["-", "--", "--help", "-x.s"])
            os.chdir(before)

    def test_texts_have_pictures(self):
        """A program that is no file is drawn with its own options; what cannot be drawn is an Error."""
        with open(os.path.join(EXAMPLES, "ifelse.s"), encoding="utf-8") as f:
            source = f.read()
        program = warpbeam.loads(source, mps=2, check="race,uninit", timing=True)
        self.assertTrue(program.picture("--size", "320x200").png.startswith(b"\x89PNG"))
        self.assertTrue("--mps=2 --check=race,uninit --timing=on" in program.report().html)
        self.assertIn("ifelse", repr(program))
        for draw in (program.picture, program.report, warpbeam.Page):
            with self.assertRaises(warpbeam.Error) as caught:
                draw("--nosuch")
            self.assertIn(caught.exception.status, (2, 3))
            self.assertIn("nosuch", str(caught.exception))

    def test_results_have_pictures(self):
        """Of the run with its arguments: here the number of times round a loop."""
        program = warpbeam.load(os.path.join(EXAMPLES, "loop-varying.s"))
        source = ".kernel k\n.chip g200\n.block 32\n.param ptr p\n\tmov b32 $r1 b32 s[0x10]\n\tld b32 $r1 g14[$r1]\n" \
                 "again:\tadd b32 $r1 $r1 -1\n\tand b32 $c0 # $r1 $r1\n\t(lg $c0) bra #again\n\texit nop\n"
        for times in (3, 9):
            result = warpbeam.loads(source).run(times.to_bytes(4, "little"), mps=1)
            self.assertTrue(f"<b>{result.counters['instructions']}</b>warp instructions" in result.page().html)
        self.assertTrue(result.picture("--size", "320x200").png.startswith(b"\x89PNG"))
        self.assertTrue(program.run().picture("--size", "320x200").png.startswith(b"\x89PNG"))

    def test_wrong_arguments(self):
        """What is no argument says what is."""
        program = warpbeam.load(os.path.join(EXAMPLES, "ifelse.s"))
        for value in ([1, 2], None, {"a": 1}):
            with self.assertRaisesRegex(TypeError, "numpy.array"):
                program.launch(value)
        with self.assertRaises(IndexError):
            program.run().argument(7)

    def test_tables(self):
        """A result in a notebook: tables whose numbers are the report's, with texts of the program escaped."""
        result = warpbeam.load(os.path.join(EXAMPLES, "nested.s")).run()
        page = result._repr_html_()
        self.assertIn(f"The bill: {result.bill['lane_slots']:,} lane slots", page)
        self.assertIn(f"<td style=\"text-align:right\">{result.branches[0]['lost']:,}</td>", page)
        self.assertIn("branched off", page)
        self.assertEqual(page.count("<table>"), 3)
        self.assertNotIn("Lost by branch", warpbeam.loads(ADD).run(bytes(128), 3)._repr_html_())
        self.assertIn("b &lt;", warpbeam._table("a", ("b <",), [("c",)]))

    def test_page_in_a_notebook(self):
        """The page of the verb report, in a frame of its own."""
        page = warpbeam.load(os.path.join(EXAMPLES, "nested.s")).report("--against", "ifelse")
        self.assertIn("<h2>The bill", page.html)
        self.assertIn("Against ifelse", page.html)
        self.assertIn("srcdoc=\"&lt;!DOCTYPE html&gt;", page._repr_html_())
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.html")
            page.save(path)
            with open(path, encoding="utf-8") as f:
                self.assertEqual(f.read(), page.html)
        with self.assertRaises(ValueError):
            warpbeam.load(os.path.join(EXAMPLES, "nested.s")).report("-o", "x.html")
        with self.assertRaises(RuntimeError):
            warpbeam.load(os.path.join(EXAMPLES, "nested.s")).report("--no-such-option")

    def test_steps(self):
        launch = warpbeam.loads(ADD).launch(bytes(128), 3)
        where = launch.forward(issues=3)
        self.assertEqual(list(launch.register("$r3"))[:4], [3, 3, 3, 3])
        self.assertEqual(launch.back()["issue"], where["issue"] - 1)
        self.assertEqual(list(launch.register("$r3"))[:4], [0, 0, 0, 0])
        self.assertEqual(launch.warp(0)["active"], 0xffffffff)

    def test_occupancy(self):
        self.assertEqual(warpbeam.occupancy("g80", 256, 11, 0)["limiters"], ["regs"])

    @unittest.skipUnless(numpy, "no NumPy")
    def test_page(self):
        """The page's sessions say what the page says they do."""
        with open(PAGE, encoding="utf-8") as f:
            sessions = re.findall(r"^```python\n(.*?)^```$", f.read(), re.M | re.S)
        self.assertEqual(len(sessions), 2)
        os.chdir(os.path.dirname(EXAMPLES))
        test = doctest.DocTestParser().get_doctest("\n".join(sessions), {}, "page", PAGE, 0)
        self.assertGreater(len(test.examples), 5)
        self.assertEqual(doctest.DocTestRunner().run(test).failed, 0)

    @unittest.skipIf(numpy is None, "no NumPy")
    def test_device(self):
        """An array outlives launches, and is the memory itself where it lies in one piece."""
        device = warpbeam.Device(chip="g200")
        a = device.array(numpy.arange(32, dtype="u4"))
        add = device.prepare(warpbeam.loads(ADD))
        self.assertEqual([p["name"] for p in add.parameters], ["data", "n"])
        for _ in range(10):
            result = add(1, 32, a, numpy.uint32(3))
        self.assertEqual(result.report["result"], "ok")
        self.assertEqual(list(a.numpy()), list(range(30, 62)))
        self.assertTrue(a.in_place())
        a.numpy()[0] = 100
        add(1, 32, a, 1)
        self.assertEqual(list(numpy.asarray(a)[:2]), [101, 32])
        with self.assertRaises(warpbeam.Error):
            add(1, 513, a, 1)
        b = device.zeros((2, 3), "f4")
        self.assertEqual(b.numpy().shape, (2, 3))
        self.assertNotEqual(a.address, b.address)

    def test_notebook(self):
        """Every cell runs, in order, in one namespace, and the notebook is stored with what the cells give now; of a
        picture, that it is one."""
        spec = importlib.util.spec_from_file_location("notebook", os.path.join(os.path.dirname(NOTEBOOK), "notebook.py"))
        notebook = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(notebook)
        with open(NOTEBOOK, encoding="utf-8") as f:
            stored = json.load(f)
        os.chdir(os.path.dirname(EXAMPLES))
        again = notebook.executed(json.loads(json.dumps(stored)))
        for before, after in zip(stored["cells"], again["cells"]):
            for cell in (before, after):
                for output in cell.get("outputs", ()):
                    if "image/png" in output["data"]:
                        self.assertTrue("".join(output["data"].pop("image/png")).startswith("iVBORw0KGgo"))
                        output["data"].pop("text/plain")
            self.assertEqual(before, after, "docs/tutorial/notebook.py writes the notebook with its outputs")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
