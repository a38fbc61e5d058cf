// SPDX-License-Identifier: Apache-2.0
// A graph under a plan for Graphviz.
#include "core/exports/exporter.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/exports/quoted.h"

#include <fmt/core.h>
#include <map>

namespace remat {

namespace {

/// Modules as a tree, ops at the leaves.
struct Folder {
    std::map<std::string, Folder> folders;
    std::vector<OpId> ops;
};

class DotWriter
{
public:
    DotWriter(const ExportInput &input) : m_graph(input.model.graph), m_costs(input.costs)
    {
        m_times.resize(m_graph.ops.size(), 0);
        m_offloaded.resize(m_graph.storages.size(), false);
        for (const Step &step : input.plan.steps) {
            if (step.kind == StepKind::Compute) ++m_times[step.op.index()];
            if (step.kind == StepKind::Offload) m_offloaded[step.storage.index()] = true;
        }
    }

    std::string write()
    {
        m_text = fmt::format("digraph {} {{\n  rankdir=TB; compound=true; node [shape=box, style=\"filled,rounded\", "
                             "fontname=\"sans-serif\", fontsize=10]; edge [color=\"#7d8696\"];\n",
                             dotQuoted(m_graph.name));
        Folder forward, backward;
        for (std::size_t i = 0; i < m_graph.ops.size(); ++i) {
            const Op &op = m_graph.ops[i];
            Folder *folder = op.phase == Phase::Backward ? &backward : &forward;
            std::size_t from = 0;
            while (from < op.module.size()) {
                const std::size_t dot = std::min(op.module.find('.', from), op.module.size());
                folder = &folder->folders[op.module.substr(from, dot - from)];
                from = dot + 1;
            }
            folder->ops.push_back(OpId(i));
        }
        writeFolder(forward, "forward", 1);
        writeFolder(backward, "backward", 1);
        writeEdges();
        return m_text + "}\n";
    }

private:
    /// The palette of the memory categories.
    const char *colorOf(OpId id) const
    {
        const Op &op = m_graph.op(id);
        if (m_times[id.index()] > 1) return "#f3c88f";
        for (const StorageId output : op.outputs)
            if (m_offloaded[output.index()]) return "#9fd6c8";
        return op.phase == Phase::Backward ? "#d3c0e4" : "#c3d5fb";
    }

    void writeFolder(const Folder &folder, const std::string &title, int depth)
    {
        const std::string indent(static_cast<std::size_t>(depth) * 2, ' ');
        m_text += fmt::format(
            "{}subgraph cluster_{} {{\n{}  label={}; style=rounded; color=\"#7d8696\"; fontname=\"sans-serif\";\n",
            indent, m_clusters++, indent, dotQuoted(title));
        for (const OpId id : folder.ops)
            writeOp(id, indent + "  ");
        for (const auto &[name, child] : folder.folders)
            writeFolder(child, name, depth + 1);
        m_text += indent + "}\n";
    }

    void writeOp(OpId id, const std::string &indent)
    {
        const Op &op = m_graph.op(id);
        std::int64_t bytes = 0;
        for (const StorageId output : op.outputs)
            bytes += m_graph.storage(output).bytes;
        std::string label = fmt::format("{}\n{}  {}  {}", printable(op.name), printable(op.kind), formatBytes(bytes),
                                        formatTimeUs(m_costs.timeUs[id.index()]));
        if (m_times[id.index()] > 1) label += fmt::format("\ncomputed {} times", m_times[id.index()]);
        m_text +=
            fmt::format("{}op{} [label={}, fillcolor=\"{}\"];\n", indent, id.index(), dotQuoted(label), colorOf(id));
    }

    void writeEdges()
    {
        for (std::size_t i = 0; i < m_graph.ops.size(); ++i) {
            for (const StorageId input : m_graph.ops[i].inputs) {
                const OpId producer = m_graph.storage(input).producer;
                if (!producer) continue;
                m_text += fmt::format("  op{} -> op{}", producer.index(), i);
                // Saved activations would pull both columns together and make a layout take minutes.
                if (m_graph.op(producer).phase != Phase::Backward && m_graph.ops[i].phase == Phase::Backward)
                    m_text += " [constraint=false, style=dashed]";
                m_text += ";\n";
            }
        }
    }

    const Graph &m_graph;
    const CostTable &m_costs;
    std::vector<int> m_times;
    std::vector<bool> m_offloaded;
    std::string m_text;
    int m_clusters = 0;
};

/// The graph for Graphviz, modules as nested clusters, ops coloured by what the plan does with their outputs.
Expected<std::string> dotOfPlan(const ExportInput &input)
{
    return DotWriter(input).write();
}

} // namespace

namespace exporter {

const ExportFormat &dot()
{
    static const ExportFormat format = {
        .name = "dot",
        .title = "Graphviz",
        .order = 40,
        .suffix = "dot",
        .sentence = "the graph with what the plan does to each op, for Graphviz",
        .write = dotOfPlan,
    };
    return format;
}

} // namespace exporter

} // namespace remat
