# Where bench/compare.py takes Python, PyTorch and the peers' libraries from.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import argparse
import contextlib
import fcntl
import io
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

BENCH = Path(__file__).resolve().parents[3] / "bench"
sys.path.insert(0, str(BENCH))
from comparison import command_line, environment  # noqa: E402


class EnvironmentTest(unittest.TestCase):
    def test_the_running_python_is_used_as_it_is(self):
        with mock.patch.object(environment, "find_spec", return_value=object()):
            self.assertEqual(environment.adopt(), environment.Settings(sys.executable, {}))

    def test_the_python_of_an_installation_finds_what_is_installed_there(self):
        """Libraries of Fortran, without which OpenBLAS does not load."""
        with mock.patch.object(environment, "find_spec", return_value=object()), \
                mock.patch.object(environment.sys, "prefix", str(environment.FOLDER)), \
                mock.patch.dict(environment.os.environ, LD_LIBRARY_PATH="/own"):
            variables = environment.adopt().variables
        self.assertEqual(variables["LD_LIBRARY_PATH"].split(":"),
                         [str(environment.OPENMP_FOLDER), str(environment.DEBIAN_LIBRARIES), "/own"])

    def test_an_installation_may_be_a_link(self):
        with tempfile.TemporaryDirectory() as root, \
                mock.patch.object(environment, "find_spec", return_value=object()):
            folder, link = Path(root).resolve() / "elsewhere", Path(root) / "link"
            folder.mkdir()
            link.symlink_to(folder)
            with mock.patch.object(environment, "FOLDER", link), \
                    mock.patch.object(environment.sys, "prefix", str(link)):
                self.assertIn("LD_LIBRARY_PATH", environment.adopt().variables)

    def test_a_folder_of_the_users_for_inductor_stays(self):
        name = environment.inductor_cache.VARIABLE
        for own, expected in (({}, {name: str(environment.INDUCTOR_CACHE)}), ({name: "/own"}, {})):
            with mock.patch.dict(environment.os.environ, own):
                if not own:
                    environment.os.environ.pop(name, None)
                variables = environment._variables()
            self.assertEqual({key: value for key, value in variables.items() if key == name},
                             expected)

    def test_a_python_without_pytorch_is_refused(self):
        with mock.patch.object(environment, "find_spec", return_value=None):
            with self.assertRaises(environment.InstallError) as raised:
                environment.adopt()
        self.assertIn("has no package torch", str(raised.exception))

    def make_environment(self, pip_code, create, peers=()):
        """Installs beside an interpreter whose `-m pip` ends with that code."""
        with tempfile.TemporaryDirectory() as root, contextlib.ExitStack() as patches:
            python = Path(root) / "bin" / "python"
            python.parent.mkdir()
            python.write_text(f"#!/bin/sh\nexit {pip_code}\n")
            python.chmod(0o755)
            for name, value in (("FOLDER", Path(root)), ("PYTHON", python), ("_say", mock.Mock()),
                                ("LOCK", Path(root) / "lock"),
                                ("_install_torch", mock.Mock()), ("_link_openmp", mock.Mock())):
                patches.enter_context(mock.patch.object(environment, name, value))
            patches.enter_context(mock.patch.object(environment.venv, "create", create))
            self.assertEqual(environment.install(peers).python, str(python))

    def test_an_environment_that_works_is_kept(self):
        create = mock.Mock()
        self.make_environment(0, create)
        create.assert_not_called()

    def test_who_comes_second_waits(self):
        with tempfile.TemporaryDirectory() as root:
            lock = Path(root) / "lock"
            with mock.patch.object(environment, "LOCK", lock), environment._alone():
                with open(lock) as other, self.assertRaises(BlockingIOError):
                    fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with open(lock) as other:
                fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def test_a_folder_that_may_not_be_written_may_have_all(self):
        with mock.patch.object(environment, "LOCK", Path("/nonexistent/lock")):
            with environment._alone():
                pass

    def test_an_environment_without_pip_is_made_anew(self):
        create = mock.Mock()
        self.make_environment(1, create)
        create.assert_called_once_with(mock.ANY, with_pip=True, clear=True)

    def test_a_peer_that_the_system_keeps_from_being_installed_costs_no_other(self):
        steps = {"_install_openblas": mock.Mock(side_effect=PermissionError("read-only")),
                 "_install_libxsmm": mock.Mock()}
        with mock.patch.multiple(environment, **steps):
            self.make_environment(0, mock.Mock(), ["openblas", "libxsmm"])
        steps["_install_libxsmm"].assert_called_once_with()

    def test_what_all_need_and_the_system_refuses_is_one_line(self):
        refusal = mock.Mock(side_effect=OSError("no space left"))
        with mock.patch.object(command_line.process, "is_ready", return_value=False), \
                mock.patch.object(environment, "install", refusal), \
                contextlib.redirect_stderr(io.StringIO()) as stderr, \
                self.assertRaises(SystemExit) as raised:
            command_line.become_measuring_process(
                "bench/compare.py", [], argparse.Namespace(no_install=False, threads=1), [])
        self.assertEqual((raised.exception.code, stderr.getvalue()),
                         (2, "compare: no space left\n"))

    def test_lists_that_another_apt_run_holds_are_waited_for(self):
        held = ("E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7\n"
                "E: Unable to lock directory /var/lib/apt/lists/\n")
        errors = mock.Mock(side_effect=[held, None])
        with mock.patch.object(environment, "_errors_of", errors), \
                mock.patch.object(environment, "_say"), \
                mock.patch.object(environment.time, "sleep") as sleep:
            environment._update_lists()
            self.assertEqual((errors.call_count, sleep.call_count), (2, 1))
            # What only reads like a lock is not waited for.
            errors.side_effect = ["E: Unable to lock directory /var/lib/apt/lists/\n"]
            with self.assertRaisesRegex(environment.InstallError,
                                        "^apt-get update: E: Unable to lock directory"):
                environment._update_lists()
            self.assertEqual((errors.call_count, sleep.call_count), (3, 1))

    def test_a_build_has_both_the_library_and_the_program(self):
        """Before anything is installed: the race needs what `lintel doctor` says."""
        parser = argparse.ArgumentParser()
        command_line.add_common_options(parser)
        with tempfile.TemporaryDirectory() as build:
            for name in ("lib/liblintel.so", "bin/lintel"):
                with contextlib.redirect_stderr(io.StringIO()) as stderr, \
                        self.assertRaises(SystemExit):
                    command_line.check_common_options(parser,
                                                      parser.parse_args(["--build", build]))
                self.assertIn(f"{build} has no {name}; run scripts/build, or say --build FOLDER",
                              stderr.getvalue())
                (Path(build) / name).parent.mkdir()
                (Path(build) / name).touch()
            command_line.check_common_options(
                parser, parser.parse_args(["--build", build, "--threads", "1"]))

    def check_threads(self, doctor, *words):
        """As many as there are of a build with that `lintel doctor`; or what is refused."""
        parser = argparse.ArgumentParser()
        command_line.add_common_options(parser)
        with tempfile.TemporaryDirectory() as build:
            for name in ("lib/liblintel.so", "bin/lintel"):
                (Path(build) / name).parent.mkdir()
                (Path(build) / name).write_text(f"#!/bin/sh\n{doctor}\n")
                (Path(build) / name).chmod(0o755)
            arguments = parser.parse_args(["--build", build, *words])
            with contextlib.redirect_stderr(io.StringIO()) as stderr:
                try:
                    command_line.check_common_options(parser, arguments)
                except SystemExit:
                    return stderr.getvalue()
            return arguments.threads

    def test_threads_are_as_many_as_lintel_takes(self):
        """Fewer than CPUs of the affinity mask, where there is a quota."""
        said = "echo '{\"threads\": 3}'"
        with mock.patch.object(command_line.os, "sched_getaffinity", return_value=set(range(8))):
            self.assertEqual(self.check_threads(said), 3)
            self.assertEqual(self.check_threads(said, "--threads", "8"), 8)
            self.assertEqual(self.check_threads(f"{said}; exit 1"), 3)  # of a cache
            self.assertIn("--threads: Lintel does not say", self.check_threads("exit 1"))
            with mock.patch.dict(command_line.os.environ, COMPARE_CPUS="4,5"):
                self.assertEqual(self.check_threads(said), 2)

    def test_too_many_threads_are_refused_where_they_were_said(self):
        with mock.patch.object(command_line.os, "sched_getaffinity", return_value={0, 1}):
            self.assertIn("error: --threads 3: this process may use 2 CPUs",
                          self.check_threads("", "--threads", "3"))
            with mock.patch.dict(command_line.os.environ, LINTEL_THREADS="3"):
                self.assertIn("error: LINTEL_THREADS 3: this process may use 2 CPUs",
                              self.check_threads("echo '{\"threads\": 3}'"))

    def test_a_build_that_cannot_be_looked_at_is_refused(self):
        parser = argparse.ArgumentParser()
        command_line.add_common_options(parser)
        with contextlib.redirect_stderr(io.StringIO()) as stderr, self.assertRaises(SystemExit):
            command_line.check_common_options(parser, parser.parse_args(["--build", "a" * 300]))
        self.assertIn("error: --build: [Errno 36] File name too long", stderr.getvalue())

    def test_no_thread_is_taken_away_from_the_process_that_measures(self):
        settings = mock.Mock(python="python3", variables={})
        limits = {"OMP_THREAD_LIMIT": "1", "OMP_MAX_ACTIVE_LEVELS": "0", "HOME": "/"}
        with mock.patch.object(command_line.process.os, "execve") as execve, \
                mock.patch.dict(command_line.os.environ, limits, clear=True):
            command_line.process.restart("bench/compare.py", [], 1, settings)
        environment_of_it = execve.call_args.args[2]
        self.assertEqual(environment_of_it["OMP_NUM_THREADS"], "1")
        self.assertEqual({*limits} & {*environment_of_it}, {"HOME"})

    def test_an_interrupted_unpacking_is_taken_up_again(self):
        """Also inside the package that the library comes from, which is there by then."""
        unpacked = []

        def run(command, folder=None):
            if command[0] == "apt-get":
                for package in command[3:]:
                    (folder / f"{package}_1_amd64.deb").touch()
                return
            unpacked.append(command[2].name.split("_")[0])
            if unpacked[-1] == "libopenblas0-openmp":
                library.touch()
            if len(unpacked) in (2, 5):
                raise KeyboardInterrupt

        with tempfile.TemporaryDirectory() as root, contextlib.ExitStack() as patches:
            library = Path(root) / "libopenblas.so.0"
            for name, value in (("FOLDER", Path(root)), ("OPENBLAS", library), ("_run", run),
                                ("_say", mock.Mock())):
                patches.enter_context(mock.patch.object(environment, name, value))
            for _ in range(2):
                with self.assertRaises(KeyboardInterrupt):
                    environment._install_openblas()
            environment._install_openblas()
            environment._install_openblas()
        packages = ["libquadmath0", "libgfortran5", "libopenblas0-openmp"]
        self.assertEqual(unpacked, packages[:2] + packages + packages)

    def test_an_environment_that_cannot_be_made_says_what_to_do(self):
        for failure, part in (
                (subprocess.CalledProcessError(1, "python", b"\nNo module named ensurepip\n"),
                 "No module named ensurepip; install python3-venv"),
                (subprocess.CalledProcessError(1, "python"), "failed; install python3-venv"),
                (PermissionError("it is read-only"), "it is read-only")):
            with self.assertRaises(environment.InstallError) as raised:
                self.make_environment(1, mock.Mock(side_effect=failure))
            self.assertIn(part, str(raised.exception))
            self.assertIn("--no-install", str(raised.exception))


if __name__ == "__main__":
    unittest.main()
