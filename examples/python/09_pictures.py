"""Pictures of a result: curves, the mechanism moving, a page for a browser. The first two need
matplotlib.

usage: 09_pictures.py [FOLDER]   where to, the current folder if it is not said

Prints:

    curves.png, motion.gif, page.html
"""

import sys
from pathlib import Path

import daewave
import matplotlib

matplotlib.use("Agg")  # Into files, not onto a screen.
folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
model = daewave.load(Path(__file__).parent.parent / "models" / "four-bar.toml")
result = model.solve((0, 2), dense_output=True)

result.plot(["crank.phi", "rocker.phi"]).figure.savefig(folder / "curves.png")
result.animate(seconds=0.4, fps=10).save(folder / "motion.gif", writer="pillow")
result.report_page(folder / "page.html")
print("curves.png, motion.gif, page.html")
