import Glibc

exit(ReplayDaemon.run(Array(CommandLine.arguments.dropFirst())))
