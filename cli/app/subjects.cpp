#include "cli/app/subjects.hpp"

namespace daewave::cli {

const std::vector<Subject>& subjects() {
  static const std::vector<Subject> all{
      {"methods", "which method to take when",
       R"(Which method to take when, of initial value problems:

  nothing                leave --method out: chosen from the problem, and --explain says why
  projection             motions with independent constraints, smooth solutions, high accuracy
  gauss-windows          motions that are not stiff, accurate and fast: whole intervals at once;
                         taken by default where functions go in SIMD lanes (most of those that
                         daewave list names, model files); with --h, 20 to a period, over ten thousand periods to rounding
  symmetric-projection   the same over long times where windows are too long for their sweeps
  s-both2                as projection with fixed steps: cheaper, and nearly as exact
  srm                    constraints that become dependent on the way (dead points, closed loops)
                         and a fixed h; with controlled errors the default passes them
  bdf-projection         stiff forces: contacts, stiff springs, dampers; unknowns of index 1
  projected-invariants   stiff forces, multipliers wanted with the step; or bdf-projected-invariants
  local-state-space      few degrees of freedom, many constraints, and no drift at all
  dcbdf                  mechanisms with mild stiffness, kept on their velocities; index 2
  baumgarte, s-full, s-both, s-vel, s-pos, stabilized-ode, underlying, dcbdf-bdf,
  adams-moulton, bdf     what papers compare with: to study, not to rely on

Boundary value problems need no choice: --tolerance is all that is asked for. Where Newton's
method does not come to the solution, follow a parameter by --continue.
)"},
      {"words", "iterate, B y, weight, variant: what they mean",
       R"(Words of sequential regularization, the method srm and that of boundary values:

  y, lambda   multipliers: what the constraints 0 = g need of force; in x' = f - B y
  B y         that force itself. Where constraints become dependent y may be unbounded or not
              unique, and B y stays finite: then it is B y that is computed and written
  epsilon     0 = g is replaced by epsilon y = epsilon y_before + (g' and g, weighed): an ordinary
              equation, whose error is O(epsilon)
  iterate     one solve of that equation with y_before from the one before, 0 at first: each makes
              the error smaller by a factor epsilon, so that m of them leave O(epsilon^m)
  alpha1, 2   weights of g' and of g in that equation; alpha1 = 0 leaves a layer at the begin
  weight      E, by which these are multiplied: inverse (G B)^-1, transpose (G B)^T, identity
  variant     the form of the equation: direct computes y, singular B y; invariant, baumgarte-form
              and others are of index 3
  shooting back   the last iterate is good at the end: from there back it repairs the layer at the
              begin that iterates do not change
)"},
      {"errors", "tolerances, the error of a run, sensitivities",
       R"(What is known of the error of an initial value solve:

--rtol, --atol      bound the error of each step; what they come to grows over the run
--estimate-error    the error of the whole run, by a second one by another method: over time in
                    --json and --svg; above 1e-3 of the motion the result is not usable
--accuracy 1e-6     asks for that error, relative to 1 + the largest component
--sensitivities     how the end moves with the start, brought back to the constraints, and with the
                    parameters of the problem (daewave show PROBLEM): derivatives, as a table and
                    in --json, with an error found by differences of runs. An entry of 1e6 by v1(0)
                    says that an error of 1e-9 there is 1e-3 at the end, whatever the tolerance

  daewave solve pendulum --t-end 10 --rtol 1e-9 --sensitivities

Of boundary value problems --tolerance bounds the error itself.
)"},
      {"checkpoints", "stopping long runs, and going on",
       R"(Runs can be stopped, by whatever means, and go on with the same bits:

  daewave solve pendulum --t-end 1e6 --every 0 --checkpoint pendulum.json
  daewave solve pendulum --t-end 1e6 --every 0 --resume pendulum.json --checkpoint pendulum.json

--checkpoint FILE is replaced every --checkpoint-seconds, 60 of them, and at the end. What was given
out until then is kept beside it, in FILE.rows-*: a run that goes on gives out all of it, those rows
too. Move both together. --resume refuses a file that was changed, that has another version, or that
is of a run with another start, step, formula, form or parameter; a later --t-end is allowed.

With --checkpoint a run goes in legs of --checkpoint-steps, 20000 of them, and starts its formula anew
after each, with the step that it had: checkpoints are there and at the end, and what a run that was
stopped had done of a leg is done again. --method srm with --h has checkpoints between any two steps,
and the bits of a run without them, also to a later end. Not with events that change the state, nor
with --estimate-error.

A sweep keeps each member when it has ended:

  daewave sweep chain --vary links=1:1000:1000 --checkpoint sweep.kept --csv sweep.csv

Cut, however, and begun again by the same line it goes on from there, and ends with the table that it
would have ended with. --resume FILE is the same, but for a FILE that is not there. A FILE of another
sweep, or of another version of the program, is refused and left as it is.

An array job runs parts of a sweep, and merges what they have kept to the table of the whole:

  daewave sweep chain --vary links=1:1000:1000 --shard 3/64 --checkpoint part-3.kept
  daewave merge part-*.kept --csv sweep.csv
)"},
      {"files", "what is written, and how",
       R"(--csv   rows as they come: t, the state, and y or B y; NaN is an empty entry
--npy   the same for numpy.load, with named fields, written at the end
        of a sweep, a row for each run: where a parameter changes the size of the state, what a run
        does not have is an empty entry, NaN
--json  the report: settings with reasons, how it went, warnings; with the version of the program and
        the parameters of the problem
--svg   a picture
--report  a page that a browser opens from disk: plots to zoom, the mechanism moving, settings and why
FILE may be - for standard output. A file appears complete or not at all: it is written beside its
place, flushed, and then put there. What killed runs leave (.daewave-*.tmp) the next run clears.
Standard output that is lost (a full disk, a reader that has left) is exit code 1.
)"},
      {"limits", "time, memory, signals and exit codes",
       R"(--time-limit SECONDS, Ctrl-C, a termination signal and the end of the terminal stop any solve
within a second; what is valid by then is written. A second signal ends the program at once.
What would not fit into the free memory is refused before it is taken.

Exit codes: 0 solved; 1 not solved, or output lost; 2 bad input.
)"}};
  return all;
}

}  // namespace daewave::cli
