/** Stub platform services for the command-line parser, which requires them but never uses them. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as ChildProcessSpawner from "effect/process/ChildProcessSpawner"
import * as Sink from "effect/Sink"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import * as Terminal from "effect/Terminal"

const unused = Effect.die(new Error("the command line is parsed without a platform"))

/** Node's own platform layer costs 20 ms at every start. */
export const parserServices: Context.Context<
  | FileSystem.FileSystem
  | Path.Path
  | Terminal.Terminal
  | ChildProcessSpawner.ChildProcessSpawner
  | Stdio.Stdio
> = Context.empty().pipe(
  Context.add(FileSystem.FileSystem, FileSystem.makeNoop({})),
  Context.add(Path.Path, {} as Path.Path),
  Context.add(
    Terminal.Terminal,
    Terminal.make({
      columns: unused,
      rows: unused,
      size: unused,
      readInput: unused,
      readLine: unused,
      display: () => unused,
    }),
  ),
  Context.add(
    ChildProcessSpawner.ChildProcessSpawner,
    ChildProcessSpawner.make(() => unused),
  ),
  Context.add(
    Stdio.Stdio,
    Stdio.make({
      args: unused,
      stdin: Stream.die("unused"),
      stdout: () => Sink.drain,
      stderr: () => Sink.drain,
    }),
  ),
)
