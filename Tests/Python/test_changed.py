"""Tests of script/test --changed: a change leads to the tests of its target and of those above, and to no others."""

import unittest

import changed


def target(name, *uses, kind="regular", plugin=None, path=None):
    return {"name": name, "type": kind, "path": path, "dependencies": [{"byName": [one, None]} for one in uses],
            "pluginUsages": [{"plugin": [plugin, None]}] if plugin else None}


TARGETS = changed.Targets({"targets": [
    target("Client"), target("Rules"), target("SubTrackSQL", plugin="Embed"), target("embed", kind="executable", path="Plugins/embed"),
    target("Embed", "embed", kind="plugin"),
    target("Service", "Client", "Rules", "SubTrackSQL"), target("SubTrackTestSupport", "Service", "Client"),
    target("ClientTests", "Client", "SubTrackTestSupport", kind="test"), target("RulesTests", "Rules", kind="test"),
    target("ServiceTests", "Service", "SubTrackTestSupport", kind="test"),
]})


class Concerned(unittest.TestCase):
    def of(self, *files):
        return changed.concerned(list(files), TARGETS)

    def test_targets_above_are_tested(self):
        self.assertEqual(self.of("Sources/Rules/Money.swift"), [r"RulesTests\.", r"ServiceTests\."])
        self.assertEqual(self.of("Sources/Client/Pool.swift"), [r"ClientTests\.", r"ServiceTests\."])

    def test_targets_below_and_beside_are_not(self):
        self.assertEqual(self.of("Sources/Service/Sync/Pull.swift"), [r"ServiceTests\."])

    def test_all_tests_know_the_support(self):
        self.assertEqual(self.of("Sources/SubTrackTestSupport/Eventually.swift"), [r"ClientTests\.", r"ServiceTests\."])

    def test_compiled_files_and_their_tool_belong_to_the_target(self):
        self.assertEqual(self.of("sql/tenant/0001.sql"), [r"ServiceTests\."])
        self.assertEqual(self.of("Plugins/embed/main.swift"), [r"ServiceTests\."])

    def test_an_area_is_tested_by_its_own_suites_and_the_contract(self):
        found = self.of("Sources/SubTrackServer/Contacts/ContactsArea.swift")
        self.assertIn(r"SubTrackServerTests\.ContactMergeTests/", found)
        self.assertIn(r"SubTrackServerTests\.OpenAPITests/", found)
        self.assertNotIn(r"SubTrackServerTests\.AccountTests/", found)
        self.assertIsNone(changed.area("Sources/SubTrackServer/Sync/PushedChange.swift"))

    def test_a_page_is_tested_by_its_stories(self):
        self.assertEqual(changed.web_tests(["web/js/pages/import.js", "docs/api/errors.md"]), ["Tests/Web/test_import.py", "Tests/Web/test_types.py"])
        self.assertIn("Tests/Web/test_contacts.py", changed.web_tests(["web/js/pages/contacts/list.js"]))
        self.assertEqual(changed.web_tests(["web/js/pages/calendar.js"]), [changed.STORIES, "Tests/Web/test_types.py"])
        self.assertEqual(changed.web_tests(["Tests/Web/test_mail.py"]), ["Tests/Web/test_mail.py"])
        self.assertIsNone(changed.web_tests(["web/js/pages/import.js", "web/js/data/sync.js"]))

    def test_the_package_concerns_all(self):
        self.assertEqual(self.of("Package.swift"), [r"ClientTests\.", r"RulesTests\.", r"ServiceTests\."])

    def test_a_file_without_a_target_concerns_none(self):
        self.assertEqual(self.of("script/bench", "README.md"), [])

    def test_pages_are_read_by_their_suites(self):
        self.assertIn(r"SubTrackServerTests\.DocumentationTests/", self.of("docs/api/errors.md"))

    def test_a_suite_runs_alone_where_it_alone_has_changed(self):
        here = "Tests/SubTrackCoreTests/"
        self.assertEqual(changed.suites([here + "MoneyTests.swift"], "SubTrackCoreTests"), [r"SubTrackCoreTests\.MoneyTests/"])
        self.assertEqual(changed.suites([here + "MoneyTests.swift", here + "Support.swift"], "SubTrackCoreTests"), [r"SubTrackCoreTests\."])

    def test_the_readers_of_another_folder_are_there(self):
        for readers in changed.READERS.values():
            for reader in readers:
                name, suite = reader.rstrip("/").split(r"\.")
                found = list((changed.ROOT / "Tests" / name).rglob("*Tests.swift"))
                self.assertTrue(any(changed.re.fullmatch(suite, file.stem) for file in found), reader)


if __name__ == "__main__":
    unittest.main()
