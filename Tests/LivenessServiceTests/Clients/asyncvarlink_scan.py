"""Runs a scan with the PyPI client `asyncvarlink`, media as descriptors."""

import asyncio
import hashlib
import os
import sys

import asyncvarlink


def check(completed, descriptors):
    for name in ("autoshot", "snapshot", "clip"):
        medium = completed[name]
        data = os.pread(descriptors[medium["descriptor"]].fileno(), medium["size"] + 1, 0)
        assert len(data) == medium["size"], (name, len(data), medium["size"])
        assert hashlib.sha256(data).hexdigest() == medium["sha256"], name
        print("checked", name, medium["media_type"])
    print("completed", " ".join(action["action"] for action in completed["actions"]))


async def main(path):
    transport, client = await asyncvarlink.connect_unix_varlink(asyncvarlink.VarlinkClientProtocol, path)
    call = asyncvarlink.VarlinkMethodCall("io.livenessd.Liveness.Scan", {"media": "descriptors"}, more=True)
    async for reply, descriptors in client.call_more(call):
        assert reply.error is None, reply.error
        told = {key: value for key, value in reply.parameters.items() if value is not None}
        assert len(told) == 1, told
        if "completed" in told:
            check(told["completed"], descriptors)
        else:
            print(*told)
    transport.close()


asyncio.run(asyncio.wait_for(main(sys.argv[1]), 60))
