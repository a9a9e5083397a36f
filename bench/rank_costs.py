"""What a solve over ranks costs: a model of six constants, found from measurements, and what it says
of more ranks.

CPU of a rank, N intervals over P ranks in K partitions:

    start + interval N / P + node N + partition R,    R = K, or 64 + (K - 64) / P where K is more

start      of the process and of what does not depend on N
interval   a rank's own intervals: coefficients, elimination of stages and of its partitions, sweeps
node       all nodes of the mesh, which each rank has for a moment
partition  the interface system: rows of partitions, of which ranks eliminate pairs where there are more
           than 64, and the rest alike

A solve tells all ranks something `messages` times (an all-gather: lengths, and then what is told). On a
network of some latency and bandwidth this takes, B being the bytes that all ranks tell,

    2 messages ceil(log2 P) latency + B / bandwidth,    B = per_partition min(K, 64) + per_rank P

and 2 messages ceil(log2 (P / 64)) latency more at most where there are more ranks than 64, as pairs are of
two ranks then: a row is sent there, and a node back.
"""

import math
from dataclasses import dataclass

import numpy as np


ALIKE = 64  # Rows at most that all ranks solve for alike.


def rows_of_rank(ranks, partitions):
    """Rows of partitions that each rank eliminates."""
    return min(partitions, ALIKE) + max(partitions - ALIKE, 0) / ranks


@dataclass
class Run:
    """One solve as it was measured."""
    ranks: int
    intervals: int
    partitions: int
    cpu: float       # Seconds of a rank, the mean of all.
    messages: int    # Of each rank.
    sent: float      # Bytes, of all ranks together.
    peak: float      # Bytes, the largest of all ranks.


@dataclass
class Network:
    name: str
    latency: float    # Seconds.
    bandwidth: float  # Bytes per second.


@dataclass
class Costs:
    start: float
    interval: float
    node: float
    partition: float
    messages: int
    bytes_per_partition: float
    bytes_per_rank: float
    peak_per_node: float
    peak_start: float
    peak_per_interval: float
    peak_per_partition: float

    def cpu(self, ranks, intervals, partitions):
        return (self.start + self.interval * intervals / ranks + self.node * intervals +
                self.interface(ranks, partitions))

    def interface(self, ranks, partitions):
        return self.partition * rows_of_rank(ranks, partitions)

    def sent(self, ranks, partitions):
        return self.bytes_per_partition * min(partitions, ALIKE) + self.bytes_per_rank * ranks

    def telling(self, ranks, partitions, network):
        rounds = math.ceil(math.log2(ranks)) + max(0, math.ceil(math.log2(ranks / ALIKE)))
        return (2 * self.messages * rounds * network.latency +
                self.sent(ranks, partitions) / network.bandwidth)

    def peak(self, ranks, intervals, partitions):
        """All nodes are there before a rank's own intervals are."""
        own = self.peak_per_interval * intervals / ranks
        return (self.peak_start + max(own, self.peak_per_node * intervals) +
                self.peak_per_partition * partitions / ranks)

    def ranks_of_nodes(self):
        """From which on all nodes take a rank longer than its own intervals."""
        return self.interval / self.node


@dataclass
class SweepCosts:
    member: float     # Seconds.
    handing: float    # Of giving one out and taking what came of it, on the first rank at most.

    def elapsed(self, ranks, members):
        return max(self.member * members / ranks, self.handing * members) + self.member


def least_squares(rows, values):
    """Of relative deviations; none of the constants below 0."""
    A, b = np.asarray(rows, float), np.asarray(values, float)
    A, b = A / b[:, None], np.ones_like(b)
    active = list(range(A.shape[1]))
    while True:
        x = np.zeros(A.shape[1])
        x[active] = np.linalg.lstsq(A[:, active], b, rcond=None)[0]
        if (x >= 0).all():
            return x
        active.remove(int(np.argmin(x)))


def costs_of(runs, node, bytes_per_node):
    """@param node  seconds for each node of the whole mesh, on each rank, and bytes: measured apart, as
    in solves of few ranks they are too small beside the rest to be seen."""
    start, interval, partition = least_squares(
        [[1, run.intervals / run.ranks, rows_of_rank(run.ranks, run.partitions)] for run in runs],
        [run.cpu - node * run.intervals for run in runs])
    # Rows that two ranks have a pair of are sent too, by some.
    alike = [run for run in runs if run.partitions <= ALIKE]
    per_partition, per_rank = least_squares([[run.partitions, run.ranks] for run in alike],
                                            [run.sent for run in alike])
    peak = least_squares(
        [[1, run.intervals / run.ranks, run.partitions / run.ranks] for run in runs],
        [run.peak for run in runs])
    messages = {run.messages for run in alike}
    if len(messages) != 1:
        raise ValueError(f"the number of messages depends on the run: {sorted(messages)}")
    return Costs(start, interval, node, partition, messages.pop(), per_partition, per_rank,
                 bytes_per_node, *peak)
