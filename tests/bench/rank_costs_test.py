"""The model of costs over ranks finds the constants that made up runs were made of.

usage: rank_costs_test.py BENCH   the folder bench/
"""

import sys
import unittest

sys.path.insert(0, sys.argv.pop(1))
from rank_costs import Network, Run, SweepCosts, costs_of  # noqa: E402: of the folder given.

NODE = 4e-8


def made_up(ranks, intervals, partitions):
    rows = min(partitions, 64) + max(partitions - 64, 0) / ranks
    cpu = 0.2 + 1e-5 * intervals / ranks + NODE * intervals + 1.25e-5 * rows
    return Run(ranks, intervals, partitions, cpu, 30, 392 * min(partitions, 64) + 500 * ranks,
               25e6 + 1500 * intervals / ranks + 1000 * partitions / ranks)


class Costs(unittest.TestCase):
    costs = costs_of([made_up(ranks, intervals, partitions) for ranks in (1, 2)
                      for intervals, partitions in ((100_000, 64), (400_000, 64), (100_000, 8192))],
                     NODE, 8)

    def test_constants_are_found_again(self):
        for name, value in (("start", 0.2), ("interval", 1e-5), ("partition", 1.25e-5),
                            ("bytes_per_partition", 392), ("bytes_per_rank", 500),
                            ("peak_start", 25e6), ("peak_per_interval", 1500)):
            self.assertAlmostEqual(getattr(self.costs, name) / value, 1, 9, name)
        self.assertEqual(self.costs.messages, 30)

    def test_runs_that_were_not_given_are_foretold(self):
        for run in (made_up(4, 200_000, 64), made_up(1024, 10_000_000, 1024)):
            self.assertAlmostEqual(self.costs.cpu(run.ranks, run.intervals, run.partitions), run.cpu, 9)

    def test_what_takes_as_long_as_the_intervals_of_a_rank_does_so_where_it_is_said(self):
        ranks = self.costs.ranks_of_nodes()
        self.assertAlmostEqual(1e-5 * 5e6 / ranks, NODE * 5e6, 9)

    def test_messages_go_in_rounds_that_double(self):
        network = Network("made up", 1e-3, 1e9)
        self.assertAlmostEqual(self.costs.telling(64, 64, network),
                               2 * 30 * 6e-3 + (392 + 500) * 64e-9)
        # Of more than 64 ranks some have pairs of rows with others.
        self.assertAlmostEqual(self.costs.telling(1024, 1024, network),
                               2 * 30 * (10 + 4) * 1e-3 + (392 * 64 + 500 * 1024) * 1e-9)

    def test_a_sweep_ends_no_sooner_than_its_members_are_handed_on(self):
        sweep = SweepCosts(member=1, handing=1e-4)
        self.assertEqual(sweep.elapsed(10, 1000), 101)
        self.assertEqual(sweep.elapsed(1_000_000, 1_000_000), 101)

    def test_a_number_of_messages_that_varies_is_no_constant(self):
        runs = [made_up(1, 1000, 64), made_up(2, 1000, 64)]
        runs[1].messages = 31
        with self.assertRaisesRegex(ValueError, r"\[30, 31\]"):
            costs_of(runs, NODE, 8)


if __name__ == "__main__":
    unittest.main()
