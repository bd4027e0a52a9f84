import Glibc

exit(SyntheticFace.run(Array(CommandLine.arguments.dropFirst())))
