"""What a solve over ranks costs: a model of six constants, found from measurements, and what it says
of more ranks.

CPU of a rank, N intervals over P ranks in K partitions:

    start + interval N / P + node N + partition K

start      of the process and of what does not depend on N
interval   a rank's own intervals: coefficients, elimination of stages and of its partitions, sweeps
node       all nodes of the mesh, which each rank has for a moment
partition  the interface system, block by block, which all ranks put together and solve alike

A solve tells all ranks something `messages` times (an all-gather: lengths, and then what is told). On a
network of some latency and bandwidth this takes, B being the bytes that all ranks tell,

    2 messages ceil(log2 P) latency + B / bandwidth,    B = per_partition K + per_rank P
"""

import math
from dataclasses import dataclass

import numpy as np


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
                self.partition * partitions)

    def sent(self, ranks, partitions):
        return self.bytes_per_partition * partitions + self.bytes_per_rank * ranks

    def telling(self, ranks, partitions, network):
        return (2 * self.messages * math.ceil(math.log2(ranks)) * network.latency +
                self.sent(ranks, partitions) / network.bandwidth)

    def peak(self, ranks, intervals, partitions):
        """All nodes are there before a rank's own intervals are."""
        own = self.peak_per_interval * intervals / ranks
        return (self.peak_start + max(own, self.peak_per_node * intervals) +
                self.peak_per_partition * partitions)

    def ranks_of_nodes(self):
        """From which on all nodes take a rank longer than its own intervals."""
        return self.interval / self.node

    def ranks_of_interface(self, intervals):
        """From which on the interface system does, with a partition for each rank."""
        return math.sqrt(self.interval * intervals / self.partition)


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
        [[1, run.intervals / run.ranks, run.partitions] for run in runs],
        [run.cpu - node * run.intervals for run in runs])
    per_partition, per_rank = least_squares([[run.partitions, run.ranks] for run in runs],
                                            [run.sent for run in runs])
    peak = least_squares([[1, run.intervals / run.ranks, run.partitions] for run in runs],
                         [run.peak for run in runs])
    messages = {run.messages for run in runs}
    if len(messages) != 1:
        raise ValueError(f"the number of messages depends on the run: {sorted(messages)}")
    return Costs(start, interval, node, partition, messages.pop(), per_partition, per_rank,
                 bytes_per_node, *peak)
