// SPDX-License-Identifier: Apache-2.0
// The training graph that planners see: ops and storages, nothing of PyTorch.
#pragma once

#include "core/base/expected.h"
#include "core/base/ids.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace remat {

enum class Phase { Forward, Loss, Backward };

/// What a storage holds. The first four and states (of the optimizer) are resident: always there, never planned, not
/// part of dynamic memory, unless parameters are planned (`withPlannedParameters`). Fingerprints hold the numbers.
enum class StorageKind { Parameter, Buffer, Constant, Input, Activation, Gradient, ParameterGradient, State };

constexpr bool isResident(StorageKind kind)
{
    return kind <= StorageKind::Input || kind == StorageKind::State;
}

/// A block of memory; several tensors (views) may share one. Named after the tensor that made it.
struct Storage {
    std::string name;
    std::int64_t bytes = 0; ///< extent, rounded up to 512 for graphs from PyTorch, as it stands for graphs from JSON
    StorageKind kind = StorageKind::Activation;
    OpId producer; ///< none for resident storages
    /// Loss, gradient or new buffer value: held at the end of every plan. A gradient that an update reads is none.
    bool isOutput = false;
    bool plannedParameter = false; ///< set by `withPlannedParameters` only
    std::string type;              ///< for people: `f32[8,512,768]`; empty when unknown
};

/// What an op asks of a device, for graphs that have no operators to count it from.
struct GivenWork {
    double flops = 0;       ///< floating-point operations
    std::string dtype;      ///< PyTorch's name, `bfloat16`: at which of the device's rates; empty is its default
    double movedBytes = -1; ///< read and written; negative is all that the op reads and makes
    double launches = 1;    ///< kernels that are started; less where ops share one
};

/// One operator call of the joint graph. Views are not ops.
struct Op {
    std::string name;               ///< the node's name in the archive, unique in the graph
    std::string kind;               ///< for people: `addmm`
    std::vector<StorageId> inputs;  ///< distinct storages it reads, resident ones included
    std::vector<StorageId> outputs; ///< storages it makes, never resident
    Phase phase = Phase::Forward;
    std::string module;              ///< path as the user wrote it: `transformer.h.0.attn.c_attn`; may be empty, and
                                     ///< ends at level `kMaxModuleLevels`
    std::string moduleClass;         ///< `Conv1D`; may be empty
    OpId forwardOp;                  ///< for a backward op, the forward op it belongs to; may be none
    std::int64_t sequence = -1;      ///< autograd's number that pairs backward with forward; -1 when unknown
    bool random = false;             ///< draws random numbers; gives the same bits at each computation
    bool computeOnce = false;        ///< mutates an input or is a collective: may be computed only once; updates too
    double timeUs = -1;              ///< as given by a JSON graph; negative when the cost model must say
    std::optional<GivenWork> work;   ///< as given by a JSON graph that leaves the time to the device
    std::int64_t workspaceBytes = 0; ///< as given by a JSON graph
    std::string source;              ///< `model.py:41  x = self.fc(x)`; may be empty
    NodeId node;                     ///< in the Program this graph was made from; none for JSON graphs
    /// Parameters and states among its inputs that it writes in place. An op that names them writes nothing else that
    /// was there before. Whoever reads them before it in the graph reads them as they were.
    std::vector<StorageId> updates;
    /// An update on the CPU: it reads and writes in host memory, makes no storage, and runs beside the device.
    bool onHost = false;
    /// A sum in place: the storage among its inputs that it adds to, made by an op before it and not resident. Such an
    /// op makes no storage and is computed once per life of that one. Ops before it in the graph read the storage as it
    /// was, ops after it as it is then.
    StorageId into;
};

/// The op may change what it finds in this one of its inputs: it says that it updates it, or it may be computed only
/// once and does not say what it writes.
bool mayWrite(const Op &op, StorageId input);

/// Joint forward + backward graph. Ops stand in the order of first computations, which is a valid order.
struct Graph {
    std::string name;
    std::vector<Op> ops;
    std::vector<Storage> storages;
    std::string fingerprint;        ///< covers structure and sizes, not names; set by finishGraph()
    bool parametersPlanned = false; ///< made by `withPlannedParameters`

    const Op &op(OpId id) const { return ops[id.index()]; }
    const Storage &storage(StorageId id) const { return storages[id.index()]; }
    /// Counts into dynamic memory and may be freed, offloaded and prefetched.
    bool planned(StorageId id) const { return storage(id).plannedParameter || !isResident(storage(id).kind); }
    /// Stays to the end of a plan that copies nothing: outputs of the graph, and planned parameters.
    bool keptToEnd(StorageId id) const
    {
        return storage(id).plannedParameter || (storage(id).isOutput && !isResident(storage(id).kind));
    }
};

/// Longest name of an op, a kind or a storage, in bytes; PyTorch's have some dozens. What has a longer one is refused.
constexpr std::size_t kMaxNameBytes = 1000;
/// What is only shown is cut instead. Python ends at 1,000 nested calls, of which each module takes three; real models
/// have less than 20 levels of modules.
constexpr std::size_t kMaxModuleLevels = 64, kMaxModuleBytes = 2000, kMaxSourceBytes = 300;

/// Every reader ends with this: checks the invariants (ids in range, every storage made once and before it is read,
/// unique names of sane length, sizes not negative, total of all sizes below 2^62, updates of parameters and states
/// that the op reads), cuts module paths to `kMaxModuleLevels`, lets gradients that an update reads be no outputs, and
/// sets the fingerprint. O(graph).
Expected<Graph> finishGraph(Graph graph);

/// Hex digest of the graph's structure and sizes, independent of names. O(graph).
std::string graphFingerprint(const Graph &graph);

/// The same graph with its parameters and optimizer states counted into dynamic memory and free to leave the device,
/// for plans that offload weights. The fingerprint stays: a plan says by itself that parameters are planned
/// (`Plan::parametersPlanned`).
///
/// A plan is one iteration of a training loop, so each planned parameter ends where it begins. It begins in host memory
/// when the plan's first step on it is a prefetch, and on the device otherwise; on the device it counts from before the
/// first step. Where no op of the graph writes to it (the optimizer runs between iterations), the copy in host memory
/// is whole at all times: it may be freed without an offload and prefetched at any time, and an offload, which is
/// allowed, only copies the same bytes once more. An op that updates it leaves one whole copy, the one that it wrote
/// to: on the device, which may be freed after an offload and not before, or for an op on the host in host memory, of
/// which the copy on the device is then stale. What begins on the device begins with a whole copy in host memory, too,
/// when it ends with one. Everything else follows the rules of all storages.
///
/// Resident as before stay: parameters that no op on the device reads (states of updates on the host stay there), that
/// are outputs of the graph, and that an op may write to without saying so (`mayWrite`); and everything that is neither
/// parameter nor state (running statistics are buffers). Idempotent. O(graph).
Graph withPlannedParameters(Graph graph);

/// For each storage the ops that read it, in graph order. O(graph).
std::vector<std::vector<OpId>> readersOf(const Graph &graph);

} // namespace remat
