// SPDX-License-Identifier: Apache-2.0
// The parts of `models/model.json` (torch.export's schema, major version 8): tensors, arguments, what nodes carry.
#pragma once

#include "core/graph/program.h"
#include "core/io/archive_data.h"
#include "core/io/json_cursor.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace remat {

/// The values that are made so far, by name. Every name that is looked up must be there: the order is checked by it.
class ValueTable
{
public:
    /// `tensors` is the graph's `tensor_values`.
    ValueTable(Program &program, const JsonCursor &tensors);

    /// Makes the value whose name stands at `name`, from its entry in `tensor_values`.
    ValueId make(const JsonCursor &name);
    /// The value whose name stands at `name`; it must be made already.
    ValueId known(const JsonCursor &name) const;
    /// Likewise by a name alone; none when it is not made.
    ValueId find(const std::string &name) const;

private:
    Program &m_program;
    std::unordered_map<std::string, JsonCursor> m_tensors;
    std::unordered_map<std::string, ValueId> m_made;
};

/// Sizes, strides, type and device of a `TensorMeta`. Fails on symbolic sizes, sparse layouts and impossible sizes.
Value readTensor(const JsonCursor &meta);

/// One argument of a node.
Argument readArgument(const JsonCursor &argument, const ValueTable &values);

/// `torch.ops.aten.add.Tensor` -> `aten::add`, `Tensor`.
std::pair<std::string, std::string> readTarget(const JsonCursor &target);

/// What the tracer wrote into a node: `metadata["custom"]["remat"]`; false when there is nothing.
JsonCursor findRecord(const JsonCursor &node);

/// Phase, module, twin, randomness and source of a node, from its record or, without one, from PyTorch's own metadata
/// (then the phase is left as Forward).
void readMetadata(const JsonCursor &node, const JsonCursor &record, Node &result);

/// What other tracers may say in `metadata["custom"]`: `phase`, `seq_nr`. False when the phase is not said.
bool readForeignRecord(const JsonCursor &node, Node &result);

/// `models/model.json` of an archive, as JSON; `title` names the file in sentences.
Expected<JsonDocument> parseModel(ArchiveData &archive, const std::string &title);

/// An entry of the archive as JSON, within the archive's room.
Expected<JsonDocument> parseEntry(ArchiveData &archive, const std::string &entry, const std::string &title);

/// Sets `archivePath` of the inputs whose bytes `folder` (`data/weights/` or `data/constants/`) holds as their values
/// need them. What is pickled, left out or laid out in another way is passed over; what is cut off is a failure.
Expected<void> readPayloads(ArchiveData &archive, const std::string &folder, const std::string &title,
                            Program &program);

} // namespace remat
