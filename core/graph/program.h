// SPDX-License-Identifier: Apache-2.0
// The executable side of a trace: every node with its arguments, as the archive has it. Only traces from PyTorch have
// one; the interpreter runs it, the cost model reads shapes from it.
#pragma once

#include "core/base/ids.h"
#include "core/graph/graph.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace remat {

enum class DType : std::uint8_t {
    UInt8,
    Int8,
    Int16,
    Int32,
    Int64,
    Float16,
    Float32,
    Float64,
    ComplexHalf,
    ComplexFloat,
    ComplexDouble,
    Bool,
    BFloat16,
    UInt16,
    Float8e4m3fn,
    Float8e5m2,
    Float8e4m3fnuz,
    Float8e5m2fnuz
};

/// Bytes of one element.
std::int64_t itemSize(DType type);
/// `f32`, `bf16`, `i64`, `bool`, …
const char *shortName(DType type);
/// `float32`, `bfloat16`, …: PyTorch's own name, as device files key their peak FLOP/s.
const char *longName(DType type);
/// The type of that long name; none where PyTorch has no such type.
std::optional<DType> typeNamed(std::string_view longName);

/// A tensor of the trace. Sizes and strides in elements.
struct Value {
    std::string name;
    DType dtype = DType::Float32;
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> strides;
    std::int64_t storageOffset = 0;
    std::string device = "cpu";
    ValueId aliasOf; ///< the value it is a view of (directly); none when it has storage of its own
    StorageId storage;
};

/// Elements of the tensor (product of sizes).
std::int64_t elementCount(const Value &value);
/// Bytes from the first to the last element, by sizes and strides.
std::int64_t extentBytes(const Value &value);

struct NoneArg {
};
struct LayoutArg {
    std::string name;
}; ///< `Strided`, …
struct MemoryFormatArg {
    std::string name;
}; ///< `ContiguousFormat`, `PreserveFormat`, `ChannelsLast`, …
struct DeviceArg {
    std::string name;
}; ///< `cpu`, `cuda:0`

/// One argument of a node. A list of tensors may hold "none" (an invalid ValueId).
using Argument = std::variant<NoneArg, ValueId, std::vector<ValueId>, std::int64_t, std::vector<std::int64_t>, double,
                              std::vector<double>, bool, std::vector<bool>, std::string, std::vector<std::string>,
                              DType, LayoutArg, MemoryFormatArg, DeviceArg>;

struct NamedArgument {
    std::string name; ///< the schema's argument name
    Argument value;
    bool keyword = false;
};

/// One node of the archive: `torch.ops.aten.addmm.default` and what it is called with.
struct Node {
    std::string name;     ///< name of its first output, or of the node
    std::string opName;   ///< `aten::addmm`
    std::string overload; ///< `` for default, `int`, `Tensor`, …
    std::vector<NamedArgument> arguments;
    /// In schema order, lists of tensors taken apart; an unused output is a Value all the same, one that the call
    /// leaves out (a gradient that its output_mask turns off) is an invalid id.
    std::vector<ValueId> outputs;
    bool listOutput = false; ///< the schema returns one list of tensors (split, unbind), `outputs` are its items
    std::vector<std::string> mutates; ///< names of the inputs it writes to; empty for functional ops
    Phase phase = Phase::Forward;
    std::string module, moduleClass, source;
    std::string forwardNode; ///< for a backward node the name of its forward twin; may be empty
    std::int64_t sequence = -1;
    bool random = false;
    OpId op; ///< op in the graph; none for nodes that only make views
};

/// How an input without data is made up, so that a trace without its data can still be run.
struct InputRecipe {
    std::optional<std::pair<std::int64_t, std::int64_t>> integerRange; ///< half-open
    double mean = 0, std = 1;
    std::optional<double> min, max;
};

struct ProgramInput {
    ValueId value;
    StorageKind kind = StorageKind::Input;
    std::string fqn; ///< `transformer.wte.weight` for parameters and buffers
    InputRecipe recipe;
    /// Where its bytes lie in the archive (`data/weights/weight_3`), laid out as the value's sizes and strides say;
    /// empty when the archive has none.
    std::string archivePath;
};

/// The last two are of steps that hold updates (gpu/updated_model.h); no trace has them.
enum class OutputKind { Loss, ParameterGradient, InputGradient, BufferMutation, Other, UpdatedParameter, UpdatedState };

struct ProgramOutput {
    ValueId value;
    OutputKind kind = OutputKind::Other;
    std::string target; ///< the parameter, buffer or input it belongs to
};

/// A trace from PyTorch, in execution order.
struct Program {
    std::string name;
    std::string torchVersion;
    std::string traceDevice = "cpu";
    std::string lacks; ///< a sentence about what the trace does not say; empty for those of our tracer
    std::vector<Value> values;
    std::vector<Node> nodes;
    std::vector<ProgramInput> inputs;
    std::vector<ProgramOutput> outputs;

    const Value &value(ValueId id) const { return values[id.index()]; }
};

} // namespace remat
