# A recipe for Spack: spack repo add packaging/spack && spack install daewave.
from spack.package import *


class Daewave(CMakePackage):
    """Boundary-value and long-horizon differential-algebraic equations."""

    homepage = "https://example.org/daewave"
    git = "https://example.org/daewave.git"

    license("BSD-3-Clause")
    version("main", branch="main")
    version("0.2.0", tag="v0.2.0")

    variant("shared", default=True, description="One shared library")
    variant("suitesparse", default=True, description="CHOLMOD and UMFPACK (GPL)")
    variant("tbb", default=True, description="Executors for OpenMP and TBB")
    variant("python", default=False, description="The Python package")

    extends("python", when="+python")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("gzip", type="build")
    # What pages of runs contain (packaging/page_libraries.sh).
    depends_on("npm", type="build")
    depends_on("eigen@3.4:3.4.999")
    depends_on("fmt@9:")
    depends_on("tomlplusplus")
    depends_on("nlohmann-json@3.11:")
    depends_on("cli11@2:", type="build")
    depends_on("suite-sparse", when="+suitesparse")
    depends_on("intel-oneapi-tbb", when="+tbb")
    depends_on("python@3.11:", type=("build", "run"), when="+python")
    depends_on("py-pybind11", type="build", when="+python")
    depends_on("py-numpy", type=("build", "run"), when="+python")

    def cmake_args(self):
        script = Executable(join_path(self.stage.source_path, "packaging", "page_libraries.sh"))
        arguments = script(join_path(self.stage.path, "page"), output=str).split()
        arguments += [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("DAEWAVE_WITH_UMFPACK", "suitesparse"),
            self.define_from_variant("DAEWAVE_WITH_PARALLEL", "tbb"),
            self.define_from_variant("DAEWAVE_BUILD_PYTHON", "python"),
            self.define("DAEWAVE_BUILD_TESTS", False),
            self.define("DAEWAVE_BUILD_EXAMPLES", False),
            self.define("DAEWAVE_WARNINGS_AS_ERRORS", False),
        ]
        if self.spec.satisfies("+python"):
            python = self.spec["python"]
            arguments += [
                self.define("DAEWAVE_PYTHON", python.command.path),
                self.define("DAEWAVE_PYTHON_DIRECTORY",
                            f"lib/python{python.version.up_to(2)}/site-packages"),
            ]
        return arguments
