// SPDX-License-Identifier: Apache-2.0
#include "core/chunk/region_writer.h"

#include "core/base/text.h"
#include "core/chunk/modes.h"
#include "core/chunk/piece_layout.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <numeric>
#include <utility>

namespace remat {

namespace {

bool isProduct(const Node &node)
{
    return node.opName == "aten::mm" || node.opName == "aten::addmm";
}

/// Sums in float32 are added up in so many blocks of rows, from so many pieces on, where memory is what counts, and
/// where one part of them has at least so many bytes: small ones would only be more kernels.
constexpr int kRowBlocks = 4;
constexpr int kFewestPiecesForBlocks = 16;
constexpr std::int64_t kLeastInBlocks = std::int64_t(64) << 20;

/// Sums of single numbers are made in two calls at the end, from so many pieces on: each call more is only a launch.
constexpr int kFewestNumbers = 4;

std::string numbered(const std::string &name, int chunk)
{
    return fmt::format("{}#{}", name, chunk);
}

/// Matrix products take pieces with gaps as they are, and views do not read them.
bool takesGaps(const Node &reader)
{
    static constexpr std::array<std::string_view, 6> kNames{"aten::mm", "aten::addmm",     "aten::bmm",
                                                            "aten::t",  "aten::transpose", "aten::permute"};
    return std::find(kNames.begin(), kNames.end(), reader.opName) != kNames.end();
}

/// Sizes with the dims `first` to `last` as one.
Sizes merged(const Sizes &sizes, int first, int last)
{
    Sizes result(sizes.begin(), sizes.begin() + first);
    result.push_back(std::accumulate(sizes.begin() + first, sizes.begin() + last + 1, std::int64_t(1),
                                     [](std::int64_t a, std::int64_t b) { return a * b; }));
    result.insert(result.end(), sizes.begin() + last + 1, sizes.end());
    return result;
}

template <class T>
std::vector<T> permuted(const std::vector<T> &items, const std::vector<std::size_t> &order)
{
    std::vector<T> result;
    result.reserve(order.size());
    for (const std::size_t from : order)
        result.push_back(items[from]);
    return result;
}

/// Its nodes are neither copied nor moved for good.
Program withoutNodes(Program &program)
{
    std::vector<Node> nodes = std::exchange(program.nodes, {});
    Program result = program;
    program.nodes = std::move(nodes);
    return result;
}

std::vector<std::int64_t> asIntegers(const std::vector<std::size_t> &order)
{
    return {order.begin(), order.end()};
}

} // namespace

RegionWriter::RegionWriter(Program program, const ChunkRegion &region, const RegionNodes &nodes, const ValueUses &uses)
    : m_from(std::move(program)),
      m_region(region),
      m_nodes(nodes),
      m_uses(uses),
      m_program(withoutNodes(m_from)),
      m_builder(m_program)
{
    // The names of the region's nodes are free again.
    for (std::size_t n = 0; n < m_from.nodes.size(); ++n)
        if (!nodes.contains(NodeId(n))) m_builder.freeNodeName(m_from.nodes[n].name);
}

Expected<Program> RegionWriter::write(const std::vector<NodeGroup> &groups)
{
    for (const NodeGroup &group : groups) {
        if (group.inPieces)
            writeGroup(group);
        else
            m_program.nodes.push_back(std::move(m_from.nodes[group.nodes.front().index()])); // nobody asks for it again
    }
    if (!m_failure.empty()) return fail(m_failure);
    return std::move(m_program);
}

void RegionWriter::writeGroup(const NodeGroup &group)
{
    for (int chunk = 0; chunk < m_region.k; ++chunk) {
        for (const NodeId id : group.nodes)
            writeCopy(id, chunk);
    }
    for (const NodeId id : group.nodes) {
        const Node &node = m_from.nodes[id.index()];
        const Mode &mode = m_nodes.at(id);
        for (std::size_t o = 0; o < node.outputs.size(); ++o)
            if (node.outputs[o] && mode.outs[o] >= 0 && readOutside(node.outputs[o]))
                join(node, node.outputs[o], mode.outs[o]);
    }
}

bool RegionWriter::readOutside(ValueId id) const
{
    const std::vector<NodeId> &readers = m_uses.readers[id.index()];
    return m_uses.isOutput[id.index()] ||
           std::any_of(readers.begin(), readers.end(), [&](NodeId reader) { return !m_nodes.contains(reader); });
}

bool RegionWriter::addsWiden(ValueId sum) const
{
    return addsInFloat32(m_region, m_from.value(sum).dtype);
}

void RegionWriter::writeCopy(NodeId id, int chunk)
{
    const Node &node = m_from.nodes[id.index()];
    const Mode &mode = m_nodes.at(id);
    Node copy = node;
    const bool inBlocks = isInBlocks(node, mode);
    if (!inBlocks) copy.name = m_builder.freeNodeName(numbered(node.name, chunk));
    std::size_t tensor = 0;
    const auto replace = [&](ValueId &read) {
        if (!read) return;
        if (const int cut = mode.ins[tensor++]; cut >= 0) read = pieceOf(node, read, cut, chunk);
    };
    for (NamedArgument &argument : copy.arguments) {
        if (auto *one = std::get_if<ValueId>(&argument.value)) replace(*one);
        if (auto *list = std::get_if<std::vector<ValueId>>(&argument.value))
            std::for_each(list->begin(), list->end(), replace);
    }
    for (std::size_t o = 0; o < node.outputs.size(); ++o)
        if (node.outputs[o]) addOutput(node, mode, o, chunk, copy);
    if (const SizeArgument *sized = sizeArgumentOf(node); sized && copy.outputs[sized->output]) {
        for (NamedArgument &argument : copy.arguments)
            if (argument.name == sized->argument && std::holds_alternative<std::vector<std::int64_t>>(argument.value))
                argument.value = m_builder.value(copy.outputs[sized->output]).sizes;
    }
    const bool named = std::any_of(m_nodes.begin(), m_nodes.end(), [&](const auto &entry) {
        return m_from.nodes[entry.first.index()].name == node.forwardNode;
    });
    if (named) copy.forwardNode = numbered(node.forwardNode, chunk);
    if (inBlocks) return writeBlocks(node, copy, chunk);
    // A running product: what is there plus this piece's, in one call.
    const ValueId first = node.outputs.empty() ? ValueId() : node.outputs[0];
    const bool product = isProduct(node) && mode.outs[0] == kSum;
    const bool fused = product && !addsWiden(first);
    if (product && chunk > 0) {
        // What is added to a product is in the first piece.
        const std::size_t factors = node.opName == "aten::mm" ? 0 : 1;
        const Argument left = copy.arguments[factors].value, right = copy.arguments[factors + 1].value;
        copy.opName = fused ? "aten::addmm" : "aten::mm";
        copy.overload.clear();
        if (fused)
            copy.arguments = {{"self", m_sums.at(first), false}, {"mat1", left, false}, {"mat2", right, false}};
        else
            copy.arguments = {{"self", left, false}, {"mat2", right, false}};
    }
    const std::vector<ValueId> parts = copy.outputs;
    m_program.nodes.push_back(std::move(copy));
    for (std::size_t o = 0; o < node.outputs.size(); ++o) {
        if (!node.outputs[o] || mode.outs[o] != kSum || !isRead(node.outputs[o])) continue;
        if (fused)
            m_sums[first] = parts[0];
        else
            addUp(node, node.outputs[o], parts[o], chunk);
    }
}

void RegionWriter::addOutput(const Node &node, const Mode &mode, std::size_t output, int chunk, Node &copy)
{
    const ValueId id = node.outputs[output];
    const Value &whole = m_from.value(id);
    const int cut = mode.outs[output];
    const bool last = chunk == m_region.k - 1;
    const bool keepsName = (cut == kWhole && chunk == 0) || (cut == kSum && last && isProduct(node) && !addsWiden(id));
    if (keepsName || isInBlocks(node, mode)) return;
    Sizes sizes = whole.sizes;
    if (cut >= 0) sizes = pieceSizes(sizes, *cutsOf(sizes, cut, m_region.k), chunk);
    const ValueId piece = m_builder.add(numbered(whole.name, chunk), whole.dtype, sizes);
    Value &made = m_builder.value(piece);
    made.strides = stridesLike(whole, sizes);
    made.device = whole.device;
    if (whole.aliasOf) {
        const std::vector<ValueId> before = tensorsRead(node), now = tensorsRead(copy);
        const auto source = std::find(before.begin(), before.end(), whole.aliasOf);
        if (source != before.end()) made.aliasOf = now[static_cast<std::size_t>(source - before.begin())];
    }
    copy.outputs[output] = piece;
    if (cut >= 0) m_copies[{id, chunk}] = piece;
}

void RegionWriter::addUp(const Node &node, ValueId sum, ValueId part, int chunk)
{
    const Value whole = m_from.value(sum);
    if (m_region.k >= kFewestNumbers && elementCount(whole) == 1 && !whole.aliasOf) {
        addNumber(node, sum, part, chunk);
        return;
    }
    const bool last = chunk == m_region.k - 1, widened = addsWiden(sum);
    const DType type = widened ? DType::Float32 : whole.dtype;
    const auto named = [&](const std::string &name) {
        const ValueId id = m_builder.add(numbered(name, chunk), type, whole.sizes);
        m_builder.value(id).device = whole.device;
        return id;
    };
    if (chunk == 0) {
        m_sums[sum] = part;
        if (!widened) return;
        m_sums[sum] = named(whole.name + "_added");
        m_builder.call(node, "aten::_to_copy", "", {{"self", part, false}, {"dtype", type, true}}, m_sums[sum]);
        return;
    }
    const ValueId next = last && !widened ? sum : named(whole.name + "_added");
    m_builder.call(node, "aten::add", "Tensor", {{"self", m_sums[sum], false}, {"other", part, false}}, next);
    m_sums[sum] = next;
    if (last && widened)
        m_builder.call(node, "aten::_to_copy", "", {{"self", next, false}, {"dtype", whole.dtype, true}}, sum);
}

void RegionWriter::addNumber(const Node &node, ValueId sum, ValueId part, int chunk)
{
    std::vector<ValueId> &numbers = m_numbers[sum];
    numbers.push_back(part);
    if (chunk < m_region.k - 1) return;
    const Value whole = m_from.value(sum);
    Sizes sizes = whole.sizes;
    sizes.insert(sizes.begin(), m_region.k);
    const ValueId all = m_builder.add(whole.name + "_numbers", whole.dtype, sizes);
    m_builder.value(all).device = whole.device;
    m_builder.call(node, "aten::stack", "", {{"tensors", numbers, false}, {"dim", std::int64_t(0), false}}, all);
    m_builder.call(node, "aten::sum", "dim_IntList",
                   {{"self", all, false},
                    {"dim", std::vector<std::int64_t>{0}, false},
                    {"keepdim", false, false},
                    {"dtype", whole.dtype, true}},
                   sum);
}

/// A sum in float32 with a part of the same shape beside it is three times the gradient. In blocks of rows each part is
/// a fraction of it, and each block becomes half-precision again before the next does.
bool RegionWriter::isInBlocks(const Node &node, const Mode &mode) const
{
    if (node.opName != "aten::mm" || mode.outs[0] != kSum || !isRead(node.outputs[0])) return false;
    const Value &whole = m_from.value(node.outputs[0]);
    return m_region.k >= kFewestPiecesForBlocks && addsWiden(node.outputs[0]) && whole.sizes[0] >= kRowBlocks &&
           extentBytes(whole) >= kLeastInBlocks && whole.strides == denseStrides(whole.sizes) && !whole.aliasOf;
}

void RegionWriter::writeBlocks(const Node &node, const Node &copy, int chunk)
{
    const ValueId id = node.outputs[0];
    const Value whole = m_from.value(id);
    const ValueId left = std::get<ValueId>(copy.arguments[0].value);
    const bool last = chunk == m_region.k - 1;
    std::vector<ValueId> &sums = m_blocks[id];
    sums.resize(kRowBlocks);
    const std::vector<Cut> rows{{.dim = 0, .parts = kRowBlocks}};
    for (int block = 0; block < kRowBlocks; ++block) {
        const DimRange range = rangesOf(whole.sizes, rows, block).front();
        const Sizes sizes = pieceSizes(whole.sizes, rows, block);
        const auto made = [&](const std::string &suffix, DType type) {
            const ValueId value = m_builder.add(numbered(whole.name + suffix, chunk), type, sizes);
            m_builder.value(value).device = whole.device;
            return value;
        };
        const Value from = m_builder.value(left);
        Sizes shown = from.sizes;
        shown[0] = range.end - range.begin;
        const ValueId slice = m_builder.addView(numbered(from.name, chunk), left, shown, from.strides);
        m_builder.value(slice).storageOffset = from.storageOffset + range.begin * from.strides[0];
        m_builder.call(node, "aten::slice", "Tensor",
                       {{"self", left, false},
                        {"dim", std::int64_t(0), false},
                        {"start", range.begin, false},
                        {"end", range.end, false}},
                       slice);
        const ValueId part = made("", whole.dtype);
        m_builder.call(node, "aten::mm", "", {{"self", slice, false}, copy.arguments[1]}, part);
        ValueId &sum = sums[static_cast<std::size_t>(block)];
        const ValueId next = made("_added", DType::Float32);
        if (chunk == 0)
            m_builder.call(node, "aten::_to_copy", "", {{"self", part, false}, {"dtype", DType::Float32, true}}, next);
        else
            m_builder.call(node, "aten::add", "Tensor", {{"self", sum, false}, {"other", part, false}}, next);
        sum = next;
    }
    if (!last) return;
    for (ValueId &sum : sums) {
        const ValueId narrow = m_builder.add(whole.name + "_rows", whole.dtype, m_builder.value(sum).sizes);
        m_builder.value(narrow).device = whole.device;
        m_builder.call(node, "aten::_to_copy", "", {{"self", sum, false}, {"dtype", whole.dtype, true}}, narrow);
        sum = narrow;
    }
    m_builder.call(node, "aten::cat", "", {{"tensors", sums, false}, {"dim", std::int64_t(0), false}}, id);
}

ValueId RegionWriter::pieceOf(const Node &reader, ValueId value, int cut, int chunk)
{
    const auto copy = m_copies.find({value, chunk});
    return copy != m_copies.end() ? copy->second : sliceOf(reader, value, cut, chunk);
}

ValueId RegionWriter::sliceOf(const Node &reader, ValueId value, int cut, int chunk)
{
    const Value whole = m_from.value(value);
    const std::vector<Cut> cuts = *cutsOf(whole.sizes, cut, m_region.k);
    const bool copied = !takesGaps(reader) && isDense(whole) && !piecesAreDense(whole, cuts);
    ValueId &made = m_slices[{value, copied ? -1 - cut : cut, chunk}];
    if (made) return made;
    made = value;
    Sizes sizes = whole.sizes;
    for (const DimRange &range : rangesOf(whole.sizes, cuts, chunk)) {
        sizes[static_cast<std::size_t>(range.dim)] = range.end - range.begin;
        const ValueId slice = m_builder.addView(numbered(whole.name, chunk), made, sizes, whole.strides);
        const std::int64_t offset = m_builder.value(made).storageOffset;
        m_builder.value(slice).storageOffset =
            offset + range.begin * whole.strides[static_cast<std::size_t>(range.dim)];
        m_builder.call(reader, "aten::slice", "Tensor",
                       {{"self", made, false},
                        {"dim", std::int64_t(range.dim), false},
                        {"start", range.begin, false},
                        {"end", range.end, false}},
                       slice);
        made = slice;
    }
    // Kernels exist that take a piece with gaps for one without, and say nothing.
    if (copied) {
        const ValueId dense = m_builder.add(numbered(whole.name, chunk), whole.dtype, sizes);
        m_builder.value(dense).device = whole.device;
        m_builder.call(reader, "aten::clone", "",
                       {{"self", made, false}, {"memory_format", MemoryFormatArg{"ContiguousFormat"}, true}}, dense);
        made = dense;
    }
    return made;
}

void RegionWriter::join(const Node &node, ValueId whole, int cut)
{
    const Value value = m_from.value(whole);
    const std::vector<Cut> cuts = *cutsOf(value.sizes, cut, m_region.k);
    const std::vector<std::size_t> order = memoryOrder(value);
    const bool turned = !std::is_sorted(order.begin(), order.end());
    const int first = cuts.front().dim, last = cuts.back().dim;
    const bool folded = cuts.size() > 1;
    if (!isDense(value) || (turned && folded)) {
        m_failure = fmt::format("The chunks would join {}, whose elements lie in memory in a way that joined pieces "
                                "cannot have. Plan without that region.",
                                quotedName(value.name));
        return;
    }
    std::vector<ValueId> pieces;
    for (int chunk = 0; chunk < m_region.k; ++chunk) {
        const ValueId piece = m_copies.at({whole, chunk});
        const Sizes sizes = m_builder.value(piece).sizes;
        const std::vector<std::int64_t> strides = m_builder.value(piece).strides;
        ValueId shown = piece;
        if (turned) {
            shown =
                m_builder.addView(numbered(value.name, chunk), piece, permuted(sizes, order), permuted(strides, order));
            m_builder.call(node, "aten::permute", "", {{"self", piece, false}, {"dims", asIntegers(order), false}},
                           shown);
        } else if (folded) {
            const Sizes flat = merged(sizes, first, last);
            shown = m_builder.addView(numbered(value.name, chunk), piece, flat, denseStrides(flat));
            m_builder.call(node, "aten::view", "", {{"self", piece, false}, {"size", flat, false}}, shown);
        }
        pieces.push_back(shown);
    }
    const Sizes joined = turned   ? permuted(value.sizes, order)
                         : folded ? merged(value.sizes, first, last)
                                  : value.sizes;
    const auto at = turned ? std::find(order.begin(), order.end(), static_cast<std::size_t>(first)) - order.begin()
                           : std::ptrdiff_t(first);
    const ValueId all = turned || folded ? m_builder.add(value.name + "_joined", value.dtype, joined) : whole;
    m_builder.value(all).device = value.device;
    m_builder.value(all).aliasOf = ValueId();
    m_builder.value(all).storageOffset = 0;
    m_builder.call(node, "aten::cat", "", {{"tensors", pieces, false}, {"dim", std::int64_t(at), false}}, all);
    if (all == whole) return;
    m_builder.value(whole).aliasOf = all;
    m_builder.value(whole).storageOffset = 0;
    m_builder.value(whole).strides = stridesLike(value, value.sizes);
    if (turned) {
        std::vector<std::size_t> back(order.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            back[order[i]] = i;
        m_builder.call(node, "aten::permute", "", {{"self", all, false}, {"dims", asIntegers(back), false}}, whole);
    } else {
        m_builder.call(node, "aten::view", "", {{"self", all, false}, {"size", value.sizes, false}}, whole);
    }
}

} // namespace remat
