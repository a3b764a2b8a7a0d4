# SPDX-License-Identifier: Apache-2.0
"""A Slurm of one node of a test's own: its keys, ports, sockets and spools lie in a temporary folder, and it
ends with the test."""

import os
import pwd
import re
import shutil
import socket
import subprocess
import tempfile
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol")

# A container has no systemd and no cgroups: tasks are tracked by their parents, and nothing is constrained.
CONFIGURATION = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
SlurmctldPort={control_port}
SlurmdPort={node_port}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
MailProg=/bin/true
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
SlurmdParameters=config_overrides
KillWait=2
NodeName=one NodeHostname={host} NodeAddr=127.0.0.1 CPUs=2
PartitionName=all Nodes=ALL Default=YES State=UP
"""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Cluster:
    def __init__(self):
        missing = [program for program in PROGRAMS if not shutil.which(program, path=self.path())]
        if missing:
            raise RuntimeError(f"{', '.join(missing)} not installed: apt-get install munge slurmctld slurmd slurm-client")
        self.folder = tempfile.mkdtemp(prefix="slurm")
        os.chmod(self.folder, 0o755)
        self.daemons = []
        self.environment = {**os.environ, "PATH": self.path(), "SLURM_CONF": self.file("slurm.conf")}
        try:
            self.start()
        except BaseException:
            self.stop()
            raise

    @staticmethod
    def path():
        return os.environ["PATH"] + ":/usr/sbin:/sbin"  # where Debian puts the daemons

    def file(self, name):
        return os.path.join(self.folder, name)

    def start(self):
        for name in ("state", "spool"):
            os.mkdir(self.file(name))
        with open(os.open(self.file("munge.key"), os.O_WRONLY | os.O_CREAT, 0o400), "wb") as key:
            key.write(os.urandom(1024))
        control_port, node_port = free_ports(2)
        with open(self.file("slurm.conf"), "w", encoding="utf-8") as out:
            out.write(CONFIGURATION.format(folder=self.folder, host=socket.gethostname().split(".")[0], user=pwd.getpwuid(os.geteuid()).pw_name,
                                           control_port=control_port, node_port=node_port))
        with open(self.file("cgroup.conf"), "w", encoding="utf-8") as out:
            out.write("CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n")
        files = {name: self.file(f"munge.{name}") for name in ("key", "socket", "pid", "seed")}
        self.daemon("munged", "--force", "--foreground", "--num-threads=1", f"--key-file={files['key']}", f"--socket={files['socket']}",
                    f"--pid-file={files['pid']}", f"--seed-file={files['seed']}")
        self.wait(lambda: os.path.exists(files["socket"]), "munged")
        self.daemon("slurmctld", "-D")
        self.daemon("slurmd", "-D", "-N", "one")
        self.wait(lambda: self.call("sinfo", "-h", "-o", "%T", check=False).stdout.strip() == "idle", "the node")

    def daemon(self, *command):
        with open(self.file(command[0] + ".log"), "wb") as log:
            self.daemons.append(subprocess.Popen(["setpriv", "--pdeathsig", "TERM", *command], env=self.environment, cwd=self.folder,
                                                 stdin=subprocess.DEVNULL, stdout=log, stderr=log))

    def logs(self):
        texts = []
        for name in ("munged", "slurmctld", "slurmd"):
            if os.path.exists(self.file(name + ".log")):
                with open(self.file(name + ".log"), encoding="utf-8", errors="replace") as log:
                    texts.append(f"== {name}\n{log.read()[-4000:]}")
        return "\n".join(texts)

    def wait(self, happens, what, seconds=60):
        """Until something happens; a daemon that has ended, or the end of the time, is an error with all
        logs."""
        end = time.monotonic() + seconds
        while not happens():
            ended = [one.args[3] for one in self.daemons if one.poll() is not None]
            if ended or time.monotonic() > end:
                raise RuntimeError(f"waiting for {what}: {', '.join(ended) + ' ended' if ended else 'too long'}\n{self.logs()}")
            time.sleep(0.1)

    def call(self, *command, check=True):
        return subprocess.run(command, env=self.environment, cwd=self.folder, check=check, text=True, capture_output=True, timeout=60)

    def job(self, number):
        """The fields of a job or an array's task, `12` or `12_3`."""
        text = self.call("scontrol", "show", "job", "-o", number).stdout.splitlines()[0]
        return dict(re.findall(r"(\w+)=(\S*)", text))

    def requeue(self, number):
        """As after a node failure, but without the two minutes that Slurm then waits."""
        self.call("scontrol", "requeue", number)
        self.wait(lambda: self.job(number)["JobState"] == "PENDING", "the requeued job")
        self.call("scontrol", "update", f"JobId={number}", "StartTime=now")

    def wait_for_jobs(self):
        self.wait(lambda: not self.call("squeue", "-h").stdout.strip(), "all jobs")

    def stop(self):
        if len(self.daemons) == 3:
            self.call("scancel", "--full", "--state=RUNNING", check=False)
            self.call("scancel", "--state=PENDING", check=False)
        for one in reversed(self.daemons):
            one.terminate()
            try:
                one.wait(timeout=20)
            except subprocess.TimeoutExpired:
                one.kill()
                one.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
