"""Workers of Dask's scheduler carry models, results and errors; its example prints what it says.

Exit code 77 where there is no Dask: skipped.
"""

import importlib.util
import logging
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import daewave
import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from examples_test import FOLDER, OF_DASK, lines_of, promised  # noqa: E402: from this folder.

MODELS = FOLDER.parent / "models"
SKIPPED = 77


def solved(model, **options):
    return model.solve(dense_output=True, **options)


class Dask(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        from dask.distributed import Client, LocalCluster
        logging.disable()
        cls.folder = tempfile.TemporaryDirectory()
        cls.cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None,
                                   local_directory=cls.folder.name)
        cls.client = Client(cls.cluster)

    @classmethod
    def tearDownClass(cls):
        cls.client.close()
        cls.cluster.close()
        cls.folder.cleanup()
        logging.disable(logging.NOTSET)

    def test_members_of_a_sweep_have_the_bits_of_this_process(self):
        models = [daewave.load(MODELS / "slider-crank.toml", l=l) for l in np.linspace(1, 1.1, 6)]
        found = self.client.gather(self.client.map(solved, models, t_span=(0, 0.2)))
        for one, there in zip(models, found):
            here = solved(one, t_span=(0, 0.2))
            times = np.linspace(0, 0.2, 100)
            self.assertTrue(np.array_equal(here.y, there.y))
            self.assertTrue(np.array_equal(here.sol(times), there.sol(times)))
            self.assertEqual(here.report.explain(), there.report.explain())
        self.assertFalse(np.array_equal(found[0].y[:, -1], found[-1].y[:, -1]))

    def test_the_error_of_a_worker_keeps_its_kind(self):
        future = self.client.submit(daewave.load, MODELS / "none.toml")
        with self.assertRaisesRegex(daewave.FileError, "none.toml: cannot be read"):
            future.result()

    def test_members_of_a_worker_that_dies_are_done_again(self):
        model = daewave.load(MODELS / "four-bar.toml")
        futures = self.client.map(solved, [model] * 4, t_span=(0, 0.1), pure=False)
        before = [found.y for found in self.client.gather(futures)]
        for pid in list(self.client.run(os.getpid).values())[:1]:
            os.kill(pid, signal.SIGKILL)
        for y, found in zip(before, self.client.gather(futures)):
            self.assertTrue(np.array_equal(y, found.y))

    def test_the_example_prints_what_it_says(self):
        path = FOLDER / OF_DASK
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(lines_of(path, folder), promised(path))


class WithoutDask(unittest.TestCase):
    def test_the_example_says_how_to_install_it(self):
        hidden = "import sys, runpy; sys.modules['dask'] = None; runpy.run_path(sys.argv[1])"
        ran = subprocess.run([sys.executable, "-B", "-c", hidden, FOLDER / OF_DASK],
                             capture_output=True, text=True, timeout=60)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("apt-get install python3-distributed", ran.stderr)


if __name__ == "__main__":
    if importlib.util.find_spec("distributed") is None:
        only = unittest.TestLoader().loadTestsFromTestCase(WithoutDask)
        went_well = unittest.TextTestRunner().run(only).wasSuccessful()
        print("skipped: there is no Dask here; apt-get install python3-distributed")
        sys.exit(SKIPPED if went_well else 1)
    unittest.main()
