// SPDX-License-Identifier: Apache-2.0
#include "solvers/hiremate/leaf.h"
#include "solvers/hiremate/partition/partition.h"
#include "solvers/hiremate/pipeline.h"

namespace remat::planner {

namespace {

using remat::hiremate::PipelineOptions;

const OptionTable<PipelineOptions> &hiremateOptions()
{
    using Options = PipelineOptions;
    static const OptionTable<Options> table = {
        numberOption(&Options::optionsPerBlock, "options-per-cluster", "Options per cluster", 4, 400, "",
                     "How many schedules of a block the program over the chain may choose from; more is finer and "
                     "slower."),
        numberOption(&Options::gapPercent, "gap", "Gap", 0, 50, "%",
                     "The program over the chain ends when its added time is proven to be within this share of the "
                     "least."),
        choiceOption(
            &Options::partitioner, "partitioner", "Partitioner", remat::hiremate::partitionerNames(),
            "How the graph is cut into blocks: where few bytes cross and blocks are alike (repetitive), at ops "
            "that everything passes (sequence), by single ops that grow together with their neighbours "
            "(bottom-to-top), as the modules of the model nest (module-tree), or by ops that grow together along what "
            "they pass to each other, wherever they stand: branches, towers, both ends of a skip (sub-graphs).",
            true),
        numberOption(
            &Options::depth, "depth", "Depth", 0, 8, "levels",
            "How many levels of clusters: with 1 the graph is one chain of blocks, with more, blocks are grouped "
            "into clusters whose schedules come from a program over their blocks, and so on. With 0 large "
            "graphs get as many as they need.",
            true),
        nameOption(&Options::leaf, "leaf", "Leaf planner", remat::hiremate::leafPlannerNames(),
                   "Who finds the schedules of a block: integer programs over what is kept, joined with a search "
                   "(ilp), the search alone, one schedule for each price of memory (cheap), or a planner of whole "
                   "graphs, which is run on the block for some limits on its peak and on what it keeps.",
                   true),
        nameOption(&Options::top, "top", "Top planner", remat::hiremate::topPlannerNames(),
                   "Who plans the whole graph: the integer program over the largest clusters (ilp), a dynamic program "
                   "over the chain (rotor, rk-rotor), or the program, and those beside it where it stays far from the "
                   "bound (best).",
                   true),
        numberOption(&Options::levels, "levels", "Memory levels", 2, 400, "",
                     "How many amounts of kept memory a block's integer program is solved for, from everything to "
                     "nothing.",
                     true),
        numberOption(&Options::blockMin, "block-min", "Smallest block", 1, 1000, "ops",
                     "Fewest forward ops of a block, those that cost next to nothing not counted.", true),
        numberOption(&Options::blockMax, "block-max", "Largest block", 1, 1000, "ops",
                     "Most forward ops of a block; larger blocks see more at once and take longer.", true),
        numberOption(&Options::thousandIterations, "work", "Work", 1, 1'000'000, "thousand iterations",
                     "How much the program over the chain may take, in iterations of the simplex method: a limit that "
                     "gives the same plan on every machine. The time limit cuts it short.",
                     true),
        numberOption(
            &Options::rounds, "rounds", "Rounds", 0, 100, "",
            "How many times the graph is solved again with other partitioners and block sizes, and with twice the "
            "levels and options. That ends when the plan is within 1 % (or 0.1 points) of the least added time, but "
            "mostly by the time limit, so a faster machine comes further. 0, or no time limit, solves the graph once.",
            true),
        flagOption(&Options::lite, "lite", "Rebuild interfaces",
                   "Lets a storage between two blocks be computed again from what its own block has kept.", true),
        flagOption(&Options::interfaceOptions, "interface-options", "Options for interfaces",
                   "Adds schedules that keep what makes large storages between blocks cheap to compute again.", true),
        flagOption(&Options::undo, "undo", "Undo pass",
                   "At the end drops every recomputation that the whole plan can do without, dearest first.", true),
    };
    return table;
}

Expected<SolveOutcome> planHiRemate(const SolveRequest &request, const SolveContext &context)
{
    return remat::hiremate::planHierarchically(request, context, hiremateOptions().read(request.options));
}

} // namespace

const Planner &hiremate()
{
    static const Planner planner = {
        .info =
            {
                .name = "hiremate",
                .title = "HiRemate",
                .kind = "hierarchical ILP",
                .text = "Cuts the graph into a chain of blocks, finds schedules of each distinct block with integer "
                        "programs, and chooses among them with one more over the chain; the plan is replayed on the "
                        "whole graph and never over budget. The best choice for training graphs of any size. Graphs of "
                        "a few ops are solved exactly.",
                .source = "Zhao, Le Hellard, Eyraud-Dubois, Gusak, Beaumont: Rockmate, ICML 2023; Gusak, Zhao, Le "
                          "Hellard, Li, Eyraud-Dubois, Beaumont: HiRemate, ICML 2025",
                .options = hiremateOptions().records(),
                .usesTime = true,
            },
        .plan = planHiRemate,
    };
    return planner;
}

} // namespace remat::planner
