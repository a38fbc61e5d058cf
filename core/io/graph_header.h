// SPDX-License-Identifier: Apache-2.0
// What plans and profiles share: the format's name, the graph they are for, one line an entry.
#pragma once

#include "core/graph/graph.h"
#include "core/io/json_cursor.h"

namespace remat {

/// Marks the document when its `format` is not `wanted`; of a newer version of it the sentence says which program wrote
/// the file (`written_by`) and that this one is older. `what` is for the sentence: `a plan`. Members that a reader does
/// not know are passed over: what changes the meaning of a file raises the format's number.
void checkFormat(const JsonCursor &root, const char *wanted, const char *what);

/// Marks the document when `header` is not that of `graph`, which goes by `fingerprint`, with a sentence that names
/// both graphs and ends with `advice`. `what` is `plan` or `profile`.
void checkGraphHeader(const JsonCursor &header, const Graph &graph, const std::string &fingerprint,
                      const std::string &what, const std::string &advice);

/// `{"name": …, "fingerprint": …, "ops": …}`
nlohmann::ordered_json graphHeader(const Graph &graph, const std::string &fingerprint);

/// The text of a file: the members of `head` and then the list `key`, one line each, since such files are read and
/// compared by people too.
std::string linesOf(const nlohmann::ordered_json &head, const std::string &key,
                    const std::vector<nlohmann::ordered_json> &list);

} // namespace remat
