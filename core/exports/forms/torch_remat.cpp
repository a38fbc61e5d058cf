// SPDX-License-Identifier: Apache-2.0
// A plan as regions of torch_remat.
#include "core/exports/python_again.h"
#include "core/exports/python_calls.h"
#include "core/exports/quoted.h"
#include "core/exports/regions.h"

#include <algorithm>
#include <fmt/core.h>
#include <map>

namespace remat {

namespace {

/// A module below a region, with its ops.
using Modules = std::map<std::string, std::vector<OpId>>;

Modules modulesBelow(const Graph &graph, const Region &region)
{
    Modules modules;
    for (const OpId op : region.ops) {
        const std::string &path = graph.op(op).module;
        const std::size_t begin = region.module.empty() ? 0 : region.module.size() + 1;
        for (std::size_t end = begin; end < path.size();) {
            end = std::min(path.find('.', end + 1), path.size());
            modules[path.substr(0, end)].push_back(op);
        }
    }
    return modules;
}

bool isBelow(const std::string &path, const std::string &module)
{
    return path.size() > module.size() && path.compare(0, module.size(), module) == 0 && path[module.size()] == '.';
}

/// The outermost modules of which the plan keeps all that the backward pass reads, and that are called once.
std::vector<std::string> savedModules(const Graph &graph, const KeptChoice &choice, const Region &region)
{
    std::vector<char> isRead(graph.storages.size(), 0);
    for (std::size_t i = choice.border; i < graph.ops.size(); ++i)
        for (const StorageId input : graph.ops[i].inputs)
            isRead[input.index()] = 1;
    std::vector<std::string> saved;
    for (const auto &[module, ops] : modulesBelow(graph, region)) { // outer ones come first
        const bool isInside =
            std::any_of(saved.begin(), saved.end(), [&](const std::string &outer) { return isBelow(module, outer); });
        const bool isOneCall = ops.back().index() - ops.front().index() + 1 == ops.size();
        const auto isDropped = [&](StorageId s) { return choice.kept[s.index()] == 0 && isRead[s.index()] != 0; };
        const bool keepsAll = std::none_of(ops.begin(), ops.end(), [&](OpId op) {
            const std::vector<StorageId> &outputs = graph.op(op).outputs;
            return std::any_of(outputs.begin(), outputs.end(), isDropped);
        });
        const bool isList = std::all_of(ops.begin(), ops.end(), [&](OpId op) {
            const std::string &path = graph.op(op).module;
            return isBelow(path, module) && path[module.size() + 1] >= '0' && path[module.size() + 1] <= '9';
        });
        if (!isInside && isOneCall && keepsAll && !isList) saved.push_back(module);
    }
    return saved;
}

bool isIn(const Graph &graph, OpId op, const std::string &module)
{
    return graph.op(op).module == module || isBelow(graph.op(op).module, module);
}

void saveModules(const Graph &graph, const KeptChoice &choice, const Region &region, std::vector<char> &saved)
{
    for (const OpId op : region.ops)
        saved[op.index()] = 0;
    for (const std::string &module : savedModules(graph, choice, region))
        for (const OpId op : region.ops)
            if (isIn(graph, op, module)) saved[op.index()] = 1;
}

/// Whether something that is computed again reads what the module makes.
bool isNeededAgain(const Graph &graph, const Region &region, const RegionPlan &plan, const std::string &module)
{
    return std::any_of(region.ops.begin(), region.ops.end(), [&](OpId op) {
        if (plan.saved[op.index()] != 0) return false;
        const std::vector<StorageId> &inputs = graph.op(op).inputs;
        return std::any_of(inputs.begin(), inputs.end(), [&](StorageId input) {
            const OpId producer = graph.storage(input).producer;
            return producer && isIn(graph, producer, module);
        });
    });
}

std::string regionTable(const Graph &graph, const KeptChoice &choice, const RegionPlan &plan)
{
    std::string text =
        "\n# Per module that is computed again, the modules in it that are not, and whether what they return is needed "
        "again.\nREGIONS = {\n";
    for (const Region &region : plan.regions) {
        text += fmt::format("    {}: {{\n", pythonQuoted(region.module));
        for (const std::string &module : savedModules(graph, choice, region))
            text += fmt::format("        {}: {},\n", pythonQuoted(belowRegion(module, region.module)),
                                isNeededAgain(graph, region, plan, module) ? "True" : "False");
        text += "    },\n";
    }
    const bool draws = std::any_of(graph.ops.begin(), graph.ops.end(), [](const Op &op) { return op.random; });
    return fmt::format("{}}}\nDRAWS = {}  # random numbers\n", text, draws ? "True" : "False");
}

Expected<std::string> regionsOfPlan(const ExportInput &input)
{
    const Graph &graph = input.model.graph;
    auto choice = keptChoice(graph, input.plan);
    if (!choice) return tl::unexpected(choice.error());
    keepOnDevice(*choice);
    if (const auto calls = forwardCalls(input.model, *choice); !calls) return tl::unexpected(calls.error());
    auto plan = bestRegions(input, *choice, saveModules, true);
    if (!plan) return tl::unexpected(plan.error());
    sayWhatRegionsLose(input, *plan, *choice);
    auto head = headOfRoute(
        input, *choice,
        {"Regions for torch_remat",
         "    pip install torch_remat\n\n"
         "    from FILE import apply\n"
         "    apply(model)  # once, before training; parameters, state_dict and hooks stay what they are\n",
         {"torch_remat decides by module: what the plan keeps inside of a module that is computed again is "
          "computed again "
          "too."},
         plan->predicted,
         "import contextlib\nimport functools\n\nimport torch\nimport torch_remat\nfrom torch.utils import _pytree as "
         "pytree\nfrom torch.utils._python_dispatch import TorchDispatchMode\n"});
    if (!head) return head;
    return *head + regionTable(graph, *choice, *plan) + R"python(

class Generators:
    """Sets the generators back for what is computed again, so that it draws the same numbers, and forward afterwards."""

    before = None

    def snapshot(self):
        on_gpu = torch.cuda.is_available() and torch.cuda.is_initialized()
        return torch.get_rng_state(), torch.cuda.get_rng_state() if on_gpu else None

    def restore(self, state):
        self.before = self.before or self.snapshot()
        self.set(state)

    def leave(self):
        if self.before:
            self.set(self.before)
        self.before = None

    @staticmethod
    def set(state):
        torch.set_rng_state(state[0])
        if state[1] is not None:
            torch.cuda.set_rng_state(state[1])


def apply(model):
    """Checkpoint the modules of REGIONS, and save what is named in them; returns the model."""
    for path, saved in REGIONS.items():
        module = model.get_submodule(path)
        out_of_place(module)
        for name, is_needed in saved.items():
            inner = module.get_submodule(name)
            inner.forward = functools.wraps(inner.forward)(functools.partial(kept, name, is_needed, inner.forward))
        module.forward = functools.wraps(module.forward)(functools.partial(again, path, module, module.forward))
    return model


def again(path, module, forward, *args, **kwargs):
    """The forward of a module that the backward pass computes again."""
    if not torch.is_grad_enabled():
        return forward(*args, **kwargs)
    generators = Generators()
    container = []  # what the module returns, without its tensors: torch_remat takes a tuple of those

    def body(*args, **kwargs):
        is_again = torch_remat.is_recomputing()
        try:
            with RunningAgain(module) if is_again else contextlib.nullcontext():
                leaves, form = pytree.tree_flatten(forward(*args, **kwargs))
        finally:
            if is_again:
                generators.leave()
        container[:] = form, [None if isinstance(leaf, torch.Tensor) else (leaf,) for leaf in leaves]
        return tuple(leaf for leaf in leaves if isinstance(leaf, torch.Tensor))

    hooks = (generators,) if DRAWS else ()
    checkpointed = torch_remat.checkpoint(region_name=path or "model", recompute_state_hooks=hooks)(body)
    args, kwargs = as_given(args, kwargs)
    tensors = iter(checkpointed(*args, **kwargs))
    form, others = container
    return pytree.tree_unflatten([other[0] if other else next(tensors) for other in others], form)


def kept(name, is_needed, forward, *args, **kwargs):
    """The forward of a module of which autograd keeps what it saves."""
    result = torch_remat.region(forward, name, recompute=False)(*args, **kwargs)
    if is_needed and torch.is_grad_enabled():
        for tensor in result if isinstance(result, tuple | list) else (result,):
            if isinstance(tensor, torch.Tensor):
                torch_remat.recompute_needs_tensor(tensor)
    return result
)python" + python::kRunningAgain;
}

} // namespace

namespace exporter {

const ExportFormat &torch_remat()
{
    static const ExportFormat format = {
        .name = "torch-remat",
        .title = "torch_remat regions",
        .order = 90,
        .suffix = "py",
        .sentence = "which modules torch_remat computes again and which it keeps; says what is lost of the plan",
        .write = regionsOfPlan,
        .needsOperators = true,
    };
    return format;
}

} // namespace exporter

} // namespace remat
