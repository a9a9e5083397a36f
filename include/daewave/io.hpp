#pragma once
// Files: CSV, NPY, JSON, SVG, checkpoints.

#include "io/checkpoint_file.hpp"
#include "io/csv.hpp"
#include "io/npy.hpp"
#include "io/report_json.hpp"
#include "io/svg_plot.hpp"
#include "io/text_table.hpp"
