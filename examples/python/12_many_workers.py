"""A spinning top, 26 spins of it, over the processes of Dask's scheduler: two of this machine here,
those of a cluster where its address is given instead. A model pickles, and so does a result; a
member is a future. What a worker has when it dies is lost and done again by the others: what was
gathered before stays.

Prints:

    spins from 150 to 250 rad/s on 2 workers
    sinks by more than 5 % up to 198 rad/s; in theory it stands from 202.0 rad/s on
    a worker died with its members; all are there again: True
    the result of another process has the bits of this one: True, its dense output too: True
"""

import logging
import os
import signal
import sys

import daewave
import numpy as np

try:
    from dask.distributed import Client, LocalCluster
except ImportError:
    sys.exit("this example needs Dask: apt-get install python3-distributed, or pip install distributed")

TOP = """
title = "A top that stands on its point"
space = "spatial"
gravity = [0, 0, -9.81]

[parameters]
spin = 200                           # about its axis, rad/s
tilt = 0.01                          # rad

[[body]]
name = "top"
mass = 15
inertia = [0.234375, 0.234375, 0.46875]
orientation = { axis = [1, 0, 0], angle = "tilt" }
angular_velocity = [0, "-spin*sin(tilt)", "spin*cos(tilt)"]

[[joint]]
type = "spherical"
between = ["ground", "top"]
at = [[0, 0, 0], [0, 0, -1]]
"""


def solved(model):
    return model.solve((0, 10), dense_output=True)


def lowest(model):
    """Functions go to workers too: of what is large, send back what is asked for."""
    result = solved(model)
    return result.y[result.names.index("top.z")].min()


def main():
    spins = np.arange(150, 251, 4)
    models = [daewave.Model(TOP, spin=spin) for spin in spins]
    logging.disable()  # Dask tells of each worker that is lost.
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, \
            Client(cluster) as client:  # Client("tcp://scheduler:8786") of a cluster.
        print(f"spins from {spins[0]} to {spins[-1]} rad/s on {len(cluster.workers)} workers")
        members = client.map(lowest, models)
        heights = np.array(client.gather(members))
        critical = np.sqrt(4 * 15 * 9.81 * (0.234375 + 15)) / 0.46875
        print(f"sinks by more than 5 % up to {spins[heights < 0.95].max()} rad/s; "
              f"in theory it stands from {critical:.1f} rad/s on")

        pids = client.run(os.getpid)
        os.kill(next(iter(pids.values())), signal.SIGKILL)
        again = client.gather(members)
        print("a worker died with its members; all are there again:", np.array_equal(again, heights))

        there, here = client.submit(solved, models[0]).result(), solved(models[0])
        times = np.linspace(0, 10, 1000)
        print("the result of another process has the bits of this one:",
              f"{np.array_equal(there.y, here.y)}, its dense output too:",
              np.array_equal(there.sol(times), here.sol(times)))


if __name__ == "__main__":
    main()
