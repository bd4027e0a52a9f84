"""Lists the interface's methods and runs a scan with the PyPI client `varlink`, media as base64."""

import base64
import hashlib
import sys

import varlink

with varlink.Client(address="unix:" + sys.argv[1]) as client:
    names = [interface for interface in client.get_interfaces()]
    print("interfaces", " ".join(names))
    with client.open("io.livenessd.Liveness") as liveness:
        interface = client.get_interface("io.livenessd.Liveness")
        methods = [name for name, member in interface.members.items() if type(member).__name__ == "_Method"]
        print("methods", " ".join(sorted(methods)))
        for reply in liveness.Scan(_more=True):
            told = {key: value for key, value in reply.items() if value is not None}
            assert len(told) == 1, told
            (key, value), = told.items()
            if key != "completed":
                print(key, value if key in ("phase", "hint") else "")
                continue
            for name in ("autoshot", "snapshot", "clip"):
                medium = value[name]
                data = base64.b64decode(medium["base64"])
                assert len(data) == medium["size"]
                assert hashlib.sha256(data).hexdigest() == medium["sha256"]
                print("checked", name, medium["media_type"])
            print("completed", " ".join(action["action"] for action in value["actions"]))
