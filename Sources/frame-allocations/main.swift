import Glibc

exit(FrameAllocations.run(Array(CommandLine.arguments.dropFirst())))
