"""A key pressed on the way of solve_dae: what is done by then is kept."""

import os
import signal
import threading
import unittest

import numpy as np

import daewave


def on_circle(t, q):
    return np.array([(q[0]**2 + q[1]**2 - 1) / 2])


def falling(t, q, v):
    return np.stack([0 * t, 0 * t - 9.81])


START = [1.0, 0.0, 0.0, 0.0]


class Interrupted(unittest.TestCase):
    def test_a_key_pressed_ends_a_long_run_with_what_is_done(self):
        calls = []
        runs = threading.Event()

        def constraint(t, q):
            calls.append(t.size)
            if len(calls) == 500:
                runs.set()
            return on_circle(t, q)

        def press():
            runs.wait(60)
            os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=press).start()
        with self.assertRaises(KeyboardInterrupt) as raised:
            daewave.solve_dae(falling, (0, 1e7), START, constraint=constraint)
        self.assertIsInstance(raised.exception, daewave.Interrupted)
        done = raised.exception.result
        self.assertEqual((done.status, done.success), (-2, False))
        self.assertIn("interrupted at t =", done.message)
        self.assertGreater(done.t.size, 10)
        np.testing.assert_allclose(np.hypot(*done.y[:2]), 1, atol=1e-6)

    def test_a_key_pressed_in_any_call_leaves_what_is_done(self):
        # At any depth: in windows, in looks at many states at once, in the last of them.
        def pressed_in(call, end, **options):
            calls = []

            def constraint(t, q):
                calls.append(t.size)
                if len(calls) == call:
                    raise KeyboardInterrupt
                return on_circle(t, q)
            try:
                daewave.solve_dae(falling, (0, end), START, constraint=constraint, **options)
            except daewave.Interrupted as interrupted:
                self.assertGreaterEqual(interrupted.result.t.size, 1)
                np.testing.assert_allclose(np.hypot(*interrupted.result.y[:2]), 1, atol=1e-6)
                return calls, "kept"
            except KeyboardInterrupt:
                return calls, "lost"
            return calls, "whole"
        def reset(t, y):
            return y[0]
        reset.reset = lambda t, y: np.concatenate((y[:2], -y[2:]))
        for options in (dict(end=120), dict(end=8, method="s-both2"), dict(end=4, events=[reset]),
                        dict(end=4, t_eval=np.linspace(0, 4, 300)), dict(end=4, dense_output=True)):
            calls, outcome = pressed_in(0, **options)
            self.assertEqual(outcome, "whole")
            looks = [i + 1 for i, size in enumerate(calls) if size >= 64]
            self.assertTrue(looks or options["end"] < 8)
            # The first five are of the start, before there is anything to keep.
            for call in {*range(6, len(calls), max(1, len(calls) // 12)), *looks[:3], len(calls)}:
                with self.subTest(call=call, of=list(options)):
                    self.assertEqual(pressed_in(call, **options)[1], "kept")


if __name__ == "__main__":
    unittest.main()
