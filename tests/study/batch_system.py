"""Runs a batch script under Slurm on this machine alone, and prints what it prints.

Usage: batch_system.py SCRIPT

The daemons of Slurm and Munge run as the calling user with files in a temporary folder; nothing of the system's own
configuration is read or changed.
"""

import contextlib
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time

CONFIGURATION = """ClusterName=one_node
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CryptoType=crypto/munge
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def run(script):
    """Returns the exit code of the script and what it has printed."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as daemons:
        os.chmod(folder, 0o755)  # Munge wants to trust the folder of its socket
        for name in ("state", "spool"):
            os.mkdir(os.path.join(folder, name))
        key = os.path.join(folder, "munge.key")
        with open(os.open(key, os.O_CREAT | os.O_WRONLY, 0o600), "wb") as file:
            file.write(secrets.token_bytes(1024))
        configuration = os.path.join(folder, "slurm.conf")
        host = socket.gethostname().split(".")[0]
        user = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()
        with open(configuration, "w", encoding="utf-8") as file:
            file.write(CONFIGURATION.format(host=host, ports=free_ports(2), folder=folder, user=user))
        surroundings = dict(os.environ, SLURM_CONF=configuration)
        log = daemons.enter_context(open(os.path.join(folder, "log"), "w+", encoding="utf-8"))

        def start(*command):
            daemon = subprocess.Popen(command, env=surroundings, stdout=log, stderr=log)
            daemons.callback(daemon.wait)
            daemons.callback(daemon.terminate)

        def call(*command):
            return subprocess.run(command, env=surroundings, capture_output=True, text=True, check=False)

        start("/usr/sbin/munged", "--foreground", "--force", f"--key-file={key}",
              *(f"--{name}-file={folder}/munge.{name}" for name in ("pid", "log", "seed")),
              f"--socket={folder}/munge.socket")
        time.sleep(1.0)
        start("/usr/sbin/slurmctld", "-D", "-f", configuration)
        start("/usr/sbin/slurmd", "-D", "-f", configuration, "-N", host)
        end = time.monotonic() + 30.0
        while "idle" not in call("sinfo", "-h", "-o", "%T").stdout:
            if time.monotonic() > end:
                log.seek(0)
                raise RuntimeError("Slurm does not start:\n" + log.read())
            time.sleep(0.2)
        output = os.path.join(folder, "output")
        job = call("sbatch", "--wait", "-o", output, script)
        with open(output, encoding="utf-8") as file:
            return job.returncode, file.read() + job.stderr


if __name__ == "__main__":
    code, text = run(sys.argv[1])
    print(text, end="")
    sys.exit(code)
