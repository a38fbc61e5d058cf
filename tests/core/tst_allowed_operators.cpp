// SPDX-License-Identifier: Apache-2.0
// Only operators that compute on tensors run, and all that traces are made of do.
#include "core/graph/allowed_operators.h"
#include "tests/support/graphs.h"

#include <set>

using namespace remat;

namespace {

const std::vector<std::pair<std::string, std::string>> kLines = {
#define REMAT_ALLOWED(name, overloads) {name, overloads},
#include "core/graph/allowed_operators.inc"

#include <QtTest>
#undef REMAT_ALLOWED
};

} // namespace

class TestAllowedOperators : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyTraceOfTheTreeMayRun()
    {
        std::set<std::string> seen;
        int traces = 0;
        for (const char *folder : {REMAT_SAMPLES, REMAT_TEST_DATA "/traces"}) {
            for (const QFileInfo &file : QDir(folder).entryInfoList({"*.pt2"}, QDir::Files)) {
                const Expected<Model> model = readModel(file.filePath().toStdString());
                QVERIFY2(model && model->program, qPrintable(file.filePath()));
                const Expected<void> allowed = checkOperators(*model->program);
                QVERIFY2(allowed, allowed ? "" : allowed.error().message.c_str());
                for (const Node &node : model->program->nodes)
                    seen.insert(operatorText(node));
                ++traces;
            }
        }
        QVERIFY(traces >= 10);
        QVERIFY(seen.size() > 50);
    }

    void everyLineOfTheListIsFound()
    {
        // The search rests on the order of the list.
        std::string previous;
        for (const auto &[name, overloads] : kLines) {
            QVERIFY2(previous < name, name.c_str());
            QVERIFY2(isAllowedOperator(name, overloads.substr(0, overloads.find(' '))), name.c_str());
            QVERIFY2(isAllowedOperator(name, overloads.substr(overloads.rfind(' ') + 1)), name.c_str());
            previous = name;
        }
        QVERIFY(kLines.size() > 1000);
    }

    void whatIsNoComputationIsRefused_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("overload");
        const auto add = [](const char *name, const char *overload) {
            QTest::newRow((std::string(name) + "." + overload).c_str()) << name << overload;
        };
        add("aten::from_file", ""); // maps a file of the archive's choosing
        add("aten::from_file", "out");
        add("aten::save", ""); // an operator of TorchScript
        add("aten::_print", "");
        add("aten::warn", "");
        add("aten::_assert_async", "msg");
        add("aten::_debug_has_internal_overlap", "");
        add("aten::add", "out");  // writes to a tensor that is no argument of the graph
        add("aten::add", "");     // there is no such overload
        add("aten::resize_", ""); // another storage behind a tensor
        add("aten::set_", "source_Storage");
        add("aten::set_", "source_Tensor_storage_offset");
        add("aten::record_stream", "");
        add("aten::_reshape_alias", ""); // takes strides without a look at the storage
        add("aten::_nested_view_from_buffer", "");
        add("aten::_sparse_csr_tensor_unsafe", "");
        add("prim::Print", "");
        add("c10d::broadcast_", "");
        add("_c10d_functional::all_reduce", "");
        add("profiler::_record_function_enter", "");
        add("quantized::linear", "");
        add("symm_mem::one_shot_all_reduce", "");
        add("aten", "");
        add("", "");
    }

    void whatIsNoComputationIsRefused()
    {
        QFETCH(QString, name);
        QFETCH(QString, overload);
        QVERIFY(!isAllowedOperator(name.toStdString(), overload.toStdString()));
    }

    void nothingInTheListNamesFilesOrProcesses()
    {
        for (const auto &[name, overloads] : kLines) {
            QVERIFY2(name.starts_with("aten::"), name.c_str());
            for (const char *part : {"file", "print", "save", "load", "rpc", "sleep", "resize", "assert", "stream"})
                QVERIFY2(name.find(part) == std::string::npos, name.c_str());
            QVERIFY2((" " + overloads + " ").find(" out ") == std::string::npos, name.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestAllowedOperators)
#include "tst_allowed_operators.moc"
