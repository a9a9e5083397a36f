"""SciPy's own tests of solve_bvp, of the distribution's package, with daewave's in its place.

usage: scipy_bvp_test.py [NAME]   one of them, with its traceback
"""

import sys
import traceback
import warnings

import scipy.integrate.tests.test_bvp as scipys

import daewave

# Of SciPy's matrices and meshes, not of solve_bvp.
INSIDE = {"test_modify_mesh", "test_compute_fun_jac", "test_compute_bc_jac",
          "test_compute_jac_indices", "test_compute_global_jac"}
# Those that do not pass, and why.
OTHERWISE = {
    "test_failures": "asks for failure with five nodes, where collocation of higher order reaches 1e-5",
}


def main(chosen):
    scipys.solve_bvp = daewave.solve_bvp
    names = [name for name in dir(scipys) if name.startswith("test_") and name not in INSIDE]
    assert len(names) >= 9, names
    failed = 0
    for name in [chosen] if chosen else names:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                getattr(scipys, name)()
            passed = True
        except Exception:
            passed = False
            if chosen or name not in OTHERWISE:
                traceback.print_exc()
        if passed == (name in OTHERWISE):
            failed += 1
        print(f"{name}: {'passes' if passed else 'does not pass'}"
              f"{', expected not to: ' + OTHERWISE[name] if name in OTHERWISE else ''}")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else None))
